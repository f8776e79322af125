"""Days off and the clocks of matches: they stand on days booked, and one is taken before a clock runs out."""

from datetime import date, datetime, timedelta

import pytest

from accounts.services import days_off
from config.lib import clock as present
from games.models import TimeOut
from games.services.clocks.adjustments import recompute_deadlines
from tests.factories import asked, fresh, guest, seated, submit

ROLL = {"type": "roll"}


def spend(person, days: int) -> None:
    """Have the person use up so many of this year's days, long ago."""
    year = days_off.today(person).year
    person.vacation = [
        {"day": f"{year}-{1 + n // 28:02}-{1 + n % 28:02}", "from": n, "until": n + 1, "by_itself": False}
        for n in range(days)
    ]
    person.save(update_fields=["vacation"])


def taken(person) -> list:
    person.refresh_from_db()
    return person.vacation


def midnight_after() -> datetime:
    """Return the end of the present day in the zone of the cast, UTC."""
    return (present.now() + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)


@pytest.mark.outgrown
def test_a_clock_stands_on_days_booked(ann, bob, hours, django_capture_on_commit_callbacks):
    match = seated(ann, bob)
    mover = asked(match)
    first = days_off.today(mover.user) + timedelta(days=1)
    with django_capture_on_commit_callbacks(execute=True):
        days_off.book(user_id=mover.user_id, first=first, last=first + timedelta(days=4))
    assert asked(match).deadline == mover.deadline + timedelta(days=5)
    with django_capture_on_commit_callbacks(execute=True):
        days_off.cancel(user_id=mover.user_id, days=[(first + timedelta(days=4)).isoformat()])
    assert asked(match).deadline == mover.deadline + timedelta(days=4)


@pytest.mark.outgrown
def test_days_off_have_23_and_25_hours_where_the_clocks_change(ann):
    ann.time_zone = "Europe/Paris"
    lengths = [days_off._day(ann, date.fromisoformat(day)) for day in ("2027-03-28", "2027-03-29", "2027-10-31")]
    assert [(day["until"] - day["from"]) // 3_600_000 for day in lengths] == [23, 24, 25]


@pytest.mark.outgrown
def test_one_is_taken_when_the_clock_runs_out(ann, bob, hours):
    match = seated(ann, bob)
    mover = asked(match)
    hours.go_by(days=3, seconds=6)
    hours.sweep()
    assert (fresh(match).turns, TimeOut.objects.count()) == (0, 0)
    assert asked(match).deadline == midnight_after()
    (day,) = taken(mover.user)
    assert (day["by_itself"], day["day"]) == (True, days_off.today(mover.user).isoformat())
    hours.sweep()
    assert len(taken(mover.user)) == 1
    submit(match, mover, ROLL)
    assert fresh(match).turns == 1


@pytest.mark.outgrown
def test_one_day_holds_all_clocks_of_the_member(ann, bob, hours):
    """Whichever is judged first, also the one that ran out last."""
    matches = [seated(ann, bob) for _ in range(8)]
    hours.go_by(days=3, minutes=1)
    hours.sweep()
    assert all(fresh(match).turns == 0 for match in matches)
    assert {len(taken(person)) for person in (ann, bob)} <= {0, 1}


@pytest.mark.outgrown
def test_a_clock_that_ran_out_first_and_is_judged_last(ann, hours):
    later = present.now_ms()
    assert days_off.take_today(ann.pk, since=later)
    assert days_off.take_today(ann.pk, since=later - 5000)
    assert days_off.take_today(ann.pk, since=later)
    assert [day["from"] for day in taken(ann)] == [later - 5000]


def test_a_late_move_takes_one_too(ann, bob, hours):
    match = seated(ann, bob)
    mover = asked(match)
    hours.go_by(days=3, seconds=2)
    submit(match, mover, ROLL)
    assert fresh(match).turns == 1
    assert len(taken(mover.user)) == 1


def test_the_next_day_takes_the_next(ann, bob, hours):
    match = seated(ann, bob)
    mover = asked(match)
    hours.go_by(days=3, seconds=6)
    hours.sweep()
    for number in (2, 3):
        hours.go_by(days=1)
        hours.sweep()
        assert len(taken(mover.user)) == number
    assert fresh(match).turns == 0


@pytest.mark.outgrown
def test_without_a_day_left_the_clock_has_run_out(ann, bob, hours):
    for person in (ann, bob):
        spend(person, 30)
    seated(ann, bob)
    hours.go_by(days=3, seconds=6)
    hours.sweep()
    assert TimeOut.objects.count() == 1


def test_the_last_day_is_taken(ann, bob, hours):
    for person in (ann, bob):
        spend(person, 29)
    match = seated(ann, bob)
    hours.go_by(days=3, seconds=6)
    hours.sweep()
    assert fresh(match).turns == 0
    hours.go_by(days=1)
    hours.sweep()
    assert TimeOut.objects.count() == 1


@pytest.mark.outgrown
def test_whoever_minds_loses_no_day(ann, bob, hours):
    for person in (ann, bob):
        days_off.let(user_id=person.pk, by_itself=False)
    match = seated(ann, bob)
    mover = asked(match)
    hours.go_by(days=3, seconds=6)
    hours.sweep()
    assert TimeOut.objects.count() == 1
    assert taken(mover.user) == []


def test_live_takes_none(ann, bob, hours):
    match = seated(ann, bob, pace="live")
    mover = asked(match)
    hours.go_by(minutes=6)
    hours.sweep()
    assert fresh(match).status == "ended"
    assert taken(mover.user) == []


def test_a_guest_has_none(db, hours):
    gus = guest("guest-gnu-9")
    assert days_off.take_today(gus.pk, since=0) is None


@pytest.mark.outgrown
def test_a_change_of_zone_moves_no_day(ann, bob, hours):
    match = seated(ann, bob)
    mover = asked(match)
    first = days_off.today(mover.user) + timedelta(days=1)
    days_off.book(user_id=mover.user_id, first=first, last=first)
    recompute_deadlines(mover.user_id)
    deadline = asked(match).deadline
    person = mover.user
    person.refresh_from_db()
    person.time_zone = "Pacific/Auckland"
    person.save(update_fields=["time_zone"])
    recompute_deadlines(person.pk)
    assert asked(match).deadline == deadline


@pytest.mark.outgrown
def test_no_deadline_falls_on_a_day_off(ann, bob, hours):
    """The clock runs out in quiet hours; the day on which it would be judged is off."""
    match = seated(ann, bob)
    mover = asked(match)
    person, end = mover.user, mover.deadline
    minute = end.hour * 60 + end.minute
    person.quiet_from, person.quiet_until = (minute - 60) % 1440, (minute + 60) % 1440
    until = int((end + timedelta(days=2)).timestamp() * 1000)
    begin = int((end + timedelta(hours=1)).timestamp() * 1000)
    person.vacation = [{"day": "x", "from": begin, "until": until, "by_itself": False}]
    person.save(update_fields=["quiet_from", "quiet_until", "vacation"])
    recompute_deadlines(person.pk)
    assert asked(match).deadline >= end + timedelta(days=2)


@pytest.mark.outgrown
def test_at_most_five_in_a_row_without_a_visit(ann, bob, hours):
    """Who is gone does not hold a table for a month; a visit counts anew."""
    match = seated(ann, bob, pace="1d")
    away = asked(match).user
    for number in range(days_off.MOST_AUTOMATIC):
        hours.go_by(days=1 + (number == 0), minutes=1)
        hours.sweep()
        assert fresh(match).turns == 0
        assert len(taken(away)) == number + 1
    hours.go_by(days=1, minutes=1)
    hours.sweep()
    assert len(taken(away)) == days_off.MOST_AUTOMATIC
    assert TimeOut.objects.get().kind == TimeOut.Kind.PLAYED
    away.seen_at = present.now()
    away.save(update_fields=["seen_at"])
    assert days_off.take_today(away.pk, since=present.now_ms() + 1)


@pytest.mark.outgrown
def test_a_table_without_automatic_days_off_is_not_held_by_them(ann, bob, hours):
    """Not by one that is taken for it, nor by one that another table took; days booked hold it."""
    other = seated(ann, bob)
    match = seated(ann, bob, automatic_days_off=False)
    assert not fresh(match).automatic_days_off
    away = asked(other).user
    days_off.take_today(away.pk, since=present.now_ms())
    recompute_deadlines(away.pk)
    assert [seat.deadline for seat in match.seats.all()] == [
        seat.deadline for seat in fresh(match).seats.order_by("number")
    ]
    hours.go_by(days=3, minutes=1)
    hours.sweep()
    assert list(TimeOut.objects.values_list("match_id", flat=True)) == [match.pk]
