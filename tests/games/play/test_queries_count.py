"""How often the database is asked: pinned, so that nobody adds a query to every move without noticing."""

from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.services.play import moves
from tests.factories import asked, browser_of, fresh, opened, play_on, random_move, seated, submit

ROLL = '{"type": "roll"}'
BY_DJANGO = ("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT")
# The key of a posted move is a row of its own (docs/decisions/0032-what-grows.md).
MOVE, TURN_PASSES, REPEATED, REQUEST, FRAGMENT, UNCHANGED = 6, 7, 3, 8, 4, 3


def asked_of_the_database(act) -> list[str]:
    with CaptureQueriesContext(connection) as captured:
        act()
    found = [query["sql"] for query in captured.captured_queries]
    return [sql for sql in found if not sql.startswith(BY_DJANGO)]


@pytest.fixture
def match(ann, bob):
    return seated(ann, bob)


def test_a_move(match):
    mover = asked(match)
    queries = asked_of_the_database(lambda: submit(match, mover, {"type": "roll"}))
    assert len(queries) <= MOVE, "\n".join(queries)


def test_a_move_that_passes_the_turn(match):
    counts = []
    for number in range(40):
        mover, now = asked(match), fresh(match)
        move = random_move(now, mover.number, Random(number))
        counts.append(len(asked_of_the_database(lambda: submit(now, mover, move, key=f"k{mover.ask}"))))  # noqa: B023
    assert max(counts) == TURN_PASSES


def test_the_same_move_again(match):
    mover = asked(match)
    submit(match, mover, {"type": "roll"})
    queries = asked_of_the_database(lambda: submit(match, mover, {"type": "roll"}))
    assert len(queries) <= REPEATED, "\n".join(queries)


def test_the_whole_request_of_a_move(match):
    """Beside the move itself: who it is, and the mover's new table."""
    mover = asked(match)
    browser = browser_of(mover.user)
    browser.get(f"/matches/{match.pk}/")
    post = {"ask": mover.ask, "key": "k", "move": ROLL}
    address = f"/matches/{match.pk}/move/"
    queries = asked_of_the_database(lambda: browser.post(address, post, headers={"X-Live": "1"}))
    assert len(queries) <= REQUEST, "\n".join(queries)


@pytest.mark.parametrize("who", ["mover", "visitor"])
def test_a_fragment(match, who):
    play_on(match, Random(81), turns=20)
    browser = browser_of(asked(match).user if who == "mover" else None)
    address = f"/matches/{match.pk}/table/"
    browser.get(address)
    queries = asked_of_the_database(lambda: browser.get(address))
    assert len(queries) <= FRAGMENT, "\n".join(queries)
    match.refresh_from_db()
    queries = asked_of_the_database(lambda: browser.get(f"{address}?have={match.version}"))
    assert len(queries) <= UNCHANGED, "\n".join(queries)


def test_the_lists_ask_no_more_for_many_matches_than_for_few(ann, bob):
    browser = browser_of(ann)
    counts = []
    for number in range(2):
        for mover in (ann, bob, ann):  # whom a match waits for is drawn, and an empty list asks less
            play_on(seated(ann, bob), Random(number), until=lambda match, who=mover: asked(match).user == who)
            opened(ann)
            moves.resign(match_id=seated(ann, bob).pk, user=bob)
        counts.append(
            {
                page: len(asked_of_the_database(lambda page=page: browser.get(page)))
                for page in ("/", "/play/", "/matches/")
            }
        )
    assert counts[0] == counts[1]
