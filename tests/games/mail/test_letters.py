"""Mails leave by a real SMTP conversation: once, whatever the server says or does, and never stale."""

import re
import smtplib
from datetime import timedelta

import pytest
from django.core import mail

from accounts.models import User
from config import clock as site_clock
from games.models import Match, Seat
from games.post import Kind, Letter, Notice
from games.queries import seats_of
from games.services import chat, due, letters, writing
from games.services.notices import note
from tests.factories import asked, member, opened, seated
from tests.mailing import DAY, HOUR, MINUTE, Postbox, prefer, wind

pytestmark = pytest.mark.usefixtures("clock")

State = Letter.State


@pytest.fixture
def postbox(settings):
    box = Postbox()
    box.start()
    settings.EMAIL_BACKEND = "config.mail.Smtp"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", box.port
    yield box
    box.controller.stop()


@pytest.fixture
def letter(postbox, ann, bob, clock):
    """A mail that waits: it is somebody's turn. What the server does is seen by other threads: committed."""
    match = seated(ann, bob)
    Notice.objects.all().delete()
    clock.forward(HOUR)
    wind(asked(match), left=timedelta(days=2, hours=4, minutes=30), bank=timedelta(days=3))
    assert due.sweep() == 1
    return Letter.objects.get()


def state() -> str:
    return Letter.objects.get().state


def test_it_arrives(letter, postbox):
    assert letters.send_due() == 1
    (got,) = postbox.kept
    match = Match.objects.get()
    user = letter.user
    assert got["To"] == user.email
    assert got["Subject"] == f"Yum EXTRA, match {match.pk}"
    assert got["Message-ID"] == f"<{letter.message_id}@testserver>" == got["Message-ID"].lower()
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
    sent = Letter.objects.get()
    assert (sent.state, sent.attempts, sent.error) == (State.SENT, 1, "")
    assert letters.send_due() == 0
    assert len(postbox.kept) == 1


@pytest.mark.parametrize("answer", ["450 4.2.1 later", "452 full", "421 4.3.0 going down"])
def test_not_now(letter, postbox, answer, clock):
    postbox.rcpt_answers = [answer]
    assert letters.send_due() == 0
    assert state() == State.WAITING
    assert letters.send_due() == 0  # not at once
    clock.forward(2 * MINUTE)
    assert letters.send_due() == 1
    assert len(postbox.kept) == 1


def test_the_pauses_grow_and_end(letter, postbox, clock):
    postbox.rcpt_answers = ["450 later"] * 100
    pauses = []
    while state() == State.WAITING:
        before = site_clock.now()
        letters.send_due()
        row = Letter.objects.get()
        pauses.append(round((row.next_try_at - before).total_seconds() / 60))
        clock.forward((row.next_try_at - site_clock.now()).total_seconds() + 1)
        Seat.objects.filter(ask__isnull=False).update(deadline=site_clock.now() + timedelta(days=2))
    assert pauses[:9] == [1, 2, 4, 8, 16, 32, 64, 120, 120]
    assert (state(), len(pauses)) == (State.FAILED, letters.MOST_ATTEMPTS)
    assert postbox.kept == []
    assert User.objects.filter(mail_broken_at__isnull=False).count() == 0


@pytest.mark.parametrize(
    ("answer", "broken"), [("550 5.1.1 no such <ann@example.org>", 1), ("554 5.7.1 blocked", 0)]
)
def test_refused_for_good(letter, postbox, answer, broken, clock):
    postbox.rcpt_answers = [answer] * 3
    letters.send_due()
    clock.forward(24 * HOUR)
    letters.send_due()
    row = Letter.objects.get()
    assert (row.state, row.attempts) == (State.FAILED, 1)
    assert "@" not in row.error
    assert User.objects.filter(mail_broken_at__isnull=False).count() == broken


@pytest.mark.parametrize(
    ("answer", "then"), [("554 5.6.0 what is this", State.FAILED), ("451 later", State.WAITING)]
)
def test_the_message_is_refused(letter, postbox, answer, then):
    """The server had it, and said no: that is known."""
    postbox.data_answers = [answer]
    letters.send_due()
    assert state() == then
    assert not User.objects.filter(mail_broken_at__isnull=False).exists()


def test_the_line_breaks_after_the_message(letter, postbox, clock):
    """Nobody knows whether it went out: an admin decides, and it is never sent again by itself."""
    postbox.drop_after_data = True
    letters.send_due()
    assert state() == State.UNKNOWN
    postbox.drop_after_data = False
    for _ in range(5):
        clock.forward(HOUR)
        letters.send_due()
    assert len(postbox.kept) == 1
    assert letters.mail_counts()["unknown"] == 1
    assert letters.resend(Letter.objects.all()) == [letter]
    assert letters.send_due() == 1
    assert postbox.kept[0]["Message-ID"] == postbox.kept[1]["Message-ID"]


def test_nobody_listens(letter, postbox, clock, settings):
    port, settings.EMAIL_PORT = settings.EMAIL_PORT, 1
    assert letters.send_due() == 0
    assert state() == State.WAITING
    settings.EMAIL_PORT = port
    clock.forward(2 * MINUTE)
    assert letters.send_due() == 1


def test_a_server_that_is_away_is_asked_once_a_run(letter, ann, bob, cem, eve, settings, clock):
    seated(cem, eve)
    clock.forward(HOUR)
    due.sweep()
    settings.EMAIL_PORT = 1
    letters.send_due()
    assert sorted(Letter.objects.values_list("attempts", flat=True)) == [0] * (Letter.objects.count() - 1) + [
        1
    ]


def test_answered_while_the_server_dawdled(letter, postbox):
    """The seat moves between RCPT and DATA: what would be stale is not handed over."""
    match, handing = Match.objects.get(), writing.told_by
    looks = []

    def told_by(row):
        looks.append(row.pk)
        if len(looks) == 2:
            match.seats.update(ask=None, asked_at=None)
        return handing(row)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writing, "told_by", told_by)
        letters.send_due()
    assert postbox.kept == []
    assert state() == State.WAITING
    letters.send_due()
    assert (state(), postbox.kept) == (State.DROPPED, [])


def test_taken_over_by_another_sender(letter, postbox, monkeypatch, clock):
    """A sender that was held up for over a minute finds that another has the mail: it goes out once."""
    honest = writing.written
    done = []

    def held_up(row, told):
        message = honest(row, told)
        if not done:
            done.append(1)
            clock.forward(2 * MINUTE)
            assert letters.send_due() == 1  # the other one
        return message

    monkeypatch.setattr(writing, "written", held_up)
    assert letters.send_due() == 0
    assert (state(), len(postbox.kept)) == (State.SENT, 1)


def test_a_sender_that_died_before_and_one_that_died_after(letter, postbox, clock):
    Letter.objects.update(state=State.SENDING, state_at=site_clock.now())
    assert letters.send_due() == 0
    clock.forward(61)
    assert letters.send_due() == 1
    Letter.objects.update(state=State.HANDED, state_at=site_clock.now())
    clock.forward(119)
    letters.send_due()
    assert state() == State.HANDED
    clock.forward(2)
    letters.send_due()
    assert state() == State.UNKNOWN
    assert len(postbox.kept) == 1


def test_quiet_hours_that_began_meanwhile(letter, postbox, clock):
    now = site_clock.now()
    minute = now.hour * 60 + now.minute
    prefer(letter.user, quiet_from=minute, quiet_until=(minute + 60) % 1440)
    assert letters.send_due() == 0
    assert (state(), Letter.objects.get().attempts) == (State.WAITING, 0)
    clock.forward(66 * MINUTE)
    assert letters.send_due() == 1


@pytest.mark.parametrize(
    "fields", [{"email": ""}, {"mail_off": ["turn"]}, {"mail_broken_at": "2026-01-01T00:00:00Z"}]
)
def test_unwanted_meanwhile(letter, postbox, fields):
    prefer(letter.user, **fields)
    assert letters.send_due() == 0
    assert (state(), postbox.kept) == (State.DROPPED, [])


def test_a_mail_that_cannot_be_written_holds_up_no_other(letter, postbox, cem, eve, monkeypatch, clock):
    match = opened(cem, invited=[eve])
    due.sweep()
    assert match.pk
    honest = writing.written
    monkeypatch.setattr(writing, "written", lambda row, told: 1 / 0 if row == letter else honest(row, told))
    assert letters.send_due() == 1
    assert Letter.objects.get(pk=letter.pk).state == State.WAITING


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("kind", [kind.value for kind in Kind])
def test_every_kind_in_both_languages(kind, language, ann, bob, clock, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    prefer(ann, language=language, time_zone="Europe/Paris")
    match = of_kind(kind, ann, bob)
    clock.forward(HOUR)
    due.sweep()
    letters.send_due()
    (got,) = [m for m in mail.outbox if m.to == [ann.email]]
    html, _type = got.alternatives[0]
    for body in (got.subject, got.body, html):
        assert "%(" not in body
        assert "{{" not in body
        assert match.token not in body
    assert ("Bonjour" if language == "fr" else "Hello") in got.body
    assert f'lang="{language}"' in html
    told = " ".join([got.subject, *got.extra_headers.values()])
    assert not re.search(r"\bann\b", told, re.IGNORECASE)  # the token's letters are random


def of_kind(kind: str, ann: User, bob: User) -> Match:
    """Return a match about which Ann is to get a mail of this kind and of no other."""
    match = opened(bob, invited=[ann]) if kind == Kind.INVITED else seated(ann, bob)
    if kind != Kind.INVITED:
        Notice.objects.all().delete()
        match.seats.update(ask=None, asked_at=None, deadline=None, runs_from=None)
    if kind in (Kind.TURN, Kind.REMINDER, Kind.REMINDER2):
        match.seats.filter(number=0).update(ask=70, asked_at=site_clock.now())
        hours = {Kind.TURN: 60, Kind.REMINDER: 11, Kind.REMINDER2: 2.5}[Kind(kind)]
        wind(match.seats.get(number=0), left=timedelta(hours=hours), bank=timedelta(hours=72))
    elif kind == Kind.LAPSED:
        Match.objects.update(status="ended", ending="lapsed", ended_at=site_clock.now())
    elif kind == Kind.ENDED:
        Match.objects.update(status="ended", ending="called_off", ended_at=site_clock.now())
    elif kind == Kind.VOIDED:
        at = site_clock.now()
        Match.objects.update(status="ended", ending="called_off", ended_at=at, voided_at=at)
    if kind == Kind.ABSENT:
        match.seats.filter(user=ann).update(absent=True, bot="strong", left=1)
    if kind == Kind.MENTIONED:
        chat.say(match=match, seats=seats_of(match), user=bob, text="@ann are you there?")
    elif kind not in (Kind.INVITED, Kind.TURN, Kind.REMINDER, Kind.REMINDER2):
        note(match, kind, [ann.pk], ask=3)
    return match


def test_errors_are_judged():
    """What the tests above cannot provoke."""
    away = letters.judge(smtplib.SMTPAuthenticationError(535, b"no"), handed=False)
    assert (away.state, away.server_away) == (State.WAITING, True)
    assert letters.judge(TimeoutError(), handed=True).state == State.UNKNOWN
    assert letters.judge(smtplib.SMTPSenderRefused(550, b"no", "x"), handed=False).state == State.WAITING
    member_free = letters.in_short(ValueError("about ann@example.org"))
    assert "example" not in member_free
    assert member


def test_old_mails_are_forgotten_with_what_they_told(ann, bob, clock):
    """As the privacy page says: after 90 days, unless they are still under way."""
    match = opened(ann)
    made = {
        state: Letter.objects.create(user=ann, match=match, kind=Kind.INVITED, state=state)
        for state in Letter.State
    }
    for ask, letter in enumerate(made.values()):
        Notice.objects.create(user=ann, match=match, kind=Kind.INVITED, ask=ask, letter=letter)
    clock.forward(89 * DAY)
    fresh = Letter.objects.create(user=bob, match=match, kind=Kind.INVITED, state=State.SENT)
    assert letters.forget_old() == 0
    clock.forward(2 * DAY)
    assert letters.forget_old() == 4
    left = {made[State.WAITING].pk, made[State.SENDING].pk, made[State.HANDED].pk, fresh.pk}
    assert set(Letter.objects.values_list("pk", flat=True)) == left
    assert Notice.objects.count() == 3
