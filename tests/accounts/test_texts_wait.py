"""What somebody wrote, whose session had ended when they sent it, is shown at log-in."""

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse_lazy

from accounts.services import sessions
from config.lib import clock
from games.moderation import members
from games.moderation.models import Report, Sanction
from tests.factories import PASSWORD, WHY, browser_of, moderator, seated

pytestmark = pytest.mark.django_db
ACT = reverse_lazy("admin:moderation_act")
WORDS = "He called me a <goat>, twice."


def logged_out(person):
    browser = browser_of(person)
    browser.session.flush()
    return browser


def words_at_log_in(browser, answer) -> str:
    assert answer.status_code == 302
    page = browser.get(answer.url, follow=True)
    assert "log in" in page.content.decode().lower()
    return page.content.decode()


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_report(ann, bob, language):
    browser = logged_out(ann)
    browser.cookies["django_language"] = language
    page = f"/report/?match={seated(ann, bob).pk}"
    answer = browser.post(page, {"reason": "rude", "words": WORDS})
    shown = browser.get(answer.url).content.decode()
    assert "He called me a &lt;goat&gt;, twice." in shown
    assert {"en": "You are logged out", "fr": "pas été envoyé"}[language] in shown
    assert "rude:" not in shown
    back = browser.post(answer.url, {"login": "ann", "password": PASSWORD})
    assert back.url == page
    assert not Report.objects.exists()


def test_an_appeal(ann, mo):
    members.warn(moderator=mo, member=ann, reason=WHY)
    browser = logged_out(ann)
    page = f"/sanctions/{Sanction.objects.get().pk}/"
    assert "&lt;goat&gt;" in words_at_log_in(browser, browser.post(page, {"words": WORDS}))


def test_a_reason_in_the_admin(ann):
    browser = logged_out(moderator("mod"))
    page = f"{ACT}?member={ann.pk}&deed=warn"
    assert "&lt;goat&gt;" in words_at_log_in(browser, browser.post(page, {"reason": WORDS, "answer": "x"}))


def test_a_moderator_s_reason_after_12_hours(ann):
    mod = moderator("mod")
    browser = browser_of(mod)
    session = browser.session
    session[sessions.SINCE] = 0
    session.save()
    answer = browser.post(f"{ACT}?member={ann.pk}&deed=warn", {"reason": WORDS})
    assert "&lt;goat&gt;" in words_at_log_in(browser, answer)


def test_an_appeal_of_the_banned_that_came_late():
    page = browser_of().post("/closed/gone:token/", {"words": WORDS})
    assert page.status_code == 404
    assert "&lt;goat&gt;" in page.content.decode()


def test_log_in_itself_shows_no_text(ann):
    browser = browser_of()
    assert "goat" not in browser.post("/accounts/login/?next=/", {"login": "x", "words": WORDS}).content.decode()


# Where allauth asks who is there to show it once more, and keeps what they post until they have.
SHOWN_AGAIN = ("/accounts/sessions/", "/accounts/2fa/totp/activate/", "/accounts/2fa/webauthn/keys/1/remove/")
SHOWN_AGAIN += ("/accounts/2fa/webauthn/add/", "/accounts/2fa/recovery-codes/generate/")


@pytest.mark.parametrize("page", SHOWN_AGAIN)
def test_of_a_visitor_nothing_is_kept_until_they_log_in(page):
    """It was kept whole, 120 KB for 90 days, as often as anybody posted; and whoever logged in there carried it out."""
    browser = Client()
    answer = browser.post(page, {"x": "x" * 100_000})
    assert (answer.status_code, answer.url) == (302, f"/accounts/login/?next={page}")
    assert not Session.objects.exists()
    assert "sessionid" not in browser.cookies


def test_a_member_goes_on_with_what_they_posted(ann):
    browser = browser_of(ann)
    asked = browser.post("/accounts/sessions/")
    assert asked.url == "/accounts/reauthenticate/?next=%2Faccounts%2Fsessions%2F"
    assert browser.post(asked.url, {"password": PASSWORD}).status_code == 302
    assert Session.objects.count() == 1


def test_visitors_fill_no_database(ann, bob):
    """Each text makes a session of its own, which lasts for months: so few of one network address, none endless."""
    page = f"/matches/{seated(ann, bob).pk}/chat/say/"
    for number in range(65):
        answer = Client().post(page, dict.fromkeys(("text", "notes", "words", "answer"), f"{number} " * 20_000))
        assert answer.status_code == 302
    kept = Session.objects.filter(expire_date__gt=clock.now())
    assert kept.count() == 60
    assert all(len(str(row.get_decoded())) < 25_000 for row in kept)
