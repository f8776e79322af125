"""Guests: they play at once, sign up into the same row, or bring their matches to an account they have."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client, RequestFactory

from accounts.models import User
from accounts.services import membership
from accounts.services.closing import close_account
from accounts.services.guests import GuestStays, TooManyGuests, ensure_player, join, make_guest
from tests.factories import PASSWORD, sign_up
from tests.mailing import deliver

moved: list[tuple[str, str]] = []


def move_matches(guest: User, member: User) -> None:
    moved.append((guest.username, member.username))


def refuse(guest: User, member: User) -> None:
    User.objects.filter(pk=member.pk).update(time_zone="Asia/Tokyo")
    raise GuestStays


@pytest.fixture(autouse=True)
def _hooks(settings):
    moved.clear()
    settings.ON_GUEST_JOINS = [f"{__name__}.move_matches"]


def request_of(client: Client, **post: str):
    request = RequestFactory().post("/", post)
    request.session, request.user = client.session, AnonymousUser()
    return request


def test_no_more_than_people_make(client, db, settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"guest": "2/h/ip"}
    for _ in range(2):
        ensure_player(request_of(client))
    with pytest.raises(TooManyGuests):
        ensure_player(request_of(Client()))
    assert User.objects.count() == 2


def test_new_guest(client, db) -> None:
    request = request_of(client, time_zone="Asia/Tokyo")
    guest = ensure_player(request)
    assert guest.is_guest and guest.username.startswith("guest-")
    assert (guest.time_zone, guest.email, guest.has_usable_password()) == ("Asia/Tokyo", "", False)
    assert request.user == guest and ensure_player(request) is guest
    assert request.session["_auth_user_id"] == str(guest.pk)


def test_member_is_the_player(ann, rf) -> None:
    request = rf.post("/")
    request.user = ann
    assert ensure_player(request) is ann


def test_names_run_out_for_nobody(client, db, monkeypatch) -> None:
    monkeypatch.setattr("accounts.services.guests.ANIMALS", ["puma"])
    monkeypatch.setattr("accounts.services.guests.NUMBERS", ((10, 10), (100, 999)))
    names = {ensure_player(request_of(Client())).username for _ in range(2)}
    assert "guest-puma-10" in names and len(names) == 2


@pytest.mark.parametrize("path", ["login/", "signup/", "login/code/", "password/reset/"])
def test_ways_in_are_open_to_guests(guest, path) -> None:
    assert guest.get(f"/accounts/{path}").status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "email/",
        "password/change/",
        "password/set/",
        "2fa/",
        "2fa/totp/activate/",
        "2fa/webauthn/add/",
        "sessions/",
        "reauthenticate/",
    ],
)
def test_members_pages_lead_guests_to_sign_up(guest, path) -> None:
    for answer in (guest.get(f"/accounts/{path}"), guest.post(f"/accounts/{path}")):
        assert (answer.status_code, answer.url) == (
            302,
            f"/accounts/signup/?next=/accounts/{path.replace('/', '%2F')}".replace(
                "/?next=/accounts/", "/?next=%2Faccounts%2F"
            ),
        )


def test_sign_up_keeps_the_row(guest) -> None:
    row = User.objects.get()
    answer = sign_up(guest, next="/settings/")
    assert (answer.status_code, answer.url) == (302, "/settings/")
    member = User.objects.get()
    assert (member.pk, member.username, member.is_guest, member.time_zone) == (
        row.pk,
        "Cleo",
        False,
        "Asia/Tokyo",
    )
    assert member.skeleton == "cleo" and member.check_password(PASSWORD)
    assert guest.get("/settings/").context["user"] == member
    assert len(deliver()) == 1 and moved == []


@pytest.mark.parametrize(
    ("before", "posted", "after"),
    [
        ("UTC", "Europe/Paris", "Europe/Paris"),
        ("Europe/Paris", "America/Montreal", "America/Montreal"),
        ("Europe/Paris", "", "Europe/Paris"),
        ("Europe/Paris", "localtime", "Europe/Paris"),  # the server's
        ("Asia/Tokyo", "Europe/Paris", "Asia/Tokyo"),  # chosen in the settings
    ],
)
def test_a_guess_gives_way_to_the_zone_of_the_device(guest, before, posted, after) -> None:
    """At sign-up as with the first match that a guest starts."""
    User.objects.update(time_zone=before)
    guest.post("/games/yum-extra/now/", {"lesson": "no", "time_zone": posted})
    assert User.objects.get().time_zone == after
    User.objects.update(time_zone=before)
    assert sign_up(guest, time_zone=posted).status_code == 302
    assert User.objects.get().time_zone == after


def test_refused_sign_up_leaves_the_guest(guest, ann) -> None:
    assert sign_up(guest, "a_nn").status_code == 200
    assert guest.get("/settings/").context["user"].is_guest


def test_log_in_moves_matches(guest, ann) -> None:
    answer = guest.post("/accounts/login/", {"login": "ann", "password": PASSWORD})
    assert answer.status_code == 302
    assert moved == [("guest-puma-42", "Ann")]
    assert list(User.objects.all()) == [ann]
    assert guest.get("/settings/").context["user"] == ann


def test_wrong_password_moves_nothing(guest, ann) -> None:
    assert guest.post("/accounts/login/", {"login": "ann", "password": "wrong"}).status_code == 200
    assert moved == [] and guest.get("/settings/").context["user"].is_guest


def test_log_in_by_code_moves_matches(guest, ann) -> None:
    guest.post("/accounts/login/code/", {"email": "ann@example.org"})
    assert guest.get("/accounts/login/code/confirm/").status_code == 200
    code = deliver()[0].body.split("\n\n")[2].strip()
    answer = guest.post("/accounts/login/code/confirm/", {"code": code})
    assert answer.status_code == 302
    assert moved == [("guest-puma-42", "Ann")] and User.objects.count() == 1


def test_cancelled_code_keeps_the_guest(guest, ann) -> None:
    guest.post("/accounts/login/code/", {"email": "ann@example.org"})
    answer = guest.post("/accounts/logout/", {"next": "/accounts/login/"})
    assert (answer.status_code, answer.url) == (302, "/accounts/login/")
    assert guest.get("/accounts/login/").status_code == 200
    assert guest.get("/settings/").context["user"].is_guest


def test_hook_that_refuses(guest, ann, settings) -> None:
    settings.ON_GUEST_JOINS += [f"{__name__}.refuse"]
    assert guest.post("/accounts/login/", {"login": "ann", "password": PASSWORD}).status_code == 302
    row = User.objects.get(is_guest=True)
    assert not row.is_active
    ann.refresh_from_db()
    assert ann.time_zone == "UTC"  # what the hooks did is undone
    assert guest.get("/settings/").context["user"] == ann


def test_joining_twice_does_nothing(ann, guest) -> None:
    row = User.objects.get(is_guest=True)
    join(guest=row, member=ann)
    join(guest=row, member=ann)
    assert len(moved) == 1


def test_log_out_asks_first(guest) -> None:
    page = guest.post("/accounts/logout/")
    assert page.status_code == 200 and b'name="lose_all"' in page.content
    assert guest.get("/settings/").status_code == 200
    assert guest.post("/accounts/logout/", {"lose_all": "yes"}).status_code == 302
    assert guest.get("/settings/").status_code == 302


def test_log_in_to_an_account_that_closes_meanwhile_keeps_the_guest(guest, ann, monkeypatch) -> None:
    """The member's other browser closes it while the password is hashed here."""
    keep = membership.keep_address

    def closed_now(user: User) -> None:
        keep(user)
        close_account(user_id=user.pk)

    monkeypatch.setattr(membership, "keep_address", closed_now)
    number = guest.session["_auth_user_id"]
    answer = guest.post("/accounts/login/", {"login": "Ann", "password": PASSWORD})
    assert answer.status_code == 410 and "Your account is closed" in answer.content.decode()
    assert not moved and not User.objects.filter(pk=ann.pk).exists()
    assert guest.session["_auth_user_id"] == number and guest.get("/settings/").status_code == 200


def test_nor_does_a_guest_who_is_gone_take_what_another_has(guest, db) -> None:
    other = make_guest(language="en", time_zone="UTC")
    gone = User.objects.get(pk=other.pk)
    other.delete()
    here = User.objects.get(pk=guest.session["_auth_user_id"])
    with pytest.raises(User.DoesNotExist):
        join(guest=here, member=gone)
    assert not moved and User.objects.filter(pk=here.pk).exists()
