"""Mails leave by a real SMTP conversation: once, whatever the server says or does, and never stale."""

import re
import smtplib
from datetime import timedelta

import pytest
from anymail.exceptions import AnymailRecipientsRefused
from anymail.message import AnymailRecipientStatus, AnymailStatus
from django.core import mail
from django.core.mail import EmailMessage

from accounts.models import User
from config.lib import clock as site_clock
from games.models import Kind, Mail, Match, Notice, Seat
from games.services.mail import composing, delivery, planning, replies
from tests.factories import asked, member, opened, seated
from tests.games.mail.kinds import of_kind
from tests.mailing import DAY, HOUR, MINUTE, prefer, wind

pytestmark = pytest.mark.usefixtures("clock")

State = Mail.State


@pytest.fixture
def message(postbox, ann, bob, clock):
    """A mail that waits: it is somebody's turn. What the server does is seen by other threads: committed."""
    match = seated(ann, bob)
    Notice.objects.all().delete()
    clock.forward(HOUR)
    wind(asked(match), left=timedelta(days=2, hours=4, minutes=30), bank=timedelta(days=3))
    assert planning.sweep() == 1
    return Mail.objects.get()


def state() -> str:
    return Mail.objects.get().state


def test_it_arrives(message, postbox):
    assert delivery.send_due() == 1
    (got,) = postbox.kept
    match = Match.objects.get()
    user = message.user
    assert got["To"] == user.email
    assert got["Subject"] == "Your turn to roll"
    assert got["Message-ID"] == f"<{message.message_id}@testserver>" == got["Message-ID"].lower()
    assert got["In-Reply-To"] == got["References"] == f"<match-{match.pk}.member-{user.pk}@testserver>"
    assert got["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert got["Auto-Submitted"] == "auto-generated"
    text = got.get_body(("plain",)).get_content()
    html = got.get_body(("html",)).get_content()
    for body in (text, html):
        assert "Your turn to roll" in body
        assert "2 days 4 h left, until " in body
        assert f"/matches/{match.pk}/" in body
        assert "/mails/off/" in body
    assert "<img" not in html
    assert "src=" not in html
    sent = Mail.objects.get()
    assert (sent.state, sent.attempts, sent.error) == (State.SENT, 1, "")
    assert delivery.send_due() == 0
    assert len(postbox.kept) == 1


@pytest.mark.parametrize("answer", ["450 4.2.1 later", "452 full", "421 4.3.0 going down"])
def test_not_now(message, postbox, answer, clock):
    postbox.rcpt_answers = [answer]
    assert delivery.send_due() == 0
    assert state() == State.WAITING
    assert delivery.send_due() == 0  # not at once
    clock.forward(2 * MINUTE)
    assert delivery.send_due() == 1
    assert len(postbox.kept) == 1


def test_the_pauses_grow_and_end(message, postbox, clock):
    postbox.rcpt_answers = ["450 later"] * 100
    pauses = []
    while state() == State.WAITING:
        before = site_clock.now()
        delivery.send_due()
        row = Mail.objects.get()
        pauses.append(round((row.next_try_at - before).total_seconds() / 60))
        clock.forward((row.next_try_at - site_clock.now()).total_seconds() + 1)
        Seat.objects.filter(ask__isnull=False).update(deadline=site_clock.now() + timedelta(days=2))
    assert pauses[:9] == [1, 2, 4, 8, 16, 32, 64, 120, 120]
    assert (state(), len(pauses)) == (State.FAILED, delivery.MOST_ATTEMPTS)
    assert postbox.kept == []
    assert User.objects.filter(mail_broken_at__isnull=False).count() == 0


@pytest.mark.thin(2)
@pytest.mark.parametrize("code", ["5.1.1", "5.1.2", "5.1.6", "5.1.10", "5.2.1"])
def test_no_such_address(message, postbox, code, clock):
    postbox.rcpt_answers = [f"550 {code} no such <ann@example.org>"] * 3
    delivery.send_due()
    clock.forward(24 * HOUR)
    delivery.send_due()
    row = Mail.objects.get()
    assert (row.state, row.attempts) == (State.FAILED, 1)
    assert "@" not in row.error
    assert User.objects.filter(mail_broken_at__isnull=False).count() == 1


@pytest.mark.thin(4)
@pytest.mark.parametrize(
    "answer",
    [
        *("550 5.7.1 sender rejected", "554 5.7.1 spam", "550 no relaying for you", "503 5.5.1 sender first"),
        *("550 5.2.0 refused", "552 5.2.2 mailbox full", "552 full", "550 5.5.0 policy", "550 5.1.8 bad sender"),
        *("550 5.1.7 bad sender's mailbox", "550 blocked: 5.1.1", "550 5.1.11 hm", "450 4.1.1 later"),
    ],
)
def test_what_the_address_cannot_help(message, postbox, answer, clock):
    """A relay's refusal or a full mailbox: the mail waits, and goes out when it is over."""
    postbox.rcpt_answers = [answer]
    delivery.send_due()
    assert state() == State.WAITING
    assert not User.objects.filter(mail_broken_at__isnull=False).exists()
    clock.forward(2 * MINUTE)
    assert delivery.send_due() == 1


@pytest.mark.parametrize(
    ("answer", "then"),
    [
        ("554 5.6.0 what is this", State.FAILED),
        ("554 5.1.1 spam", State.FAILED),
        ("451 later", State.WAITING),
        ("552 5.2.2 full", State.WAITING),
    ],
)
def test_the_message_is_refused(message, postbox, answer, then):
    """The server had it, and said no: that is known."""
    postbox.data_answers = [answer]
    delivery.send_due()
    assert state() == then
    assert not User.objects.filter(mail_broken_at__isnull=False).exists()


def test_the_line_breaks_after_the_message(message, postbox, clock):
    """Nobody knows whether it went out: an admin decides, and it is never sent again by itself."""
    postbox.drop_after_data = True
    delivery.send_due()
    assert state() == State.UNKNOWN
    postbox.drop_after_data = False
    for _ in range(5):
        clock.forward(HOUR)
        delivery.send_due()
    assert len(postbox.kept) == 1
    assert delivery.mail_counts()["unknown"] == 1
    assert delivery.resend(Mail.objects.all()) == [message]
    assert delivery.send_due() == 1
    assert postbox.kept[0]["Message-ID"] == postbox.kept[1]["Message-ID"]


def test_nobody_listens(message, postbox, clock, settings):
    port, settings.EMAIL_PORT = settings.EMAIL_PORT, 1
    assert delivery.send_due() == 0
    assert state() == State.WAITING
    settings.EMAIL_PORT = port
    clock.forward(2 * MINUTE)
    assert delivery.send_due() == 1


def test_a_server_that_is_away_is_asked_once_a_run(message, ann, bob, cem, eve, settings, clock):
    seated(cem, eve)
    clock.forward(HOUR)
    planning.sweep()
    settings.EMAIL_PORT = 1
    delivery.send_due()
    assert sorted(Mail.objects.values_list("attempts", flat=True)) == [0] * (Mail.objects.count() - 1) + [1]


def test_answered_while_the_server_dawdled(message, postbox):
    """The seat moves between RCPT and DATA: what would be stale is not handed over."""
    match, handing = Match.objects.get(), composing.contents_of
    looks = []

    def told_by(row):
        looks.append(row.pk)
        if len(looks) == 2:
            match.seats.update(ask=None, asked_at=None)
        return handing(row)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(composing, "contents_of", told_by)
        delivery.send_due()
    assert postbox.kept == []
    assert state() == State.WAITING
    delivery.send_due()
    assert (state(), postbox.kept) == (State.DROPPED, [])


def test_taken_over_by_another_sender(message, postbox, monkeypatch, clock):
    """A sender that was held up for over a minute finds that another has the mail: it goes out once."""
    honest = composing.compose
    done = []

    def held_up(row, told):
        message = honest(row, told)
        if not done:
            done.append(1)
            clock.forward(2 * MINUTE)
            assert delivery.send_due() == 1  # the other one
        return message

    monkeypatch.setattr(composing, "compose", held_up)
    assert delivery.send_due() == 0
    assert (state(), len(postbox.kept)) == (State.SENT, 1)


def test_a_sender_that_died_before_and_one_that_died_after(message, postbox, clock):
    Mail.objects.update(state=State.SENDING, state_at=site_clock.now())
    assert delivery.send_due() == 0
    clock.forward(61)
    assert delivery.send_due() == 1
    Mail.objects.update(state=State.HANDED, state_at=site_clock.now())
    clock.forward(119)
    delivery.send_due()
    assert state() == State.HANDED
    clock.forward(2)
    delivery.send_due()
    assert state() == State.UNKNOWN
    assert len(postbox.kept) == 1


def test_quiet_hours_that_began_meanwhile(message, postbox, clock):
    now = site_clock.now()
    minute = now.hour * 60 + now.minute
    prefer(message.user, quiet_from=minute, quiet_until=(minute + 60) % 1440)
    assert delivery.send_due() == 0
    assert (state(), Mail.objects.get().attempts) == (State.WAITING, 0)
    clock.forward(66 * MINUTE)
    assert delivery.send_due() == 1


@pytest.mark.parametrize("fields", [{"email": ""}, {"mail_off": ["turn"]}, {"mail_broken_at": "2026-01-01T00:00:00Z"}])
def test_unwanted_meanwhile(message, postbox, fields):
    prefer(message.user, **fields)
    assert delivery.send_due() == 0
    assert (state(), postbox.kept) == (State.DROPPED, [])


def test_a_mail_that_cannot_be_written_holds_up_no_other(message, postbox, cem, eve, monkeypatch, clock):
    match = opened(cem, invited=[eve])
    planning.sweep()
    assert match.pk
    honest = composing.compose
    monkeypatch.setattr(composing, "compose", lambda row, told: 1 / 0 if row == message else honest(row, told))
    assert delivery.send_due() == 1
    assert Mail.objects.get(pk=message.pk).state == State.WAITING


@pytest.mark.thin(8)
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("kind", [kind.value for kind in Kind])
def test_every_kind_in_both_languages(kind, language, ann, bob, clock, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    prefer(ann, language=language, time_zone="Europe/Paris")
    match = of_kind(kind, ann, bob)
    clock.forward(HOUR)
    planning.sweep()
    delivery.send_due()
    (got,) = [m for m in mail.outbox if m.to == [ann.email]]
    html, _type = got.alternatives[0]
    for body in (got.subject, got.body, html):
        assert "%(" not in body
        assert "{{" not in body
        assert match.token not in body
    assert ("Bonjour" if language == "fr" else "Hello") in got.body
    assert f'lang="{language}"' in html
    told = " ".join([got.subject, *got.extra_headers.values()])
    assert not re.search(r"\bann\b", told, re.IGNORECASE)  # the token's mails are random


def told_of(status: str) -> EmailMessage:
    """Return a message of whose only recipient a provider has said this."""
    message = EmailMessage(to=["ann@example.org"])
    message.anymail_status = AnymailStatus()
    message.anymail_status.set_recipient_status({"ann@example.org": AnymailRecipientStatus("1", status)})
    return message


def test_errors_are_judged():
    """What the tests above cannot provoke."""
    away = replies.judge(smtplib.SMTPAuthenticationError(535, b"no"), handed=False)
    assert (away.state, away.server_away) == (State.WAITING, True)
    assert replies.judge(TimeoutError(), handed=True).state == State.UNKNOWN
    assert replies.judge(smtplib.SMTPSenderRefused(550, b"no", "x"), handed=False).state == State.WAITING
    assert replies.judge(smtplib.SMTPAuthenticationError(535, b"no"), handed=False).ours
    assert not replies.judge(smtplib.SMTPAuthenticationError(454, b"no"), handed=False).ours
    suppressed = replies.judge(AnymailRecipientsRefused(email_message=told_of("rejected")), handed=True)
    assert (suppressed.state, suppressed.bad_address) == (State.FAILED, False)
    assert replies.judge(AnymailRecipientsRefused(email_message=told_of("invalid")), handed=True).bad_address
    member_free = replies.error_text(ValueError("about ann@example.org"))
    assert "example" not in member_free
    assert member


def test_old_mails_are_forgotten_with_what_they_told(ann, bob, clock):
    """As the privacy page says: after 90 days, unless they are still under way."""
    match = opened(ann)
    made = {state: Mail.objects.create(user=ann, match=match, kind=Kind.INVITED, state=state) for state in Mail.State}
    for ask, message in enumerate(made.values()):
        Notice.objects.create(user=ann, match=match, kind=Kind.INVITED, ask=ask, mail=message)
    clock.forward(89 * DAY)
    fresh = Mail.objects.create(user=bob, match=match, kind=Kind.INVITED, state=State.SENT)
    assert delivery.forget_old() == 0
    clock.forward(2 * DAY)
    assert delivery.forget_old() == 5
    left = {made[State.WAITING].pk, made[State.SENDING].pk, made[State.HANDED].pk, fresh.pk}
    assert set(Mail.objects.values_list("pk", flat=True)) == left
    assert Notice.objects.count() == 3
