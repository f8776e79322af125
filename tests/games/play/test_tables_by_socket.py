"""Tables over the socket: each page's own, as soon as the match changes; and moves that are sent over it."""

import asyncio
import json
import zlib

import pytest

from accounts.models import User
from accounts.services import membership
from games import broadcast, viewing
from games.models import Match, Turn
from games.services.lobby import opening
from games.sockets import match_pages, tables
from tests.factories import browser_of, opened, seated, submit
from tests.games.play.by_socket import ROLL, answer_of, has_table, send, shows, table_of, table_of_two
from tests.games.play.test_consumer import closed, hears, in_thread, opened_page, page, people

pytestmark = pytest.mark.django_db(transaction=True)
HTML = '<div id="table" data-version="%d"'


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
        assert await hears(own) == {"history": match.history, "moves": True}
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


async def test_a_move_of_a_server_that_died_before_it_rang_is_shown_all_the_same(monkeypatch):
    monkeypatch.setattr(match_pages, "LOOK_SECONDS", 0.2)
    monkeypatch.setattr(broadcast, "match_changed", lambda *args, **more: None)
    match, mover, _one, other, _cem = await table_of_two()
    async with page(shows(match), other) as others, page(f"match={match.pk}") as rung:
        await has_table(others)
        await opened_page(rung)
        await in_thread(submit)(match, mover, {"type": "roll"})
        assert (await table_of(others))["version"] == match.version + 1
        while (await hears(rung)).get("version") != match.version + 1:
            pass
        assert await others.receive_nothing(0.5)


async def test_a_table_that_cannot_be_drawn_is_told_of_once(monkeypatch):
    """Not at every look at the open matches: each would be an error that somebody is mailed about."""
    drawn = []

    def broken(match_id, readers):
        drawn.append(match_id)
        raise ValueError

    monkeypatch.setattr(match_pages, "LOOK_SECONDS", 0.1)
    match, mover, _one, other, _cem = await table_of_two()
    async with page(shows(match), other) as others:
        await has_table(others)
        monkeypatch.setattr(match_pages, "for_readers", broken)
        await in_thread(submit)(match, mover, {"type": "roll"})
        while (await hears(others)).get("version") != match.version + 1:
            pass
        await asyncio.sleep(1)  # ten looks
    assert len(drawn) == 1


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
        assert await hears(own) == {"history": match.history, "moves": True}
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


def test_a_drawing_shows_nobody_an_older_table(db, ann, bob):
    match = seated(ann, bob)
    reader = tables.Reader(ann, None, "en", version=match.version)
    assert tables.for_readers(match.pk, [reader]) == [None]
    assert tables.for_readers(10**9, [reader]) == [tables.HIDDEN]
    assert Turn.objects.count() == 0
