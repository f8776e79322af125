"""Leaderboards of a million rated members: a page, one's rank, and how soon a change shows.

`python -m tests.bench.leaderboards [MEMBERS]`, on SQLite and on PostgreSQL: from the database alone, as when
Redis is away, then with ranks from Redis; whole pages by HTTP from a real server on a core of its own.
"""

import asyncio
import json
import os
import sys
import time
from contextlib import AsyncExitStack
from random import Random
from typing import Any

import httpx

from tests.bench.server import OTHER_CORE, Server

MEMBERS = 1_000_000
RUNS = 60
CHANGES = 20
SEED = 20261128
BOARD = "/leaderboards/yum-extra/"


def told(name: str, times: list[float], limit: float | None = None) -> None:
    """Print the middle and the slow end of some times in milliseconds, and the limit that is wanted."""
    times = sorted(times)
    middle, slow = times[len(times) // 2], times[int(len(times) * 0.95)]
    wanted = f"   (wanted: under {limit:.0f} ms)" if limit else ""
    print(f"  {name:<46} p50 {middle:7.2f} ms   p95 {slow:7.2f} ms{wanted}", flush=True)


def in_site(server: Server, call: str) -> Any:
    """Call a function of `crowd` in the site; return the JSON that it printed."""
    code = f"from tests.bench import crowd; crowd.{call}"
    return json.loads(server.manage("shell", "--no-imports", "-c", code).splitlines()[-1])


def pages(server: Server, numbers: list[int], session: str) -> list[float]:
    """Return how many milliseconds pages of the board take, as a member's browser has them."""
    times = []
    with httpx.Client(base_url=server.base, cookies={"sessionid": session}, timeout=60) as browser:
        browser.get(BOARD)
        for number in numbers:
            start = time.perf_counter()
            answer = browser.get(BOARD, params={"page": number})
            times.append((time.perf_counter() - start) * 1000)
            assert 'class="num rank"' in answer.text, (number, answer.status_code)
    return times


async def measure(kind: str, members: int) -> None:
    async with AsyncExitStack() as stack:
        server = Server(kind, stack)
        start = time.perf_counter()
        script = f"from tests.bench import rated_members; rated_members.make_rated_members({members})"
        server.manage("shell", "--no-imports", "-c", script)
        print(f"{kind}: {members} rated members, made in {time.perf_counter() - start:.0f} s", flush=True)
        rng = Random(SEED)
        anywhere = [rng.randrange(1, members * 90 // 100 // 50) for _ in range(RUNS)]
        for built in (False, True):
            figures = in_site(server, f"measure({members}, {RUNS}, {built})")
            source = f"with Redis, board built in {figures['build'] / 1000:.1f} s" if built else "database alone"
            print(f" {source}")
            told("my rank", figures["places"], 5 if built else None)
            told("rows and ranks of a page (1st, 2nd, middle)", figures["pages"])
            told("the first page, whole request", pages(server, [1] * RUNS, figures["session"]), 50)
            told("any page, whole request", pages(server, anywhere, figures["session"]), 50 if built else None)
        told(
            "from a match's last move to the page",
            in_site(server, f"end_matches({server.base!r}, {CHANGES})"),
            1000,
        )


def main(members: int) -> None:
    os.sched_setaffinity(0, {OTHER_CORE})
    print(f"seed {SEED}")
    for kind in ("sqlite", "postgresql"):
        asyncio.run(measure(kind, members))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else MEMBERS))
