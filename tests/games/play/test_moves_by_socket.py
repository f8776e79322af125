"""Moves over the socket that are refused, or are none: in words, with the table, and nothing is played."""

import json
from urllib.parse import urlencode

import pytest
from django.contrib.sessions.models import Session

from accounts.models import User
from games.models import Match
from games.services.play import moves
from tests.factories import moderator, seat
from tests.games.play.by_socket import ROLL, answer_of, has_table, send, shows, table_of_two
from tests.games.play.test_consumer import closed, cookies_of, hears, in_thread, page

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.thin(3)
@pytest.mark.parametrize(
    ("form", "status", "words"),
    [
        ({"ask": "99"}, 409, "question"),
        ({"move": '{"type":"pass"}'}, 409, ""),
        ({"move": "x"}, 400, "That was not a move"),
        ({"move": '{"type":"roll","dice":[99]}'}, 409, ""),
        ({"key": ""}, 400, "That was not a move"),
        ({"key": "\0"}, 400, ""),
        ({"ask": "9" * 500}, 400, ""),
        ({f"f{number}": "" for number in range(1100)}, 400, "That was not a move"),
        ({"score.int.cell": "x", "move": '{"type":"score"}'}, 400, ""),
    ],
    ids=["stale", "illegal", "no json", "not legal", "no key", "nul", "long", "many", "field"],
)
async def test_a_refusal_is_answered_with_the_table_and_its_sentence(form, status, words):
    match, mover, one, other, _cem = await table_of_two()
    async with page(shows(match), one) as own, page(shows(match), other) as others:
        await has_table(own)
        await has_table(others)
        await own.send_to(
            json.dumps({"move": 3, "form": urlencode({"ask": mover.ask, "key": "k", "move": ROLL} | form)})
        )
        answered = await answer_of(own)
        assert (answered["answer"], answered["status"]) == (3, status)
        assert "refusal" in answered["table"]
        assert words in answered["table"]
        assert await in_thread(match.log.count)() == 0
        while not await others.receive_nothing(0.3):
            assert "table" not in await hears(others)


@pytest.mark.parametrize("who", ["other", "watcher", "visitor"])
async def test_who_is_not_asked_is_refused(who):
    match, mover, _one, other, cem = await table_of_two()
    async with page(shows(match), {"other": other, "watcher": cem, "visitor": None}[who]) as socket:
        await has_table(socket)
        await send(socket, mover.ask)
        answered = await answer_of(socket)
        assert answered["status"] == (409 if who == "other" else 403)
        assert await in_thread(match.log.count)() == 0


@pytest.mark.parametrize(
    "frame",
    [
        {"move": 1},
        {"form": "ask=1"},
        {"move": "1", "form": "ask=1"},
        {"move": True, "form": "ask=1"},
        {"move": 1, "form": ["ask=1"]},
        {"move": 1.5, "form": "ask=1"},
    ],
)
async def test_what_is_no_move_is_ignored(frame):
    match, _mover, one, _other, _cem = await table_of_two()
    async with page(shows(match), one) as own:
        await has_table(own)
        await own.send_to(json.dumps(frame))
        await own.send_to('{"beat": true}')
        while "now" not in (said := await hears(own)):
            assert "answer" not in said


@pytest.mark.parametrize("form", ["", "\ud800", "%ff%00", "ask=%d0&key=\ud800&move=\ud800", "&" * 3000])
async def test_odd_forms_are_refused_in_words(form):
    match, _mover, one, _other, _cem = await table_of_two()
    async with page(shows(match), one) as own:
        await has_table(own)
        await own.send_to(json.dumps({"move": 1, "form": form}))
        answered = await answer_of(own)
        assert (answered["status"], "refusal" in answered["table"]) == (400, True)


@pytest.mark.parametrize("rings", [True, False])
async def test_a_move_after_log_out_is_not_made(rings):
    match, mover, one, _other, _cem = await table_of_two()
    session = await cookies_of(one)
    async with page(shows(match), session=session) as own:
        await has_table(own)
        if rings:
            await in_thread(User.objects.filter(pk=one.pk).update)(is_active=False)
        else:
            await in_thread(Session.objects.filter(pk=session).delete)()
        await send(own, mover.ask)
        assert await closed(own) == 4401
        assert await in_thread(match.log.count)() == 0


async def test_a_session_that_ends_while_its_socket_opens_opens_none(monkeypatch):
    match, _mover, one, _other, _cem = await table_of_two()
    session = await cookies_of(one)

    async def log_out(user_ids):
        await in_thread(Session.objects.filter(pk=session).delete)()

    monkeypatch.setattr("games.services.play.presence.note_open", log_out)
    async with page(shows(match), session=session) as own:
        assert (await own.connect(timeout=5))[0]
        assert await closed(own) == 4401


async def test_who_may_only_look_at_a_private_match_makes_no_move(monkeypatch):
    match, mover, _one, _other, _cem = await table_of_two()
    mo = await in_thread(moderator)()
    await in_thread(Match.objects.filter(pk=match.pk).update)(access=Match.Access.INVITATION)
    monkeypatch.setattr("games.services.hooks.may_watch", lambda match, user, session: user.pk == mo.pk)
    async with page(shows(match), mo) as socket:
        await has_table(socket)
        await send(socket, mover.ask)
        assert await closed(socket) == 4404
        assert await in_thread(match.log.count)() == 0


async def test_the_limit_of_posts_holds_on_the_socket(settings, monkeypatch):
    settings.POSTS_A_MINUTE = 2
    monkeypatch.setattr("config.lib.rate_limits.A_MINUTE", 10**13)
    match, _mover, one, _other, _cem = await table_of_two()
    async with page(shows(match), one) as own:
        await has_table(own)
        codes = []
        for number in range(3):
            await send(own, 99, number=number)
            codes.append((await answer_of(own))["status"])
        assert codes == [409, 409, 429]


async def test_a_move_that_fails_here_is_answered_without_a_table_and_nothing_is_played(monkeypatch):
    match, mover, one, _other, _cem = await table_of_two()

    def broken(**_arguments):
        raise RuntimeError

    async with page(shows(match), one) as own:
        await has_table(own)
        monkeypatch.setattr(moves, "submit_move", broken)
        await send(own, mover.ask, number=4)
        assert await answer_of(own) == {"answer": 4, "status": 500}
        assert await in_thread(match.log.count)() == 0


async def test_who_resigned_elsewhere_makes_no_move():
    match, mover, one, _other, _cem = await table_of_two()
    async with page(shows(match), one) as own:
        await has_table(own)
        await in_thread(moves.resign)(match_id=match.pk, user=one)
        assert await closed(own) == 4503
    assert (await in_thread(seat)(match, mover.number)).left is not None
