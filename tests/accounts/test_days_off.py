"""The page of days off: booked ahead, given back before they begin, taken by themselves unless one minds."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import User
from accounts.services import days_off
from config.lib import clock
from tests.factories import PASSWORD

PAGE = "/settings/days-off/"


@pytest.fixture
def ann(db) -> User:
    return User.objects.create_user("ann", "ann@example.org", PASSWORD, time_zone="Europe/Paris")


@pytest.fixture
def browser(ann) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(ann)
    return client


def days(ann, *, first: int, last: int) -> dict[str, str]:
    today = days_off.today(ann)
    return {
        "first": (today + timedelta(days=first)).isoformat(),
        "last": (today + timedelta(days=last)).isoformat(),
    }


def test_a_visitor_is_led_to_log_in(client, db):
    assert client.get(PAGE).status_code == client.post(PAGE).status_code == 302


@pytest.mark.parametrize(
    ("first", "last"), [(0, 1), (-1, 1), (3, 2), (1, 500)], ids=["today", "past", "backwards", "far"]
)
def test_days_that_cannot_be_booked(ann, browser, first, last):
    answer = browser.post(PAGE, days(ann, first=first, last=last))
    assert answer.status_code == 422
    assert "Choose days from tomorrow" in answer.content.decode()
    ann.refresh_from_db()
    assert ann.vacation == []


@pytest.mark.parametrize("junk", ["", "x", "2026-02-30", "99999-01-01", "\0", "1" * 5000])
def test_junk_for_days(browser, junk):
    assert browser.post(PAGE, {"first": junk, "last": junk}).status_code == 422


def test_more_days_than_there_are(ann, browser):
    answer = browser.post(PAGE, days(ann, first=1, last=75))
    assert answer.status_code == 422
    ann.refresh_from_db()
    assert ann.vacation == []


def test_book_and_give_back(ann, browser):
    assert browser.post(PAGE, days(ann, first=2, last=4)).status_code == 302
    browser.post(PAGE, days(ann, first=3, last=5))  # two of them once more: they count once
    ann.refresh_from_db()
    assert [day["day"] for day in ann.vacation] == [
        (days_off.today(ann) + timedelta(days=n)).isoformat() for n in (2, 3, 4, 5)
    ]
    page = browser.get(PAGE).content.decode()
    assert page.count('name="day"') == 4
    browser.post(PAGE, {"day": [ann.vacation[0]["day"], "nonsense"]})
    ann.refresh_from_db()
    assert len(ann.vacation) == 3


def test_a_day_that_began_stays(ann, browser):
    days_off.take_today(ann.pk, since=clock.now_ms())
    ann.refresh_from_db()
    browser.post(PAGE, {"day": [ann.vacation[0]["day"]]})
    ann.refresh_from_db()
    assert ann.vacation[0]["by_itself"]
    assert "taken automatically" in browser.get(PAGE).content.decode()


def test_none_by_itself(ann, browser):
    browser.post(PAGE, {"by_itself": "0"})
    assert days_off.take_today(ann.pk, since=clock.now_ms()) is None
    assert "No day off is taken automatically" in browser.get(PAGE).content.decode()
    browser.post(PAGE, {"by_itself": "1"})
    assert days_off.take_today(ann.pk, since=clock.now_ms()).vacation
