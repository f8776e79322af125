"""The admin looks at matches: never at what is hidden of them, and changes nothing."""

from random import Random

import pytest
from django.urls import reverse

from accounts.models import User
from tests.games.conftest import browser_of
from tests.games.playing import opened, play_on, seat, seated, snapshot

pytestmark = pytest.mark.both

LIST = "/admin/games/match/"


@pytest.fixture
def admins(db):
    return browser_of(User.objects.create_superuser("root", "root@example.org", "correct horse battery"))


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
    ended = play_on(seated(ann, bob), Random(72))
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
    text = admins.get(page_of(running)).content.decode() + admins.get(LIST).content.decode()
    assert running.commitment in text
    hidden = [
        bytes(running.server_seed).hex(),
        repr(bytes(running.server_seed)),
        bytes(running.state).decode(),
        bytes(running.state).decode().replace('"', "&quot;"),
        running.token,
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
