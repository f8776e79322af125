"""A thousand watchers of one match: what an idle one weighs, how soon all have a move, what it costs.

`python -m tests.bench.watchers [http]`, on SQLite: visitors, each with a page and a socket of its own.
"""

import asyncio
import sys
import time
from collections.abc import Coroutine
from contextlib import AsyncExitStack

from picows import WSFrame, WSMsgType, WSTransport

from tests.bench.figures import Row, percentile
from tests.bench.forms import ASK, history_of
from tests.bench.pages import Page, faults_of, read
from tests.bench.play import LOST, SEED, Matches, Table, prepare_load
from tests.bench.server import Server

WATCHERS = 1000
MOVES = 20
PAUSE = 1.0  # seconds between two moves
LOOK = 0.02  # seconds between two looks at what came; when it came, the frames tell
IDLE = 5.0  # seconds in which nothing happens, which is taken off
FIRST = 20  # watchers that are there before memory is measured


class Watcher(Page):
    """A watcher's page. What comes by the socket is read after the move: a thousand readers are not one machine."""

    def __init__(self, server: Server, match: int, way: str) -> None:
        super().__init__(server, match, None, way)
        self.frames: list[tuple[float, bytes, bool]] = []

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if self.way == "http" or frame.msg_type not in (WSMsgType.TEXT, WSMsgType.BINARY):
            super().on_ws_frame(transport, frame)
        else:
            self.frames.append((time.perf_counter(), frame.get_payload_as_bytes(), frame.msg_type == WSMsgType.TEXT))

    def read_up(self) -> None:
        """Read what came."""
        frames, self.frames = self.frames, []
        for at, raw, is_text in frames:
            said = read(raw, is_text)
            self.heard(said)
            if said.table is not None:
                self.shown_at = at


async def watch(server: Server, way: str, count: int, moves: int) -> tuple[Row, list[str]]:
    """Return the figures of so many watchers of one match, and what went wrong."""
    async with AsyncExitStack() as stack:
        table = Table(server, Matches(server).take(1)[0], way)
        way = await table.open(stack)
        shown = table.pages[0]
        watchers = [Watcher(server, table.match, way) for _ in range(count)]
        before = server.memory
        for number, watcher in enumerate(watchers):
            await watcher.open(shown.shown, history_of(shown.text))
            stack.callback(watcher.close)
            before = server.memory if number < FIRST else before
        await asyncio.sleep(IDLE)
        row = {"KiB for an idle watcher": (server.memory - before) / (count - FIRST)}
        idle = await spent_in(server, asyncio.sleep(IDLE))
        times: list[float] = []
        busy = await spent_in(server, move_on(table, watchers, moves, times))
        row["ms to the last watcher, p50"] = 1000 * percentile(sorted(times), 0.5)
        row["ms to the last watcher, worst"] = 1000 * max(times, default=0)
        seconds = busy.pop("wall")
        costs = {part: max(0.0, busy[part] - idle[part] * seconds / idle["wall"]) for part in busy}
        generator = costs.pop("load")
        row |= {f"ms of {part} for a move": 1000 * cost / max(len(times), 1) for part, cost in costs.items()}
        row["ms of processor for a move in all"] = 1000 * sum(costs.values()) / max(len(times), 1)
        row["ms of load generator for a move"] = 1000 * generator / max(len(times), 1)
        faults = table.faults + faults_of([*table.pages, *watchers])
        faults += [] if len(times) == moves else [f"{len(times)} moves of {moves} reached every watcher"]
        return {name: round(value, 1) for name, value in row.items()}, faults


async def spent_in(server: Server, doing: Coroutine[object, object, None]) -> dict[str, float]:
    """Return the processor seconds of each part while something is done, and the seconds it took."""
    before, start = server.spent(), time.perf_counter()
    await doing
    return {name: at - before[name] for name, at in server.spent().items()} | {"wall": time.perf_counter() - start}


async def move_on(table: Table, watchers: list[Watcher], moves: int, times: list[float]) -> None:
    """Make so many moves; add for each the seconds from the answer to its mover until every watcher had the table."""
    for _ in range(moves):
        mover = next(page for page in table.pages if ASK.search(page.text))
        if await table.step() is None:
            return
        end = time.perf_counter() + LOST
        while missing := [each for each in watchers if each.shown < mover.shown]:
            if time.perf_counter() > end:
                return
            await asyncio.sleep(LOOK)
            for watcher in missing:
                watcher.read_up()
        times.append(max(0.0, max(watcher.shown_at for watcher in watchers) - mover.shown_at))
        await asyncio.sleep(PAUSE)


async def measure(way: str, count: int = WATCHERS, moves: int = MOVES) -> tuple[Row, list[str]]:
    """Return the figures on a fresh site with SQLite, and what went wrong."""
    async with AsyncExitStack() as stack:
        return await watch(Server("sqlite", stack), way, count, moves)


def main(way: str) -> int:
    """Return 1 when a watcher missed a table or had one twice."""
    print(f"seed {SEED}; {WATCHERS} watchers of one match, SQLite; web server alone on its core; by {way}")
    prepare_load()
    row, faults = asyncio.run(measure(way))
    for name, value in row.items():
        print(f"{name:<40} {value:8.1f}")
    print("".join(f"FAULT {fault}\n" for fault in faults[:20]), end="")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "socket"))
