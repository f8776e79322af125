"""Mails about mentions: when they are made, what they say, when they are not wanted any more."""

from datetime import timedelta

import pytest

from accounts.models import User
from accounts.services import visits
from config.lib import clock as site_clock
from games.models import ChatLine, Kind, Mail, Notice
from games.services.mail import candidates, composing, delivery, planning
from games.services.mail.notices import note
from tests.factories import browser_of, seated
from tests.games.chat.calls import REFUSALS, called, home, read, say
from tests.mailing import HOUR, MINUTE, prefer, send

pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture
def match(ann, bob, clock):
    """A running match in which nobody is asked anything, so that only talk is news."""
    match = seated(ann, bob)
    Notice.objects.all().delete()
    match.seats.update(ask=None, asked_at=None, deadline=None, runs_from=None)
    clock.forward(HOUR)
    return match


@pytest.mark.outgrown
@pytest.mark.parametrize("refuse", REFUSALS)
def test_nor_when_the_mail_waits_already(match, ann, bob, refuse):
    say(match, ann)
    assert planning.sweep() == 1
    refuse(match, ann, bob)
    assert delivery.send_due() == 0
    assert Mail.objects.get(user=bob, kind=Kind.MENTIONED).state == Mail.State.DROPPED
    assert not Notice.objects.filter(kind=Kind.MENTIONED).exists()


def test_no_mail_of_it_is_wanted(match, ann, bob):
    """The home page tells of it all the same, until it is read."""
    prefer(bob, mail_off=["mentioned"])
    say(match, ann)
    assert bob.pk not in candidates._noted()
    note(match, Kind.PLAYED, [bob.pk], ask=1)
    (got,) = send()
    assert "mentioned you" not in got.body
    assert called(bob) == [(match.pk, "ann")]


@pytest.mark.outgrown
@pytest.mark.parametrize("fields", [{"mail_off": ["mentioned"]}, {"mail_broken_at": "2026-01-01T00:00:00Z"}])
def test_no_mail_of_it_is_wanted_any_more(match, ann, bob, fields):
    say(match, ann)
    assert planning.sweep() == 1
    prefer(bob, **fields)
    assert (delivery.send_due(), Mail.objects.get().state) == (0, Mail.State.DROPPED)
    assert called(bob) == [(match.pk, "ann")]
    assert [planning.sweep() for _ in range(3)] == [0, 0, 0]
    assert called(bob) == [(match.pk, "ann")]


@pytest.mark.parametrize("fields", [{"email": ""}, {"mail_broken_at": "2026-01-01T00:00:00Z"}])
def test_who_gets_no_mails_reads_it_on_the_site(match, ann, bob, fields):
    prefer(bob, **fields)
    say(match, ann)
    assert send() == []
    assert called(bob) == [(match.pk, "ann")]
    assert '<span translate="no">ann</span> mentioned you at Yum EXTRA' in home(bob)


def test_read_before_the_mail_is_made(match, ann, bob):
    line = say(match, ann)
    read(match, bob, line.pk)
    assert not Notice.objects.exists()
    assert send() == []


def test_read_before_the_mail_leaves(match, ann, bob):
    line = say(match, ann)
    assert planning.sweep() == 1
    read(match, bob, line.pk)
    assert called(bob) == []
    assert (delivery.send_due(), Mail.objects.get().state) == (0, Mail.State.DROPPED)


@pytest.mark.outgrown
def test_read_while_the_server_dawdles(match, ann, bob, monkeypatch):
    """Between the two looks of one sending: nothing is handed over."""
    line = say(match, ann)
    planning.sweep()
    honest = composing.compose

    def slowly(mail, told):
        message = honest(mail, told)
        read(match, bob, line.pk)
        return message

    monkeypatch.setattr(composing, "compose", slowly)
    assert delivery.send_due() == 0
    assert delivery.send_due() == 0
    assert Mail.objects.get().state == Mail.State.DROPPED


@pytest.mark.outgrown
def test_what_came_after_the_line_that_was_read_is_not_read(match, ann, bob):
    first, second = say(match, ann), say(match, ann)
    read(match, bob, first.pk)
    assert list(Notice.objects.values_list("ask", flat=True)) == [second.pk]
    read(match, ann)
    read(seated(ann, bob), bob)
    assert called(bob) == [(match.pk, "ann")]


def test_two_calls_in_one_line_are_one(match, ann, bob):
    line = say(match, ann, "@bob @BOB @bob!")
    (notice,) = Notice.objects.all()
    assert (notice.user_id, notice.ask, notice.unread) == (bob.pk, line.pk, True)


@pytest.mark.outgrown
def test_the_mail(match, ann, bob):
    say(match, ann, "@bob <b>look</b>\nat that")
    (got,) = send()
    assert (got.to, got.subject) == ([bob.email], "Yum EXTRA with ann · ann mentioned you in the chat")
    assert "ann mentioned you in the chat." in got.body
    assert "> ann\n> @bob <b>look</b>\n> at that\n" in got.body
    assert f"/matches/{match.pk}/#chat" in got.body
    html = got.alternatives[0][0]
    assert "@bob &lt;b&gt;look&lt;/b&gt;<br>at that" in html
    assert "look" not in " ".join([got.subject, *got.extra_headers.values()])
    assert called(bob) == [(match.pk, "ann")]
    read(match, bob)
    assert called(bob) == []
    assert Notice.objects.get().mail.state == Mail.State.SENT


@pytest.mark.outgrown
def test_the_mail_says_the_line_as_it_is_when_it_leaves(match, ann, bob):
    line = say(match, ann, "@bob one")
    planning.sweep()
    ChatLine.objects.filter(pk=line.pk).update(text="@bob two")
    (got,) = send()
    assert "@bob two" in got.body
    assert "@bob one" not in got.body


def test_a_mail_with_several_lines_leaves_out_what_was_hidden(ann, bob, cem):
    match = seated(ann, bob, cem)
    Notice.objects.all().delete()
    match.seats.update(ask=None, asked_at=None, deadline=None, runs_from=None)
    say(match, ann, "@bob one")
    rude = say(match, ann, "@bob rude")
    say(match, cem, "@bob three")
    ChatLine.objects.filter(pk=rude.pk).update(hidden=True)
    (got,) = send()
    assert got.body.count("ann mentioned you in the chat.") == 1
    assert "cem mentioned you in the chat." in got.body
    assert "@bob one" in got.body
    assert "rude" not in got.body


@pytest.mark.outgrown
def test_one_mail_with_the_other_news_of_the_match(match, ann, bob):
    say(match, ann)
    note(match, Kind.PLAYED, [bob.pk], ask=1)
    match.seats.filter(user=bob).update(ask=70, asked_at=site_clock.now() - timedelta(minutes=1))
    (got,) = send()
    assert "mentioned you in the chat" in got.body
    assert "we played for you" in got.body
    assert f"/matches/{match.pk}/\n" in got.body
    assert set(Notice.objects.values_list("kind", flat=True)) == {"mentioned", "played", "turn"}


def test_at_most_one_mail_of_a_talk_in_half_an_hour(match, ann, bob, clock):
    times = []
    for _ in range(20):
        say(match, ann)
        times += [site_clock.now() for _ in send()]
        clock.forward(5 * MINUTE)
    assert [(at - times[0]) // timedelta(minutes=1) for at in times] == [0, 30, 60, 90]


def test_not_while_they_are_here_nor_in_quiet_hours(match, ann, bob, clock):
    now = site_clock.now()
    say(match, ann)
    visits.note(bob.pk)
    assert send() == []
    clock.forward(6 * MINUTE)
    minute = now.hour * 60 + now.minute
    prefer(bob, quiet_from=minute, quiet_until=(minute + 60) % 1440)
    assert send() == []
    clock.forward(HOUR)
    assert len(send()) == 1


@pytest.mark.outgrown
def test_in_the_daily_mail(match, ann, bob):
    prefer(bob, mail_rhythm=User.Rhythm.DAILY, digest_hour=0)
    say(match, ann)
    (got,) = send()
    assert got.subject == "Your day at Club Y"
    assert "ann mentioned you in the chat." in got.body


def test_one_click_ends_these_mails_alone(match, ann, bob, clock):
    say(match, ann)
    (got,) = send()
    off = got.extra_headers["List-Unsubscribe"].strip("<>").partition("testserver")[2]
    browser_of().post(off, {"List-Unsubscribe": "One-Click"})
    assert User.objects.get(pk=bob.pk).mail_off == ["mentioned"]
    assert "Somebody mentioned me in a chat" in browser_of(bob).get("/settings/mails/").content.decode()
