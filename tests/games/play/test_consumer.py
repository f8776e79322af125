"""The doorbell, over a real Redis: it rings after commit, says nothing but that, and closes when it must."""

import asyncio
import json
import time
from contextlib import asynccontextmanager
from random import Random

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.contrib.sessions.models import Session
from django.test import Client

from accounts.services import relationships
from config.asgi import application
from config.lib.sockets import close_sockets
from games.models import Match
from games.services.lobby import opening
from games.services.play import moves, presence
from games.services.refusals import Illegal
from tests.factories import asked, member, opened, play_on, seat, seated, submit

pytestmark = pytest.mark.django_db(transaction=True)

in_thread = sync_to_async(thread_sensitive=True)
NOT_FOUND, LOGGED_OUT, TRY_AGAIN = 4404, 4401, 4503


@in_thread
def cookies_of(person) -> str:
    client = Client()
    client.force_login(person)
    return client.cookies["sessionid"].value


@asynccontextmanager
async def page(query="", person=None, session=None, origin=b"http://localhost"):
    """A socket as a page opens it."""
    headers = [(b"host", b"localhost"), (b"origin", origin)]
    if person is not None:
        session = await cookies_of(person)
    if session is not None:
        headers.append((b"cookie", f"sessionid={session}".encode()))
    socket = WebsocketCommunicator(application, f"/ws/?{query}", headers)
    try:
        yield socket
    finally:
        await socket.disconnect()


async def opened_page(socket) -> None:
    accepted, _ = await socket.connect(timeout=5)
    assert accepted


@pytest.mark.parametrize("address", ["/", "/ws", "/ws/zz/", "/matches/1/"])
async def test_a_socket_elsewhere_is_closed_with_the_reason(address):
    headers = [(b"host", b"localhost"), (b"origin", b"http://localhost")]
    socket = WebsocketCommunicator(application, address, headers)
    await opened_page(socket)
    assert await closed(socket) == NOT_FOUND


async def hears(socket) -> dict:
    """Return what is said next, after the greeting."""
    said = json.loads(await socket.receive_from(timeout=5))
    return said if "who" not in said else await hears(socket)


async def closed(socket) -> int:
    while True:
        message = await socket.receive_output(timeout=5)
        if message["type"] == "websocket.close":
            return message.get("code")


@in_thread
def people(*names):
    return [member(name) for name in names]


@in_thread
def running(*persons, **wishes) -> Match:
    match = seated(*persons, **wishes)
    time.sleep(0.15)  # what rang for its beginning has rung before a page opens
    return match


async def test_another_site_may_not_listen():
    async with page(origin=b"http://evil.example") as socket:
        accepted, _ = await socket.connect(timeout=5)
        assert not accepted


@pytest.mark.parametrize("wanted", ["404", "0", "-1", "x", "1.5", "%00", "9" * 30, "9" * 6000, "١"])
async def test_no_such_match(wanted):
    async with page(f"match={wanted}") as socket:
        await opened_page(socket)
        assert await closed(socket) == NOT_FOUND


async def test_a_private_match_is_as_if_it_were_not_there():
    ann, _, eve, cem = await people("ann", "bob", "eve", "cem")
    match = await in_thread(opened)(ann, access="invitation", invited=[cem])
    for stranger in (eve, None):
        async with page(f"match={match.pk}", stranger) as socket:
            await opened_page(socket)
            assert await closed(socket) == NOT_FOUND
    for welcome in (ann, cem):
        async with page(f"match={match.pk}", welcome) as socket:
            await opened_page(socket)
            assert "version" in await hears(socket)


async def test_the_version_at_once():
    ann, bob = await people("ann", "bob")
    match = await running(ann, bob)
    async with page(f"match={match.pk}") as socket:
        await opened_page(socket)
        assert await hears(socket) == {"version": match.version, "history": match.history}
        assert await hears(socket) == {"here": []}
        assert await socket.receive_nothing(0.3)


async def test_a_move_rings_after_commit_and_says_the_version_alone():
    ann, bob = await people("ann", "bob")
    match = await running(ann, bob)
    async with page(f"match={match.pk}") as socket:
        await opened_page(socket)
        for _ in range(2):
            await hears(socket)
        mover = await in_thread(asked)(match)
        await in_thread(submit)(match, mover, {"type": "roll"})
        assert await hears(socket) == {"version": match.version + 1}
        assert await socket.receive_nothing(0.3)


async def test_a_refused_move_rings_nobody():
    ann, bob = await people("ann", "bob")
    match = await running(ann, bob)
    async with page(f"match={match.pk}") as socket:
        await opened_page(socket)
        for _ in range(2):
            await hears(socket)
        mover = await in_thread(asked)(match)
        with pytest.raises(Illegal):
            await in_thread(submit)(match, mover, {"type": "pass"})
        assert await socket.receive_nothing(0.3)


async def test_another_match_does_not_ring():
    ann, bob = await people("ann", "bob")
    match, other = await running(ann, bob), await running(ann, bob)
    async with page(f"match={match.pk}") as socket:
        await opened_page(socket)
        for _ in range(2):
            await hears(socket)
        await in_thread(submit)(other, await in_thread(asked)(other), {"type": "roll"})
        assert await socket.receive_nothing(0.3)


async def test_the_lobby_rings():
    (ann,) = await people("ann")
    async with page("lobby=1") as socket:
        await opened_page(socket)
        assert json.loads(await socket.receive_from(timeout=5)).keys() == {"now", "build", "who"}
        assert await socket.receive_nothing(0.2)
        await socket.send_to('{"beat": true}')
        assert (await hears(socket)).keys() == {"now"}
        await in_thread(opened)(ann)
        assert await hears(socket) == {"lobby": True}


async def test_how_many_matches_wait():
    ann, bob = await people("ann", "bob")
    async with page("", ann) as socket:
        await opened_page(socket)
        assert await hears(socket) == {"waiting": 0}
        await in_thread(opened)(ann, size=2)
        match = await in_thread(Match.objects.get)()
        await in_thread(opening.join)(match_id=match.pk, user=bob)
        mover = await in_thread(asked)(match)
        assert await hears(socket) == {"waiting": int(mover.user == ann)}


async def test_here_and_gone():
    ann, bob = await people("ann", "bob")
    match = await running(ann, bob)
    async with page(f"match={match.pk}", bob) as bobs, page(f"match={match.pk}", ann) as anns:
        for socket in (bobs, anns):
            await opened_page(socket)
            for _ in range(3):
                await hears(socket)
        await anns.send_to('{"here": true}')
        assert await hears(bobs) == {"here": [0]}
        assert await hears(anns) == {"here": [0]}
        await anns.send_to('{"here": true}')
        assert await bobs.receive_nothing(0.3)
        await anns.send_to('{"here": false}')
        assert await hears(bobs) == {"here": []}
        await anns.send_to('{"here": true}')
        assert await hears(bobs) == {"here": [0]}
        await anns.disconnect()
        assert await hears(bobs) == {"here": []}


async def test_a_watcher_is_not_counted():
    ann, bob, cem = await people("ann", "bob", "cem")
    match = await running(ann, bob)
    async with page(f"match={match.pk}", cem) as socket:
        await opened_page(socket)
        for _ in range(3):
            await hears(socket)
        await socket.send_to('{"here": true}')
        assert await hears(socket) == {"here": []}  # the line is alive, and nobody was counted
        assert await socket.receive_nothing(0.3)
    assert await presence.here(match.pk) == []


async def test_what_was_on_an_unwatched_page_is_not_seen():
    ann, bob = await people("ann", "bob")
    match = await running(ann, bob)
    await in_thread(play_on)(match, Random(1), turns=9)
    await in_thread(match.seats.update)(seen=2)
    async with page(f"match={match.pk}", ann) as socket:
        await opened_page(socket)
        await hears(socket)
    assert (await in_thread(seat)(match, 0)).seen == 2
    async with page(f"match={match.pk}", ann) as socket:
        await opened_page(socket)
        for _ in range(3):
            await hears(socket)
        await socket.send_to('{"here": true}')
        await hears(socket)
    assert (await in_thread(seat)(match, 0)).seen == 9


async def test_a_line_that_closes_makes_nothing_seen():
    """What came after a page last said that it is looked at may have come while its network was away."""
    ann, bob = await people("ann", "bob")
    match = await running(ann, bob)
    async with page(f"match={match.pk}", ann) as socket:
        await opened_page(socket)
        for _ in range(3):
            await hears(socket)
        await socket.send_to('{"here": true}')
        await hears(socket)
        await in_thread(play_on)(match, Random(1), turns=9)
        await in_thread(match.seats.update)(seen=2)
    assert (await in_thread(seat)(match, 0)).seen == 2


@pytest.mark.thin(4)
@pytest.mark.parametrize(
    "frame",
    [
        " ",
        "x",
        "null",
        "[]",
        "1e999",
        '"here"',
        "{}",
        '{"here": 1}',
        '{"here": null}',
        '{"here": {"here": true}}',
        "[" * 100_000,
        "9" * 10_000,
        '"\ud800"'.encode("utf-8", "surrogatepass").decode("utf-8", "replace"),
        "\0",
        b"\xff\x00",
        b"{}",
    ],
)
async def test_junk_is_ignored(frame):
    ann, bob = await people("ann", "bob")
    match = await running(ann, bob)
    async with page(f"match={match.pk}", ann) as socket:
        await opened_page(socket)
        for _ in range(3):
            await hears(socket)
        await socket.send_to(bytes_data=frame) if isinstance(frame, bytes) else await socket.send_to(frame)
        await socket.send_to('{"here": true}')
        assert await hears(socket) == {"here": [0]}


@pytest.mark.parametrize("end", [close_sockets, lambda key: Session.objects.filter(pk=key).delete()])
async def test_the_end_of_the_session_closes_its_sockets_alone(end, monkeypatch):
    monkeypatch.setattr("games.sockets.redis_watch.NOTE_SECONDS", 0.1)  # until they are looked at, if nobody rings them
    ann, bob = await people("ann", "bob")
    match = await running(ann, bob)
    session, other = await cookies_of(ann), await cookies_of(ann)
    async with page(f"match={match.pk}", session=session) as ends, page("", session=other) as stays:
        for socket in (ends, stays):
            await opened_page(socket)
        await in_thread(end)(session)
        assert await closed(ends) == LOGGED_OUT
        await hears(stays)
        assert await stays.receive_nothing(0.3)


async def test_who_gives_up_a_seat_asks_anew():
    ann, bob, cem = await people("ann", "bob", "cem")
    match = await running(ann, bob, cem)
    async with page(f"match={match.pk}", bob) as bobs, page(f"match={match.pk}", ann) as anns:
        for socket in (bobs, anns):
            await opened_page(socket)
            for _ in range(3):
                await hears(socket)
        await in_thread(moves.resign)(match_id=match.pk, user=bob)
        assert await closed(bobs) == TRY_AGAIN
        assert await hears(anns) == {"version": match.version + 1}


async def test_whose_invitation_ends_hears_no_more_of_the_table():
    """By the start without them, and by a block."""
    ann, bob, cem = await people("ann", "bob", "cem")
    match = await in_thread(opened)(ann, access="invitation", invited=[bob, cem])
    async with page(f"match={match.pk}", bob) as bobs, page(f"match={match.pk}", cem) as cems:
        for socket in (bobs, cems):
            await opened_page(socket)
        await in_thread(relationships.block)(blocker=ann, blocked=bob)
        assert await closed(bobs) == TRY_AGAIN
        await in_thread(opening.start_with_bots)(match_id=match.pk, user=ann)
        assert await closed(cems) == TRY_AGAIN


async def test_a_crowd_at_once():
    """More pages at once than presence has connections to Redis."""
    ann, bob = await people("ann", "bob")
    match = await running(ann, bob)
    await asyncio.gather(*(presence.arrive(match.pk, number % 2) for number in range(100)))
    assert await asyncio.gather(*(presence.here(match.pk) for _ in range(100))) == [[0, 1]] * 100


async def test_idle_for_twelve_seconds_it_stays_open():
    ann, bob = await people("ann", "bob")
    match = await running(ann, bob)
    async with page(f"match={match.pk}") as socket:
        await opened_page(socket)
        for _ in range(2):
            await hears(socket)
        assert await socket.receive_nothing(12)
        await in_thread(submit)(match, await in_thread(asked)(match), {"type": "roll"})
        assert await hears(socket) == {"version": match.version + 1}
