"""Matches played by the load generator, flat out or at a pace, and what they cost."""

import asyncio
import time
from collections import deque
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from random import Random

from tests.bench.forms import ASK
from tests.bench.pages import Page
from tests.bench.server import Server

SEED = 20261128
WARM_UP = 2.0
AT_ONCE = 10  # matches opened at the same time


@dataclass
class Played:
    """What was measured: seconds from a move to the other's table, and processor seconds by part."""

    seconds: float
    way: str = ""
    times: list[float] = field(default_factory=list)
    spent: dict[str, float] = field(default_factory=dict)
    refused: int = 0
    faults: list[str] = field(default_factory=list)


class Table:
    """The pages of one match; each move is timed from being sent to being shown by every other page."""

    def __init__(self, server: Server, made: dict, way: str) -> None:
        self.pages = [Page(server, made["match"], session, way, seat) for seat, session in enumerate(made["sessions"])]
        self.rng = Random(SEED + made["match"])
        self.refused = 0

    async def open(self, stack: AsyncExitStack) -> str:
        """Open the pages; return by which way they go."""
        for page in self.pages:
            await page.open()
            stack.callback(page.close)
        return self.pages[-1].way

    async def step(self) -> float | None:
        """Make one move; return the seconds until all others had it, None when the match is over."""
        for page in self.pages:
            if not ASK.search(page.text):
                continue
            start, before = time.perf_counter(), page.shown
            status = await page.move(self.rng)
            if status is None:
                continue
            if page.shown == before:
                self.refused += 1
                return await self.step() if self.refused < 100 else None
            others = [other for other in self.pages if other is not page]
            for other in others:
                await other.until(page.shown)
            return max(other.shown_at for other in others) - start
        return None


async def play(
    server: Server,
    count: int,
    rate: float | None = None,
    *,
    seconds: float = 10.0,
    way: str = "socket",
    game: str = "yum-extra",
    spare: int = 0,
) -> Played:
    """Play in `count` matches at once, flat out or at `rate` moves a second in all; a match that ends is
    followed by one of the spare.
    """
    played = Played(seconds)
    async with AsyncExitStack() as stack:
        first, *others = server.matches(count + spare, game)
        tables = [Table(server, first, way)]
        played.way = way = await tables[0].open(stack)
        tables += [Table(server, made, way) for made in others]
        for at in range(1, len(tables), AT_ONCE):
            await asyncio.gather(*(table.open(stack) for table in tables[at : at + AT_ONCE]))
        free = deque(tables[count:])
        begin = time.perf_counter() + WARM_UP
        end = begin + seconds

        async def count_costs() -> None:
            await asyncio.sleep(begin - time.perf_counter())
            before = server.spent()
            await asyncio.sleep(end - time.perf_counter())
            played.spent = {name: spent - before[name] for name, spent in server.spent().items()}

        async def run(table: Table, number: int) -> None:
            turn = 0
            while time.perf_counter() < end:
                if rate:
                    at = begin - WARM_UP + (number + turn * count) / rate
                    await asyncio.sleep(max(0, at - time.perf_counter()))
                    turn += 1
                took = await table.step()
                if took is None:
                    if not free:
                        played.faults.append("no match is left to be played")
                        return
                    table = free.popleft()
                elif begin <= time.perf_counter() <= end:
                    played.times.append(took)

        costs = asyncio.ensure_future(count_costs())
        await asyncio.gather(*(run(table, number) for number, table in enumerate(tables[:count])))
        await costs
        await asyncio.sleep(0.3)
        for table in tables:
            played.refused += table.refused
            newest = max(page.shown for page in table.pages)
            for page in table.pages:
                played.faults += [f"match {page.match}: {fault}" for fault in page.faults]
                if page.shown < newest:
                    played.faults.append(f"match {page.match}: a page shows {page.shown}, another {newest}")
                if page.way != way:
                    played.faults.append(f"match {page.match}: a page fell back to {page.way}")
    return played
