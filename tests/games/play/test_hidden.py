"""Addresses of private matches: log-in first for whoever has no session, whether or not there is anything."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from accounts.models import User
from games.models import Match
from games.services.lobby import closing, opening
from games.services.mail import delivery
from tests.factories import browser_of, opened, seated

PLACES = ("", "table/", "log/", "chat/", "replay/0/", "record.json", "news/")


def log_in_for(path: str) -> str:
    return f"/accounts/login/?next={path}"


@pytest.mark.parametrize("place", PLACES)
def test_a_visitor_is_led_to_log_in_whether_there_is_a_match_or_not(ann, bob, gus, place):
    private = seated(ann, bob, access="link")
    for browser in (Client(), browser_of(gus)):
        for number in (private.pk, 999_999, 0, 2**63 + 1):
            path = f"/matches/{number}/{place}"
            answer = browser.get(path)
            assert (answer.status_code, answer["Location"]) == (302, log_in_for(path))
    public = seated(ann, bob)
    assert Client().get(f"/matches/{public.pk}/").status_code == 200


@pytest.mark.parametrize("deed", ["move", "join", "notes", "chat/say", "resign"])
def test_what_a_visitor_posts_leads_there_too(ann, bob, deed):
    private = seated(ann, bob, access="link")
    for number in (private.pk, 999_999):
        answer = Client().post(f"/matches/{number}/{deed}/", {"ask": "1", "key": "k", "move": "{}", "text": "x"})
        assert (answer.status_code, answer["Location"]) == (302, log_in_for(f"/matches/{number}/"))


def test_members_who_may_not_see_it_learn_nothing(ann, bob, eve):
    private = seated(ann, bob, access="link")
    answers = {browser_of(eve).get(f"/matches/{number}/").status_code for number in (private.pk, 999_999)}
    assert answers == {404}


def test_log_in_leads_back_in_another_language_and_with_a_new_password(ann, bob, settings):
    settings.ACCOUNT_RATE_LIMITS = False
    EmailAddress.objects.create(user=ann, email=ann.email, primary=True, verified=True)
    path = f"/matches/{seated(ann, bob, access='link').pk}/"
    browser = Client()
    page = browser.get(path, follow=True)

    def leads_on(html: str, what: str) -> str:
        """Return the address of a link, or what the language form sends on."""
        return re.search(what, html)[1].replace("&amp;", "&")

    back = leads_on(page.content.decode(), r'name="next" value="(/accounts/login/[^"]+)"')
    page = browser.post("/language/", {"language": "fr", "next": back}, follow=True)
    assert "Se connecter" in page.content.decode()
    failed = browser.post("/accounts/login/", {"login": "ann", "password": "wrong", "next": path})
    back = leads_on(failed.content.decode(), r'name="next" value="(/accounts/login/[^"]+)"')
    page = browser.post("/language/", {"language": "fr", "next": back}, follow=True)
    page = browser.get(leads_on(page.content.decode(), r'href="(/accounts/password/reset/[^"]*)"'))
    assert f'name="next" value="{path}"' in page.content.decode()
    page = browser.post("/accounts/password/reset/", {"email": ann.email, "next": path}, follow=True)
    delivery.send_due()
    code = re.search(r"\d{4}-\d{4}", mail.outbox[-1].body)[0]
    page = browser.post("/accounts/password/reset/confirm/", {"code": code, "next": path}, follow=True)
    new = "another otter 8 swims"
    page = browser.post("/accounts/password/reset/complete/", {"password1": new, "password2": new, "next": path})
    assert (page.status_code, page["Location"]) == (302, path)
    assert browser.get(path).status_code == 200
    assert User.objects.get(pk=ann.pk).check_password(new)


LATE = {"full": "All seats are taken.", "closed": "This table has been closed."}


@pytest.mark.parametrize("what", LATE)
@pytest.mark.parametrize("access", ["invitation", "link"])
def test_an_invitation_opened_late_says_why(ann, bob, cem, eve, what, access):
    match = opened(ann, size=2, access=access, invited=[bob, cem])
    if what == "full":
        opening.join(match_id=match.pk, user=cem)
    else:
        closing.leave(match_id=match.pk, user=ann)
    page = f"/matches/{match.pk}/"
    answers = [browser_of(bob).get(page), browser_of(bob).post(f"{page}join/")]
    if access == "link":
        link = f"/join/{match.token}/"
        answers += [
            browser_of(eve).get(link),
            Client().get(link),
            browser_of(eve).post(f"{page}join/", {"token": match.token}),
        ]
    for answer in answers:
        assert answer.status_code == 409
        assert LATE[what] in answer.content.decode() or "no longer open" in answer.content.decode()
    assert LATE[what] in answers[0].content.decode()
    assert browser_of(eve).get(page).status_code == 404  # whoever was not invited learns nothing
    assert Match.objects.get(pk=match.pk).invitations.filter(declined=False).count() == 0


def test_whose_invitation_was_withdrawn_is_told_nothing(ann, bob):
    match = opened(ann, size=2, access="invitation", invited=[bob])
    match.invitations.all().delete()
    assert browser_of(bob).get(f"/matches/{match.pk}/").status_code == 404
