"""Matches played by the load generator, flat out or at a pace, and what they cost."""

import asyncio
import os
import resource
import time
from collections import deque
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.bench.figures import Row, row_of
from tests.bench.forms import ASK
from tests.bench.pages import BEAT, Page, faults_of, keep_beating
from tests.bench.server import OTHER_CORE, SERVER_CORE, TICKS, Server

SEED = 20261128
WARM_UP = 2.0
MEASURED = 10.0
AT_ONCE = 10  # matches that are opened at the same time
LOOK = 0.1  # seconds between two looks at the load generator's own clock
LOST = 30.0  # seconds after which a table that has not come never will
MOST_REFUSED = 100
SOME_LATE = 0.01  # share of moves that the socket may leave to HTTP


@dataclass
class Played:
    """What was measured: seconds from each move to all others' tables, processor seconds by part, what went wrong."""

    seconds: float
    way: str
    times: list[float] = field(default_factory=list)
    spent: dict[str, float] = field(default_factory=dict)
    busy: float = 0.0  # how much of its core the load generator took, in percent
    stood: float = 0.0  # the longest time that the load generator was kept from working, in seconds
    foreign: float = 0.0  # how much of the web server's core others took, in percent
    moves: int = 0
    late: int = 0
    refused: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def row(self) -> Row:
        return row_of(self.times, self.spent, self.seconds)


class Table:
    """The pages of one match."""

    def __init__(self, server: Server, made: dict, way: str) -> None:
        self.made, self.match = made, made["match"]
        self.pages = [Page(server, self.match, session, way, seat) for seat, session in enumerate(made["sessions"])]
        self.rng = Random(SEED + self.match)
        self.refused = 0
        self.faults: list[str] = []

    async def open(self, stack: AsyncExitStack) -> str:
        """Open the pages; return by which way they go."""
        for page in self.pages:
            await page.open()
            stack.callback(page.close)
        return self.pages[-1].way

    async def step(self) -> float | None:
        """Make one move; return the seconds from its sending until all others had it, None when the match is over."""
        for page in self.pages:
            while ASK.search(page.text) and self.refused < MOST_REFUSED:
                start = time.perf_counter()
                status = await page.move(self.rng)
                if status is None:
                    break
                if status == 200:
                    return await self.shown_by_all(page, start)
                self.refused += 1
        return None

    async def shown_by_all(self, mover: Page, start: float) -> float | None:
        others = [page for page in self.pages if page is not mover]
        for other in others:
            if not await other.has(mover.shown, LOST):
                self.faults.append(f"match {self.match}: version {mover.shown} did not come within {LOST:.0f} s")
                return None
        return max(page.shown_at for page in others) - start

    def sum_up(self, played: Played) -> int:
        """Note what the pages saw since the last time; return how many moves they made."""
        made = sum(page.played for page in self.pages)
        played.moves += made
        played.late += sum(page.late for page in self.pages)
        played.refused += self.refused
        played.faults += self.faults + faults_of(self.pages)
        self.refused, self.faults = 0, []
        for page in self.pages:
            if page.behind:  # only one moves at a time, and is told by the answer
                played.faults.append(f"match {self.match}: {page.behind} answers came after their tables")
            page.played, page.late, page.behind, page.faults = 0, 0, 0, []
        return made


class Matches:
    """The matches of a site that nobody plays at present, made when more are wanted."""

    def __init__(self, server: Server, game: str = "yum-extra") -> None:
        self.server, self.game = server, game
        self.free: deque[dict] = deque()

    def take(self, count: int) -> list[dict]:
        """Return so many matches."""
        if len(self.free) < count:
            self.free.extend(self.server.matches(count - len(self.free), self.game))
        return [self.free.popleft() for _ in range(count)]

    def give_back(self, tables: list[Table]) -> None:
        """Take back those that still run."""
        self.free.extend(table.made for table in tables if 'data-status="running"' in table.pages[0].text)


class Opened:
    """Matches with their pages open: so many at play, and spare ones that follow those that end.

    With `beats` the pages say what open pages say beside moves; what that takes of the processor is measured while
    nobody moves (`rest`), and is no part of what moves cost.
    """

    def __init__(self, matches: Matches, count: int, spare: int, *, beats: bool = False) -> None:
        self.matches, self.count, self.spare, self.beats = matches, count, spare, beats
        self.server = matches.server
        self.resting: dict[str, float] = {}  # processor seconds a second

    async def open(self, way: str, stack: AsyncExitStack) -> None:
        """Open the pages: by this way, or as the server allows."""
        first, *others = self.matches.take(self.count + self.spare)
        self.tables = [Table(self.server, first, way)]
        self.way = await self.tables[0].open(stack)
        self.tables += [Table(self.server, made, self.way) for made in others]
        for at in range(1, len(self.tables), AT_ONCE):
            await asyncio.gather(*(table.open(stack) for table in self.tables[at : at + AT_ONCE]))
        self.playing, self.free = self.tables[: self.count], deque(self.tables[self.count :])
        stack.callback(self.matches.give_back, self.tables)
        if self.beats:
            pages = [page for table in self.playing for page in table.pages]
            beating = asyncio.ensure_future(keep_beating(pages))
            stack.callback(beating.cancel)
            await asyncio.sleep(BEAT)  # until all have been looked at once
            self.resting = await self.rest(2 * BEAT)

    async def rest(self, seconds: float) -> dict[str, float]:
        """Return the processor seconds that each part takes a second while nobody moves."""
        before = self.server.spent()
        await asyncio.sleep(seconds)
        return {name: (spent - before[name]) / seconds for name, spent in self.server.spent().items()}

    async def play(self, rate: float | None, seconds: float) -> Played:
        """Play flat out, or at `rate` moves a second in all."""
        played = Played(seconds, self.way)
        begin = time.perf_counter() + WARM_UP
        costs = asyncio.ensure_future(count_costs(played, self.server, begin, begin + seconds))
        await asyncio.gather(*(self._run(number, rate, begin, played) for number in range(self.count)))
        await costs
        for name, spent in self.resting.items():
            played.spent[name] = max(0.0, played.spent[name] - spent * seconds)
        await asyncio.sleep(0.3)  # for what comes twice
        sum_up(played, self.tables, self.server)
        return played

    async def _run(self, number: int, rate: float | None, begin: float, played: Played) -> None:
        """Play in one match after the other."""
        end = begin + played.seconds
        for turn in range(1_000_000):
            at = begin - WARM_UP + (number + turn * self.count) / rate if rate else 0.0
            await asyncio.sleep(max(0.0, min(at, end) - time.perf_counter()))
            if time.perf_counter() >= end:
                return
            took = await self.playing[number].step()
            while took is None and self.free:  # over: its members go on at the next table
                self.playing[number] = self.free.popleft()
                took = await self.playing[number].step()
            if took is None:
                played.faults.append("no match is left to be played")
                return
            if begin <= time.perf_counter() <= end:
                played.times.append(took)


async def play(
    matches: Matches, count: int, *, spare: int, way: str, seconds: float = MEASURED, rate: float | None = None
) -> Played:
    """Play in `count` matches at once, flat out or at `rate` moves a second in all."""
    async with AsyncExitStack() as stack:
        opened = Opened(matches, count, spare, beats=rate is not None)
        await opened.open(way, stack)
        return await opened.play(rate, seconds)


async def count_costs(played: Played, server: Server, begin: float, end: float) -> None:
    """Note the processor time of each part between two times, and how busy others kept the web server's core."""
    await asyncio.sleep(begin - time.perf_counter())
    before, core = server.spent(), core_seconds()
    last = time.perf_counter()
    while last < end:
        await asyncio.sleep(min(LOOK, end - last))
        last, before_it = time.perf_counter(), last
        played.stood = max(played.stood, last - before_it - LOOK)
    played.spent = {name: spent - before[name] for name, spent in server.spent().items()}
    played.busy = 100 * played.spent["load"] / played.seconds
    if len(server.ports) == 1:
        played.foreign = max(0.0, 100 * (core_seconds() - core - played.spent["web"]) / played.seconds)


def core_seconds() -> float:
    """Return the seconds that the web server's core was busy so far, whoever kept it so."""
    for line in Path("/proc/stat").read_text().splitlines():
        name, *ticks = line.split()
        if name == f"cpu{SERVER_CORE}":
            user, nice, system, _idle, _wait, *others = map(int, ticks[:8])
            return (user + nice + system + sum(others)) / TICKS
    return 0.0


def sum_up(played: Played, tables: list[Table], server: Server) -> None:
    """Note what the pages saw, and compare it with the database: no move lost, none doubled, no table missing."""
    told = server.told("tell_matches", [table.match for table in tables])
    for table in tables:
        moves, version = told[str(table.match)]
        made = table.sum_up(played)
        if table.made["moves"] + made != moves:
            told_before = moves - table.made["moves"]
            played.faults.append(f"match {table.match}: {made} moves were accepted, {told_before} are in the database")
        table.made["moves"] = moves
        if version != max(page.shown for page in table.pages):
            played.faults.append(f"match {table.match}: no page shows version {version}")
    if played.late > SOME_LATE * played.moves:
        played.faults.append(f"{played.late} of {played.moves} moves were not answered by the socket within 2 s")


def prepare_load() -> None:
    """Keep this process, and what it starts, off the web server's core, and let it open thousands of sockets."""
    os.sched_setaffinity(0, {OTHER_CORE})
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
