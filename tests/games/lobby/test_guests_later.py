"""Guests who sat down by link: their seats at sign-up and log-in, and their link for another device."""

import pytest
from django.contrib.sessions.models import Session
from django.utils import translation

from accounts.models import User
from accounts.services import guests as accounts_guests
from accounts.services import relationships
from games.models import Match, Seat
from games.services.lobby import opening
from games.services.people.account_changes import transfer_matches
from games.services.play import moves
from tests.factories import PASSWORD, browser_of, end, fresh, opened, seat, sign_up
from tests.games.lobby.test_guests import sit
from tests.mailing import deliver

LINK = Match.Access.LINK
ALL_SEATED = {"size": 2, "access": LINK}


# ——— Adoption


@pytest.mark.outgrown
def test_signing_up_keeps_the_seat(ann, django_capture_on_commit_callbacks):
    table = opened(ann, **ALL_SEATED)
    browser, _answer = sit(table)
    before = fresh(table).version
    with django_capture_on_commit_callbacks(execute=True):
        assert sign_up(browser).status_code == 302
    assert (seat(table, 1).username, seat(table, 1).user.is_guest) == ("Cleo", False)
    with translation.override("en"):
        assert "guest-" not in browser_of(ann).get(f"/matches/{table.pk}/").content.decode()
    assert fresh(table).version > before  # so that open pages show the name


@pytest.mark.outgrown
def test_logging_in_brings_the_seat(ann, bob):
    table = opened(ann, **ALL_SEATED)
    browser, _answer = sit(table)
    browser.post("/accounts/login/", {"login": "bob", "password": PASSWORD})
    assert seat(table, 1).user == bob
    assert fresh(table).status == Match.Status.RUNNING
    assert not User.objects.filter(is_guest=True).exists()


@pytest.mark.outgrown
def test_nobody_sits_twice_at_a_running_match(ann, bob):
    """The guest's seat goes to a bot, as if the guest had left; everything else comes along."""
    table, other = opened(ann, size=3, access=LINK), opened(ann, **ALL_SEATED)
    browser, _answer = sit(table)
    sit(other, browser=browser)
    opening.join(match_id=table.pk, user=bob, token=table.token)
    assert fresh(table).status == Match.Status.RUNNING
    browser.post("/accounts/login/", {"login": "bob", "password": PASSWORD})
    assert [s.user for s in table.seats.order_by("number")] == [ann, None, bob]
    assert seat(table, 1).bot and seat(table, 1).former
    assert fresh(table).status == Match.Status.RUNNING
    assert seat(other, 1).user == bob
    assert not User.objects.filter(is_guest=True).exists()


def test_nobody_sits_twice_at_an_open_table(ann, bob):
    table = opened(ann, size=4, access=LINK)
    browser, _answer = sit(table)
    opening.join(match_id=table.pk, user=bob, token=table.token)
    browser.post("/accounts/login/", {"login": "bob", "password": PASSWORD})
    assert [s.user for s in table.seats.order_by("number")] == [ann, None, bob, None]
    assert fresh(table).status == Match.Status.OPEN


def test_whom_a_block_keeps_apart_gets_up(ann, bob):
    table = opened(ann, size=3, access=LINK)
    browser, _answer = sit(table)
    relationships.block(blocker=ann, blocked=bob)
    browser.post("/accounts/login/", {"login": "bob", "password": PASSWORD})
    assert [s.user for s in table.seats.order_by("number")] == [ann, None, None]


def test_an_invitation_to_a_table_of_both_ends(ann, bob):
    table = opened(ann, size=3, access=LINK, invited=[bob])
    browser, _answer = sit(table)
    browser.post("/accounts/login/", {"login": "bob", "password": PASSWORD})
    assert seat(table, 1).user == bob and not table.invitations.exists()


def test_an_ended_match_of_both(ann, bob):
    table = opened(ann, size=3, access=LINK)
    browser, _answer = sit(table)
    opening.join(match_id=table.pk, user=bob, token=table.token)
    moves.resign(match_id=table.pk, user=ann)
    end(fresh(table), [1, 2, 3])
    browser.post("/accounts/login/", {"login": "bob", "password": PASSWORD})
    assert [s.user for s in table.seats.order_by("number")] == [ann, None, bob]


# ——— On another device


def test_a_link_opens_the_session_elsewhere(ann):
    table = opened(ann, **ALL_SEATED)
    browser, _answer = sit(table)
    page = browser.get("/guests/link/").content.decode()
    path = f"/guests/{accounts_guests.token_of(seat(table, 1).user)}/"
    assert "/guests/" in page and "Keep it to yourself" in page
    phone = browser_of()
    assert "Go on as" in phone.get(path).content.decode()
    assert phone.get(f"/matches/{table.pk}/").status_code == 302  # looking changes nothing
    assert phone.post(path).url == "/matches/"
    assert phone.get(f"/matches/{table.pk}/").status_code == 200
    assert browser.get(f"/matches/{table.pk}/").status_code == 200


def test_a_link_opens_few_sessions(ann, settings):
    """Each is a row that lasts for 90 days, and nobody has to log in for it."""
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"guest_back": "2/h/key"}
    table = opened(ann, **ALL_SEATED)
    sit(table)
    path = f"/guests/{accounts_guests.token_of(seat(table, 1).user)}/"
    before = Session.objects.count()
    assert [browser_of().post(path).status_code for _time in range(4)] == [302, 302, 429, 429]
    assert Session.objects.count() == before + 2


def test_what_another_guest_played_comes_along(ann):
    table, other = opened(ann, **ALL_SEATED), opened(ann, **ALL_SEATED)
    sit(table)
    phone, _answer = sit(other, "Mia")
    lea = seat(table, 1).user
    phone.post(f"/guests/{accounts_guests.token_of(lea)}/")
    assert {s.user for s in Seat.objects.filter(number=1)} == {lea}


@pytest.mark.parametrize("why", ["forged", "old", "member", "forgotten"])
def test_a_link_that_is_over(ann, clock, why):
    table = opened(ann, **ALL_SEATED)
    browser, _answer = sit(table)
    lea = seat(table, 1).user
    path = f"/guests/{accounts_guests.token_of(lea)}/"
    if why == "forged":
        path = path[:-3] + ("aa/" if path[-3:-1] != "aa" else "bb/")
    if why == "old":
        clock.forward(91 * 24 * 3600)
    if why == "member":
        sign_up(browser)
    if why == "forgotten":
        lea.delete()
    phone = browser_of()
    for ask in (phone.get, phone.post):
        answer = ask(path)
        assert answer.status_code == 404 and "does not work any more" in answer.content.decode()
    assert phone.get("/matches/").status_code == 302


def test_a_member_does_not_become_a_guest(ann, bob):
    table = opened(ann, **ALL_SEATED)
    sit(table)
    browser = browser_of(bob)
    answer = browser.post(f"/guests/{accounts_guests.token_of(seat(table, 1).user)}/")
    assert answer.status_code == 403
    assert browser.get("/settings/").context["user"] == bob


def test_the_link_by_mail_once(ann, settings):
    table = opened(ann, **ALL_SEATED)
    browser, _answer = sit(table)
    assert browser.post("/guests/link/", {"email": "lea@example.org"}).status_code == 302
    mail = deliver()[0]
    assert mail.to == ["lea@example.org"] and "guest-Léa" in mail.subject
    link = next(word for word in mail.body.split() if "/guests/" in word)
    assert browser_of().get(link.removeprefix(settings.SITE_URL)).status_code == 200
    assert "lea@example.org" not in str(list(User.objects.values()))
    assert browser.post("/guests/link/", {"email": "no address"}).status_code == 400


def test_a_mailbox_gets_few(ann, settings):
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"asked_mail": "1/h/key"}
    table = opened(ann, size=3, access=LINK)
    for name, status in (("Léa", 302), ("Mia", 429)):
        browser, _answer = sit(table, name)
        assert browser.post("/guests/link/", {"email": "lea@example.org"}).status_code == status
    assert len(deliver()) == 1


def test_transfer_is_a_hook(ann, bob, gus):
    """Games know of it by its name in the settings alone."""
    table = opened(ann, **ALL_SEATED)
    opening.join(match_id=table.pk, user=gus, token=table.token)
    transfer_matches(gus, bob)
    assert seat(table, 1).user == bob
