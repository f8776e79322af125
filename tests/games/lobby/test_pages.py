"""The pages of the lobby: new tables, links, what may be watched, playing at once."""

import json
from datetime import timedelta

import pytest
from django.urls import reverse

from config.lib import clock
from games.models import Heartbeat, Match, Seat
from games.services.lobby import closing
from tests.factories import (
    asked,
    browser_of,
    confirmed_member,
    fresh,
    opened,
    seat,
    seated,
)
from tests.games.play.addresses import address, sentence


def test_a_link(matches, eve, client):
    match = matches["by link"]
    link = address("join-link", match, match.token)
    assert client.get(link).status_code == browser_of(eve).get(link).status_code == 200
    assert client.get(address("join-link", match, "wrong")).status_code == 404
    assert client.get("/join/%00/").status_code == 404
    assert browser_of(eve).post(address("join", match), {"token": "wrong"}).status_code == 404
    response = browser_of(eve).post(address("join", match), {"token": match.token})
    assert response["Location"] == f"/matches/{match.pk}/"
    assert browser_of(eve).get(link)["Location"] == f"/matches/{match.pk}/"


def test_a_link_of_another_kind_of_match_is_none(matches, client):
    for kind in ("open", "by invitation"):
        assert client.get(address("join-link", matches[kind], matches[kind].token)).status_code == 404


def test_who_comes_too_late_by_a_link_is_told_so(matches, eve):
    match = matches["private"]
    page = browser_of(eve).get(address("join-link", match, match.token))
    assert page.status_code == 409
    assert "All seats are taken." in sentence(page)
    page = browser_of(eve).post(address("join", match), {"token": match.token})
    assert page.status_code == 409
    assert "All seats are taken." in sentence(page)


@pytest.mark.django_db
def test_a_visitor_plays_at_once(client):
    response = client.post(address("quick-match", 0), {"lesson": "no", "nonce": "from-the-browser"})
    match = Match.objects.get()
    assert response["Location"] == f"/matches/{match.pk}/"
    assert seat(match, 0).nonce == "from-the-browser"
    assert seat(match, 0).user.is_guest
    assert client.get(response["Location"]).status_code == 200
    assert client.get(reverse("home")).status_code == 200
    assert client.get(reverse("my-matches")).status_code == 200
    assert client.post("/games/chess/now/").status_code == 404


def test_a_new_table(ann, bob):
    data = {
        "game": "yum-extra",
        "size": "4",
        "access": "invitation",
        "option_scratch": "free",
        "invited": "BOB, bob ann",
        "bot_1": "",
        "bot_2": "easy",
        "bot_3": "strong",
    }
    response = browser_of(ann).post(reverse("new-match"), data)
    match = Match.objects.get()
    assert response["Location"] == f"/matches/{match.pk}/"
    assert (match.size, match.access, match.options) == (4, "invitation", {"scratch": "free"})
    assert [s.bot for s in match.seats.order_by("number")] == ["", "", "easy", "strong"]
    assert list(match.invitations.values_list("user", flat=True)) == [bob.pk]


def test_a_wrong_wish_is_told_in_the_form(ann):
    data = {
        "game": "yum-extra",
        "size": "3",
        "access": "open",
        "option_scratch": "forced",
        "invited": "nobody",
    }
    page = browser_of(ann).post(reverse("new-match"), data)
    assert page.status_code == 400
    assert "There is no member named nobody." in sentence(page)
    for _ in range(closing.MOST_OPEN):
        opened(ann)
    page = browser_of(ann).post(reverse("new-match"), data | {"invited": ""})
    assert page.status_code == 409
    assert "many open tables" in sentence(page)


def test_whom_a_table_does_not_take_reads_why_instead_of_a_button(ann, bob, eve):
    unconfirmed = confirmed_member("uma", "uma@example.org", confirmed=False)
    rated = opened(ann, rated=True, invited=[unconfirmed])
    ranged = opened(ann, rating_range=(1900, None))
    for person, match, why in (
        (unconfirmed, rated, "members with a confirmed e-mail address"),
        (eve, ranged, "ratings of 1900 or more, and yours is 1500"),
    ):
        browser = browser_of(person)
        page = browser.get(f"/matches/{match.pk}/")
        assert why in sentence(page) and f"/matches/{match.pk}/join/" not in page.text
        for path in ("/play/", "/"):
            page = browser.get(path)
            assert why in sentence(page) and f"/matches/{match.pk}/join/" not in page.text
    assert f"/matches/{rated.pk}/decline/" in browser_of(unconfirmed).get("/").text
    assert "Send it again" in browser_of(unconfirmed).get(f"/matches/{rated.pk}/").text
    assert f"/matches/{rated.pk}/join/" in browser_of(bob).get("/play/").text


def test_the_way_through_the_lobby(ann, bob, cem):
    match = opened(ann, size=4)
    anns, bobs, cems = browser_of(ann), browser_of(bob), browser_of(cem)
    assert bobs.post(address("join", match), {"nonce": "bobs"})["Location"] == f"/matches/{match.pk}/"
    assert seat(match, 1).nonce == "bobs"
    assert bobs.post(address("leave", match))["Location"] == "/play/"
    assert anns.post(address("invite", match), {"name": "bob,cem"}).status_code == 302
    assert match.invitations.count() == 2
    assert cems.post(address("decline", match))["Location"] == "/"
    assert list(match.invitations.values_list("user", "declined")) == [(bob.pk, False), (cem.pk, True)]
    assert anns.post(address("invite", match), {"name": "nobody"}).status_code == 400
    assert bobs.post(address("start", match)).status_code == 403
    assert anns.post(address("start", match), {"level": "strong"}).status_code == 302
    assert fresh(match).status == Match.Status.RUNNING


def test_the_lobby_shows_what_may_be_watched(client, ann, bob, cem):
    seated(ann, bob)
    seated(ann, cem, access=Match.Access.LINK)
    page = client.get("/play/").content.decode()
    assert page.count("Running matches") == 1
    assert page.count('<time class="small quiet"') == 1


def test_the_lobby_by_pace(ann, bob):
    opened(ann, pace="live")
    browser = browser_of(bob)
    assert "Sit down" in browser.get("/play/?pace=live").content.decode()
    assert "Sit down" not in browser.get("/play/?pace=7d&fragment=1").content.decode()
    assert browser.get("/play/?pace=zz").status_code == 200


def test_a_move_that_comes_too_late(ann, bob):
    match = seated(ann, bob)
    mover = asked(match)
    long_ago = clock.now() - timedelta(hours=1)
    for part in ("web", "sweep"):
        Heartbeat.objects.update_or_create(name=part, defaults={"at": clock.now(), "since": long_ago})
    mover.user.vacation_by_itself = False
    mover.user.save()
    Seat.objects.filter(pk=mover.pk).update(runs_from=long_ago, bank=1000, deadline=long_ago)
    post = {"ask": mover.ask, "key": "k", "move": json.dumps({"type": "roll"})}
    answer = browser_of(mover.user).post(address("move", match), post, headers={"X-Live": "1"})
    assert answer.status_code == 409 and "Your time had run out" in answer.content.decode()
    assert not match.log.exists()
