"""The page of tokens: who may make one, what ends it, and that nobody else learns of it."""

import re
from datetime import timedelta

import pytest

from accounts.models import User
from accounts.services.closing import close_account
from accounts.services.data_export import file_of
from config.lib import clock as site_clock
from games.api.models import ApiToken
from games.api.services import tokens
from games.models import Mail
from games.moderation import members
from games.services.refusals import GuestsCannot, Invalid
from tests.api.calling import Program, problem
from tests.factories import PASSWORD, browser_of, confirmed_member, guest

pytestmark = pytest.mark.django_db
ASKED = {"act": "make", "name": "my phone", "scopes": ["read", "play"], "days": "30"}


@pytest.fixture
def zoe() -> User:
    return confirmed_member("zoe", "zoe@example.org")


def logged_in(person: User):
    """A browser in which this person has just shown who they are."""
    browser = browser_of(person)
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return browser


def made(browser) -> str:
    answer = browser.post("/settings/api/", ASKED)
    found = re.search(r'value="(cy_[\w-]{43})"', answer.content.decode())
    assert found, answer.content[:500]
    return found.group(1)


def test_nobody_but_members_has_the_page(zoe: User) -> None:
    assert browser_of().get("/settings/api/").status_code == 302
    assert browser_of(guest()).get("/settings/api/").status_code == 302
    assert browser_of(zoe).get("/settings/api/")["Location"].startswith("/accounts/reauthenticate/")


def test_an_unconfirmed_member_makes_none() -> None:
    lee = confirmed_member("lee", "lee@example.org", confirmed=False)
    browser = logged_in(lee)
    assert b'value="make"' not in browser.get("/settings/api/").content
    assert browser.post("/settings/api/", ASKED).status_code == 403
    assert not ApiToken.objects.exists()


def test_a_token_is_made_shown_once_and_told_by_mail(zoe: User) -> None:
    browser = logged_in(zoe)
    secret = made(browser)
    assert Program(Authorization=f"Bearer {secret}").get("/me").json()["token"]["name"] == "my phone"
    page = browser.get("/settings/api/").content.decode()
    assert "my phone" in page
    assert secret not in page
    told = [str(mail.message) for mail in Mail.objects.filter(user=zoe)]
    assert any("my phone" in text for text in told)
    assert not any(secret in text for text in told)


@pytest.mark.parametrize(
    "wrong",
    [{"scopes": ["bot"]}, {"scopes": []}, {"name": ""}, {"name": "\u200b"}, {"days": "7"}, {"name": "x" * 41}],
)
def test_what_the_form_refuses(zoe: User, wrong) -> None:
    assert logged_in(zoe).post("/settings/api/", ASKED | wrong).status_code == 422
    assert not ApiToken.objects.exists()


def test_a_name_is_taken_once_and_there_are_not_too_many(zoe: User, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = logged_in(zoe)
    made(browser)
    assert browser.post("/settings/api/", ASKED).status_code == 400
    monkeypatch.setattr(tokens, "MOST", 1)
    assert browser.post("/settings/api/", ASKED | {"name": "other"}).status_code == 400
    assert ApiToken.objects.count() == 1


def test_services_refuse_as_well(zoe: User) -> None:
    with pytest.raises(GuestsCannot):
        tokens.make(user=guest("guest-emu-2"), name="x", scopes=["read"], ends_at=None)
    with pytest.raises(Invalid):
        tokens.make(user=zoe, name="x", scopes=["bot"], ends_at=None)
    with pytest.raises(Invalid):
        tokens.issue(user=zoe, name="x", scopes=["everything"], ends_at=None)


def test_one_ends_ones_own_alone(zoe: User, ann: User) -> None:
    secret = made(logged_in(zoe))
    number = str(ApiToken.objects.get().pk)
    logged_in(ann).post("/settings/api/", {"act": "end", "token": number})
    assert ApiToken.objects.exists()
    logged_in(zoe).post("/settings/api/", {"act": "end", "token": number})
    problem(Program(Authorization=f"Bearer {secret}").get("/me"), 401, "token_unknown")


def test_a_new_password_ends_all(zoe: User) -> None:
    secret = made(logged_in(zoe))
    zoe.set_password("another lively otter 8")
    zoe.save()
    problem(Program(Authorization=f"Bearer {secret}").get("/me"), 401, "token_ended")
    assert tokens.own(zoe) == []
    assert tokens.still_good([ApiToken.objects.get().pk]) == set()


def test_ending_the_other_log_ins_ends_all(zoe: User) -> None:
    browser = logged_in(zoe)
    secret = made(browser)
    assert browser.post("/accounts/sessions/").status_code == 302
    problem(Program(Authorization=f"Bearer {secret}").get("/me"), 401, "token_unknown")


def test_a_ban_ends_all_a_suspension_none(zoe: User, mo: User) -> None:
    secret = made(logged_in(zoe))
    until = site_clock.now() + timedelta(days=3)
    members.suspend(moderator=mo, member=zoe, reason="x", until=until)
    program = Program(Authorization=f"Bearer {secret}")
    assert program.get("/me").status_code == 200
    told = problem(program.post("/tables", {"game": "yay", "size": 2}), 403, "suspended_program")
    assert "suspended until" in told["detail"]
    members.ban(moderator=mo, member=zoe, reason="x")
    problem(program.get("/me"), 401, "token_unknown")
    assert not ApiToken.objects.exists()


def test_the_file_of_ones_data_and_closing(zoe: User) -> None:
    secret = made(logged_in(zoe))
    text = "".join(file_of(zoe))
    assert "my phone" in text
    assert secret not in text
    assert tokens.digest_of(secret) not in text
    close_account(user_id=zoe.pk)
    problem(Program(Authorization=f"Bearer {secret}").get("/me"), 401, "token_unknown")
    assert not ApiToken.objects.exists()


def test_the_manual(ann: User) -> None:
    for language in ("en", "fr"):
        page = browser_of().get("/api/", headers={"Accept-Language": language})
        assert page.status_code == 200
        assert 'id="stale_question"' in page.content.decode()
        assert "/api/v1/matches/{match_id}/moves" in page.content.decode()
