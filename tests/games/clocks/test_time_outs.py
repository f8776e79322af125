"""Running out of time: the default moves first, then a bot; never for a move that came in time."""

from datetime import timedelta
from random import Random

import pytest

from config.lib import clock as present
from games.clocks import MS, to_ms
from games.management.commands.check_matches import problems
from games.models import Match, Seat, TimeOut, Turn
from games.services.clocks import time_outs
from games.services.clocks.adjustments import recompute_deadlines
from games.services.play import moves as play_moves
from games.services.refusals import NotYourSeat, StaleQuestion, TooLate
from tests.factories import asked, fresh, play_on, seat, seated, submit, waiting

ROLL = {"type": "roll"}


@pytest.fixture(autouse=True)
def no_days_off_by_themselves(django_user_model, ann, bob, cem):
    django_user_model.objects.update(vacation_by_itself=False)


def post_at(match, mover, received, **wishes):
    return play_moves.submit_move(
        match_id=match.pk, user=mover.user, ask=mover.ask, key="late", move=ROLL, received=received, **wishes
    )


def time_outs_of(match):
    return list(match.time_outs.order_by("pk").values_list("seat", "kind"))


# Refusals
def test_nobody_is_judged_in_the_margin(ann, bob, hours):
    match = seated(ann, bob)
    hours.go_by(days=3, seconds=3)
    assert hours.sweep() is None
    assert fresh(match).turns == 0


def test_a_move_after_the_deadline_is_refused_in_words(ann, bob, hours):
    match = seated(ann, bob)
    mover = asked(match)
    hours.go_by(days=3, seconds=3)
    with pytest.raises(TooLate) as refused:
        submit(match, mover, ROLL)
    assert (refused.value.status, str(refused.value)[:9]) == (409, "Your time")
    assert (fresh(match).turns, fresh(match).version) == (0, match.version)


@pytest.mark.both
def test_a_move_one_ms_late_and_one_in_the_last_ms(ann, bob, hours):
    match = seated(ann, bob)
    mover = asked(match)
    hours.go_by(days=3, seconds=3)
    with pytest.raises(TooLate):
        post_at(match, mover, to_ms(mover.deadline) + 1)
    post_at(match, mover, to_ms(mover.deadline))
    assert match.log.get().by == Turn.By.PERSON


@pytest.mark.both
def test_a_move_that_came_in_time_counts_though_it_is_played_later(ann, bob, hours):
    match = seated(ann, bob)
    mover = asked(match)
    hours.go_by(days=3, minutes=2)
    post_at(match, mover, to_ms(mover.deadline) - 10)
    assert hours.sweep() is not None  # it is still its turn, and its clock has run out
    assert match.log.order_by("number").first().by == Turn.By.PERSON


@pytest.mark.both
def test_after_the_time_out_the_question_is_stale(ann, bob, hours):
    match = seated(ann, bob)
    mover = asked(match)
    hours.go_by(days=3, seconds=6)
    hours.sweep()
    with pytest.raises(StaleQuestion):
        post_at(match, mover, to_ms(mover.deadline))


@pytest.mark.both
def test_standing_orders_answer_nothing_after_the_deadline(ann, bob, hours):
    match = seated(ann, bob)
    mover = asked(match)
    hours.go_by(days=3, seconds=3)
    play_moves.give_orders(match_id=match.pk, user=mover.user, orders={"pass_always": True})
    assert fresh(match).turns == 0
    assert seat(match, mover.number).orders == {"pass_always": True}


def test_a_paused_match_is_not_judged(ann, bob, hours):
    match = seated(ann, bob)
    for person in (ann, bob):
        play_moves.wish_pause(match_id=match.pk, user=person, wish=True)
    hours.go_by(days=30)
    assert hours.sweep() is None
    assert time_outs.judge(match_id=match.pk) == 0
    assert fresh(match).turns == 0


@pytest.mark.both
def test_a_match_that_has_ended_or_is_gone_is_not_judged(ann, bob, hours):
    match = seated(ann, bob)
    hours.go_by(days=3, seconds=6)
    play_moves.resign(match_id=match.pk, user=waiting(match).user)
    assert time_outs.judge(match_id=match.pk) == 0
    assert time_outs.judge(match_id=match.pk + 1000) == 0
    assert not TimeOut.objects.exists()


# What happens
@pytest.mark.both
def test_the_first_time_the_turn_is_ended_by_default_moves(ann, bob, hours):
    match = seated(ann, bob)
    mover = asked(match)
    hours.go_by(days=3, seconds=6)
    sweep = hours.sweep()
    late = seat(match, mover.number)
    moves = match.log.filter(by=Turn.By.CLOCK).order_by("number").values_list("seat", "move__type")
    assert list(moves)[:2] == [(mover.number, "roll"), (mover.number, "score")]
    assert (late.ask, late.run_outs, late.bot, late.absent) == (None, 1, "", False)
    assert late.bank == match.pace.bank // MS
    assert (late.runs_from, late.deadline) == (None, None)
    row = match.time_outs.get()
    assert (row.sweep, row.seat, row.ask, row.kind) == (sweep, mover.number, mover.ask, "played")
    following = asked(match)
    assert following.deadline == following.runs_from + timedelta(days=3)
    assert fresh(match).status == Match.Status.RUNNING


@pytest.mark.both
def test_judged_again_nothing_more_happens(ann, bob, hours):
    match = seated(ann, bob)
    hours.go_by(days=3, seconds=6)
    sweep = hours.sweep()
    before = fresh(match)
    assert time_outs.judge(match_id=match.pk, sweep_id=sweep.pk) == 0
    assert hours.sweep() is None
    assert (fresh(match).version, match.time_outs.count()) == (before.version, 1)


def test_the_second_time_a_bot_plays_on_and_the_last_one_in_has_won(ann, bob, hours):
    match = seated(ann, bob)
    late = asked(match).number
    hours.go_by(days=3, seconds=6)
    hours.sweep()
    match = play_on(fresh(match), Random(41), until=lambda m: asked(m).number == late)
    hours.go_by(days=3, seconds=6)
    hours.sweep()
    match = fresh(match)
    assert time_outs_of(match) == [(late, "played"), (late, "ended")]
    assert (match.status, match.ending, match.outcome) == ("ended", "timed_out", None)
    left = seat(match, late)
    assert (left.absent, left.left, left.bot, left.rank) == (True, 1, "strong", 2)
    assert seat(match, 1 - late).rank == 1
    assert problems(match) == []


@pytest.mark.both
def test_with_others_in_the_match_goes_on_and_the_absent_is_last(ann, bob, cem, hours):
    match = seated(ann, bob, cem)
    late = asked(match)
    Seat.objects.filter(pk=late.pk).update(run_outs=1)
    hours.go_by(days=3, seconds=6)
    hours.sweep()
    left = seat(match, late.number)
    assert (left.absent, left.bot, left.ask, left.deadline) == (True, "strong", late.ask, None)
    assert time_outs_of(match) == [(late.number, "absent")]
    with pytest.raises(NotYourSeat):
        submit(match, late, ROLL)
    match = play_on(fresh(match), Random(42))
    assert (match.ending, seat(match, late.number).rank) == ("played", 3)
    assert problems(match) == []


def test_live_the_first_time_is_the_last(ann, bob, hours):
    match = seated(ann, bob, pace="live")
    hours.go_by(minutes=5, seconds=6)
    hours.sweep()
    assert (fresh(match).status, fresh(match).ending) == ("ended", "timed_out")


@pytest.mark.both
def test_a_turn_of_several_moves_is_one_run_of_the_clock(ann, bob, hours):
    match = seated(ann, bob)
    mover = asked(match)
    hours.go_by(days=1)
    submit(match, mover, ROLL, key="one")
    assert asked(match).deadline == mover.deadline
    hours.go_by(days=1)
    play_on(fresh(match), Random(43), until=lambda m: asked(m).number != mover.number)
    assert seat(match, mover.number).bank == match.pace.cap // MS


def test_a_week_in_hand_is_eaten_up_by_what_is_not_given_back(ann, bob, hours):
    match = seated(ann, bob, pace="week")
    mover = asked(match)
    hours.go_by(days=2)
    play_on(fresh(match), Random(44), until=lambda m: asked(m).number != mover.number)
    left = timedelta(days=1, hours=12) // MS
    assert seat(match, mover.number).bank == pytest.approx(left, abs=30_000)


# What is judged when
@pytest.mark.both
def test_one_match_that_fails_is_set_aside_and_holds_up_no_other(ann, bob, hours):
    broken, well = seated(ann, bob), seated(ann, bob)
    Match.objects.filter(pk=broken.pk).update(state=b"broken")
    hours.go_by(days=3, seconds=6)
    assert hours.sweep().due == 2
    assert time_outs_of(well) and not time_outs_of(broken)
    assert fresh(broken).trouble.startswith("DecodeError")
    assert hours.sweep() is None  # not again for some minutes
    hours.go_by(minutes=11)
    assert hours.sweep().due == 1


def test_the_earliest_deadline_first(ann, bob, hours):
    matches = [seated(ann, bob, pace=pace) for pace in ("2d", "1d", "3d")]
    hours.go_by(days=4)
    until = present.now()
    assert time_outs.due_matches(until) == [matches[1].pk, matches[0].pk, matches[2].pk]


@pytest.mark.both
def test_quiet_hours_put_off_the_deadline_and_count_at_once(ann, bob, hours):
    match = seated(ann, bob)
    mover = asked(match)
    person, minute = mover.user, mover.deadline.hour * 60 + mover.deadline.minute
    person.quiet_from, person.quiet_until = (minute - 60) % 1440, (minute + 60) % 1440
    person.save(update_fields=["quiet_from", "quiet_until"])
    recompute_deadlines(person.pk)
    put_off = asked(match).deadline
    assert put_off - mover.deadline > timedelta(hours=2, minutes=58)
    assert put_off.second == put_off.microsecond == 0
    hours.go_by(days=3, seconds=6)
    assert hours.sweep() is None
    submit(match, mover, ROLL)
    assert fresh(match).turns == 1


def test_a_deadline_that_no_longer_holds_is_worked_out_again_before_it_is_judged(ann, bob, hours):
    """Quiet hours that changed while the hook failed."""
    match = seated(ann, bob)
    mover = asked(match)
    minute = mover.deadline.hour * 60 + mover.deadline.minute
    person = mover.user
    person.quiet_from, person.quiet_until = (minute - 60) % 1440, (minute + 60) % 1440
    person.save(update_fields=["quiet_from", "quiet_until"])
    hours.go_by(days=3, seconds=6)
    assert hours.sweep().due == 1
    assert fresh(match).turns == 0
    assert asked(match).deadline > present.now()
