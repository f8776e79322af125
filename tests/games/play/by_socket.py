"""How tests hear tables and send moves over a page's socket."""

import json
from urllib.parse import urlencode

from accounts.models import User
from games.models import Match, Seat
from tests.factories import asked
from tests.games.play.test_consumer import hears, in_thread, opened_page, people, running

ROLL = '{"type":"roll"}'


def shows(match: Match, **more: object) -> str:
    return urlencode({"match": match.pk, "table": 1, "lang": "en"} | more)


async def table_of(socket) -> dict:
    """Return the next table that is sent, or a move's answer."""
    while "table" not in (said := await hears(socket)) and "answer" not in said:
        assert "version" not in said, "a ring instead of a table"
    return said


async def has_table(socket) -> dict:
    await opened_page(socket)
    return await table_of(socket)


async def send(socket, ask, move=ROLL, key="key-1", number=1, **more) -> None:
    form = urlencode({"ask": ask, "key": key, "move": move} | more)
    await socket.send_to(json.dumps({"move": number, "form": form}))


async def answer_of(socket) -> dict:
    while "answer" not in (said := await table_of(socket)):
        pass
    return said


async def table_of_two() -> tuple[Match, Seat, User, User, User]:
    """Return a running match, the seat that is asked, its person, the other, and a watcher."""
    ann, bob, cem = await people("ann", "bob", "cem")
    match = await running(ann, bob)
    mover = await in_thread(asked)(match)
    return match, mover, *((ann, bob) if mover.number == 0 else (bob, ann)), cem
