"""Standing orders, time-outs and the clocks of YESSS!, where everybody is to move at once."""

import re

import pytest

from games.clocks import MS
from games.models import Match, Turn
from games.queries.play import seats_of
from games.services.play import moves as play_moves
from games.table import table_for
from tests.factories import browser_of, fresh, seat, seated, state_of, submit


@pytest.fixture(autouse=True)
def no_days_off_by_themselves(django_user_model, ann, bob, cem, eve):
    django_user_model.objects.update(vacation_by_itself=False)


@pytest.fixture
def three(ann, bob, cem):
    return [ann, bob, cem]


def select(match: Match, *numbers: int) -> Match:
    for number in numbers:
        pair = match.game.view(state_of(fresh(match)), number)["hand"][0]
        submit(match, seat(match, number), {"type": "select", "pair": pair}, key=f"select-{number}")
    return fresh(match)


def say(match: Match, token: int, word: str = "voyage") -> Match:
    announcer = state_of(fresh(match)).tokens[token].announcer
    move = {"type": "word", "token": token, "word": word}
    submit(match, seat(match, announcer), move, key=f"word-{token}")
    return fresh(match)


def guess(match: Match, token: int) -> Match:
    """Everybody who is asked guesses 1-2."""
    for number in state_of(fresh(match)).tokens[token].guessers:
        move = {"type": "guess", "token": token, "pair": [1, 2]}
        submit(match, seat(match, number), move, key=f"guess-{token}-{number}")
    return fresh(match)


def proposed(match: Match) -> Match:
    """The match after a round, in its swap phase."""
    match = select(match, *range(match.size))
    for token in range(match.size):
        match = guess(say(match, token), token)
    return match


def test_never_change_places(three):
    match = seated(*three, game_slug="yesss")
    for person in three:
        play_moves.give_orders(match_id=match.pk, user=person, orders={"swap": "never", "refuse": "never"})
    match = proposed(match)
    state = state_of(match)
    assert (state.phase, state.round) == ("select", 2)
    passes = match.log.filter(by=Turn.By.ORDERS)
    assert {turn.move["type"] for turn in passes} == {"pass"}


def test_orders_given_in_the_swap_phase_answer_if_wanted_and_sealed(three, ann):
    match = proposed(seated(*three, game_slug="yesss"))
    asked = match.game.to_move(state_of(match))
    assert state_of(match).phase == "swap"
    first = asked[0]
    ask = seat(match, first).ask
    play_moves.give_orders(match_id=match.pk, user=three[first], orders={"swap": "never"}, answer=ask)
    match = fresh(match)
    if len(asked) == 1:
        assert state_of(match).round == 2
    else:
        assert match.game.view(state_of(match), None)["answered"] == [first]
        told = table_for(match, seats_of(match), None, list(match.log.order_by("number")))["log"]
        assert told[-1]["by"] == ""


def test_a_seats_clock_runs_while_it_owes_something_and_grows_by_each_phase(three, hours):
    match = seated(*three, game_slug="yesss", pace="week")
    hours.go_by(hours=2)
    match = select(match, 0)
    first = seat(match, 0)
    assert first.deadline is None
    before = match.pace.bank - 2 * 3600 * 1000 * MS + match.pace.increment
    assert abs(first.bank * MS - before) < 60_000 * MS
    hours.go_by(hours=2)
    match = select(match, 1, 2)
    assert all(s.deadline is not None for s in match.seats.all())
    last = seat(match, 2)  # it goes on into the next phase: its turn is completed all the same
    assert abs(last.bank * MS - (match.pace.bank - 4 * 3600 * 1000 * MS + match.pace.increment)) < 60_000 * MS


def test_what_was_owed_when_time_ran_out_is_played_and_no_more(three, eve, hours):
    match = select(seated(*three, eve, game_slug="yesss", pace="1d"), 0, 1, 2, 3)
    hours.go_by(hours=20)
    match = say(match, 0)
    match = say(match, 1)
    late = 3 if match.game.view(state_of(match), None)["direction"] == "left" else 2  # owes a word, two guesses
    hours.go_by(hours=5)
    hours.sweep()
    match = fresh(match)
    turns = list(match.log.filter(by=Turn.By.CLOCK).order_by("number").values_list("seat", "move"))
    by_seat = {number: [move for at, move in turns if at == number] for number in range(4)}
    kinds = {number: [move["type"] for move in moves] for number, moves in by_seat.items()}
    assert kinds[late][0] == "refuse"
    assert [move["token"] for move in by_seat[late] if move["type"] == "guess"] == [0, 1]
    assert not match.seats.filter(absent=True).exists()
    assert match.seats.filter(run_outs=1).count() >= 2


def test_everybody_absent_but_one_ends_the_match(three, hours):
    match = seated(*three, game_slug="yesss", pace="live")
    match = select(match, 0)
    hours.go_by(seconds=400)
    hours.sweep()
    match = fresh(match)
    assert match.status == Match.Status.ENDED
    assert seat(match, 0).rank == 1


@pytest.mark.parametrize(
    ("options", "offered"),
    [
        ({"swaps": True}, {"swap", "refuse"}),
        ({"swaps": False}, {"refuse"}),
        ({"mode": "cooperative", "minutes": 0}, set()),
    ],
)
def test_only_orders_that_can_answer_something_are_offered(three, options, offered):
    page = browser_of(three[0]).get(f"/matches/{seated(*three, game_slug='yesss', options=options).pk}/").text
    assert set(re.findall(r'name="(swap|refuse)"', page)) == offered
    assert ('id="orders"' in page) == bool(offered)
