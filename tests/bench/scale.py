"""What a move costs on PostgreSQL with 1, 2 and 4 web servers: processor seconds of each part for 1 000 moves.

The web servers, the load, Redis and the database share all cores, so the moves a second are those of one small
machine; the processor time of a move is what grows or not when web servers are added. The two members of a match
are at different web servers.
"""

import asyncio
import os
import sys
from contextlib import AsyncExitStack

from tests.bench.figures import line_of
from tests.bench.play import MEASURED, Matches, Played, play
from tests.bench.server import Server

MATCHES, SPARE = 20, 40


async def measure(webs: int, way: str = "socket", seconds: float = MEASURED) -> Played:
    """Return what was measured flat out with this many web servers."""
    async with AsyncExitStack() as stack:
        server = Server("postgresql", stack, webs)
        return await play(Matches(server), MATCHES, way=way, seconds=seconds, spare=SPARE)


def main() -> int:
    """Return 1 when something was shown out of order, twice or never."""
    print(f"{MATCHES} matches of Yum EXTRA, flat out, on PostgreSQL; all on {os.cpu_count()} cores")
    costs, good = [], True
    for webs in map(int, sys.argv[1:] or ("1", "2", "4")):
        played = asyncio.run(measure(webs))
        print(line_of(f"{webs} web, by {played.way}", played.row), flush=True)
        print("".join(f"FAULT {fault}\n" for fault in played.faults[:20]), end="")
        costs.append(played.row["web"])
        good = good and not played.faults
    if len(costs) > 1:
        print(f"the web servers' part of a move grows by {100 * (costs[1] / costs[0] - 1):.0f} % with the second")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
