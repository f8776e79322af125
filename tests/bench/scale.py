"""What a move costs on PostgreSQL with 1, 2 and 4 web servers: processor seconds of each part for 1 000 moves.

The web servers, the load, Redis and the database share all cores, so the moves a second are those of one small
machine; the processor time of a move is what grows or not when web servers are added. The pages of a match are at
one web server, as the proxies in docs/deploy lead them; with `--apart` its two members are at different ones. Flat
out every part waits for a core, and the caches of each are the others'. `--rate` plays as many moves a second at each
web server: one that has less to do pays more for a move, as it wakes up for each alone, with however many beside it.
A number of web servers that is named several times is measured as often, and the growth is that of the means.
"""

import argparse
import asyncio
import os
import sys
from contextlib import AsyncExitStack
from statistics import mean

from tests.bench.figures import line_of
from tests.bench.play import MEASURED, Matches, Played, play
from tests.bench.server import Server

MATCHES, SPARE = 20, 40


async def measure(
    webs: int, *, is_apart: bool = False, way: str = "socket", seconds: float = MEASURED, rate: float | None = None
) -> Played:
    """Return what was measured with this many web servers: flat out, or at `rate` moves a second of each."""
    async with AsyncExitStack() as stack:
        server = Server("postgresql", stack, webs, is_apart=is_apart)
        return await play(Matches(server), MATCHES, way=way, seconds=seconds, spare=SPARE, rate=rate and rate * webs)


def main() -> int:
    """Return 1 when something was shown out of order, twice or never."""
    asked = argparse.ArgumentParser(prog="python -m tests.bench.scale")
    asked.add_argument("webs", nargs="*", type=int, default=[1, 2, 4], help="how many web servers (1 2 4)")
    asked.add_argument("--apart", action="store_true", help="the two members of a match at different ones")
    asked.add_argument("--rate", type=float, help="moves a second of each web server (flat out)")
    wanted = asked.parse_args()
    pace = f"at {wanted.rate:g} moves a second of each web server" if wanted.rate else "flat out"
    print(f"{MATCHES} matches of Yum EXTRA, {pace}, on PostgreSQL; all on {os.cpu_count()} cores")
    costs: dict[int, list[float]] = {}
    good = True
    for webs in wanted.webs:
        played = asyncio.run(measure(webs, is_apart=wanted.apart, rate=wanted.rate))
        print(line_of(f"{webs} web, by {played.way}", played.row), flush=True)
        print("".join(f"FAULT {fault}\n" for fault in played.faults[:20]), end="")
        costs.setdefault(webs, []).append(played.row["web"])
        good = good and not played.faults
    if 1 in costs and 2 in costs:
        growth = mean(costs[2]) / mean(costs[1]) - 1
        print(f"the web servers' part of a move grows by {100 * growth:.0f} % with the second")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
