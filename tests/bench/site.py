"""How fast the site is: a move sent, committed, and shown by the other member's page, over real sockets.

`python -m tests.bench.site` measures all: flat out and at a pace on both databases, each game, several web servers,
watchers, the first page; then a table beside the figures of the last release. `--keep` writes them for this one.
With `--matches`, `--rate` or `--game` only that is measured. On two cores the web server is alone on the first; load
generator, Redis and database are on the second. Two members a match (three where the game wants so), a page each.
"""

import argparse
import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from games.rules import games
from tests.bench import page, scale, watchers
from tests.bench.__main__ import machine
from tests.bench.figures import Row, beside, commit, keep, last_kept, line_of, version
from tests.bench.play import MEASURED, SEED, Matches, Opened, Played, play, prepare_load
from tests.bench.server import SERVER_CORE, Server

FLAT_OUT = (1, 20, 100)
PACED = {100: (20, 50, 100, 200), 1000: (20, 50, 100, 200)}
WEBS = (1, 2, 4)
IDLE_ENOUGH = 70  # percent of its core above which the load generator would measure itself
HELD = 0.97  # share of the wanted moves a second below which the pace was not held
STANDSTILL = 0.3  # seconds after which others must have stopped the load generator: the times mean nothing
KINDS = ("sqlite", "postgresql")


@dataclass
class Report:
    """The rows measured so far, printed as they come, and kept if wished.

    `failed` as soon as something was lost, doubled or disordered.
    """

    way: str
    seconds: float
    keeps: bool
    about: dict[str, str]
    rows: dict[str, Row] = field(default_factory=dict)
    failed: bool = False

    def moves(self, name: str, played: Played, rate: float | None = None) -> None:
        """Take a row of moves."""
        self.about["way"] = played.way
        self.add(name, played.row)
        print(f"{line_of(name, played.row)}  load generator {played.busy:.0f} % of its core", end="")
        print(f", others {played.foreign:.0f} % of the web server's" if played.foreign else "", end="")
        print(f"  {played.refused} refused" if played.refused else "", end="")
        print(f"  {played.late} answered late" if played.late else "", end="")
        print(f"  by {played.way}" if played.way != self.way else "", end="")
        print(f"  STOOD STILL FOR {played.stood:.1f} s" if played.stood > STANDSTILL else "", end="")
        print("  PACE NOT HELD" if rate and played.row["moves_a_second"] < HELD * rate else "", end="")
        print("  THE LOAD GENERATOR IS THE LIMIT" if played.busy > IDLE_ENOUGH else "", flush=True)
        self.faults(played.faults)

    def others(self, name: str, row: Row, faults: list[str]) -> None:
        """Take a row of other figures."""
        self.add(name, row)
        print(f"{name}: {', '.join(f'{value:.1f} {unit}' for unit, value in row.items())}", flush=True)
        self.faults(faults)

    def add(self, name: str, row: Row) -> None:
        self.rows[name] = row
        if self.keeps:
            keep(self.about, self.rows)

    def faults(self, faults: list[str]) -> None:
        for fault in faults[:10]:
            print(f"  FAULT {fault}")
        print(f"  FAULT and {len(faults) - 10} more" if len(faults) > 10 else "", end="")
        self.failed = self.failed or bool(faults)


def spares(seconds: float, count: int) -> int:
    """Return how many matches beside those at play may be wanted in so many seconds flat out."""
    return max(10, round(seconds * (8 if count >= 20 else 3)))


async def flat_out(report: Report, matches: Matches, counts: tuple[int, ...]) -> None:
    for count in counts:
        spare = spares(report.seconds, count)
        played = await play(matches, count, way=report.way, seconds=report.seconds, spare=spare)
        report.moves(f"{matches.server.kind}, {matches.game}, {count} flat out", played)


async def paced(report: Report, matches: Matches, count: int, rates: tuple[float, ...], beats: bool) -> None:
    async with AsyncExitStack() as stack:
        opened = Opened(matches, count, max(4, count // 10), beats=beats)
        await opened.open(report.way, stack)
        of = f"{matches.server.kind}, {matches.game}, {count}"
        if beats:
            row = {f"% of a core for {part}": round(100 * spent, 2) for part, spent in opened.resting.items()}
            report.others(f"{of} open, nobody moves", row, [])
        for rate in rates:
            report.moves(f"{of} at {rate:g}/s", await opened.play(rate, report.seconds), rate)


async def on(kind: str, measure: Callable[[Server], object]) -> None:
    """Measure on a fresh site."""
    async with AsyncExitStack() as stack:
        await measure(Server(kind, stack))


async def all_of(report: Report, kind: str) -> None:
    """Measure Yum EXTRA in all ways on one database, and the other games on it."""

    async def measure(server: Server) -> None:
        matches = Matches(server)
        await flat_out(report, matches, FLAT_OUT)
        for count, rates in PACED.items():
            await paced(report, matches, count, rates, True)
        for game in games():
            if game != matches.game:
                await flat_out(report, Matches(server, game), (20,))

    await on(kind, measure)


async def everything(report: Report, kinds: list[str]) -> None:
    for kind in kinds:
        await all_of(report, kind)
    if "postgresql" in kinds:
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
        for webs in WEBS:
            report.moves(
                f"postgresql, {webs} web servers", await scale.measure(webs, way=report.way, seconds=report.seconds)
            )
        prepare_load()
    if "sqlite" in kinds:
        report.others("1 000 watchers of one match", *await watchers.measure(report.way))
        report.others("first match page", (await page.measure())[0], [])


async def some(report: Report, args: argparse.Namespace) -> None:
    """Measure what the options name."""

    async def measure(server: Server) -> None:
        for game in args.game or ("yum-extra",):
            matches = Matches(server, game)
            for count in args.matches or (20,):
                if args.rate:
                    await paced(report, matches, count, args.rate, not args.silent)
                else:
                    await flat_out(report, matches, (count,))

    for kind in args.kinds:
        await on(kind, measure)


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.site", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("kinds", nargs="*", metavar="database", help="sqlite or postgresql; both if none is named")
    parser.add_argument("--way", choices=("socket", "http"), default="socket", help="how pages move and get tables")
    parser.add_argument("--matches", type=int, nargs="+", help="so many at once")
    parser.add_argument("--rate", type=float, nargs="+", help="moves a second in all; else flat out")
    parser.add_argument("--game", nargs="+", choices=games())
    parser.add_argument("--seconds", type=float, default=MEASURED)
    parser.add_argument("--silent", action="store_true", help="paced pages send no beats and reports beside moves")
    parser.add_argument("--keep", action="store_true", help="write the figures for this release into docs/bench")
    args = parser.parse_args()
    if unknown := set(args.kinds) - set(KINDS):
        parser.error(f"no database of ours: {', '.join(unknown)}")
    args.kinds = args.kinds or list(KINDS)
    return args


def main() -> int:
    """Return 1 when a page saw a table twice, out of order or not at all, or a move was lost or doubled."""
    args = options()
    print(f"seed {SEED}; web server alone on core {SERVER_CORE}; load {os.getloadavg()[0]:.1f}", flush=True)
    prepare_load()
    load = f"{os.getloadavg()[0]:.1f}"
    before = last_kept() or {"about": {}, "rows": {}}
    about = {"version": version(), "commit": commit(), "way": args.way, "load before": load, **machine()}
    report = Report(args.way, args.seconds, args.keep, about)
    asyncio.run(some(report, args) if args.matches or args.rate or args.game else everything(report, args.kinds))
    told = [("now", about), ("[before]", before["about"])]
    for when, which in told if before["about"] else told[:1]:
        print(f"\n{when}: {', '.join(which[name] for name in ('version', 'commit', 'way', 'machine'))}", end="")
    print("\n".join(["\n", *beside(report.rows, before["rows"])]))
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
