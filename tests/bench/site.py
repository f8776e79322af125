"""How fast the site is: a move sent, committed, and shown by the other member's page, over real sockets.

`python -m tests.bench.site` on two cores: the web server alone on the first; load generator, Redis and database on
the second. Two members a match, a page and a socket each.
"""

import argparse
import asyncio
import os
import sys
from contextlib import AsyncExitStack

from tests.bench.play import SEED, Played, play
from tests.bench.server import OTHER_CORE, SERVER_CORE, Server


def show(name: str, played: Played) -> None:
    ordered = sorted(played.times) or [0.0]
    p50, p95, p99 = (ordered[int(len(ordered) * share)] * 1000 for share in (0.5, 0.95, 0.99))
    moves = len(played.times)
    costs = "  ".join(f"{part} {1000 * spent / max(moves, 1):.2f}" for part, spent in played.spent.items())
    busy = 100 * played.spent["load"] / played.seconds
    print(
        f"{name:42s} {moves / played.seconds:6.1f}/s  p50 {p50:6.1f}  p95 {p95:6.1f}  p99 {p99:6.1f} ms  "
        f"s per 1 000 moves: {costs}  load generator {busy:.0f} % of its core  refused {played.refused}",
        flush=True,
    )
    for fault in played.faults[:10]:
        print(f"  FAULT {fault}")


async def measure(args: argparse.Namespace) -> bool:
    good = True
    async with AsyncExitStack() as stack:
        server = Server(args.kind, stack)
        for count in args.matches:
            played = await play(
                server,
                count,
                args.rate,
                seconds=args.seconds,
                way=args.way,
                game=args.game,
                spare=int(args.seconds * 4),
            )
            show(f"{args.kind}, {args.game}, {count} matches, by {played.way}", played)
            good = good and not played.faults
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("sqlite", "postgresql"))
    parser.add_argument("--way", choices=("http", "socket"), default="socket")
    parser.add_argument("--matches", type=int, nargs="+", default=[20])
    parser.add_argument("--rate", type=float)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--game", default="yum-extra")
    args = parser.parse_args()
    print(
        f"seed {SEED}; web server on core {SERVER_CORE}; all else on core {OTHER_CORE}; load {os.getloadavg()[0]:.1f}"
    )
    os.sched_setaffinity(0, {OTHER_CORE})
    return 0 if asyncio.run(measure(args)) else 1


if __name__ == "__main__":
    sys.exit(main())
