"""Who signs up with another's address and waits: the address's reader gets the account, with nothing left behind."""

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.test import Client

from accounts import queries
from accounts.models import User
from tests.factories import PASSWORD, confirmed_member, prove, sign_up
from tests.mailing import deliver

pytestmark = pytest.mark.django_db
ADDRESS = "owner@example.org"
NEW = "another otter 8"


def code() -> str:
    return deliver()[-1].body.split("\n\n")[2].strip()


def link() -> str:
    return "/" + deliver()[-1].body.partition("testserver/")[2].split()[0]


def set_up_before(user: User) -> None:
    """Set up a second factor, as was possible before the address was confirmed."""
    TOTP.activate(user, generate_totp_secret())
    RecoveryCodes.activate(user)


def ask_for_reset(client: Client, email: str = ADDRESS) -> None:
    deliver()
    client.post("/accounts/password/reset/", {"email": email})
    client.post("/accounts/password/reset/confirm/", {"code": code()})


def complete(client: Client):
    return client.post("/accounts/password/reset/complete/", {"password1": NEW, "password2": NEW})


@pytest.fixture
def squatter() -> Client:
    client = Client()
    sign_up(client, "Squatter", ADDRESS)
    return client


def test_no_second_factor_before_the_address_is_confirmed(squatter) -> None:
    prove(squatter)
    page = squatter.get("/accounts/2fa/").content.decode()
    assert "Confirm your e-mail address first" in page
    assert "totp/activate" not in page and "webauthn/add" not in page
    for path in ("totp/activate/", "webauthn/add/"):
        for ask in (squatter.get, squatter.post):
            answer = ask(f"/accounts/2fa/{path}", follow=True)
            assert answer.redirect_chain == [("/accounts/2fa/", 302)]
            assert "Confirm your e-mail address first" in str([*answer.context["messages"]])
    assert not Authenticator.objects.exists()


def test_a_reset_hands_the_account_over_whole(squatter) -> None:
    set_up_before(User.objects.get())
    owner = Client()
    ask_for_reset(owner)
    assert User.objects.get().email == ""  # a code alone confirms nothing: the old password is still good
    assert squatter.get("/settings/").status_code == 200
    assert complete(owner).url == "/"
    assert owner.get("/settings/").status_code == 200
    assert squatter.get("/settings/").status_code == 302
    assert User.objects.get().email == ADDRESS
    assert not Authenticator.objects.exists()
    told = [mail for mail in deliver() if "Older keys" in mail.subject]
    assert [mail.to for mail in told] == [[ADDRESS]] and "were removed" in told[0].body
    again = Client()
    assert again.post("/accounts/login/", {"login": "Squatter", "password": PASSWORD}).status_code == 200
    assert again.post("/accounts/login/", {"login": ADDRESS, "password": NEW}).url == "/"


def test_a_link_too_removes_what_was_set_up_before(squatter) -> None:
    set_up_before(User.objects.get())
    Client().post(link())
    assert not Authenticator.objects.exists()
    assert "Older keys" in deliver()[-1].subject


def test_a_confirmed_member_keeps_the_second_factor(ann) -> None:
    set_up_before(ann)
    client = Client()
    ask_for_reset(client, "ann@example.org")
    assert complete(client).url == "/accounts/2fa/authenticate/"  # a mailbox alone does not open the account
    assert Authenticator.objects.count() == 2


def test_a_change_of_address_keeps_the_second_factor(anns, ann) -> None:
    set_up_before(ann)
    prove(anns)
    anns.post("/accounts/email/", {"action_add": "yes", "email": "new@example.org"})
    anns.post(link())
    ann.refresh_from_db()
    assert ann.email == "new@example.org" and Authenticator.objects.count() == 2


def test_an_address_somebody_would_change_to_opens_nothing(anns, ann) -> None:
    prove(anns)
    anns.post("/accounts/email/", {"action_add": "yes", "email": ADDRESS})
    deliver()
    for path in ("password/reset/", "login/code/"):
        Client().post(f"/accounts/{path}", {"email": ADDRESS})
        assert "No account has confirmed it" in deliver()[-1].body


def test_a_code_for_an_address_that_moved_on_sets_no_password(squatter) -> None:
    owner = Client()
    ask_for_reset(owner)
    other = confirmed_member("Other", ADDRESS)  # confirmed by somebody else meanwhile
    answer = owner.get(complete(owner).url)
    assert "This code has run out" in str([*answer.context["messages"]])
    assert User.objects.get(username="Squatter").check_password(PASSWORD) and other.check_password(PASSWORD)
    assert owner.get("/settings/").status_code == 302


def test_the_last_who_signed_up_gets_the_reset(squatter) -> None:
    confirmed_member("Owner", ADDRESS, confirmed=False)
    assert queries.who_may_reset(ADDRESS.upper()) == User.objects.get(username="Owner")
    EmailAddress.objects.filter(user__username="Squatter").update(verified=True)
    User.objects.filter(username="Squatter").update(email=ADDRESS, is_active=False)
    assert queries.who_may_reset(ADDRESS) is None  # its confirmed owner's account is closed


@pytest.mark.parametrize("waits", [False, True], ids=["the only one", "one that they wish to change to"])
def test_no_address_becomes_the_member_s_but_by_its_link(squatter, waits) -> None:
    """allauth makes one the primary, and the member's, that nobody confirmed, if a member has no other."""
    prove(squatter)
    if waits:
        squatter.post("/accounts/email/", {"action_add": "", "email": "other@example.org"})
    before, told = list(EmailAddress.objects.values()), len(deliver())
    for row in before:
        assert squatter.post("/accounts/email/", {"action_primary": "", "email": row["email"]}).status_code == 302
    squatter.get("/accounts/email/")
    assert User.objects.get().email == ""
    assert list(EmailAddress.objects.values()) == before
    assert len(deliver()) == told


def test_a_stranger_hears_nothing_of_an_account_under_their_address(squatter) -> None:
    """Else each new password is a mail to them, as often as the squatter pleases."""
    told = len(deliver())
    answer = squatter.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    assert answer.status_code == 302 and User.objects.get().check_password(NEW)
    assert len(deliver()) == told


def test_a_member_hears_of_a_new_password() -> None:
    confirmed_member("ann", ADDRESS)
    client = Client()
    client.post("/accounts/login/", {"login": "ann", "password": PASSWORD})
    client.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    assert [(mail.to, mail.subject) for mail in deliver()] == [([ADDRESS], "Your password was changed")]
