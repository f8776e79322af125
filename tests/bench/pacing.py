"""How evenly bots move: `python -m tests.bench.pacing [matches [steps]]`, with a worker as it really runs.

One member plays without delay against bots in all other seats, in so many matches of each game at once. Printed: the
times between the steps that bots made, and how long a reveal stood, from one stored turn to the next.
"""

import asyncio
import json
import subprocess
import sys
from contextlib import AsyncExitStack
from itertools import pairwise
from statistics import median

from config.supervisor import worker_command
from games.rules import games
from tests.bench.server import Server

MATCHES, STEPS = 40, 60
SEATS = {"yam-menteur": 6, "yes": 4, "yesss": 4, "yay": 3}
LEAST, HELD = 0.8, 2.0  # seconds between two steps of bots, and after a reveal

Steps = list[tuple[str, int, bool]]


async def measure(slug: str, seats: int, matches: int, steps: int) -> list[Steps]:
    """Return of each match who made each step, when (ms), and whether it revealed something to be looked at."""
    async with AsyncExitStack() as stack:
        server = Server("sqlite", stack)
        out = subprocess.DEVNULL
        worker = subprocess.Popen([*worker_command(), "-B"], env=server.env, stdout=out, stderr=out)
        stack.callback(worker.wait, 20)
        stack.callback(worker.terminate)
        script = (
            f"from tests.bench.prepare import play_with_bots; play_with_bots({slug!r}, {seats}, {steps}, {matches})"
        )
        lines = server.manage("shell", "--no-imports", "-c", script).splitlines()  # warnings may stand among them
        return json.loads(next(line for line in lines if line.startswith("[[")))


def main() -> int:
    matches, steps = (*map(int, sys.argv[1:]), *(MATCHES, STEPS)[len(sys.argv) - 1 :])
    bad = 0
    for slug in games():
        seats = SEATS.get(slug, 2)
        played = asyncio.run(measure(slug, seats, matches, steps))
        pairs = [pair for match in played for pair in pairwise(match) if pair[1][0] == "bot"]
        waits = sorted((after[1] - before[1]) / 1000 for before, after in pairs if not before[2])
        held = sorted((after[1] - before[1]) / 1000 for before, after in pairs if before[2])
        short = sum(wait < LEAST for wait in waits) + sum(wait < HELD for wait in held)
        bad += short
        print(f"pacing {slug}: {len(played)} matches of {seats} seats, {len(waits)} steps of bots, {short} too soon")
        print(f"pacing {slug}: least {waits[0]:.2f} s, median {median(waits):.2f} s, most {waits[-1]:.2f} s")
        if held:
            print(f"pacing {slug}: {len(held)} reveals stood {held[0]:.2f} s and more", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
