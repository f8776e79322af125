"""The threads beside the event loop: moves are made there in turn, and none is lost with who waits for it."""

import asyncio
import threading
from collections.abc import Awaitable, Callable

import pytest
from django.db import DatabaseError, connection

from config.lib.pool import move_with_database, with_database

WAYS = [with_database, move_with_database]


async def test_on_sqlite_moves_are_made_one_after_the_other_by_one_thread() -> None:
    under_way, most, threads = 0, 0, set()

    def move(number: int) -> int:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        threads.add(threading.get_ident())
        threading.Event().wait(0.01)
        under_way -= 1
        return number

    assert connection.vendor == "sqlite"
    assert await asyncio.gather(*(move_with_database(move, number) for number in range(8))) == list(range(8))
    assert (most, len(threads)) == (1, 1)


@pytest.mark.parametrize("way", WAYS)
async def test_what_was_asked_is_done_though_nobody_waits_any_more(way: Callable[..., Awaitable[None]]) -> None:
    begun, may_end, done = threading.Event(), threading.Event(), []

    def slow() -> None:
        begun.set()
        may_end.wait(5)
        done.append("first")

    tasks = [asyncio.ensure_future(way(slow)), asyncio.ensure_future(way(done.append, "second"))]
    while not begun.is_set():
        await asyncio.sleep(0.01)
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    assert all(task.cancelled() for task in tasks[:1])
    may_end.set()
    await way(lambda: None)
    for _time in range(100):
        if len(done) == 2:
            break
        await asyncio.sleep(0.01)
    assert sorted(done) == ["first", "second"]


@pytest.mark.parametrize("way", WAYS)
async def test_an_error_is_told_to_who_waits_and_the_next_goes_on(way: Callable[..., Awaitable[int]]) -> None:
    def breaks() -> None:
        raise DatabaseError("gone")

    with pytest.raises(DatabaseError, match="gone"):
        await way(breaks)
    assert await way(len, "abc") == 3
