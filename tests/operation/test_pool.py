"""The threads beside the event loop: what was asked of them is not lost with who waits for it."""

import asyncio
import threading

import pytest
from django.db import DatabaseError

from config.lib.pool import with_database


async def test_what_was_asked_is_done_though_nobody_waits_any_more() -> None:
    begun, may_end, done = threading.Event(), threading.Event(), []

    def slow() -> None:
        begun.set()
        may_end.wait(5)
        done.append("first")

    tasks = [asyncio.ensure_future(with_database(slow)), asyncio.ensure_future(with_database(done.append, "second"))]
    while not begun.is_set():
        await asyncio.sleep(0.01)
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    assert tasks[0].cancelled()
    may_end.set()
    await with_database(lambda: None)
    for _time in range(100):
        if len(done) == 2:
            break
        await asyncio.sleep(0.01)
    assert sorted(done) == ["first", "second"]


async def test_an_error_is_told_to_who_waits_and_the_next_goes_on() -> None:
    def breaks() -> None:
        raise DatabaseError("gone")

    with pytest.raises(DatabaseError, match="gone"):
        await with_database(breaks)
    assert await with_database(len, "abc") == 3
