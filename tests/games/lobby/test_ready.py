"""Live tables: each says that they are here before the start; whoever has gone makes room, or the table closes."""

from datetime import timedelta

import pytest
from asgiref.sync import async_to_sync

from accounts.services import visits
from config.lib import clock as present
from config.lib.redis import PRESENCE, address, client
from games import tasks
from games.models import Heartbeat, Kind, Match, Notice, Seat
from games.moderation.matches import end_match
from games.queries.play import open_tables, waiting_count
from games.services.lobby import opening, readiness
from games.services.play import presence
from games.services.refusals import Full, NotYourSeat
from tests.factories import WHY, browser_of, fresh, moderator, opened, seat


@pytest.fixture
def full(ann, bob) -> Match:
    """Ann's live table, which Bob has just filled."""
    match = opened(ann, size=2, pace="live")
    opening.join(match_id=match.pk, user=bob)
    return fresh(match)


@pytest.fixture
def up(clock) -> None:
    """The web server has been up for an hour, and is for the next minutes."""
    web_up_since(minutes=-60)


def web_up_since(**ago: int) -> None:
    now = present.now() + timedelta(seconds=61)
    Heartbeat.objects.update_or_create(name="web", defaults={"at": now, "since": now + timedelta(**ago)})


def here(match, user) -> None:
    readiness.say_here(match_id=match.pk, user=user)


def asked_here(match) -> list[int]:
    return list(match.seats.filter(ready_by__isnull=False).values_list("number", flat=True))


@pytest.mark.outgrown
def test_a_full_live_table_asks_all_but_who_filled_it(full, ann, bob, cem):
    assert (full.status, asked_here(full)) == (Match.Status.OPEN, [0])
    assert (waiting_count(ann), waiting_count(bob)) == (1, 0)
    assert browser_of(ann).get("/next/").url == f"/matches/{full.pk}/"
    assert "Are you here?" in browser_of(ann).get("/").text
    page = browser_of(ann).get(f"/matches/{full.pk}/").text
    assert page.count("I am here</button>") == 1
    assert '<noscript><meta http-equiv="refresh"' in page
    assert "I am here</button>" not in browser_of(bob).get(f"/matches/{full.pk}/").text
    assert "about to start" in browser_of(cem).get(f"/matches/{full.pk}/").text
    assert (full in open_tables(cem), full in open_tables(ann)) == (False, True)
    with pytest.raises(Full):
        opening.join(match_id=full.pk, user=cem)
    with pytest.raises(NotYourSeat):
        here(full, cem)


@pytest.mark.outgrown
def test_the_clocks_run_once_all_have_said_so(full, up, ann, clock):
    clock.forward(50)
    assert browser_of(ann).post(f"/matches/{full.pk}/here/").status_code == 302
    match = fresh(full)
    assert match.status == Match.Status.RUNNING
    [mover] = match.seats.filter(ask__isnull=False)
    assert mover.deadline - match.started_at > timedelta(seconds=299)
    here(match, ann)  # a second click
    assert not Notice.objects.filter(kind=Kind.STARTED).exists()  # all are here
    clock.forward(60)
    assert not readiness.free_silent_seats(match_id=match.pk)


@pytest.mark.outgrown
def test_whoever_does_not_say_so_makes_room_and_the_table_stays(full, up, ann, bob, cem, clock):
    tasks.free_silent_seats(full.pk)
    assert asked_here(full) == [0]  # a minute is not over
    clock.forward(61)
    tasks.free_silent_seats(full.pk)
    match = fresh(full)
    assert (match.status, match.creator, seat(match, 0).user, seat(match, 1).user) == ("open", bob, None, bob)
    assert (asked_here(match), waiting_count(ann)) == ([], 0)
    opening.join(match_id=match.pk, user=cem)
    here(match, bob)
    assert fresh(match).status == Match.Status.RUNNING


def test_whoever_leaves_meanwhile_ends_the_asking(full, ann, bob):
    browser_of(bob).post(f"/matches/{full.pk}/leave/")
    assert (asked_here(full), fresh(full).creator) == ([], ann)


@pytest.mark.outgrown
def test_bots_are_ready_and_alone_with_them_nobody_is_asked(ann, bob):
    assert fresh(opened(ann, size=3, pace="live", bots=["easy", "easy"])).status == Match.Status.RUNNING
    match = opened(ann, size=3, pace="live")
    opening.join(match_id=match.pk, user=bob)
    opening.start_with_bots(match_id=match.pk, user=ann)
    assert asked_here(match) == [1]
    opening.start_with_bots(match_id=match.pk, user=ann)
    here(match, bob)
    assert fresh(match).status == Match.Status.RUNNING


def test_correspondence_starts_as_ever(ann, bob):
    match = opened(ann, size=2)
    opening.join(match_id=match.pk, user=bob)
    assert fresh(match).status == Match.Status.RUNNING


@pytest.fixture
def deserted(ann, bob, clock) -> Match:
    """A live table for three at which Ann and Bob sit; ten minutes have gone by, with the site well."""
    match = opened(ann, size=3, pace="live")
    opening.join(match_id=match.pk, user=bob)
    known = client(address(PRESENCE))
    known.delete(presence.OPEN_PAGES)
    known.set(presence.WATCHED, present.now().timestamp())
    clock.forward(660)
    now = fresh(match).joined_at + timedelta(seconds=660)
    Heartbeat.objects.update_or_create(name="web", defaults={"at": now, "since": now - timedelta(minutes=11)})
    return match


@pytest.mark.outgrown
def test_a_live_table_at_which_nobody_is_closes_and_says_so(deserted, ann, bob):
    tasks.tend_live_tables()
    match = fresh(deserted)
    assert (match.status, match.ending) == (Match.Status.ENDED, Match.Ending.LAPSED)
    assert set(Notice.objects.filter(kind=Kind.LAPSED).values_list("user_id", flat=True)) == {ann.pk, bob.pk}
    assert "Closed: nobody was there" in browser_of(ann).get(f"/matches/{match.pk}/").text


@pytest.mark.outgrown
@pytest.mark.parametrize("sign", ["page", "visit", "seen"])
def test_whoever_is_here_keeps_it(deserted, ann, bob, clock, sign):
    """A page open in the background, a page asked for, a visit that is stored."""
    if sign == "page":
        note_open_pages(bob.pk)
    elif sign == "visit":
        visits.note(bob.pk)
    else:
        type(bob).objects.filter(pk=bob.pk).update(seen_at=Heartbeat.objects.get(name="web").at)
    tasks.tend_live_tables()
    match = fresh(deserted)
    assert (match.status, match.creator, seat(match, 0).user, seat(match, 1).user) == ("open", bob, None, bob)


def note_open_pages(*user_ids: int) -> None:
    async_to_sync(presence.note_open)(user_ids)


@pytest.mark.outgrown
def test_nobody_has_gone_while_the_site_could_not_be_reached(deserted):
    web = Heartbeat.objects.get(name="web")
    Heartbeat.objects.update(since=web.at - timedelta(minutes=5))
    tasks.tend_live_tables()
    assert fresh(deserted).status == Match.Status.OPEN


def test_nobody_has_gone_when_redis_has_forgotten_who_is_here(deserted, ann, bob, redis):
    note_open_pages(ann.pk, bob.pk)
    redis.kill()
    redis.start()
    tasks.tend_live_tables()
    assert fresh(deserted).status == Match.Status.OPEN
    async_to_sync(presence.note_watch)()
    tasks.tend_live_tables()
    assert seat(deserted, 0).user == ann


def test_correspondence_tables_wait_for_two_weeks(deserted):
    Match.objects.update(pace_slug="1d")
    tasks.tend_live_tables()
    assert fresh(deserted).status == Match.Status.OPEN


@pytest.mark.outgrown
def test_while_the_web_server_is_away_nobody_loses_the_seat(full, ann, clock):
    web_up_since(seconds=-5)
    clock.forward(61)
    tasks.free_silent_seats(full.pk)
    assert (seat(full, 0).user, seat(full, 0).ready_by > present.now() + timedelta(seconds=58)) == (ann, True)
    web_up_since(minutes=-60)
    clock.forward(61)
    tasks.free_silent_seats(full.pk)
    assert seat(full, 0).user is None


def test_who_is_at_a_table_that_a_moderator_closes_is_asked_no_more(full, ann):
    end_match(moderator=moderator(), match=full, reason=WHY)
    assert (fresh(full).status, waiting_count(ann)) == (Match.Status.ENDED, 0)


@pytest.mark.outgrown
def test_the_sweep_finds_a_lost_ring(full, up, clock):
    clock.forward(61)
    assert readiness.tend_live_tables() == 1
    assert not Seat.objects.filter(ready_by__isnull=False).exists()
