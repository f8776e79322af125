"""The site's own failures: what was silent for over five minutes is given back to every clock, once."""

from datetime import UTC, datetime, timedelta

import pytest

from config.lib import clock as present
from games.clocks import MS
from games.models import Heartbeat, Match, Outage
from games.services.clocks import outages, time_outs
from games.services.clocks.adjustments import give_time
from games.services.play import moves
from games.services.refusals import TooLate
from tests.factories import asked, fresh, opened, seated, submit

ROLL = {"type": "roll"}
WHOLE = [outages.WEB, outages.SWEEP]


def silence(clock, parts=WHOLE, **span: float) -> None:
    """Let time pass while these parts of the site are away and the others are well."""
    clock.forward(timedelta(**span).total_seconds())
    for part in {*WHOLE} - {*parts}:
        Heartbeat.objects.filter(name=part).update(at=present.now())


def back(parts=WHOLE) -> None:
    for part in parts:
        outages.beat(part, fresh=part == outages.WEB)


def given(match) -> float:
    """Return how many hours the clock under way has beyond those of its pace."""
    mover = asked(match)
    return (mover.bank - match.pace.bank // MS) / 3_600_000


def test_five_minutes_are_no_outage(ann, bob, hours, clock):
    silence(clock, minutes=4, seconds=58)
    back()
    assert not Outage.objects.exists()


@pytest.mark.outgrown
@pytest.mark.parametrize("parts", [WHOLE, [outages.WEB], [outages.SWEEP]], ids=" ".join)
def test_three_hours_are_given_back_once(ann, bob, hours, clock, parts):
    match = seated(ann, bob)
    deadline = asked(match).deadline
    silence(clock, parts, hours=3)
    back(parts)
    back(parts)
    time_outs.sweep()
    time_outs.sweep()
    assert given(match) == pytest.approx(3, abs=0.01)
    assert asked(match).deadline - deadline == pytest.approx(timedelta(hours=3), abs=timedelta(minutes=1))
    assert fresh(match).version > match.version


@pytest.mark.outgrown
def test_parts_that_were_away_at_times_that_overlap(ann, bob, hours, clock):
    """The web from 0 to 3 h, the sweep from 1 to 5 h: five hours in all."""
    match = seated(ann, bob)
    silence(clock, [outages.WEB], hours=1)
    silence(clock, hours=2)
    back([outages.WEB])
    silence(clock, [outages.SWEEP], hours=2)
    time_outs.sweep()
    assert given(match) == pytest.approx(5, abs=0.01)
    spans = list(Outage.objects.order_by("start"))
    assert spans[0].end <= spans[1].start


@pytest.mark.outgrown
def test_a_clock_that_came_to_run_meanwhile_gets_what_it_ran(ann, bob, hours, clock):
    silence(clock, [outages.SWEEP], hours=2)
    match = seated(ann, bob)
    silence(clock, [outages.SWEEP], hours=1)
    time_outs.sweep()
    assert given(match) == pytest.approx(1, abs=0.01)


@pytest.mark.outgrown
def test_a_clock_that_stood_gets_nothing(ann, bob, hours, clock):
    match = seated(ann, bob)
    for person in (ann, bob):
        moves.wish_pause(match_id=match.pk, user=person, wish=True)
    bank = asked(match).bank
    silence(clock, hours=3)
    back()
    time_outs.sweep()
    assert asked(match).bank == bank


@pytest.mark.outgrown
def test_a_day_off_is_not_given_twice(ann, bob, hours, clock):
    match = seated(ann, bob)
    person = asked(match).user
    now = present.now_ms()
    person.vacation = [{"day": "x", "from": now + 3_600_000, "until": now + 7_200_000, "by_itself": False}]
    person.save(update_fields=["vacation"])
    silence(clock, hours=3)
    back()
    time_outs.sweep()
    assert given(match) == pytest.approx(2, abs=0.01)
    ends = datetime.fromtimestamp(now / 1000, UTC) + timedelta(days=3, hours=3)
    assert abs(asked(match).deadline - ends) < timedelta(minutes=1)


def test_open_tables_and_new_matches_are_no_trouble(ann, bob, hours, clock):
    match = opened(ann, size=2)
    silence(clock, hours=3)
    back()
    time_outs.sweep()
    later = seated(ann, bob)
    time_outs.sweep()
    assert given(later) == 0
    assert fresh(match).status == Match.Status.OPEN


def test_who_takes_hold_of_a_match_first_gives_it_its_time(ann, bob, hours, clock):
    """The deadline has passed, no sweep has been yet, and the minute of coming back is over."""
    match = seated(ann, bob)
    hours.go_by(days=2, hours=23)
    silence(clock, hours=3)
    back()
    hours.go_by(minutes=2)
    submit(match, asked(match), ROLL)
    assert given(match) == pytest.approx(3, abs=0.01)


def test_nobody_is_judged_in_the_first_minute(ann, bob, hours, clock):
    match = seated(ann, bob)
    hours.go_by(days=2, hours=23, minutes=58)
    silence(clock, minutes=4)  # too short to be given back
    back()
    silence(clock, [], seconds=50)
    assert hours_sweep_finds_nothing()
    submit(match, asked(match), ROLL)
    assert match.log.count() == 1


def hours_sweep_finds_nothing() -> bool:
    return time_outs.sweep() == (None, [])


def test_judged_only_up_to_the_last_beat_of_the_web(ann, bob, hours, clock):
    """The worker lives; nobody could reach the site for the last four minutes."""
    match = seated(ann, bob)
    hours.go_by(days=2, hours=23, minutes=58)
    silence(clock, [outages.WEB], minutes=4)
    assert hours_sweep_finds_nothing()
    assert asked(match).deadline < present.now()


def test_while_the_sweep_is_away_nobody_moves_too_late(ann, bob, hours, clock):
    match = seated(ann, bob)
    silence(clock, [outages.SWEEP], days=4)
    submit(match, asked(match), ROLL)
    assert fresh(match).turns == 1


def test_after_the_minute_one_moves_too_late_again(ann, bob, hours):
    match = seated(ann, bob)
    person = asked(match).user
    person.vacation_by_itself = False
    person.save(update_fields=["vacation_by_itself"])
    hours.go_by(days=3, seconds=2)
    with pytest.raises(TooLate):
        submit(match, asked(match), ROLL)


def test_one_match_that_fails_keeps_no_other_from_its_time(ann, bob, hours, clock):
    broken, well = seated(ann, bob), seated(ann, bob)
    Match.objects.filter(pk=broken.pk).update(pace_slug="none")
    silence(clock, hours=3)
    back()
    time_outs.sweep()
    assert given(well) == pytest.approx(3, abs=0.01)
    assert fresh(broken).outage < fresh(well).outage


def test_nobody_waits_for_the_time_of_those_who_are_not_due(ann, bob, cem, hours, clock, monkeypatch):
    """A sweep that has no time for all. Of those that seem due, one has run out even with the time it is owed."""
    out = seated(ann, bob)
    hours.go_by(hours=3)
    saved = seated(ann, bob)
    hours.go_by(days=2, hours=20)
    others = [seated(cem, bob) for _ in range(3)]
    silence(clock, hours=3)
    back()
    hours.go_by(hours=2)
    monkeypatch.setattr(time_outs, "GIVING_SECONDS", 0.0)
    sweep, due = time_outs.sweep()
    assert (sweep.due, due) == (1, [out.pk])
    assert {fresh(match).outage for match in others} == {0}
    assert given(saved) == pytest.approx(3, abs=0.01)


@pytest.mark.outgrown
def test_what_an_admin_gives_to_all_is_given_whole_and_once(ann, bob, hours):
    match = seated(ann, bob)
    outages.give_all(timedelta(hours=5))
    time_outs.sweep()
    time_outs.sweep()
    assert given(match) == 5
    later = seated(ann, bob)
    time_outs.sweep()
    assert given(later) == 0


@pytest.mark.outgrown
@pytest.mark.parametrize("to_all", [True, False])
def test_a_clock_that_has_run_out_is_given_time_from_now(ann, bob, hours, to_all):
    match = seated(ann, bob)
    hours.go_by(days=5)
    if to_all:
        outages.give_all(timedelta(hours=2))
        time_outs.give_back_all()
    else:
        give_time(match_id=match.pk, amount=timedelta(hours=2))
    left = asked(match).deadline - present.now()
    assert timedelta(hours=1, minutes=59) < left <= timedelta(hours=2)


def test_an_admin_gives_one_match_time(ann, bob, hours):
    match = seated(ann, bob)
    give_time(match_id=match.pk, amount=timedelta(days=1))
    assert given(match) == 24
