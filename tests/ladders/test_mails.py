"""Mails of ladders: what happened, what is asked and until when, each once, and how to turn them off."""

from datetime import timedelta

from django.core import mail

from accounts.services import visits
from accounts.services.closing import close_account
from config.lib import clock as present
from games.ladders import tasks
from games.ladders.models import Challenge, Climber, News
from games.ladders.services import challenging, notices, standing
from games.services.mail import planning
from tests.factories import browser_of
from tests.ladders.arranged import challenged, climber, joined, ladder, playing
from tests.mailing import deliver, prefer, send


def told() -> list:
    """Write and send the mails of ladders that are due now; return them, by their readers."""
    before = len(mail.outbox)
    notices.send_due()
    deliver()
    return sorted(mail.outbox[before:], key=lambda one: one.to)


def test_who_is_challenged_reads_by_whom_and_until_when(ann, bob):
    joined([ann, bob])
    challenged(bob, ann)
    (message,) = told()
    assert message.to == [ann.email]
    assert message.subject == "bob challenges you on the ladder of Yum EXTRA"
    for part in (message.body, message.alternatives[0][0]):
        assert "bob challenges you on the ladder of Yum EXTRA. You have until" in part
        assert "to accept or decline. You may decline freely, once in 14 days." in part
        assert "/ladders/yum-extra/me/" in part
        assert "because you stand, or stood, on a ladder" in part
    assert told() == []


def test_in_the_readers_language(ann, bob):
    joined([ann, bob])
    prefer(ann, language="fr")
    Climber.objects.filter(user=ann).update(declined_at=present.now())
    challenged(bob, ann)
    (message,) = told()
    assert message.subject == "bob vous défie sur l’échelle Yum EXTRA"
    assert "Si vous refusez ou ne répondez pas, bob prend votre rang." in message.body


def test_the_link_turns_such_mails_off(ann, bob, client):
    joined([ann, bob])
    challenged(bob, ann)
    (message,) = told()
    off = message.extra_headers["List-Unsubscribe"].strip("<>")
    path = off[off.index("/mails/") :]
    assert b"Challenges to me on a ladder" in client.get(path).content
    client.post(path)
    ann.refresh_from_db()
    assert ann.mail_off == ["ladder"]
    standing.leave(ladder_id=ladder().pk, user=bob)
    standing.join(game_slug="yum-extra", user=bob, at_once=1)
    Challenge.objects.update(made_at=present.now() - timedelta(days=8))
    challenged(bob, ann)
    assert told() == []
    assert b"Challenges to me on a ladder" in browser_of(ann).get("/settings/mails/").content


def test_the_last_day_and_what_follows_without_an_answer(ann, bob, hours):
    joined([ann, bob])
    challenged(bob, ann)
    told()
    hours.go_by(days=2.1)
    for _twice in range(2):
        tasks.tend()
    (message,) = told() or mail.outbox[-1:]
    assert message.subject == "Last day to answer bob on the ladder of Yum EXTRA"
    mail.outbox.clear()
    hours.go_by(days=1)
    tasks.tend()
    deliver()
    subjects = {one.to[0]: one.subject for one in mail.outbox}
    assert subjects == {
        ann.email: "You have lost your place on the ladder of Yum EXTRA",
        bob.email: "You have risen to place 1 on the ladder of Yum EXTRA",
    }


def test_answers_are_told_to_the_challenger(ann, bob, cem):
    joined([ann, bob, cem])
    first, second = challenged(bob, ann), challenged(cem, ann)
    told()
    challenging.decline(challenge_id=first.pk, user=ann)
    challenging.decline(challenge_id=second.pk, user=ann)
    assert [one.subject for one in told()] == [
        "ann has declined your challenge on the ladder of Yum EXTRA",
        "You have risen to place 1 on the ladder of Yum EXTRA",
    ]


def test_what_is_no_longer_so_is_not_told(ann, bob, cem):
    joined([ann, bob, cem])
    made = challenged(bob, ann)
    challenging.withdraw(challenge_id=made.pk, user=bob)
    assert (told(), News.objects.count()) == ([], 0)
    challenged(cem, bob)
    close_account(user_id=bob.pk)
    tasks.tend()
    deliver()
    assert [one.subject for one in mail.outbox] == ["Your challenge on the ladder of Yum EXTRA has ended"]


def test_who_was_idle_for_ninety_days_is_told(ann, bob, hours):
    joined([ann, bob])
    hours.go_by(days=91)
    tasks.tend()
    deliver()
    subjects = [one.subject for one in mail.outbox]
    assert subjects == ["You are no longer on the ladder of Yum EXTRA"] * 2


def test_quiet_hours_visits_and_one_mail_a_day_are_kept(ann, bob, cem, eve, hours):
    hours.go_by(hours=(36 - present.now().hour) % 24)  # noon, more or less: all of it within two days
    joined([ann, bob, cem, eve])
    minute = present.now().hour * 60 + present.now().minute
    prefer(ann, quiet_from=(minute - 10) % 1440, quiet_until=(minute + 60) % 1440, time_zone="UTC")
    prefer(bob, mail_rhythm="daily", digest_hour=present.now().hour, time_zone="UTC")
    visits.note(cem.pk)
    made = [challenged(eve, whom) for whom in (ann, bob, cem)]
    assert told() == []
    assert News.objects.count() == 3
    hours.go_by(hours=1.5)
    assert [one.to[0] for one in told()] == [ann.email, cem.email]
    hours.go_by(hours=24)
    planning.sweep()
    deliver()
    assert bob.email in [one.to[0] for one in mail.outbox]
    assert len(made) == 3


def test_the_mail_of_the_match_says_whose_it_is(ann, bob):
    joined([ann, bob])
    playing(bob, ann)
    words = {one.to[0]: one.body for one in send()}
    assert "Ladder of Yum EXTRA: bob challenged, and takes your place by a win." in words[ann.email]
    assert "Ladder of Yum EXTRA: you challenged. If you win" in words[bob.email]
    assert climber(ann).place == 1
