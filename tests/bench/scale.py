"""What a move costs on PostgreSQL with 1, 2 and 4 web servers: processor seconds of each part for 1 000 moves.

The web servers, the load, Redis and the database share all cores, so the moves a second are those of one small
machine; the processor time of a move is what grows or not when web servers are added.
"""

import asyncio
import os
import sys
from contextlib import AsyncExitStack
from pathlib import Path

from tests.bench.site import MEASURED, WARM_UP, Server, play

MATCHES = 20
TICKS = os.sysconf("SC_CLK_TCK")


def seconds(pid: int) -> float:
    """Return the processor time of a process with its ended children; 0 if it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return 0.0
    return sum(map(int, fields[11:15])) / TICKS


def family(pid: int) -> list[int]:
    """Return a process and its children."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *map(int, found)]


def postgres(folder: str) -> int:
    """Return the process of the PostgreSQL whose data lie in the folder."""
    return int(Path(folder, "data", "postmaster.pid").read_text().split()[0])


async def measure(webs: int) -> float:
    """Print a line for this many web servers; return the web servers' processor seconds for 1 000 moves."""
    async with AsyncExitStack() as stack:
        server = Server("postgresql", stack, webs)
        database = postgres(server.env["DATABASE_URL"].rpartition("host=")[2])
        parts = {
            "web": lambda: [process.pid for process in server.processes],
            "Redis": lambda: [server.redis.child.pid],
            "database": lambda: family(database),
        }
        before = {name: sum(map(seconds, pids())) for name, pids in parts.items()}
        times = sorted(await play(server, MATCHES, None))
        spent = {name: sum(map(seconds, pids())) - before[name] for name, pids in parts.items()}
        made = len(times) * (WARM_UP + MEASURED) / MEASURED / 1000  # thousands of moves, those of the warm-up too
        costs = "  ".join(f"{name} {spent[name] / made:5.2f} s" for name in parts)
        p50, p95 = (times[int(len(times) * share)] * 1000 for share in (0.5, 0.95))
        rate = len(times) / MEASURED
        print(f"{webs} web: {rate:6.1f} moves/s   p50 {p50:6.1f} ms   p95 {p95:6.1f} ms   per 1 000 moves: {costs}")
        return spent["web"] / made


def main() -> None:
    print(f"{MATCHES} matches of Yum EXTRA, flat out, on PostgreSQL; all on {os.cpu_count()} cores")
    costs = [asyncio.run(measure(int(webs))) for webs in sys.argv[1:] or ("1", "2", "4")]
    if len(costs) > 1:
        print(f"the web servers' part of a move grows by {100 * (costs[1] / costs[0] - 1):.0f} % with the second")


if __name__ == "__main__":
    main()
