"""The admin looks at matches: never at what is hidden of them, and changes nothing."""

import re
from datetime import timedelta
from random import Random

import pytest
from django.urls import reverse

from accounts.models import User
from config.lib import clock
from games.models import Match, Seat, Sweep, TimeOut
from tests.factories import (
    PASSWORD,
    asked,
    browser_of,
    fresh,
    opened,
    play_on,
    played_on,
    seat,
    seated,
    snapshot,
    submit,
)

LIST = "/admin/games/match/"
HIDDEN = ("ask", "asked_at", "bank", "runs_from", "deadline", "run_outs")
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="\w+"')


@pytest.fixture
def admins(db):
    return browser_of(User.objects.create_superuser("root", "root@example.org", PASSWORD))


def page_of(match) -> str:
    return reverse("admin:games_match_change", args=[match.pk])


@pytest.fixture
def running(ann, bob):
    match = play_on(seated(ann, bob), Random(71), turns=15)
    match.seats.filter(number=0).update(notes="secret notes", orders={"privileges": ["steal"]})
    return match


def test_a_member_is_let_in_nowhere(ann, running):
    for address in (LIST, page_of(running)):
        assert browser_of(ann).get(address).status_code in (302, 403, 404)


def test_the_pages(admins, ann, bob, running):
    ended = played_on(seated(ann, bob), Random(72))
    for match in (running, ended, opened(ann)):
        assert admins.get(page_of(match)).status_code == 200
    page = admins.get(LIST)
    assert page.status_code == 200
    for query in (
        "q=ann",
        "q=1",
        "q=nobody",
        "q=%00",
        "q=" + "9" * 100,
        "status__exact=running",
        "game_slug=x",
        "o=x",
        "p=x",
    ):
        assert admins.get(f"{LIST}?{query}").status_code in (200, 302), query


def test_nothing_hidden_is_on_them(admins, running):
    for number in (0, 1):
        running.seats.filter(number=number).update(nonce=f"nonce-{number}", seal=f"seal-{number}")
    text = admins.get(page_of(running)).content.decode() + admins.get(LIST).content.decode()
    assert running.commitment in text
    hidden = [
        bytes(running.server_seed).hex(),
        repr(bytes(running.server_seed)),
        bytes(running.state).decode(),
        bytes(running.state).decode().replace('"', "&quot;"),
        running.token,
        bytes(running.chain_root).hex(),
        repr(bytes(running.chain_root)),
        seat(running, 0).seal,
        seat(running, 0).nonce,
        seat(running, 1).nonce,
        "secret notes",
        "privileges",
        "sheets",
        "memory at",
    ]
    for secret in hidden:
        assert secret not in text, secret


def test_nothing_is_changed_there(admins, running):
    before = snapshot()["games.Match"], snapshot()["games.Seat"]
    for address in (page_of(running), f"{LIST}add/", f"{LIST}{running.pk}/delete/", LIST):
        data = {
            "status": "ended",
            "post": "yes",
            "action": "delete_selected",
            "_selected_action": [running.pk],
        }
        assert admins.post(address, data).status_code in (200, 302, 403), address
        assert (snapshot()["games.Match"], snapshot()["games.Seat"]) == before
    assert admins.get(f"{LIST}add/").status_code == 403
    assert "Delete" not in admins.get(page_of(running)).content.decode()


def test_turns_seats_and_invitations_have_no_page_of_their_own(admins):
    for model in ("seat", "turn", "invitation"):
        assert admins.get(f"/admin/games/{model}/").status_code == 404


@pytest.fixture
def sealed(ann, bob, cem):
    """A match in which two were asked at once and one has answered; and whose seats these two are."""
    match = seated(ann, bob, cem, game_slug="yam-menteur")
    for step, move in enumerate(({"type": "roll"}, {"type": "announce", "combination": "yam"})):
        submit(match, asked(match), move, key=f"key-{step}")
    done = asked(match)
    submit(match, done, {"type": "answer", "doubt": False}, key="answer")
    return fresh(match), seat(match, done.number), asked(match)


def test_who_has_answered_in_secret_is_on_no_page(admins, sealed):
    """The pages are the same as if the other had answered."""
    match, done, asked_still = sealed
    there = (page_of(match), LIST, "/admin/games/timeout/", "/admin/operation/")

    def pages() -> list[str]:
        return [TOKEN.sub("", admins.get(address).content.decode()) for address in there]

    sweep = Sweep.objects.create(due=1)
    TimeOut.objects.create(match=match, seat=done.number, ask=1, kind="played", before={}, sweep=sweep)
    Seat.objects.filter(pk=asked_still.pk).update(deadline=clock.now() - timedelta(hours=1))
    before = pages()
    assert "to move" in before[0]
    assert "as spectators see" in before[0]
    one, other = ({f: getattr(s, f) for f in HIDDEN} for s in (asked(match), done))
    Seat.objects.filter(pk=asked_still.pk).update(**other)
    Seat.objects.filter(pk=done.pk).update(**one)
    TimeOut.objects.update(seat=asked_still.number)
    assert pages() == before
    Match.objects.filter(pk=match.pk).update(status="ended", ending="played", ended_at=clock.now())
    assert "run-outs" in admins.get(page_of(match)).content.decode().lower()
    assert admins.get("/admin/games/timeout/").context["cl"].result_count == 1
