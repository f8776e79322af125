"""Admins give time: to all matches, to one, to several from the list."""

from datetime import timedelta
from random import Random

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse

from accounts.models import User
from games.models import Audit, Outage
from games.services.clocks import time_outs
from tests.factories import (
    PASSWORD,
    asked,
    browser_of,
    member,
    opened,
    played_on,
    seated,
    snapshot,
)
from tests.games.operation.pages import ALL, PAGE, answer, message_of, text

pytestmark = pytest.mark.outgrown


@pytest.fixture
def root(db):
    return User.objects.create_superuser("root", "root@example.org", PASSWORD)


@pytest.fixture
def admins(root):
    return browser_of(root)


@pytest.fixture
def moderator(db):
    """Staff who may look at matches, and nothing more."""
    person = member("mod", is_staff=True)
    person.user_permissions.add(Permission.objects.get(codename="view_match"))
    return person


@pytest.fixture
def match(ann, bob):
    return seated(ann, bob)


def test_time_to_all(admins, root, match):
    before = asked(match).deadline
    page = admins.post(ALL, answer(root, hours=5))
    assert (page.status_code, page.url) == (302, PAGE)
    time_outs.give_back_all()
    assert asked(match).deadline == before + timedelta(hours=5)
    row = Audit.objects.get()
    assert (row.moderator, row.outage) == (root, Outage.objects.get(part="admin"))
    assert (row.deed, row.details, row.reason) == ("time_all", "5 h", "the mail server hung")
    shown = text(admins.get(PAGE))
    assert "the mail server hung" in shown
    assert "time given by an admin" in shown


@pytest.mark.parametrize("hours", ["", "0", "-1", "337", "1.5", "NaN", "x", "9" * 5000, "1\x00", "1e2"])
def test_no_such_amount(admins, root, match, hours):
    refused = admins.post(ALL, answer(root, hours=hours))
    assert refused.status_code == 400
    assert "Nothing was done yet" in text(refused)
    assert not Outage.objects.exists()
    assert not Audit.objects.exists()


@pytest.mark.parametrize("reason", ["", "   ", "x" * 301, "a\x00b"])
def test_no_reason(admins, root, match, reason):
    refused = admins.post(ALL, answer(root, hours=3, reason=reason))
    assert refused.status_code == 400
    assert not Outage.objects.exists()


@pytest.mark.parametrize("last", ["", "x", "-1", "9" * 40])
def test_a_form_without_its_number(admins, root, last):
    assert admins.post(ALL, answer(root, hours=3, last=last)).status_code == 400
    assert not Outage.objects.exists()


def test_the_amounts_at_the_edge(admins, root):
    for hours in (1, 336):
        assert admins.post(ALL, answer(root, hours=hours)).status_code == 302
    assert Outage.objects.count() == 2


def test_a_form_sent_twice_gives_once(admins, root, match):
    sent = answer(root, hours=5)
    assert admins.post(ALL, sent).status_code == 302
    again = admins.post(ALL, sent)
    assert again.status_code == 409
    assert "perhaps by pressing twice" in text(again)
    assert Outage.objects.count() == Audit.objects.count() == 1


def test_time_to_one(admins, root, match, ann, bob):
    other = seated(ann, bob)
    before, others = asked(match), asked(other)
    page = admins.post(f"{PAGE}matches/give-time/?match={match.pk}", answer(root, hours=7))
    assert (page.status_code, page.url) == (302, reverse("admin:games_match_change", args=[match.pk]))
    assert asked(match).deadline == before.deadline + timedelta(hours=7)
    assert asked(other).deadline == others.deadline
    row = Audit.objects.get()
    assert (row.moderator, row.match) == (root, match)
    assert (row.deed, row.details, row.reason) == ("time", "7 h", "the mail server hung")
    assert "the mail server hung" in text(admins.get(f"/admin/moderation/audit/?q={match.pk}"))


def test_time_to_several_from_the_list(admins, root, match, ann, bob):
    matches = [match, seated(ann, bob), opened(ann)]
    chosen = {"action": "give_time", "_selected_action": [m.pk for m in matches]}
    led = admins.post("/admin/games/match/", chosen)
    assert led.status_code == 302
    form = text(admins.get(led.url))
    assert all(reverse("admin:games_match_change", args=[m.pk]) in form for m in matches)
    before = [asked(m).deadline for m in matches[:2]]
    done = admins.post(led.url, answer(root, hours=2))
    assert [asked(m).deadline for m in matches[:2]] == [at + timedelta(hours=2) for at in before]
    assert message_of(done) == (
        "2 matches were given time. In 1 match it is no member’s move: no time was given there."
    )
    assert Audit.objects.count() == 2
    assert admins.post(led.url, answer(root, hours=2, last=0)).status_code == 409


def test_an_ended_match_gets_no_time(admins, root, ann, bob):
    ended = played_on(seated(ann, bob), Random(5))
    before = snapshot()["games.Seat"]
    admins.post(f"{PAGE}matches/give-time/?match={ended.pk}", answer(root, hours=2))
    assert snapshot()["games.Seat"] == before
    assert not Audit.objects.exists()


def test_no_such_matches(admins, root, match):
    for query in (
        "",
        "match=x",
        "match=0",
        "match=-1",
        "match=" + "9" * 40,
        "match=%00",
        f"match={match.pk}&match=x",
    ):
        led = admins.post(f"{PAGE}matches/give-time/?{query}", answer(root, hours=2))
        assert (led.status_code, led.url) == (302, "/admin/games/match/"), query
    many = "&".join(f"match={n}" for n in range(1, 102))
    assert admins.get(f"{PAGE}matches/give-time/?{many}").status_code == 302
    assert admins.get(f"{PAGE}matches/give-time/?match={match.pk}&match=987654").status_code == 404
    assert not Audit.objects.exists()


def test_the_list_offers_it_to_those_who_may_only(moderator, match, admins):
    assert 'value="give_time"' in text(admins.get("/admin/games/match/"))
    assert 'value="give_time"' not in text(browser_of(moderator).get("/admin/games/match/"))
    page = reverse("admin:games_match_change", args=[match.pk])
    assert "operation/matches/give-time/" in text(admins.get(page))
    assert "operation/matches/give-time/" not in text(browser_of(moderator).get(page))
    posted = {"action": "give_time", "_selected_action": [match.pk]}
    assert "give-time" not in browser_of(moderator).post("/admin/games/match/", posted).get("Location", "")
