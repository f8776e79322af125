"""What a table costs to read by the API, and a move beside one on the socket: `python -m tests.bench.api`."""

import asyncio
import sys
import time
from contextlib import AsyncExitStack
from random import Random

import httpx

from games.engine import sample_move
from tests.bench.figures import percentile
from tests.bench.play import SEED, Matches, Table, prepare_load
from tests.bench.server import Server

READS, MOVES, WARM_UPS = 400, 200, 30


class Programs:
    """The programs of the members of one match."""

    def __init__(self, server: Server, match: int, client: httpx.AsyncClient) -> None:
        self.at, self.client, self.rng = f"/api/v1/matches/{match}", client, Random(SEED)
        self.headers = [{"Authorization": f"Bearer {one}"} for one in server.told("make_tokens", match)]
        self.keys = 0

    async def read(self, seat: int) -> dict:
        """Return the table as a seat sees it."""
        answer = await self.client.get(self.at, headers=self.headers[seat])
        answer.raise_for_status()
        return answer.json()

    async def move(self, seat: int, table: dict) -> int:
        """Make a random move; return the status."""
        self.keys += 1
        body = {"ask": table["ask"], "key": f"k{self.keys}", "move": sample_move(table["view"]["prompt"], self.rng)}
        answer = await self.client.post(f"{self.at}/moves", json=body, headers=self.headers[seat])
        return answer.status_code


async def measure() -> None:
    """Print the figures of a fresh site."""
    async with AsyncExitStack() as stack:
        server = Server("sqlite", stack)
        client = await stack.enter_async_context(httpx.AsyncClient(base_url=server.base))
        matches = Matches(server)
        made = matches.take(2)
        programs = Programs(server, made[0]["match"], client)
        for _time in range(WARM_UPS):
            await programs.read(0)
        read = await _reads(programs)
        spent = await _cost(server, lambda: _reads(programs), READS)
        print(f"table read: p50 {percentile(read, 0.5):.1f} ms, p95 {percentile(read, 0.95):.1f} ms; ", end="")
        print(f"{spent:.2f} ms of the web server's processor")
        by_api = await _played(server, programs, spent)
        by_socket = await _by_socket(server, Table(server, made[1], "socket"), stack)
        print(f"a move by the API, answered with the table: {by_api - spent:.2f} ms of the processor")
        print(f"the same, and the other's read of the table: {by_api:.2f} ms")
        print(f"a move on the socket, the other's page included: {by_socket:.2f} ms")


async def _reads(programs: Programs) -> list[float]:
    times = []
    for number in range(READS):
        start = time.perf_counter()
        await programs.read(number % len(programs.headers))
        times.append((time.perf_counter() - start) * 1000)
    return sorted(times)


async def _cost(server: Server, play, times: int) -> float:
    before = server.spent()["web"]
    await play()
    return 1000 * (server.spent()["web"] - before) / times


async def _played(server: Server, programs: Programs, of_read: float) -> float:
    """Return what a move costs with one read beside it: those that looked for whose turn it is are taken off."""
    before, moves, asked = server.spent()["web"], 0, 0
    while moves < MOVES:
        for seat in range(len(programs.headers)):
            table = await programs.read(seat)
            asked += 1
            if table["ask"] is not None and await programs.move(seat, table) == 200:
                moves += 1
            if table["status"] == "ended":
                return (1000 * (server.spent()["web"] - before) - (asked - moves) * of_read) / max(moves, 1)
    return (1000 * (server.spent()["web"] - before) - (asked - moves) * of_read) / moves


async def _by_socket(server: Server, table: Table, stack: AsyncExitStack) -> float:
    await table.open(stack)
    for _time in range(WARM_UPS):
        await table.step()
    before, moves = server.spent()["web"], 0
    while moves < MOVES and await table.step() is not None:
        moves += 1
    return 1000 * (server.spent()["web"] - before) / max(moves, 1)


def main() -> None:
    prepare_load()
    asyncio.run(measure())


if __name__ == "__main__":
    sys.exit(main())
