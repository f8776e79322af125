"""One mail a day at the member's hour: once per local day, also when the clocks on the wall are changed."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from accounts.models import User
from accounts.services import visits
from config.lib import clock as site_clock
from games.clocks import times_of
from games.models import Kind, Mail, Notice, Seat
from games.services.mail import planning
from games.services.mail.notices import note
from tests import FULL
from tests.factories import member, seated
from tests.mailing import HOUR, prefer, send

SWITCHES = [  # a day on either side of a change of the clocks, there and back
    ("Europe/Paris", "2027-03-27"),
    pytest.param("Europe/Paris", "2027-10-30", marks=pytest.mark.proof),
    pytest.param("America/New_York", "2027-03-13", marks=pytest.mark.proof),
    pytest.param("America/New_York", "2027-11-06", marks=pytest.mark.proof),
    ("Australia/Lord_Howe", "2027-04-03"),
    pytest.param("Australia/Lord_Howe", "2027-10-02", marks=pytest.mark.proof),
]

AROUND = {23, 0, 1, 2, 3, 7, 8, 9, 15}  # the hours of the day in which something may happen, and one in which not


@pytest.fixture
def at(monkeypatch):
    """Set the present, to any instant."""

    def at(instant: datetime) -> None:
        monkeypatch.setattr(site_clock, "now", lambda: instant)

    return at


@pytest.mark.thin(1)
@pytest.mark.parametrize(("zone", "day"), SWITCHES)
def test_once_per_local_day(zone, day, ann, bob, cem, at):
    """Four days around the switch, looked at each half hour (in short of the hours around the readers'): a digest
    each day, at its reader's hour or, where the clock on the wall leaps over it, right after."""
    start = datetime.fromisoformat(day).replace(tzinfo=ZoneInfo(zone)) - timedelta(days=1)
    at(start.astimezone(UTC))
    seated(ann, bob, cem)
    hours = {ann: 0, bob: 2, cem: 8}
    Seat.objects.update(ask=9, asked_at=start, deadline=None)
    Notice.objects.all().delete()
    for person, hour in hours.items():
        prefer(person, mail_rhythm="daily", digest_hour=hour, time_zone=zone)
    end = (start + timedelta(days=4)).astimezone(UTC)  # four days on the wall
    got, newest, instant = {person.pk: [] for person in hours}, 0, start.astimezone(UTC)
    while instant < end:
        at(instant)
        if (FULL or instant.astimezone(ZoneInfo(zone)).hour in AROUND) and planning.sweep():
            for mail in Mail.objects.filter(pk__gt=newest).order_by("pk"):
                got[mail.user_id].append(instant.astimezone(ZoneInfo(zone)))
                newest = mail.pk
        instant += timedelta(minutes=30)
    days = [start.date() + timedelta(days=i) for i in range(4)]
    for person, hour in hours.items():
        assert [there.date() for there in got[person.pk]] == days
        assert all(there.hour == hour or (there.hour == hour + 1 and _leapt(there, hour)) for there in got[person.pk])


def _leapt(there: datetime, hour: int) -> bool:
    """Tell whether that hour does not exist on that day."""
    local = there.replace(hour=hour, minute=15)
    return local.astimezone(UTC).astimezone(there.tzinfo).replace(fold=0) != local.replace(fold=0)


@pytest.mark.parametrize(
    ("zone", "instant", "quiet_there"),
    [
        ("Europe/Paris", "2027-03-28T00:59:00Z", True),  # 01:59
        ("Europe/Paris", "2027-03-28T01:00:00Z", True),  # 03:00, an hour leapt over
        ("Europe/Paris", "2027-03-28T05:00:00Z", False),  # 07:00
        ("America/New_York", "2027-11-07T05:30:00Z", True),  # 01:30, the first of two
        ("America/New_York", "2027-11-07T06:30:00Z", True),  # 01:30, the second
        ("Australia/Lord_Howe", "2027-10-02T20:00:00Z", False),  # 07:00
        ("Europe/Paris", "2027-03-27T20:59:00Z", False),  # 21:59
        ("Europe/Paris", "2027-03-27T21:00:00Z", True),
    ],
)
def test_quiet_hours_go_by_the_clock_on_the_wall(zone, instant, quiet_there):
    user = User(time_zone=zone, quiet_from=22 * 60, quiet_until=7 * 60)
    assert times_of(user).is_quiet(datetime.fromisoformat(instant)) is quiet_there


def test_nothing_in_quiet_hours(ann, bob, at):
    day = datetime(2027, 5, 4, 23, 0, tzinfo=UTC)
    at(day)
    match = seated(ann, bob)
    note(match, Kind.PLAYED, [ann.pk], ask=1)
    prefer(ann, quiet_from=22 * 60, quiet_until=7 * 60)
    prefer(bob, email="")
    at(day + timedelta(hours=7))
    assert send() == []
    at(day + timedelta(hours=8))
    assert len(send()) >= 1


def test_everything_in_one(ann, bob, cem, at):
    day = datetime(2027, 5, 4, 7, 0, tzinfo=UTC)
    at(day)
    one, other = seated(ann, bob), seated(ann, cem)
    Notice.objects.all().delete()
    Seat.objects.filter(user=ann).update(ask=9, asked_at=day)
    prefer(ann, mail_rhythm="daily", digest_hour=20)
    note(one, Kind.PLAYED, [ann.pk], ask=3)
    for hours in range(1, 13):
        at(day + timedelta(hours=hours))
        assert [m for m in send() if m.to == [ann.email]] == []
    at(day + timedelta(hours=13))
    (mail,) = [m for m in send() if m.to == [ann.email]]
    assert mail.subject == "Your day at Club Y: 2 matches wait for you"
    assert "played for you" in mail.body
    assert all(f"/matches/{match.pk}/" in mail.body for match in (one, other))
    assert "References" not in mail.extra_headers


def test_still_waiting_is_told_every_day_and_nothing_is_not(ann, bob, at):
    day = datetime(2027, 5, 4, 9, 0, tzinfo=UTC)
    at(day)
    match = seated(ann, bob)
    Notice.objects.all().delete()
    match.seats.update(ask=None, asked_at=None)
    match.seats.filter(user=ann).update(ask=9, asked_at=day)
    prefer(ann, mail_rhythm="daily")
    for days in (1, 2):
        at(day + timedelta(days=days))
        assert len(send()) == 1
    match.seats.update(ask=None, asked_at=None)
    at(day + timedelta(days=3))
    assert send() == []
    assert Mail.objects.count() == 2


def test_the_day_is_not_used_up_while_the_member_is_here(ann, bob, clock):
    seated(ann, bob)
    prefer(ann, mail_rhythm="daily", digest_hour=0)
    visits.note(ann.pk)
    send()
    assert User.objects.get(pk=ann.pk).digest_on is None
    clock.forward(HOUR)
    send()
    assert User.objects.get(pk=ann.pk).digest_on is not None
    assert member("dan").digest_on is None
