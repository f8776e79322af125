"""Guests who do not come back are forgotten: after 30 days, or 60 while a match of theirs runs."""

from datetime import timedelta

import pytest

from accounts.models import User
from accounts.services import idle_guests
from config.lib import clock as present
from tests.factories import fresh, guest, member, seat, seated


@pytest.fixture
def away(db):
    """Return a maker of guests who were last here so many days ago."""

    def make(name: str, days: int, *, is_guest: bool = True) -> User:
        person = guest(f"guest-{name}-1") if is_guest else member(name)
        since = present.now() - timedelta(days=days)
        User.objects.filter(pk=person.pk).update(seen_at=since, date_joined=since)
        return person

    return make


@pytest.mark.outgrown
def test_idle_guests_are_forgotten_and_nobody_else(away):
    old, playing, long_gone = away("gnu", 31), away("yak", 31), away("emu", 61)
    recent, ann = away("elk", 29), away("ann", 400, is_guest=False)
    matches = [seated(one, bots=["easy"], access="invitation") for one in (playing, long_gone)]
    never = guest("guest-owl-1")
    User.objects.filter(pk=never.pk).update(date_joined=present.now() - timedelta(days=31))
    assert idle_guests.forget() == 3
    assert set(User.objects.all()) == {playing, recent, ann}
    assert [fresh(match).status for match in matches] == ["running", "ended"]
    assert not User.objects.filter(pk__in=[old.pk, never.pk]).exists()


@pytest.mark.outgrown
def test_nobody_is_forgotten_whom_others_play_with(away, ann):
    """However long they are away: the clock judges them, and once a bot plays in their seat they are forgotten."""
    gone = away("gnu", 100)
    match = seated(ann, gone, access="link")
    assert idle_guests.forget() == 0
    seat(match, 1).__class__.objects.filter(match=match, number=1).update(bot="easy", absent=True)
    assert idle_guests.forget() == 1
    assert fresh(match).status == "running"


def test_it_forgets_a_few_at_a_time(away, monkeypatch):
    monkeypatch.setattr(idle_guests, "AT_ONCE", 2)
    for name in ("gnu", "yak", "emu"):
        away(name, 40)
    assert [idle_guests.forget() for _ in range(3)] == [2, 1, 0]


def test_what_takes_too_long_goes_on_in_the_next_hour(away, monkeypatch):
    monkeypatch.setattr(idle_guests, "SECONDS", -1.0)
    for name in ("gnu", "yak"):
        away(name, 40)
    assert [idle_guests.forget() for _ in range(3)] == [1, 1, 0]


def test_one_bad_row_stops_nobody(away, monkeypatch):
    bad, _other = away("gnu", 50), away("yak", 40)
    close = idle_guests.close_account

    def fails(*, user_id: int) -> None:
        if user_id == bad.pk:
            raise RuntimeError
        close(user_id=user_id)

    monkeypatch.setattr(idle_guests, "close_account", fails)
    assert idle_guests.forget() == 1
    assert list(User.objects.all()) == [bad]
