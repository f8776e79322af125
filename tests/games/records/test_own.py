"""A member's own records as a zip: theirs alone, what has ended alone."""

import io
import json
import zipfile
from random import Random

import pytest

from games.models import Match, Seat
from games.services.records import own
from tests.factories import browser_of, played_on, seated

FILE, PAGE = "/matches/records.zip", "/matches/records/"


def names(answer) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(answer.content)) as file:
        return file.namelist()


def test_it_holds_ones_ended_matches_private_ones_too(ann, bob, cem):
    mine = played_on(seated(ann, bob, access="invitation", invited=[bob]), Random(1))
    seated(ann, bob)
    played_on(seated(bob, cem), Random(2))
    answer = browser_of(ann).get(FILE)
    assert (answer["Content-Type"], answer["Cache-Control"].find("no-store") >= 0) == ("application/zip", True)
    assert names(answer) == [f"club-y-{mine.pk}.json"]
    with zipfile.ZipFile(io.BytesIO(answer.content)) as file:
        record = json.loads(file.read(file.namelist()[0]))
    assert record["seed"] and record["moves"]


def test_a_secret_match_that_goes_on_is_not_in_it(ann, bob, monkeypatch):
    match = played_on(seated(ann, bob), Random(1))
    numbers = own._numbers(ann)
    Match.objects.filter(pk=match.pk).update(status="running", ending="", ended_at=None)  # reopened meanwhile
    monkeypatch.setattr(own, "_numbers", lambda user: Seat.objects.filter(user=user).values_list("match_id", flat=True))
    assert numbers is not None
    assert names(browser_of(ann).get(FILE)) == []


def test_visitors_are_led_to_log_in():
    assert browser_of().get(FILE).status_code == 302
    assert browser_of().get(PAGE).status_code == 302


def test_many_are_cut_into_files(ann, bob, monkeypatch):
    monkeypatch.setattr(own, "AT_ONCE", 2)
    matches = [played_on(seated(ann, bob), Random(number)) for number in range(3)]
    text = browser_of(ann).get(PAGE).content.decode()
    assert f"before={matches[0].pk + 1}" in text
    assert len(names(browser_of(ann).get(FILE))) == 2
    assert names(browser_of(ann).get(f"{FILE}?before={matches[0].pk + 1}")) == [f"club-y-{matches[0].pk}.json"]


@pytest.mark.parametrize("before", ["", "x", "-1", "9" * 40, "0", "%00"])
def test_odd_numbers_do_no_harm(ann, before):
    assert browser_of(ann).get(f"{FILE}?before={before}").status_code == 200


def test_it_is_limited(ann, settings):
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"export": "2/h/user"}
    browser = browser_of(ann)
    assert [browser.get(FILE).status_code for _ in range(3)] == [200, 200, 429]
