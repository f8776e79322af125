"""How fast the lists of the admin answer with 100,000 members, matches, reports, audit rows and chat lines.

`python -m tests.bench.admin [ROWS]`, on SQLite and on PostgreSQL: whole pages by HTTP from a real server on a
core of its own, as a moderator and as an admin has them; the time on the clock, and the web server's own on
the processor, which a busy machine does not lengthen. It fails when a list takes longer than is promised.
"""

import asyncio
import json
import os
import sys
import time
from contextlib import AsyncExitStack
from pathlib import Path

import httpx

from tests.bench.server import OTHER_CORE, Server

ROWS = 100_000
ROUNDS = 15
MOST = 300  # milliseconds that the middle of a page's times may be
LISTS = (
    "accounts/user/",
    "accounts/user/?p=500",
    "accounts/user/?q=member-10777",
    "games/match/",
    "games/match/?status__exact=running",
    "games/match/?q=77777",
    "games/match/?q=member-10777",
    "moderation/report/",
    "moderation/report/?state=all",
    "moderation/report/?q=member-10777",
    "moderation/audit/",
    "games/chatline/",
    "games/chatline/?q=77777",
)


def on_processor(pid: int) -> float:
    """Return the milliseconds that a process has had of the processor."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def times_of(browser: httpx.Client, address: str) -> list[float]:
    """Return how many milliseconds a page took each time, shortest first."""
    found = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        answer = browser.get(f"/admin/{address}")
        found.append((time.perf_counter() - start) * 1000)
        assert answer.status_code == 200, (address, answer.status_code)
        assert "result_list" in answer.text, address
    return sorted(found)


async def measure(kind: str, rows: int) -> list[str]:
    """Print a line for each list; return those that take too long."""
    late = []
    async with AsyncExitStack() as stack:
        server = Server(kind, stack)
        start = time.perf_counter()
        code = f"from tests.bench import queue; queue.prepare({rows})"
        sessions = json.loads(server.manage("shell", "--no-imports", "-c", code).splitlines()[-1])
        print(f"{kind}: {rows} of each, made in {time.perf_counter() - start:.0f} s", flush=True)
        for who, session in sessions.items():
            browser = httpx.Client(base_url=server.base, cookies={"sessionid": session}, timeout=60)
            for address in LISTS:
                browser.get(f"/admin/{address}")
                before = on_processor(server.process.pid)
                times = times_of(browser, address)
                own = (on_processor(server.process.pid) - before) / ROUNDS
                middle, slow = times[len(times) // 2], times[int(len(times) * 0.95)]
                figures = f"p50 {middle:6.0f} ms   p95 {slow:6.0f} ms   web server {own:4.0f} ms"
                print(f"  {who:<10} {address:<38} {figures}", flush=True)
                late += [f"{kind} {who} {address}: {middle:.0f} ms"] if middle > MOST else []
    return late


def main(rows: int) -> int:
    """Return 1 when a list takes longer than 300 ms on either database."""
    os.sched_setaffinity(0, {OTHER_CORE})
    late = [line for kind in ("sqlite", "postgresql") for line in asyncio.run(measure(kind, rows))]
    print("\n".join(f"LATE: {line}" for line in late) or f"all lists within {MOST} ms")
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else ROWS))
