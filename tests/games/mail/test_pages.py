"""What mails one wants, the links that turn them off, and an address that cannot be reached."""

import json
import re
from base64 import b64encode

import pytest
from django.contrib.admin.models import LogEntry
from django.core import mail
from django.test import Client

from accounts.models import User
from accounts.services import membership
from games.models import REPLIES_OFF, TOPICS, Kind, Mail, Match
from games.services.mail import delivery, unsubscribing
from tests import FULL
from tests.factories import browser_of, guest, snapshot
from tests.games.mail.kinds import of_kind
from tests.mailing import HOUR, prefer, send

GOOD = {"replies": "on", "topics": ["turn", "ended"], "rhythm": "daily", "digest_hour": "7"}
CHANGES: list[int] = []


def changed(user_id: int) -> None:
    CHANGES.append(user_id)


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("topics", {"topics": ["gossip"]}),
        ("rhythm", {"rhythm": "hourly"}),
        ("digest_hour", {"digest_hour": "24"}),
        ("digest_hour", {"digest_hour": "\0"}),
        ("quiet_from", {"quiet_from": "25:00", "quiet_until": "07:00"}),
        ("quiet_until", {"quiet_from": "22:00"}),
        ("quiet_until", {"quiet_from": "22:00", "quiet_until": "10:01"}),
        ("quiet_until", {"quiet_from": "22:00", "quiet_until": "22:00"}),
        ("digest_hour", {"quiet_from": "22:00", "quiet_until": "07:30"}),
    ],
)
def test_refused(ann, field, wrong):
    page = browser_of(ann).post("/settings/mails/", GOOD | wrong)
    assert page.status_code == 400
    assert field in page.context["form"].errors
    assert User.objects.get().mail_rhythm == "each"


def test_saved(ann, settings, django_capture_on_commit_callbacks):
    settings.ON_TIMES_CHANGE = ["tests.games.mail.test_pages.changed"]
    CHANGES.clear()
    browser = browser_of(ann)
    with django_capture_on_commit_callbacks(execute=True):
        answer = browser.post("/settings/mails/", GOOD | {"quiet_from": "23:30", "quiet_until": "06:00"})
    assert answer.status_code == 302
    user = User.objects.get()
    assert user.topics_off == {topic for topic in TOPICS if topic not in GOOD["topics"]}
    assert (user.mail_rhythm, user.digest_hour) == ("daily", 7)
    assert (user.quiet_from, user.quiet_until) == (23 * 60 + 30, 6 * 60)
    assert [ann.pk] == CHANGES
    page = browser.get("/settings/mails/").content.decode()
    assert 'value="23:30"' in page
    with django_capture_on_commit_callbacks(execute=True):
        browser.post("/settings/mails/", GOOD | {"quiet_from": "", "quiet_until": ""})
        browser.post("/settings/mails/", GOOD)
        browser.post("/settings/", {"language": "fr", "time_zone": "Asia/Tokyo", "colours": "dark"})
        membership.change_times(user_id=ann.pk, language="en")
    assert User.objects.get().quiet_from is None
    assert [ann.pk] * 3 == CHANGES


def test_replies_are_turned_off_and_on(ann):
    browser = browser_of(ann)
    browser.post("/settings/mails/", {name: value for name, value in GOOD.items() if name != "replies"})
    assert REPLIES_OFF in User.objects.get().mail_off
    assert 'name="replies" id="id_replies">' in browser.get("/settings/mails/").content.decode()
    browser.post("/settings/mails/", GOOD)
    assert REPLIES_OFF not in User.objects.get().mail_off
    assert 'name="replies" id="id_replies" checked>' in browser.get("/settings/mails/").content.decode()


def test_visitors_and_guests(db):
    assert browser_of().get("/settings/mails/").url == "/accounts/login/?next=/settings/mails/"
    page = browser_of(guest()).get("/settings/mails/")
    assert b"Guests get no mails" in page.content


LINK = re.compile(r"https?://[^\s\"<>)]+")


@pytest.mark.thin(5)
@pytest.mark.parametrize("kind", [*(kind.value for kind in Kind), "digest"])
def test_links(kind, ann, bob, clock):
    """LINKS: whatever a mail points at may be fetched by programs that look into mails: nothing happens.

    In short each address in two of five ways, the next one in the next two.
    """
    if kind == "digest":
        prefer(ann, mail_rhythm="daily", digest_hour=0)
    of_kind("turn" if kind == "digest" else kind, ann, bob)
    clock.forward(HOUR)
    send()
    (got,) = [m for m in mail.outbox if m.to == [ann.email]]
    text = got.body + got.alternatives[0][0] + got.extra_headers["List-Unsubscribe"]
    urls = {url.replace("&amp;", "&") for url in LINK.findall(text)}
    assert len(urls) >= 4 - (kind == "digest")
    program = Client()
    asks = [
        (program, "get"),
        (program, "head"),
        (program, "options"),
        (browser_of(ann), "get"),
        (browser_of(bob), "get"),
    ]
    before = snapshot()
    for place, url in enumerate(sorted(urls)):
        for browser, method in asks if FULL else (asks[place % 5], asks[(place + 2) % 5]):
            path = url.partition("://")[2].partition("/")[2]
            assert getattr(browser, method)(f"/{path}").status_code < 500
    assert snapshot() == before
    print(f"LINKS {kind}: {len(urls)} addresses asked for: nothing changed")


def _off(ann, bob, clock, kind="turn") -> str:
    of_kind(kind, ann, bob)
    clock.forward(HOUR)
    send()
    (got,) = [m for m in mail.outbox if m.to == [ann.email]]
    return got.extra_headers["List-Unsubscribe"].strip("<>").partition("testserver")[2]


def test_one_click(ann, bob, clock):
    """RFC 8058: a mail program posts, without cookies and without a form's token."""
    url = _off(ann, bob, clock)
    answer = Client(enforce_csrf_checks=True).post(url, {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert User.objects.get(pk=ann.pk).mail_off == ["turn"]
    assert User.objects.get(pk=bob.pk).mail_off == []


def test_the_page_and_its_buttons(ann, bob, clock):
    prefer(ann, language="fr")
    url = _off(ann, bob, clock)
    answer = Client().get(url)
    assert answer["Content-Language"] == "fr"
    page = answer.content.decode()
    assert "Rien n’est encore changé" in page
    Client().post(url, {"off": "all"})
    assert User.objects.get(pk=ann.pk).topics_off == set(TOPICS)


@pytest.mark.parametrize("token", ["x", "a:b:c", "WzEsWyJ0dXJuIl1d:1xXAak:forged"])
def test_a_forged_link(token, ann):
    for method in ("get", "post"):
        assert getattr(Client(), method)(f"/mails/off/{token}/").status_code == 404
    assert User.objects.get().mail_off == []


def test_a_link_of_somebody_who_is_gone(db):
    assert Client().post(f"/mails/off/{unsubscribing.token(77, ['turn'])}/").status_code == 404


SECRET = "user:password"
BASIC = {"HTTP_AUTHORIZATION": "Basic " + b64encode(SECRET.encode()).decode()}


@pytest.fixture
def webhook(settings):
    settings.ANYMAIL = {"WEBHOOK_SECRET": SECRET}
    settings.MAIL_PROVIDER = "postmark"

    def post(record_type: str, email: str, *, headers=BASIC, **more) -> int:
        event = {"RecordType": record_type, "MessageID": "1", "ServerID": 1, "Tag": "", **more}
        event |= {"Email": email, "Recipient": email, "Description": f"no {email}", "ID": 1}
        event |= {"BouncedAt": "2026-01-01T00:00:00Z", "DeliveredAt": "2026-01-01T00:00:00Z"}
        return (
            Client()
            .post(
                "/mail/events/postmark/tracking/",
                json.dumps(event),
                content_type="application/json",
                **headers,
            )
            .status_code
        )

    return post


@pytest.mark.parametrize(
    ("record", "more", "broken"),
    [
        ("Bounce", {"Type": "HardBounce"}, True),
        ("SpamComplaint", {"Type": "SpamComplaint"}, True),
        ("Bounce", {"Type": "Transient"}, False),
        ("Delivery", {}, False),
    ],
)
def test_the_provider_tells(webhook, ann, record, more, broken):
    assert webhook(record, "Ann@example.org", **more) == 200
    user = User.objects.get()
    assert bool(user.mail_broken_at) is broken
    assert "@" not in user.mail_broken_why
    page = browser_of(ann).get("/").content.decode()
    assert ("Mail to ann@example.org does not arrive" in page) is broken


def test_nobody_else_tells(webhook, ann):
    assert webhook("Bounce", "ann@example.org", headers={}, Type="HardBounce") == 400
    assert User.objects.get().mail_broken_at is None


def test_a_provider_without_tls_is_refused_and_not_led(webhook, ann, settings):
    """Else nobody would notice that the secret in the address goes over the line in the open."""
    settings.SECURE_SSL_REDIRECT = True
    assert webhook("Bounce", "ann@example.org", Type="HardBounce") == 403
    assert User.objects.get().mail_broken_at is None
    assert Client().get("/").status_code == 301


@pytest.mark.parametrize("provider", ["mailgun", "mandrill", "postmark/inbound", "nobody", "%00", "a" * 500])
def test_other_providers_are_not_heard(webhook, provider):
    for method in ("get", "post"):
        assert getattr(Client(), method)(f"/mail/events/{provider}/tracking/", **BASIC).status_code == 404


def test_an_address_of_nobody(webhook, ann):
    assert webhook("Bounce", "nobody@example.org", Type="HardBounce") == 200
    assert User.objects.get().mail_broken_at is None


def test_try_again(webhook, ann):
    webhook("Bounce", ann.email, Type="HardBounce")
    browser = browser_of(ann)
    assert browser.get("/settings/mail-again/").status_code == 405
    assert browser.post("/settings/mail-again/", {"next": "https://evil.example/"}).url == "/settings/"
    assert User.objects.get().mail_broken_at is None
    assert b"Mail to" not in browser.get("/settings/").content


def test_the_admin_sees_mails_and_sends_them_again(ann, bob, clock, django_user_model):
    of_kind("turn", ann, bob)
    clock.forward(HOUR)
    send()
    Mail.objects.update(state="unknown")
    admin = django_user_model.objects.create_superuser("root-of-all", "r@example.org", "x")
    browser = browser_of(admin)
    page = browser.get("/admin/games/mail/?state__exact=unknown").content.decode()
    message = Mail.objects.get()
    assert f">{message.pk}<" in page
    assert ann.email not in page
    assert browser.get(f"/admin/games/mail/{message.pk}/change/").status_code == 200
    chosen = {"action": "resend", "_selected_action": [message.pk]}
    browser.post("/admin/games/mail/", chosen)
    assert Mail.objects.get().state == "waiting"
    assert [(entry.user, entry.object_id) for entry in LogEntry.objects.all()] == [(admin, str(message.pk))]
    assert delivery.send_due() == 1
    looker = django_user_model.objects.create_user("looker", "l@example.org", "x", is_staff=True)
    assert browser_of(looker).post("/admin/games/mail/", chosen).status_code == 403
    assert Match.objects.count() == 1
