"""Sessions: they last as long as one comes back, staff's for 12 hours; what is open ends with them."""

from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.test import Client

from accounts.models import User
from accounts.services import sessions
from config.kept_messages import MOST
from config.lib import clock as site_clock
from tests.factories import PASSWORD, moderator

pytestmark = pytest.mark.django_db
DAY, NINETY = 86_400, 90 * 86_400


def key_of(client: Client) -> str:
    return client.session.session_key


def let_run_out(client: Client, days: int) -> None:
    """Leave the session's row, which counts by the real clock, so many days."""
    end = site_clock.now() + timedelta(days=days)
    Session.objects.filter(session_key=key_of(client)).update(expire_date=end)


@pytest.mark.parametrize("who", ["anns", "guest"])
def test_each_day_of_use_moves_the_end_on(request, clock, who) -> None:
    browser = request.getfixturevalue(who)
    browser.get("/settings/" if who == "anns" else "/")
    for _ in range(2):
        clock.forward(DAY)
        let_run_out(browser, 1)
        cookie = browser.get("/").cookies["sessionid"]  # sent again, with a new end
        assert cookie["max-age"] == NINETY
        row = Session.objects.get(session_key=key_of(browser))
        assert row.expire_date - site_clock.now() > timedelta(days=87)  # the site's clock is ahead here
        assert "sessionid" not in browser.get("/").cookies  # once a day is enough


def test_a_log_in_beyond_the_most_ends_the_one_not_used_for_longest(ann, guest, monkeypatch) -> None:
    """Else one browser makes forty thousand a day, each a row for 90 days, and every log-in looks at all of them."""
    monkeypatch.setattr(sessions, "MOST", 3)
    browsers = [Client() for _one in range(5)]
    for days, browser in zip((9, 80, 70, 60, 90), browsers, strict=True):
        browser.post("/accounts/login/", {"login": "Ann", "password": PASSWORD})
        let_run_out(browser, days)
    assert [bool(browser.get("/settings/").status_code == 200) for browser in browsers] == [
        *(False, True, True, False, True),
    ]
    assert UserSession.objects.filter(user=ann).count() == 3
    assert guest.get("/matches/").status_code == 200


def test_log_in_by_the_form_lasts_as_long(anns) -> None:
    assert anns.cookies["sessionid"]["max-age"] == NINETY


def test_staff_logs_in_again_after_12_hours(client, clock) -> None:
    mo = moderator()
    client.post("/accounts/login/", {"login": "mo", "password": PASSWORD})
    clock.forward(11 * 3600)
    assert client.get("/settings/").status_code == 200
    clock.forward(2 * 3600)
    key = key_of(client)
    assert sessions.still_good([key]) == set()
    answer = client.get("/settings/?x=1", follow=True)
    assert answer.redirect_chain == [("/accounts/login/?next=/settings/%3Fx%3D1", 302)]
    assert "log in again after 12 hours" in answer.content.decode()
    client.post("/accounts/login/", {"login": "mo", "password": PASSWORD})
    assert client.get("/settings/").context["user"] == mo


def test_sessions_without_a_time_get_one_when_their_person_becomes_staff(clock, ann) -> None:
    browser = Client()
    browser.force_login(ann)
    browser.get("/settings/")
    User.objects.update(is_staff=True)
    assert browser.get("/settings/").status_code == 200
    clock.forward(13 * 3600)
    assert browser.post("/settings/").url == "/accounts/login/?next=/"
    assert browser.get("/settings/").status_code == 302


def test_a_member_who_becomes_staff_has_logged_in_when_they_did(anns, clock) -> None:
    clock.forward(13 * 3600)
    assert anns.get("/settings/").status_code == 200
    User.objects.update(is_staff=True)
    assert anns.get("/settings/").status_code == 302


def test_which_sessions_still_let_in(anns, guest, ann) -> None:
    mine, theirs = key_of(anns), key_of(guest)
    assert sessions.still_good([mine, theirs, "none-of-ours"]) == {mine, theirs}
    ann.set_password("another otter 8")
    ann.save()  # as an admin does, who rings no page
    assert sessions.still_good([mine, theirs]) == {theirs}
    let_run_out(guest, -1)
    assert sessions.still_good([mine, theirs]) == set()


def test_what_nobody_reads_fills_no_session(anns):
    """Each page of a session would be as dear as all that was ever said in it, and each of its sockets keeps it."""
    for _time in range(2 * MOST):
        anns.post("/settings/", {"language": "en", "time_zone": "UTC", "colours": "system"})
    assert len(str(anns.session["_messages"])) < 100 * MOST
    assert anns.get("/settings/").content.decode().count("Saved.") == MOST
