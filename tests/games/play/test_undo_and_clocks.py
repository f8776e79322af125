"""A move that is taken back wins no time, and what clocks did and what became of it stay as they were."""

from datetime import timedelta
from random import Random

import pytest

from accounts.models import User
from games.clocks import MS
from games.management.commands.check_matches import problems
from games.models import Match, Seat, Sweep
from games.queries.turns import last_turns
from games.services.operation.undo import undo_sweep
from games.services.play import moves
from games.table import table_for
from tests.factories import asked, fresh, member, played_on, seat, state_of, submit
from tests.games.play.test_undo import is_whole
from tests.games.play.test_undo_move import at_phase, chosen, claimed, owing, take_back

BELIEVE = {"type": "answer", "doubt": False}


@pytest.fixture
def dan(db):
    return member("dan")


@pytest.mark.parametrize(("pace", "bank"), [("3d", timedelta(days=3)), ("week", timedelta(days=3))])
def test_the_clock_has_what_was_left_when_the_answer_came(hours, ann, bob, cem, dan, pace, bank):
    match = claimed(ann, bob, cem, dan, pace=pace)
    first = owing(match)[0]
    hours.go_by(days=2, hours=23)
    submit(match, first, BELIEVE)
    assert seat(match, first.number).bank * MS > timedelta(hours=12)  # for the next turn
    hours.go_by(minutes=10)  # others think, the clock stands
    take_back(match, first)
    back = seat(match, first.number)
    assert timedelta(minutes=59) < back.bank * MS <= bank - timedelta(days=2, hours=23)
    assert back.deadline - back.runs_from == back.bank * MS
    hours.go_by(minutes=30)
    submit(match, back, BELIEVE, key="again")
    whole = min(match.pace.cap, timedelta(minutes=30) + match.pace.increment)
    assert timedelta() <= whole - seat(match, first.number).bank * MS < timedelta(minutes=1)


def test_the_choice_of_a_die_leaves_the_clock_alone_while_it_stands(hours, ann, bob, cem):
    match, roller = chosen(ann, bob, cem, then="buy")
    for number, person in enumerate((ann, bob, cem)):
        moves.wish_pause(match_id=match.pk, user=person, wish=True, answers=number > 0)
    before = seat(match, roller.number).bank
    take_back(match, roller)
    assert (seat(match, roller.number).bank, seat(match, roller.number).runs_from) == (before, None)


def test_time_that_was_given_meanwhile_stays(hours, ann, bob, cem, dan):
    match = claimed(ann, bob, cem, dan)
    first = owing(match)[0]
    hours.go_by(days=2)
    submit(match, first, BELIEVE)
    match.seats.filter(pk=first.pk).update(bank=seat(match, first.number).bank + timedelta(days=1) // MS)
    take_back(match, first)
    assert timedelta(days=1, hours=23) < seat(match, first.number).bank * MS <= timedelta(days=2)


def test_a_proposal_from_after_the_answer_lapses_with_the_next(ann, bob, cem, dan):
    match = claimed(ann, bob, cem, dan)
    first = owing(match)[0]
    submit(match, first, BELIEVE)
    moves.wish_call_off(match_id=match.pk, user=first.user, wish=True)
    take_back(match, first)
    match = settled(match)
    assert seat(match, first.number).wants_call_off is None


def settled(match) -> Match:
    for number, one in enumerate(owing(match)):
        submit(match, one, BELIEVE, key=f"settle-{number}")
    return fresh(match)


def timed_out(hours, match) -> Sweep:
    """Return the sweep in which the last who owes an answer runs out of time."""
    User.objects.update(vacation_by_itself=False)
    Seat.objects.exclude(pk=owing(match)[-1].pk).update(deadline=None, runs_from=None)
    hours.go_by(days=4)
    return hours.sweep()


def test_dice_of_a_restored_match_are_checked_although_the_turn_before_is_taken_back(hours, ann, bob, cem, dan):
    """Its fresh seed is good from the turn on that comes in place of the one taken back, which may draw."""
    match, roller = chosen(ann, bob, cem, dan, then="buy")
    sweep = timed_out(hours, match)
    assert undo_sweep(sweep)["restored"] == 1
    turns = fresh(match).turns
    take_back(match, roller)
    now = fresh(match)
    assert now.turns == turns - 1
    assert [after for after, _seed in now.seeds] == [0, turns - 1]
    submit(match, asked(match), {"type": "keep", "die": 1})
    ended = played_on(fresh(match), Random(5))
    assert problems(ended) == []


def test_a_time_out_after_a_turn_that_was_taken_back_is_undone(hours, ann, bob, cem, dan):
    """The bot has the seat and has not moved: the turn before it goes, and with it what the time-out refers to."""
    match = claimed(ann, bob, cem, dan)
    first, _second, third = owing(match)
    submit(match, first, BELIEVE)
    match.seats.filter(pk=third.pk).update(run_outs=1)
    sweep = timed_out(hours, match)
    assert seat(match, third.number).bot
    take_back(match, first)
    turns = fresh(match).turns
    assert undo_sweep(sweep)["restored"] == 1
    now = fresh(match)
    assert now.turns == turns == now.log.count()
    assert {one.number for one in owing(now)} >= {first.number, third.number}
    assert is_whole(now)


@pytest.mark.parametrize(("slug", "phase"), [("yes", "bid"), ("yes", "interest"), ("yesss", "select")])
def test_that_somebody_ran_out_of_time_stays_hidden(hours, ann, bob, cem, dan, slug, phase):
    """It would tell that their sealed answer is the bot's."""
    match = at_phase(ann, bob, cem, dan, slug=slug, phase=phase)
    first, *_others, late = owing(match)
    submit(match, first, match.game.default_move(state_of(match), first.number))
    Seat.objects.filter(pk=late.pk).update(run_outs=1)
    timed_out(hours, fresh(match))
    assert seat(match, late.number).bot
    assert shown_as(match, late) == "person"
    take_back(match, first)
    assert shown_as(match, late) == "person"
    for number, one in enumerate([first, *_others]):
        now = fresh(match)
        submit(now, seat(match, one.number), match.game.default_move(state_of(now), one.number), key=f"rest-{number}")
    assert shown_as(match, late) == "person"


def shown_as(match, late) -> str:
    """Return as what others see who plays in a seat."""
    now = fresh(match)
    others = list(now.seats.order_by("number"))
    viewer = next(one for one in others if one.is_in)
    shown = table_for(now, others, viewer, last_turns(now))["seats"][late.number]
    return "bot" if shown["left"] else "person"
