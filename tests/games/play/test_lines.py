"""What a page's line must bear: rings at any moment, a Redis that lets go of it, frames that no page sends."""

import asyncio
import json
from contextlib import AsyncExitStack
from urllib.parse import urlencode

import pytest
from django.contrib.sessions.backends.db import SessionStore
from redis import Redis

from accounts.services import sessions
from config.lib import redis as redis_of
from config.lib.sockets import groups
from config.lib.sockets import send as send_to_group
from games.models import Match
from games.moderation.models import Report
from games.sockets import match_pages, tables
from games.sockets.page import PageSocket
from games.sockets.redis_watch import RedisWatch
from tests.factories import moderator, submit
from tests.games.play.by_socket import ROLL, answer_of, has_table, send, shows, table_of, table_of_two
from tests.games.play.test_consumer import closed, cookies_of, in_thread, page

pytestmark = pytest.mark.django_db(transaction=True)


async def test_nothing_is_said_before_the_handshake_is_answered(monkeypatch):
    """The server refuses that, and all other pages of the match would go without what is said."""
    match, _mover, one, _other, _cem = await table_of_two()
    join = match_pages.join

    async def join_and_ring(joining, match_id):
        found = await join(joining, match_id)
        found.rung({"type": "ring", "version": match.version})
        found.rung({"type": "ring.chat"})
        await asyncio.sleep(0.1)
        return found

    monkeypatch.setattr(match_pages, "join", join_and_ring)
    async with page(shows(match), one) as own:
        await own.send_input({"type": "websocket.connect"})
        assert (await own.receive_output(5))["type"] == "websocket.accept"


def break_off() -> None:
    """Break the connections by which rings are heard."""
    with Redis.from_url(redis_of.address(redis_of.RINGS)) as redis:
        assert redis.client_kill_filter(_type="pubsub") >= 1


async def test_a_connection_to_redis_that_breaks_closes_the_pages_as_rings_were_missed_perhaps():
    match, _mover, one, _other, _cem = await table_of_two()
    async with page(shows(match), one) as own:
        await has_table(own)
        break_off()
        assert await closed(own) == 4503


async def test_a_page_that_opens_after_the_connection_broke_while_nobody_listened_is_let_in_at_once():
    match, _mover, one, _other, _cem = await table_of_two()
    async with page(shows(match), one) as own:
        await has_table(own)
    break_off()
    await deaf()
    async with page(shows(match), one) as own:
        await has_table(own)


class CutsItself:
    """Has the connection by which it hears lost while a message is taken, as by a write that fails meanwhile."""

    def rung(self, _message: object) -> None:
        connection = groups()._pubsub.connection
        connection._writer.close()
        connection._reader = connection._writer = None


async def test_a_connection_that_the_client_makes_anew_by_itself_is_known_to_have_missed_messages():
    listener = CutsItself()
    await groups().join("cuts", listener)
    send_to_group("cuts", {"type": "ring"})
    await deaf()


async def deaf() -> None:
    """Wait until it is known that messages were missed."""
    async with asyncio.timeout(20):
        while not groups().is_deaf:
            await asyncio.sleep(0.01)


async def test_a_page_that_comes_while_redis_is_lost_does_not_have_that_forgotten(monkeypatch):
    watch = RedisWatch()
    beaten = asyncio.Event()

    async def beats() -> bool:
        await beaten.wait()
        return True

    monkeypatch.setattr(watch, "_beats", beats)
    monkeypatch.setattr(watch, "_watch", lambda: asyncio.sleep(0))
    joining = asyncio.ensure_future(watch.join(object()))  # type: ignore[arg-type]
    await asyncio.sleep(0)
    watch.stopped = True  # by its check, meanwhile
    beaten.set()
    assert not await joining
    assert watch.stopped


async def test_a_line_that_broke_when_nobody_was_there_any_more_stops_no_page(monkeypatch):
    """The check that was under way for the last page would send away whoever comes next."""
    watch = RedisWatch()
    leaves = object()

    async def beats() -> bool:
        return True

    sent_away = []

    async def send_away() -> None:
        sent_away.append(len(watch.pages))

    monkeypatch.setattr(watch, "_beats", beats)
    monkeypatch.setattr(watch, "_send_away", send_away)
    assert await watch.join(leaves)  # type: ignore[arg-type]
    await asyncio.sleep(0)  # the check is under way
    watch.leave(leaves)  # type: ignore[arg-type]
    monkeypatch.setattr(groups(), "is_deaf", True)
    assert watch._task is not None
    await watch._task
    assert sent_away == []


async def test_moves_that_are_refused_one_after_the_other_do_not_keep_a_table_from_the_others():
    match, mover, one, other, _cem = await table_of_two()
    async with page(shows(match), one) as own, page(shows(match), other) as others:
        await has_table(own)
        await has_table(others)
        pages = match_pages._here()[match.pk]
        pages._busy += 1  # another is always under way
        await in_thread(submit)(match, mover, {"type": "roll"})
        await asyncio.sleep(0.2)
        await send(own, 99, key="another")
        assert (await answer_of(own))["status"] == 409
        assert (await table_of(others))["version"] == match.version + 1
        pages._busy -= 1


@pytest.mark.parametrize("number", [2**64, -(2**63) - 1, 10**3000, -1], ids=["long", "negative", "endless", "minus"])
async def test_a_number_that_no_page_gives_is_no_move(number):
    match, mover, one, _other, _cem = await table_of_two()
    async with page(shows(match), one) as own:
        await has_table(own)
        form = urlencode({"ask": mover.ask, "key": "k", "move": ROLL})
        await own.send_to(f'{{"move": {number}, "form": {json.dumps(form)}}}')
        await own.send_to('{"beat": true}')
        while "now" not in (said := json.loads(await own.receive_from(5))):
            assert "answer" not in said
        assert await in_thread(match.log.count)() == 0


async def test_a_page_without_a_table_and_a_visitor_are_answered_that_their_move_is_to_be_posted():
    match, mover, _one, _other, cem = await table_of_two()
    async with page(f"match={match.pk}", cem) as bare, page(shows(match)) as visitors:
        for socket in (bare, visitors):
            await socket.connect(timeout=5)
            await send(socket, mover.ask, number=5)
            while "answer" not in (said := json.loads(await socket.receive_from(5))):
                pass
            assert said == {"answer": 5, "status": 403}
    assert await in_thread(Match.objects.get)(pk=match.pk) == match
    assert await in_thread(match.log.count)() == 0


async def test_a_table_that_cannot_be_sent_to_one_is_sent_to_the_others(monkeypatch):
    match, mover, one, other, cem = await table_of_two()
    show = PageSocket.show

    async def show_all_but_one(self, frame, **more):
        if self.user.pk == other.pk:
            raise RuntimeError
        await show(self, frame, **more)

    async with page(shows(match), one) as own, page(shows(match), other) as failing, page(shows(match), cem) as third:
        for socket in (own, failing, third):
            await has_table(socket)
        monkeypatch.setattr(PageSocket, "show", show_all_but_one)
        await send(own, mover.ask)
        assert (await answer_of(own))["status"] == 200
        assert (await table_of(third))["version"] == match.version + 1
        assert await closed(failing) == 4503


@pytest.mark.parametrize("ends", ["rights", "hours"])
async def test_a_moderator_who_only_looks_is_asked_anew_at_each_table(ends):
    """They look by rights and a session that were read when the page was opened."""
    match, mover, one, _other, cem = await table_of_two()
    mo = await in_thread(moderator)()
    await in_thread(Match.objects.filter(pk=match.pk).update)(access=Match.Access.INVITATION)
    await in_thread(Report.objects.create)(match_id=match.pk, member=one, reporter=cem)
    session = await cookies_of(mo)
    async with page(shows(match), session=session) as looks:
        await has_table(looks)
        await (in_thread(mo.groups.clear)() if ends == "rights" else in_thread(age)(session))
        await in_thread(submit)(match, mover, {"type": "roll"})
        assert await closed(looks) == 4404


def age(session: str) -> None:
    store = SessionStore(session)
    store[sessions.SINCE] = 1.0
    store.save()


async def test_nothing_stays_of_pages_that_have_gone():
    match, mover, one, other, cem = await table_of_two()
    for _time in range(3):
        async with page(shows(match), one) as own, page(shows(match), other) as others, page("lobby=1", cem) as third:
            for socket in (own, others):
                await has_table(socket)
            await third.connect(timeout=5)
            await send(own, mover.ask)
            await answer_of(own)
    assert match_pages._here() == {}
    assert not any(groups()._members.values())
    assert groups()._confirmed == {}


async def test_who_moves_does_not_wait_for_the_tables_of_many_watchers(monkeypatch):
    """Each may be in a language and zone of its own; the other players are shown theirs first."""
    match, mover, one, other, cem = await table_of_two()
    drawn: list[list[int]] = []

    def answer_and_note(reader, match_id, sent, others):
        drawn.append([found.user.pk for found in others])
        return tables.answer_move(reader, match_id, sent, others)

    monkeypatch.setattr(match_pages, "answer_move", answer_and_note)
    async with AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(page(shows(match), cem)) for _ in range(8)]
        sockets.append(await stack.enter_async_context(page(shows(match), other)))
        own = await stack.enter_async_context(page(shows(match), one))
        for socket in (*sockets, own):
            await has_table(socket)
        await send(own, mover.ask)
        await answer_of(own)
        for socket in sockets:
            assert (await table_of(socket))["version"] == match.version + 1
    assert [(len(found), found[0]) for found in drawn] == [(match_pages.AT_ONCE, other.pk)]
