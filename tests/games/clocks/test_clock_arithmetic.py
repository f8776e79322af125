"""The arithmetic of clocks: standing, days off, quiet hours and changes of DST win and lose nothing."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given, seed, settings
from hypothesis import strategies as st

from games.clocks import AFTER_QUIET, ALWAYS, LONGEST_NIGHT, MS, Times, at_ms, completed, times, to_ms
from games.models import Seat
from games.time_controls import TIME_CONTROLS

DAY = 86_400_000
START = to_ms(datetime(2026, 3, 20, tzinfo=UTC))
ZONES = ["Europe/Paris", "America/New_York", "Australia/Lord_Howe"]
SPANS = st.lists(st.tuples(st.integers(0, 40 * DAY), st.integers(1, 5 * DAY)), max_size=6)
MINUTES = st.integers(0, 24 * 60 - 1)


def with_days_off(spans) -> Times:
    """The times of a member with these days off, (after START, length) each, however they overlap."""
    days = ", ".join(f'{{"from": {START + begin}, "until": {START + begin + span}}}' for begin, span in spans)
    return times("UTC", None, None, f"[{days}]")


def running(bank: int, held: Times = ALWAYS) -> Seat:
    seat = Seat(user_id=1, bank=bank)
    seat.times = held
    return seat


@seed(31)
@given(st.lists(st.tuples(st.integers(0, 3_000_000), st.integers(0, 3_000_000)), min_size=100, max_size=100))
@settings(max_examples=50)
def test_a_clock_paused_100_times_has_gained_nothing(stretches):
    """Each stretch runs for so many µs and stands for so many; what it ran is gone, to a ms a pause."""
    seat, at, ran = running(DAY), at_ms(START), 0
    for runs, stands in stretches:
        seat.start_clock(TIME_CONTROLS["1d"], at)
        at += timedelta(microseconds=runs)
        seat.stop_clock(TIME_CONTROLS["1d"], at)
        at += timedelta(microseconds=stands)
        ran += runs
    assert seat.bank == pytest.approx(DAY - ran / 1000, abs=100)
    assert seat.deadline is None


@seed(32)
@given(SPANS, st.integers(0, 40 * DAY), st.integers(0, 20 * DAY), st.integers(0, 20 * DAY))
def test_days_off_give_exactly_their_length(spans, begin, bank, more):
    held, start = with_days_off(spans), START + begin
    end = held.runs_out(start, bank)
    assert held.used(start, end) == bank
    assert end >= start + bank
    assert held.runs_out(start, bank + more) >= end + more
    assert held.away_until(held.judged(end)) is None


@seed(33)
@given(SPANS, st.integers(0, 40 * DAY), st.integers(1, 10 * DAY), st.integers(0, 10 * DAY))
def test_standing_on_the_way_changes_no_deadline(spans, begin, bank, after):
    """Stopped and started at one instant, a clock runs out when it would have."""
    held, start = with_days_off(spans), at_ms(START + begin)
    seat = running(bank, held)
    seat.start_clock(TIME_CONTROLS["1d"], start)
    deadline = seat.deadline
    between = start + after * MS
    assume(to_ms(between) < held.runs_out(to_ms(start), bank))
    seat.stop_clock(TIME_CONTROLS["1d"], between)
    seat.start_clock(TIME_CONTROLS["1d"], between)
    assert seat.deadline == deadline


@seed(34)
@given(st.sampled_from(ZONES), MINUTES, MINUTES, st.integers(0, 400 * DAY))
def test_quiet_hours_hold_a_clock_once_and_never_for_long(zone, begin, until, after):
    held, end = times(zone, begin, until, "[]"), START + after
    judged = held.judged(end)
    assert end <= judged <= end + (LONGEST_NIGHT + AFTER_QUIET) // MS
    assert held.judged(judged) == judged


# The local evening before a switch, and the instant at which quiet hours from 22:00 to 07:00 end after it.
SWITCHES = [
    ("Europe/Paris", "2026-03-28T21:00:00Z", "2026-03-29T05:00:00Z"),
    ("Europe/Paris", "2026-10-24T20:00:00Z", "2026-10-25T06:00:00Z"),
    ("America/New_York", "2026-03-08T03:00:00Z", "2026-03-08T11:00:00Z"),
    ("America/New_York", "2026-11-01T02:00:00Z", "2026-11-01T12:00:00Z"),
    ("Australia/Lord_Howe", "2026-04-04T11:00:00Z", "2026-04-04T20:30:00Z"),
    ("Australia/Lord_Howe", "2026-10-03T11:30:00Z", "2026-10-03T20:00:00Z"),
]


@pytest.mark.parametrize(("zone", "begins", "ends"), SWITCHES)
def test_quiet_hours_across_a_switch_to_the_millisecond(zone, begins, ends):
    held = times(zone, 22 * 60, 7 * 60, "[]")
    begin, end = (to_ms(datetime.fromisoformat(text)) for text in (begins, ends))
    after = end + 2 * 3_600_000
    assert [held.is_quiet(at_ms(at)) for at in (begin - 1, begin, end - 1, end)] == [False, True, True, False]
    assert held.judged(begin - 1) == begin - 1
    assert {held.judged(at) for at in (begin, begin + 1, end - 1, end, after - 1, after)} == {after}
    assert held.judged(after + 1) == after + 1


@pytest.mark.parametrize(("zone", "begins", "_ends"), SWITCHES)
def test_quiet_hours_are_those_on_the_wall(zone, begins, _ends):
    """Minute by minute over the days around a switch; the hour that comes twice may count as either."""
    noon, wall = datetime.fromisoformat(begins) - timedelta(hours=10), ZoneInfo(zone)
    for quiet_from, quiet_until in ((22 * 60, 7 * 60), (90, 210), (600, 660)):
        held = times(zone, quiet_from, quiet_until, "[]")
        for minute in range(48 * 60):
            at = noon + timedelta(minutes=minute)
            local = at.astimezone(wall)
            if local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset():
                continue
            now = local.hour * 60 + local.minute
            inside = (
                quiet_from <= now < quiet_until if quiet_from < quiet_until else now >= quiet_from or now < quiet_until
            )
            assert held.is_quiet(at) == inside, local


def test_a_night_that_the_switch_ate_holds_nothing():
    """In Paris the hour from 2:00 to 3:00 did not happen on 29 March 2026."""
    at = to_ms(datetime.fromisoformat("2026-03-29T01:20:00Z"))
    assert times("Europe/Paris", 120, 180, "[]").judged(at) == at
    assert times("Europe/Paris", 150, 180, "[]").judged(at) == at


def test_live_clocks_know_neither_days_off_nor_quiet_hours():
    held = Times(((START, START + DAY),), (0, 600), ZoneInfo("Europe/Paris"))
    seat = running(60_000, held)
    seat.start_clock(TIME_CONTROLS["live"], at_ms(START))
    assert seat.deadline == at_ms(START + 60_000)


@pytest.mark.parametrize("pace", TIME_CONTROLS.values(), ids=TIME_CONTROLS)
@seed(35)
@given(bank=st.integers(-DAY, 30 * DAY))
def test_a_completed_turn_adds_the_increment_up_to_the_cap(pace, bank):
    increment, cap = pace.increment // MS, pace.cap // MS
    assert completed(bank, pace) == min(cap, max(0, bank) + increment)


def test_a_bank_given_back_beyond_the_cap_is_kept_until_the_turn_is_completed():
    seat, pace = running(5 * DAY), TIME_CONTROLS["3d"]
    seat.start_clock(pace, at_ms(START))
    seat.stop_clock(pace, at_ms(START + DAY))
    assert seat.bank == 4 * DAY
    seat.complete_turn(pace, at_ms(START + DAY))
    assert seat.bank == 3 * DAY


def test_a_clock_never_shows_less_than_nothing():
    seat = running(1000)
    seat.start_clock(TIME_CONTROLS["week"], at_ms(START))
    seat.complete_turn(TIME_CONTROLS["week"], at_ms(START + DAY))
    assert seat.bank == TIME_CONTROLS["week"].increment // MS


def test_a_bot_has_no_clock():
    seat = Seat(user_id=1, bot="strong", bank=1000)
    seat.start_clock(TIME_CONTROLS["1d"], at_ms(START))
    assert (seat.runs_from, seat.deadline) == (None, None)
