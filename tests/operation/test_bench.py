"""The load generator of the benches reads tables as it should, and sees what a page must never see."""

import asyncio
from contextlib import suppress
from random import Random
from types import SimpleNamespace

import pytest

from games.rules import games, get_game
from tests import factories
from tests.bench.figures import beside, keep, last_kept, percentile, row_of
from tests.bench.forms import filled, history_of, move_of, version_of
from tests.bench.http import Connection
from tests.bench.pages import Frame, Page, faults_of
from tests.rules.playing import fewest

MOVES = 25
SITE = SimpleNamespace(port_of=lambda match, place: 8000)


@pytest.mark.thin(2)
@pytest.mark.parametrize("slug", games())
def test_every_form_that_is_filled_in_is_a_move(db, slug):
    people = [factories.member(name) for name in ("Ann", "Bob", "Cid")[: fewest(get_game(slug))]]
    match, rng = factories.seated(*people, game_slug=slug), Random(7)
    browsers = [factories.browser_of(person) for person in people]
    for _ in range(MOVES):
        seat = factories.asked(match)
        if seat is None:
            break
        table = browsers[seat.number].get(f"/matches/{match.pk}/table/").content.decode()
        assert version_of(table) == factories.fresh(match).version
        assert history_of(table) == factories.fresh(match).history
        form = move_of(table, rng)
        answer = browsers[seat.number].post(
            f"/matches/{match.pk}/move/",
            form,
            content_type="application/x-www-form-urlencoded",
            headers={"X-Live": "1"},
        )
        assert answer.status_code == 200, (form, answer.content.decode())
    assert factories.fresh(match).turns >= 3
    for browser, seat in zip(browsers, match.seats.order_by("number"), strict=True):
        if seat.ask is None:
            assert move_of(browser.get(f"/matches/{match.pk}/table/").content.decode(), rng) is None


def test_fields_of_other_moves_and_tokens_are_left_alone():
    board = """<input name="roll.of.dice" type="hidden" value="0 1 2"><input name="roll.but.dice" value="1">
    <input name="word.text.word.3" value="hello"><input name="word.text.word.4" value="">
    <select id="into" name="word+turn.text.into"><option value="a"></select>
    <input type="number" name="throw.int.x" min="5" max="5" value="9">"""
    rng = Random(1)
    assert filled(board, {"type": "word", "token": 3}, rng) == [
        ("word.text.word.3", "hello"),
        ("word+turn.text.into", "a"),
    ]
    assert filled(board, {"type": "roll"}, rng) == [("roll.of.dice", "0 1 2")]  # never all dice are kept
    assert filled(board, {"type": "throw"}, rng) == [("throw.int.x", "5")]


def table(version: int) -> str:
    return f'<div id="table" data-version="{version}">'


def shown(*versions: int) -> Page:
    """Return a page to which these tables came."""
    page = Page(SITE, 1, None, "socket")
    for version in versions:
        page.heard(Frame(version=version, table=table(version)))
    return page


@pytest.mark.parametrize(
    ("pages", "fault"),
    [
        ([(1, 2, 3), (1, 2, 3)], None),
        ([(1, 3), (2, 3)], None),  # one in between may be skipped
        ([(1, 2, 2), (1, 2)], "the table of version 2 came after that of 2"),
        ([(1, 3, 2), (1, 3)], "the table of version 2 came after that of 3"),
        ([(1, 2), (1,)], "a page shows version 1, another 2"),
    ],
)
def test_what_a_page_must_not_see_is_a_fault(pages, fault):
    assert faults_of(shown(*versions) for versions in pages) == ([f"match 1: {fault}"] if fault else [])


def test_a_frame_that_lies_about_its_table_is_a_fault():
    page = shown(1)
    page.heard(Frame(version=3, table=table(2)))
    assert page.faults == ["a frame says version 3, its table 2"]


async def test_answers_find_their_moves_and_late_ones_are_ignored():
    page = shown(1)
    first, second = (asyncio.get_running_loop().create_future() for _ in "12")
    page.answers = {1: first, 2: second}
    page.heard(Frame(answer=2, status=409, version=1, table=table(1) + "no"))
    page.heard(Frame(answer=1, version=2, table=table(2)))
    page.heard(Frame(answer=1, version=2, table=table(2)))
    assert (first.result(), second.result()) == ((200, 2), (409, 1))
    assert (page.shown, page.faults) == (2, [])


async def test_an_answer_may_come_in_any_pieces():
    line = Connection(8000, {})
    whole = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\nh\xc3\xa9llo"
    for size in range(1, len(whole) + 1):
        line.received, line.answer = bytearray(), asyncio.get_running_loop().create_future()
        for start in range(0, len(whole), size):
            assert not line.answer.done()
            line.data_received(whole[start : start + size])
        assert line.answer.result() == (200, "héllo", 6)


async def test_a_kept_connection_that_was_closed_is_opened_again():
    served = []

    async def serve(reader, writer):
        with suppress(asyncio.IncompleteReadError):
            while await reader.readuntil(b"\r\n\r\n"):
                served.append(writer)
                if len(served) == 2:  # asked on a connection that is being closed
                    break
                writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        line = Connection(server.sockets[0].getsockname()[1], {})
        assert [await line.ask("GET", "/") for _ in "12"] == [(204, "", 0)] * 2
        line.close()
    assert len(served) == 3


def test_percentiles_and_rows():
    assert [percentile(range(100), share) for share in (0, 0.5, 0.95, 1)] == [0, 50, 95, 99]
    assert (percentile([7.0], 0.99), percentile([], 0.5)) == (7.0, 0.0)
    row = row_of([0.004, 0.001, 0.002, 0.003], {"web": 0.02}, 2)
    assert row == {"moves_a_second": 2.0, "p50": 3.0, "p95": 4.0, "p99": 4.0, "web": 5.0}


def test_the_figures_of_the_last_release_stand_beside(tmp_path):
    fast = {"moves_a_second": 200.0, "p50": 4.0}
    about = {"version": "0.10.0", "commit": "b"}
    keep({"version": "0.9.0", "commit": "z"}, {"one": {"moves_a_second": 9.0}}, tmp_path)
    keep(about | {"commit": "a"}, {"one": {"moves_a_second": 10.0}, "gone": {"KiB": 1.0}}, tmp_path)
    keep(about, {"one": {"moves_a_second": 100.0}}, tmp_path)
    keep(about, {"page": {"KiB": 60.0}}, tmp_path)  # of the same commit
    before = last_kept(tmp_path)
    assert before == {"about": about, "rows": {"one": {"moves_a_second": 100.0}, "page": {"KiB": 60.0}}}
    lines = beside({"one": fast, "page": {"KiB": 50.0}}, before["rows"])
    assert lines[2] == "| one | 200 [100] | 4 |"
    assert lines[-1] == "| page | 50 [60] KiB |"
    assert last_kept(tmp_path / "none") is None
