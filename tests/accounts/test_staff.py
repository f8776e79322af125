"""The admin's door: a second factor, shown in the session."""

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.test import Client

from accounts.models import User
from games.moderation.models import moderators
from tests.accounts.test_security import totp
from tests.factories import PASSWORD, admin, browser_of, confirmed_member, prove

pytestmark = pytest.mark.django_db
ADMIN = ["/admin/", "/admin/moderation/report/?q=x", "/admin/moderation/audit/act/?member=1", "/admin/login/"]


@pytest.fixture(autouse=True)
def _with_a_second_factor(settings) -> None:
    settings.STAFF_SECOND_FACTOR = True


@pytest.fixture
def moe() -> User:
    moe = confirmed_member("Moe", "moe@example.org", is_staff=True)
    moe.groups.add(moderators())
    return moe


def logged_in(name: str) -> Client:
    client = Client()
    client.post("/accounts/login/", {"login": name, "password": PASSWORD})
    return client


def test_who_has_none_is_led_to_set_one_up_and_comes_back(moe) -> None:
    client = logged_in("Moe")
    for path in ADMIN:
        for ask in (client.get, client.post):
            answer = ask(path, follow=True)
            assert answer.redirect_chain == [("/accounts/2fa/", 302)], path
            assert "need a second factor" in answer.content.decode()
    prove(client)
    secret = client.get("/accounts/2fa/totp/activate/").context["form"].secret
    client.post("/accounts/2fa/totp/activate/", {"code": totp(secret)})
    asked = client.get(ADMIN[1])
    assert asked.url == "/accounts/2fa/reauthenticate/?next=/admin/moderation/report/%3Fq%3Dx"
    shown = client.post(asked.url, {"code": totp(secret), "next": ADMIN[1]})
    assert shown.url == ADMIN[1] and client.get(ADMIN[1]).status_code == 200
    client.post("/accounts/2fa/totp/deactivate/")
    assert not Authenticator.objects.exists()
    assert client.get("/admin/").url == "/accounts/2fa/"  # what was shown is gone


def test_log_in_with_it_is_enough(moe) -> None:
    secret = generate_totp_secret()
    TOTP.activate(moe, secret)
    client = logged_in("Moe")
    assert client.get("/admin/").url.startswith("/admin/login/")  # half-way in is not in
    client.post("/accounts/2fa/authenticate/", {"code": totp(secret)})
    assert client.get("/admin/").status_code == 200


def test_a_session_that_has_not_shown_it_is_asked(moe) -> None:
    RecoveryCodes.activate(moe)
    assert browser_of(moe).get("/admin/").url == "/accounts/2fa/"  # codes alone are no second factor
    TOTP.activate(moe, generate_totp_secret())
    stolen = browser_of(moe)
    assert stolen.get("/admin/").url == "/accounts/2fa/reauthenticate/?next=/admin/"
    assert stolen.post("/admin/moderation/audit/act/?member=1").url.endswith("?next=/admin/")
    prove(stolen)  # the password once more does not do
    assert stolen.get("/admin/").status_code == 302


def test_all_else_is_open_to_them(moe) -> None:
    client = logged_in("Moe")
    assert client.get("/settings/").status_code == client.get("/matches/").status_code == 200


def test_they_can_always_log_out(moe) -> None:
    client = logged_in("Moe")
    answer = client.post("/admin/logout/")
    assert (answer.url, answer.headers["Clear-Site-Data"]) == ("/", '"cache"')
    assert client.get("/settings/").status_code == 302


def test_superusers_too_and_nobody_else_hears_of_it(ann) -> None:
    assert browser_of(admin()).get("/admin/operation/").url == "/accounts/2fa/"
    assert browser_of(ann).get("/admin/").status_code in (302, 403)
    assert "login" in Client().get("/admin/").url


def test_the_site_may_do_without(moe, settings) -> None:
    settings.STAFF_SECOND_FACTOR = False
    assert logged_in("Moe").get("/admin/").status_code == 200
