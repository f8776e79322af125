"""Each day has one puzzle, from a public match that ended, else from one among bots; never the same position twice."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import islice
from random import Random
from threading import Barrier

import pytest
from django.db import connection

from games import tasks
from games.engine import replay_steps
from games.models import Match, Puzzle
from games.positions import Position, moments_of, moments_played, positions
from games.puzzles import bare_table, board, question_in_words
from games.queries.play import seats_of
from games.queries.puzzles import today
from games.record import record_of
from games.rules import games, get_game
from games.services.puzzles import making
from games.table import table_for
from tests.factories import browser_of, played_on, seated

every_game = pytest.mark.parametrize("slug", games())


def among_bots(slug: str) -> Position:
    game = get_game(slug)
    seats = max(game.min_seats, min(3, game.max_seats))
    options = game.full_options(seats, {})
    for number in (39, *range(1, 20)):  # the first has one soon in the game that has them most seldom
        played = islice(moments_played(game, seats, options, bytes([number]) * 32), 1500)
        if found := next(positions(game, options, played), None):
            return found
    raise AssertionError(f"no position in twenty matches of {slug}")


@pytest.mark.outgrown
def test_a_puzzle_is_the_view_of_who_decided_then(ended, puzzle):
    seats = seats_of(ended)
    before = [state for step, state, _events in replay_steps(record_of(ended, seats), get_game) if step == puzzle.step]
    seat = puzzle.view["you"]
    assert puzzle.view == ended.game.view(before[0], seat)
    assert 2 <= len(puzzle.answers) <= 6
    turn = record_of(ended, seats)["moves"][puzzle.step]
    assert (turn["seat"], turn["move"]) == (seat, puzzle.answers[puzzle.played])


def test_the_same_day_is_made_once_and_alike(puzzle):
    assert making.make(today()) == puzzle
    told = (puzzle.step, puzzle.answers, puzzle.bots)
    Puzzle.objects.all().delete()
    again = making.make(today())
    assert (again.step, again.answers, again.bots) == told


@pytest.mark.outgrown
@pytest.mark.django_db(transaction=True)
def test_two_workers_make_one():
    """Each looks, finds none, and writes its own: one of them stays."""
    start = Barrier(2)

    def work(_number: int) -> Puzzle | None:
        try:
            start.wait(10)
            return making.make(today())
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as workers:
        first, second = workers.map(work, range(2))
    assert first == second == Puzzle.objects.get()


def test_no_match_gives_two(puzzle, clock):
    clock.forward(86_400)
    assert making.make(today()).match is None


def test_games_take_turns(db, clock, monkeypatch):
    monkeypatch.setattr(making, "games", lambda: games()[:2])
    had = []
    for _day in range(3):
        had.append(making.make(today()).game_slug)
        clock.forward(86_400)
    assert had == [*games()[:2], games()[0]]


def test_other_matches_give_none(ended):
    """Private, voided, of long ago, of today, a lesson."""
    for change in (
        {"access": Match.Access.INVITATION},
        {"voided_at": ended.ended_at},
        {"ended_at": ended.ended_at - timedelta(days=200)},
        {"ended_at": ended.ended_at + timedelta(days=2)},
        {"prepared": [[0, 0]]},
    ):
        Match.objects.filter(pk=ended.pk).update(**change)
        found = making.make(today())
        assert found.match is None and found.by_bots, change
        found.delete()
        ended.save()


def test_a_match_that_cannot_be_replayed_gives_none(ended):
    Match.objects.filter(pk=ended.pk).update(setup_draws=[[9]])
    assert making.make(today()).by_bots


@pytest.mark.thin(2)
@every_game
def test_every_game_has_positions_that_can_be_asked_drawn_and_answered(slug):
    game = get_game(slug)
    found = among_bots(slug)
    options = game.full_options(found.view["seats"], {})
    table = bare_table(slug, game.rules_version, options, found.view, found.step)
    question = question_in_words(table, found.answers)
    assert question.headline
    assert len(set(question.answers)) == len(found.answers) > 1
    assert found.bots < len(found.answers) > found.played
    if found.worths:
        best, second = sorted(found.worths, reverse=True)[:2]
        assert best - second <= 12 and best - min(found.worths) >= 0.5
    html = board(table)
    assert 'name="move"' not in html
    assert "/matches/" not in html and "/people/" not in html


def test_a_bare_table_has_all_that_a_table_has(ended):
    seats = seats_of(ended)
    whole = table_for(ended, seats, seats[0])
    bare = bare_table(ended.game_slug, ended.rules_version, ended.options, ended.game.view(_first(ended), 0), 0)
    assert bare.keys() == whole.keys()
    assert bare["seats"][0].keys() == whole["seats"][0].keys()


def _first(match: Match):
    return next(state for _step, state, _events in replay_steps(record_of(match, seats_of(match)), get_game))


def test_nobody_is_named(puzzle, eve):
    page = browser_of(eve).get("/puzzle/").content.decode()
    assert "Player 1" in page or "Player 2" in page
    for name in ("ann", "bob"):
        assert f">{name}<" not in page and f"/people/{name}/" not in page


def test_what_members_wrote_is_not_shown(ann, bob, cem):
    """From the first word that somebody types on, a match gives no position."""
    match = played_on(seated(ann, bob, cem, game_slug="yesss"), Random(1))
    steps = [moment.step for moment in moments_of(match, seats_of(match))]
    typed = [turn.number for turn in match.log.order_by("number") if "word" in turn.move]
    assert typed and steps and max(steps) < typed[0]


def test_a_day_to_come_and_days_before_the_first_have_none(puzzle):
    assert making.make(today() + timedelta(days=1)) is None
    assert making.make(today() - timedelta(days=1)) is None


def test_a_missed_day_is_made(puzzle, clock, monkeypatch):
    monkeypatch.setattr(making, "games", lambda: games()[:2])
    clock.forward(3 * 86_400)
    missed = today() - timedelta(days=1)
    tasks.make_puzzle(missed.toordinal())
    tasks.make_puzzle()
    assert Puzzle.objects.filter(day__in=[missed, today()]).count() == 2


class Same:
    """A game in which everybody would do the same, or in which all is the same."""

    def __init__(self, game, **more) -> None:
        self.game, self.more = game, more

    def __getattr__(self, name: str):
        return self.more.get(name) or getattr(self.game, name)


def test_what_has_one_sensible_answer_is_no_puzzle():
    game = get_game("yum-extra")
    options = game.full_options(3, {})
    moments = list(islice(moments_played(game, 3, options, bytes(32)), 60, 200))
    assert list(positions(game, options, moments))
    worthless = {"worth": lambda view, move: 0.0}  # all answers bring the same
    assert not list(positions(Same(game, **worthless), options, moments))
    clear = {"worth": lambda view, move: 50.0 if move == game.answers(view, 6)[0] else 0.0}
    assert not list(positions(Same(game, **clear), options, moments))
    needless = {"needless": lambda state, seat: {"type": "pass"}}
    assert not list(positions(Same(game, **needless), options, moments))
    strong = game.bot("strong")
    agreed = [
        moment._replace(move=strong.choose(game.view(moment.state, moment.seat), Random(moment.step)))
        for moment in moments
    ]
    alike = {
        "bot": lambda level: strong,
        "worth": lambda view, move: None,
        "default_move": lambda state, seat: strong.choose(game.view(state, seat), Random(0)),
    }
    assert not list(positions(Same(game, **alike), options, agreed))
