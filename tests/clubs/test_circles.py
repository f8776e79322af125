"""Circles of friends: kept together after a match, accepted or not, their tables, the weekly hour; refusals first."""

from datetime import datetime, timedelta

import pytest
from django.core import mail
from django.urls import reverse

from accounts.services import relationships
from accounts.services.closing import close_account
from config.lib import clock
from games.clubs import circles, tasks
from games.clubs.models import Circle, CircleMember, CircleNews, CircleTable
from games.clubs.services.circles import keeping, opening
from games.clubs.services.circles.refusals import CircleGone, NobodyToAsk, NotOfCircle, TableOpen, TooManyCircles
from games.models import Invitation, Match, Notice, Seat
from games.services.lobby import closing
from games.services.lobby import opening as tables
from games.services.refusals import Invalid, NotEnded, NotInvited, NotYours, NotYourSeat
from tests.factories import browser_of, fresh, played, seated
from tests.mailing import deliver

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(ann, bob, cem):
    return played(ann, bob, cem)


@pytest.fixture
def circle(match, ann, bob, cem):
    made = keeping.keep_together(match_id=match.pk, user=ann, name="Friday")
    for one in (bob, cem):
        keeping.answer(circle_id=made.pk, user=one, accepts=True)
    return made


def now(circle: Circle) -> Circle:
    return Circle.objects.get(pk=circle.pk)


def invited(match: Match) -> list[str]:
    rows = Invitation.objects.filter(match=match, declined=False).order_by("user__username")
    return list(rows.values_list("user__username", flat=True))


def weekly(circle: Circle, user, weekday: int = 4, hour: int = 20, zone: str = "Europe/Paris") -> Circle:
    user.time_zone = zone
    user.save()
    return opening.set_weekly(circle_id=circle.pk, user=user, weekday=weekday, hour=hour)


def test_only_who_sat_in_an_ended_match_keeps_it_together(match, ann, bob, eve):
    with pytest.raises(NotYourSeat):
        keeping.keep_together(match_id=match.pk, user=eve, name="x")
    with pytest.raises(NotEnded):
        keeping.keep_together(match_id=seated(ann, bob).pk, user=ann, name="x")
    for name in ("", " \n", "x" * 41):
        with pytest.raises(Invalid):
            keeping.keep_together(match_id=match.pk, user=ann, name=name)
    assert not Circle.objects.exists()


def test_nobody_is_in_it_unasked_and_blocked_people_are_not_asked(match, ann, bob, cem):
    relationships.block(blocker=cem, blocked=ann)
    made = keeping.keep_together(match_id=match.pk, user=ann, name="Friday")
    rows = list(CircleMember.objects.order_by("pk").values_list("user__username", "accepted"))
    assert rows == [("ann", True), ("bob", False)]
    assert list(CircleNews.objects.values_list("user__username", "kind")) == [("bob", "asked")]
    again = keeping.keep_together(match_id=match.pk, user=ann, name="Friday")
    assert again.pk == made.pk
    match_ = opening.open_now(circle_id=made.pk, user=ann)
    assert invited(match_) == ["ann"]
    relationships.block(blocker=bob, blocked=ann)
    assert not Circle.objects.exists()


def test_with_nobody_to_ask_there_is_no_circle(match, ann, bob, cem):
    for one in (bob, cem):
        relationships.block(blocker=one, blocked=ann)
    with pytest.raises(NobodyToAsk):
        keeping.keep_together(match_id=match.pk, user=ann, name="Friday")


def test_a_member_belongs_to_twenty(ann, bob):
    for number in range(20):
        made = Circle.objects.create(name=f"c{number}", game_slug="yum-extra", size=2, pace_slug="3d")
        CircleMember.objects.create(circle=made, user=ann, accepted=True)
    with pytest.raises(TooManyCircles):
        keeping.keep_together(match_id=played(ann, bob).pk, user=ann, name="x")


def test_whoever_declines_or_leaves_is_gone_and_one_alone_is_no_circle(circle, ann, bob, cem):
    keeping.leave(circle_id=circle.pk, user=ann)
    for deed in (
        lambda: keeping.leave(circle_id=circle.pk, user=ann),
        lambda: keeping.rename(circle_id=circle.pk, user=ann, name="x"),
        lambda: opening.open_now(circle_id=circle.pk, user=ann),
        lambda: opening.pause(circle_id=circle.pk, user=ann, paused=True),
        lambda: weekly(circle, ann),
    ):
        with pytest.raises(NotOfCircle):
            deed()
    with pytest.raises(CircleGone):
        keeping.answer(circle_id=circle.pk, user=ann, accepts=True)
    keeping.leave(circle_id=circle.pk, user=bob)
    assert not Circle.objects.exists()
    with pytest.raises(CircleGone):
        keeping.leave(circle_id=circle.pk, user=cem)


def test_a_table_has_free_seats_for_all_and_there_is_one_at_a_time(circle, ann, bob, cem, eve):
    match = opening.open_now(circle_id=circle.pk, user=bob)
    assert (match.creator, match.status, match.access) == (None, "open", "invitation")
    assert all(seat.is_free for seat in match.seats.all()) and invited(match) == ["ann", "bob", "cem"]
    assert Notice.objects.filter(match=match, kind="invited").count() == 3
    with pytest.raises(TableOpen):
        opening.open_now(circle_id=circle.pk, user=ann)
    with pytest.raises(NotInvited):
        tables.join(match_id=match.pk, user=eve)
    with pytest.raises(NotYours):
        tables.start_with_bots(match_id=match.pk, user=ann)
    tables.join(match_id=match.pk, user=ann)
    closing.leave(match_id=match.pk, user=ann)
    assert fresh(match).status == "open"
    closing.decline(match_id=match.pk, user=cem)
    tables.join(match_id=match.pk, user=bob)
    tables.start_with_bots(match_id=match.pk, user=bob)
    assert fresh(match).status == "running"
    assert opening.open_now(circle_id=circle.pk, user=ann).pk != match.pk


def test_all_three_come_and_it_starts(circle, ann, bob, cem):
    match = opening.open_now(circle_id=circle.pk, user=bob)
    for one in (cem, ann, bob):
        tables.join(match_id=match.pk, user=one)
    assert fresh(match).status == "running"
    assert [seat.user.username for seat in Seat.objects.filter(match=match).order_by("number")] == ["cem", "ann", "bob"]


def test_the_weekly_table_opens_once_at_its_hour(circle, ann, hours):
    weekly(circle, ann)
    at = now(circle).next_at
    assert at.astimezone(now(circle).tz).strftime("%A %H:%M") == "Friday 20:00"
    tasks.tend_circles()
    assert not CircleTable.objects.exists()
    hours.go_by(hours=1 + (at - clock.now()).total_seconds() // 3600)
    for _time in range(3):
        tasks.tend_circles()
    table = CircleTable.objects.get()
    assert invited(table.match) == ["ann", "bob", "cem"] and table.day is not None
    assert now(circle).next_at - at == timedelta(days=7)


def test_while_one_is_open_no_other_opens_and_after_four_weeks_without_anybody_it_pauses(circle, ann, hours):
    weekly(circle, ann)
    opened = []
    for _week in range(6):
        hours.go_by(hours=24 * 7)
        closing.lapse_open_matches()
        tasks.tend_circles()
        deliver()
        assert Match.objects.filter(circle_table__circle=circle, status="open").count() <= 1
        opened.append(CircleTable.objects.count())
    found = now(circle)
    assert found.paused and found.next_at is None
    assert opened[0] == 1 and opened[-1] <= 3
    told = sorted(one.to[0] for one in mail.outbox if "pauses" in one.subject)
    assert told == ["ann@example.org", "bob@example.org", "cem@example.org"]
    opening.pause(circle_id=circle.pk, user=ann, paused=False)
    assert not now(circle).paused and now(circle).next_at is not None


def test_weeks_in_which_somebody_comes_do_not_count(circle, ann, bob, cem, hours):
    weekly(circle, ann)
    for _week in range(6):
        hours.go_by(hours=24 * 7)
        tasks.tend_circles()
        match = CircleTable.objects.order_by("-pk").first().match
        for one in (ann, bob, cem):
            tables.join(match_id=match.pk, user=one)
    assert not now(circle).paused and CircleTable.objects.count() == 6


def test_an_outage_of_weeks_opens_one_table(circle, ann, hours):
    weekly(circle, ann)
    hours.go_by(hours=24 * 24)
    tasks.tend_circles()
    tasks.tend_circles()
    assert CircleTable.objects.count() == 1 and now(circle).next_at > clock.now()


@pytest.mark.parametrize(
    ("zone", "hour", "after", "wanted"),
    [
        ("Europe/Paris", 20, "2026-03-22T19:00+00:00", "2026-03-29T18:00+00:00"),  # summer time: an hour sooner
        ("Europe/Paris", 20, "2026-10-18T18:00+00:00", "2026-10-25T19:00+00:00"),  # and back, a day of 25 hours
        ("Europe/Paris", 2, "2026-03-28T12:00+00:00", "2026-03-29T01:00+00:00"),  # there is no 2:00: at 3:00
        ("Europe/Paris", 2, "2026-10-24T12:00+00:00", "2026-10-25T00:00+00:00"),  # two of them: the first
        ("Europe/Paris", 2, "2026-10-25T00:00+00:00", "2026-11-01T01:00+00:00"),  # and the second opens none
        ("America/New_York", 0, "2026-10-31T12:00+00:00", "2026-11-01T04:00+00:00"),
        ("Pacific/Kiritimati", 0, "2026-11-21T09:59+00:00", "2026-11-21T10:00+00:00"),
        ("Nowhere/Atlantis", 5, "2026-11-21T12:00+00:00", "2026-11-22T05:00+00:00"),
    ],
)
def test_the_hour_is_that_of_the_time_zone_all_year(zone, hour, after, wanted):
    circle = Circle(weekday=6, hour=hour, zone=zone)
    found = circle.next_after(datetime.fromisoformat(after))
    assert found == datetime.fromisoformat(wanted)
    again = circle.next_after(found)
    assert circle.day_of(again) - circle.day_of(found) == 7


def test_a_closed_account_leaves_and_a_circle_of_one_goes(circle, ann, bob, cem):
    opening.open_now(circle_id=circle.pk, user=ann)
    close_account(user_id=ann.pk)
    assert now(circle).maker is None
    assert [row.user.username for row in circles.members(now(circle))] == ["bob", "cem"]
    close_account(user_id=bob.pk)
    assert not Circle.objects.exists()


def test_pages_are_for_its_members(match, ann, bob, cem, eve):
    mine = browser_of(ann)
    assert "Keep these together" in mine.get(f"/matches/{match.pk}/").content.decode()
    assert "Keep these together" not in browser_of(eve).get(f"/matches/{match.pk}/").content.decode()
    address = reverse("new-circle")
    assert browser_of(eve).get(f"{address}?match={match.pk}").status_code == 404
    for junk in ("", "x", "9" * 40, "-1"):
        assert mine.get(address, {"match": junk}).status_code == 404
    form = mine.get(f"{address}?match={match.pk}").content.decode()
    assert "accept: bob and cem" in form and 'value="ann, bob and cem"' in form
    assert mine.post(address, {"match": match.pk, "name": ""}).status_code == 400
    made = mine.post(address, {"match": match.pk, "name": "Friday <b>"})
    circle = Circle.objects.get()
    page = reverse("friends", args=[circle.pk])
    assert made["Location"] == page and "To the circle" in mine.get(f"/matches/{match.pk}/").content.decode()
    for stranger in (browser_of(eve), browser_of()):
        assert stranger.get(page).status_code in (302, 404)
        for name in ("answer", "leave", "rename", "table", "weekly"):
            assert stranger.post(reverse(f"friends-{name}", args=[circle.pk])).status_code in (302, 404)
    other = browser_of(bob)
    assert "You are asked into the circle" in other.get("/").content.decode()
    assert "You are asked" in other.get("/circles/").content.decode()
    assert other.post(reverse("friends-table", args=[circle.pk])).status_code == 403
    assert other.post(reverse("friends-answer", args=[circle.pk]), {"wish": "accept"}).status_code == 302
    assert "Friday &lt;b&gt;" in other.get(page).content.decode()
    assert other.post(reverse("friends-weekly", args=[circle.pk]), {"weekday": "9", "hour": "20"}).status_code == 400
    assert other.post(reverse("friends-weekly", args=[circle.pk]), {"weekday": "2", "hour": "21"}).status_code == 302
    assert "Wednesday" in mine.get(page).content.decode()
    assert mine.post(reverse("friends-weekly", args=[circle.pk]), {"wish": "pause"}).status_code == 302
    assert "paused" in mine.get("/circles/").content.decode()
    opened = mine.post(reverse("friends-table", args=[circle.pk]))
    table = Match.objects.order_by("-pk").first()
    assert opened["Location"] == f"/matches/{table.pk}/"
    home = other.get("/").content.decode()
    assert "Your circle “Friday &lt;b&gt;”" in home and "invites you" in home
    assert other.get(f"/matches/{table.pk}/").status_code == 200
    assert "A table is open" in mine.get(page).content.decode()
    assert mine.post(reverse("friends-rename", args=[circle.pk]), {"name": "Thursday"}).status_code == 302
    assert now(circle).name == "Thursday"
    assert mine.post(reverse("friends-leave", args=[circle.pk])).status_code == 302


def test_nobody_is_asked_into_circles_again_and_again(ann, bob):
    browser = browser_of(ann)
    for number in range(3):
        match = played(ann, bob)
        answer = browser.post(reverse("new-circle"), {"match": match.pk, "name": f"Circle {number}"})
        assert answer.status_code == (302 if number < 2 else 429)
        keeping_now = Circle.objects.filter(match=match)
        assert keeping_now.count() == (1 if number < 2 else 0)
        for one in keeping_now:
            keeping.answer(circle_id=one.pk, user=bob, accepts=False)
    assert "bob" in answer.content.decode()


def test_a_circle_is_not_flooded_with_tables(circle, ann, bob):
    browser = browser_of(ann)
    for number in range(11):
        answer = browser.post(reverse("friends-table", args=[circle.pk]))
        assert answer.status_code == (302 if number < 10 else 429)
        CircleTable.objects.all().delete()  # as if it had begun
