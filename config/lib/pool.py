"""The threads in which requests, and what sockets ask of the database, are answered; the event loop does neither."""

import asyncio
import contextvars
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

from asgiref.sync import sync_to_async
from django.db import DatabaseError, close_old_connections

POOL = ThreadPoolExecutor(int(os.environ.get("THREADS", "4")), thread_name_prefix="request")
_thread = threading.local()


async def in_pool(work: Callable[..., Any], *args: Any) -> Any:
    """Run `work` in a thread of the pool and return its result.

    Each thread keeps one context, so that what Django ties to the context (connections to the cache) lives as
    long as the thread, like its database connection.
    """

    def in_own_context() -> Any:
        return _own_context().run(work, *args)

    return await sync_to_async(in_own_context, thread_sensitive=False, executor=POOL)()


async def with_database(work: Callable[..., Any], *args: Any) -> Any:
    """Run `work`, which uses the database outside of a request; a connection that broke is not used again.

    It goes there by the shortest way, so nothing of it may call `async_to_sync`. Whoever waits for it may be cancelled;
    it is done all the same.
    """
    return await asyncio.shield(asyncio.get_running_loop().run_in_executor(POOL, _guarded, work, args))


def _guarded(work: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    try:
        return _own_context().run(work, *args)
    except DatabaseError:
        _own_context().run(close_old_connections)
        raise


def _own_context() -> contextvars.Context:
    if not hasattr(_thread, "context"):
        _thread.context = contextvars.Context()
    return cast(contextvars.Context, _thread.context)
