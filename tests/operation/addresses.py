"""The site's addresses, and some that only tests know: slow, failing, streaming, telling their thread."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Iterator

from asgiref.sync import async_to_sync
from django.core.cache import caches
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.urls import include, path

from config import urls


def where(request: HttpRequest) -> JsonResponse:
    """Tell the thread, and which connections to the database and the cache it has."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    ids = {"database": id(connection.connection), "cache": id(caches["default"])}
    return JsonResponse({"thread": threading.current_thread().name, "waited": async_to_sync(_later)(), **ids})


async def _later() -> str:
    await asyncio.sleep(0)
    return threading.current_thread().name


def slow(request: HttpRequest) -> HttpResponse:
    print("slow has begun", flush=True)
    time.sleep(1)
    return HttpResponse("done" * 100_000)


def fails(request: HttpRequest, secret: str) -> HttpResponse:
    raise ValueError("no good: ann@example.org")


def rows(request: HttpRequest) -> StreamingHttpResponse:
    """Stream what is read from the database bit by bit."""

    def read() -> Iterator[bytes]:
        for number in range(3):
            with connection.cursor() as cursor:
                cursor.execute("SELECT %s", [number])
                yield str(cursor.fetchone()[0]).encode()

    return StreamingHttpResponse(read())


def trickle(request: HttpRequest) -> StreamingHttpResponse:
    """Stream without end."""

    async def forever() -> AsyncIterator[bytes]:
        while True:
            yield b"."
            await asyncio.sleep(0.01)

    return StreamingHttpResponse(forever())


def said(request: HttpRequest) -> HttpResponse:
    return HttpResponse(request.POST["word"])


handler500 = urls.handler500

VIEWS = {
    "where": where,
    "slow": slow,
    "fails/<str:secret>": fails,
    "rows": rows,
    "trickle": trickle,
    "said": said,
}
urlpatterns = [*(path(name, view) for name, view in VIEWS.items()), path("", include("config.urls"))]
