"""Tables over the socket: each page's own, as soon as the match changes; and moves that are sent over it."""

import json
import zlib
from urllib.parse import urlencode

import pytest
from django.contrib.sessions.models import Session

from accounts.models import User
from accounts.services import membership
from games import viewing
from games.models import Match, Seat, Turn
from games.services.lobby import opening
from games.services.play import moves
from games.sockets import match_pages, tables
from tests.factories import asked, browser_of, moderator, opened, seat, seated, submit
from tests.games.play.test_consumer import closed, cookies_of, hears, in_thread, opened_page, page, people, running

pytestmark = pytest.mark.django_db(transaction=True)
ROLL = '{"type":"roll"}'
HTML = '<div id="table" data-version="%d"'


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


async def test_a_move_over_the_socket_is_answered_and_shown_to_all():
    match, mover, one, other, cem = await table_of_two()
    async with (
        page(shows(match), one) as own,
        page(shows(match), other) as others,
        page(shows(match), cem) as watchers,
        page(shows(match)) as visitors,
        page(f"match={match.pk}") as rung,
    ):
        assert 'id="roll"' in (await has_table(own))["table"]
        for socket in (others, watchers, visitors):
            assert 'name="ask"' not in (await has_table(socket))["table"]
        await opened_page(rung)
        assert (await hears(rung)).keys() == {"version", "history"}
        await send(own, mover.ask, number=7)
        answered = await answer_of(own)
        assert (answered["answer"], answered["status"]) == (7, 200)
        assert HTML % (match.version + 1) in answered["table"]
        assert 'name="ask"' in answered["table"]
        for socket in (others, watchers, visitors):
            shown = await table_of(socket)
            assert shown["version"] == match.version + 1
            assert HTML % (match.version + 1) in shown["table"]
            assert 'name="ask"' not in shown["table"]
            assert await socket.receive_nothing(0.5)  # once
        assert {"version": match.version + 1} in [await hears(rung), await hears(rung)]
        assert await in_thread(match.log.count)() == 1


async def test_a_move_by_http_is_shown_to_all_and_one_that_shows_it_already_is_sent_nothing():
    match, mover, one, other, _cem = await table_of_two()
    async with page(shows(match, have=match.version), one) as own, page(shows(match), other) as others:
        await has_table(others)
        await opened_page(own)
        assert await hears(own) == {"history": match.history}
        await in_thread(submit)(match, mover, {"type": "roll"})
        for socket in (own, others):
            assert (await table_of(socket))["version"] == match.version + 1


async def test_the_key_makes_a_move_that_is_sent_again_harmless_on_either_way():
    match, mover, one, _other, _cem = await table_of_two()
    async with page(shows(match), one) as own:
        await has_table(own)
        for number in (1, 2):
            await send(own, mover.ask, number=number)
            assert (await answer_of(own))["status"] == 200
        browser = await in_thread(browser_of)(one)
        fields = {"ask": mover.ask, "key": "key-1", "move": ROLL}
        answer = await in_thread(browser.post)(f"/matches/{match.pk}/move/", fields, headers={"X-Live": "1"})
        assert answer.status_code == 200
        assert await in_thread(match.log.count)() == 1


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


async def test_permission_is_asked_anew_at_each_table():
    match, mover, one, _other, cem = await table_of_two()
    async with page(shows(match), one) as own, page(shows(match), cem) as watchers, page(shows(match)) as visitors:
        for socket in (own, watchers, visitors):
            await has_table(socket)
        await in_thread(Match.objects.filter(pk=match.pk).update)(access=Match.Access.INVITATION)
        await send(own, mover.ask)
        assert (await answer_of(own))["status"] == 200
        for socket in (watchers, visitors):
            assert await closed(socket) == 4404


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


async def test_each_page_is_shown_its_own_language_and_zone():
    match, mover, one, other, _cem = await table_of_two()
    async with page(shows(match, lang="fr"), one) as french, page(shows(match, lang="xx"), other) as english:
        assert "Lancer les cinq dés" in (await has_table(french))["table"]
        assert "about to roll" in (await has_table(english))["table"]
        await send(french, mover.ask, move='{"type":"pass"}')
        assert "refusal" in (await answer_of(french))["table"]
    async with page(shows(match, lang="fr"), one) as french:
        await has_table(french)
        await in_thread(membership.change_times)(user_id=one.pk, time_zone="Asia/Tokyo")
        assert await closed(french) == 4503  # and is opened anew, by the new zone


async def test_a_page_that_can_unzip_is_sent_the_same_compressed():
    match, _mover, _one, _other, cem = await table_of_two()
    async with page(shows(match), cem) as plain, page(shows(match, zip=1), cem) as zipped:
        await opened_page(zipped)
        said = [await zipped.receive_output(5) for _ in range(3)]
        packed = next(message["bytes"] for message in said if message.get("bytes"))
        table = await has_table(plain)
        assert json.loads(zlib.decompress(packed, -15)) == table
        assert len(packed) < len(table["table"]) / 3


async def test_a_table_is_drawn_once_for_all_who_see_the_same(monkeypatch):
    match, mover, one, other, cem = await table_of_two()
    await in_thread(User.objects.update)(time_zone="UTC")  # the site's
    drawn = []
    draw = viewing.render_table
    monkeypatch.setattr(
        viewing, "render_table", lambda table, **more: drawn.append(table["you"]) or draw(table, **more)
    )
    queries = [shows(match)] * 3
    async with (
        page(queries[0], one) as first,
        page(queries[1], one) as second,
        page(queries[2], other) as third,
        page(shows(match), cem) as watcher,
        page(shows(match)) as visitor,
    ):
        for socket in (first, second, third, watcher, visitor):
            await has_table(socket)
        drawn.clear()
        await send(first, mover.ask)
        await answer_of(first)
        for socket in (second, third, watcher, visitor):
            await table_of(socket)
        assert sorted(drawn, key=str) == sorted([0, 1, None], key=str)


async def test_who_was_away_is_shown_what_is_new_until_they_move():
    match, mover, one, _other, _cem = await table_of_two()
    await in_thread(submit)(match, mover, {"type": "roll"})
    async with page(shows(match, since=0), one) as own:
        shown = await has_table(own)
        assert 'data-since="0"' not in shown["table"]  # their own move: they are back
    async with page(shows(match, since=0), _other) as others:
        assert 'data-since="0"' in (await has_table(others))["table"]


async def test_a_page_of_a_version_that_is_gone_is_asked_for_anew():
    match, _mover, one, _other, _cem = await table_of_two()
    async with page(shows(match, have=match.version + 5), one) as own:
        await opened_page(own)
        assert await hears(own) == {"history": match.history}
        assert await hears(own) == {"anew": True}


async def test_an_open_table_is_fetched_as_a_whole():
    ann, bob = await people("ann", "bob")
    match = await in_thread(opened)(ann, size=2)
    async with page(shows(match, have=match.version), ann) as own:
        await opened_page(own)
        await in_thread(opening.join)(match_id=match.pk, user=bob)
        said = [await hears(own)]
        while "table" not in said[-1] and len(said) < 6:
            said.append(await hears(own))
        assert 'data-status="running"' in said[-1]["table"]


async def test_when_tables_cannot_be_drawn_the_pages_are_rung_and_told_by_http(monkeypatch, caplog):
    match, mover, _one, other, _cem = await table_of_two()

    def broken(*_arguments):
        raise RuntimeError

    async with page(shows(match), other) as others:
        await has_table(others)
        monkeypatch.setattr(match_pages, "for_readers", broken)
        await in_thread(submit)(match, mover, {"type": "roll"})
        heard = []
        while {"version": match.version + 1} not in heard:
            heard.append(await hears(others))
            assert len(heard) < 5


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


def test_a_drawing_shows_nobody_an_older_table(db, ann, bob):
    match = seated(ann, bob)
    reader = tables.Reader(ann, None, None, "en", version=match.version)
    assert tables.for_readers(match.pk, [reader]) == [None]
    assert tables.for_readers(10**9, [reader]) == [tables.HIDDEN]
    assert Turn.objects.count() == 0
