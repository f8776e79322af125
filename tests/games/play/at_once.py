"""What happens at the same moment: requests, each in a tab of its own, and another transaction beside one's own."""

import asyncio
import json
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event

import httpx
from django.db import connection, transaction

from tests.factories import (
    session_of,
)

TOKEN = "a" * 32


class Tab:
    """A page open in somebody's browser, or a visitor's; what it posts goes out with all that others post."""

    def __init__(self, person) -> None:
        self.cookies = (session_of(person) if person else {}) | {"csrftoken": TOKEN}

    def post(self, path: str, **data: object) -> tuple["Tab", str, dict[str, object], dict[str, str]]:
        return self, path, data, {}

    def move(self, match, ask: int, key: str, move: dict) -> tuple["Tab", str, dict[str, object], dict[str, str]]:
        data = {"ask": ask, "key": key, "move": json.dumps(move)}
        return self, f"/matches/{match.pk}/move/", data, {"X-Live": "1"}


def statuses(answers) -> list[int]:
    return sorted(answer.status_code for answer in answers)


async def send(url: str, posts: Iterable) -> list[httpx.Response]:
    """Post to the site at the same time what the tabs have."""
    limits = httpx.Limits(max_connections=100)
    async with httpx.AsyncClient(
        base_url=url, timeout=60, limits=limits, verify=False
    ) as http:  # certificates take long
        start = asyncio.Event()

        async def one(tab, path, data, headers):
            cookies = "; ".join(f"{name}={value}" for name, value in tab.cookies.items())
            await start.wait()
            headers = headers | {"X-CSRFToken": TOKEN, "Cookie": cookies}
            return await http.post(path, data=data, headers=headers)

        waiting = [asyncio.create_task(one(*post)) for post in posts]
        await asyncio.sleep(0)  # all wait for the start by now
        start.set()
        return await asyncio.gather(*waiting)


@contextmanager
def meanwhile(*deeds: Callable[[], object]) -> Iterator[None]:
    """Do these one after the other in another transaction, the last of them while the body goes on; commit then."""
    begun = Event()

    def run() -> None:
        try:
            with transaction.atomic():
                for deed in deeds:
                    deed()
                    begun.set()
                    time.sleep(0.3)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as other:
        done = other.submit(run)
        assert begun.wait(10)
        yield
        done.result()
