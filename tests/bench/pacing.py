"""How evenly bots move: `python -m tests.bench.pacing [game [seats [steps]]]`, with a worker as it really runs.

One member plays without delay against bots in all other seats. Printed: the times between the steps that bots
made, from one stored turn to the next.
"""

import asyncio
import json
import subprocess
import sys
from contextlib import AsyncExitStack
from statistics import median

from config.supervisor import worker_command
from tests.bench.server import Server

GAME, SEATS, STEPS = "yam-menteur", 8, 189
BURST = 0.3  # seconds


async def measure(slug: str, seats: int, steps: int) -> list[tuple[str, int]]:
    """Return who made each step, and when (ms)."""
    async with AsyncExitStack() as stack:
        server = Server("sqlite", stack)
        out = subprocess.DEVNULL
        worker = subprocess.Popen([*worker_command(), "-B"], env=server.env, stdout=out, stderr=out)
        stack.callback(worker.wait, 20)
        stack.callback(worker.terminate)
        script = f"from tests.bench.prepare import play_with_bots; play_with_bots({slug!r}, {seats}, {steps})"
        lines = server.manage("shell", "--no-imports", "-c", script).splitlines()  # warnings may stand among them
        return json.loads(next(line for line in lines if line.startswith("[[")))


def main() -> int:
    slug, seats, steps = (*sys.argv[1:], *(GAME, SEATS, STEPS)[len(sys.argv) - 1 :])
    turns = asyncio.run(measure(slug, int(seats), int(steps)))
    waits = sorted((at - turns[n][1]) / 1000 for n, (by, at) in enumerate(turns[1:]) if by == "bot")
    short = sum(wait < BURST for wait in waits)
    print(f"pacing {slug}, {seats} seats: {len(waits)} steps of bots in {len(turns)}, {short} within {BURST} s")
    print(f"pacing: least {waits[0]:.2f} s, median {median(waits):.2f} s, most {waits[-1]:.2f} s")
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
