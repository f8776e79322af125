"""Mails of club matches and circles: what happened, each once, in the reader's language, and where matches belong."""

from datetime import timedelta

import pytest
from django.core import mail

from config.lib import clock
from games.clubs import tasks
from games.clubs.models import Encounter, EncounterNews
from games.clubs.services.circles import keeping, opening
from games.clubs.services.encounters import challenging, notices
from tests.clubs.encounters import accepted, begun, boards, challenged, end_board, lined_up, two_clubs
from tests.factories import fresh, played
from tests.mailing import deliver, prefer, send

pytestmark = pytest.mark.django_db


def told() -> list[tuple[str, str]]:
    """Write and send what is due now; return readers and subjects of what is about clubs and circles."""
    mail.outbox.clear()
    tasks.tend_encounters()
    tasks.tend_circles()
    deliver()
    about = [one for one in mail.outbox if "club" in one.subject.casefold() or "circle" in one.subject]
    return sorted((one.to[0].partition("@")[0], one.subject) for one in about)


def test_a_challenge_and_its_answer():
    alpha, beta, _ours, theirs = two_clubs(2)
    made = challenged(alpha, beta)
    assert told() == [("b001", "The club “Alpha” challenges “Beta”")]
    assert (
        "You have seven days to answer" in mail.outbox[0].body and f"/clubs/matches/{made.pk}/" in mail.outbox[0].body
    )
    assert told() == []
    challenging.answer(encounter_id=made.pk, user=theirs[0], accepts=True)
    assert told() == [("a001", "The club “Beta” plays against “Alpha”")]
    other = challenged_again(made)
    challenging.answer(encounter_id=other.pk, user=theirs[0], accepts=False)
    assert told() == [("a001", "The club “Beta” has declined your challenge")]


def challenged_again(made: Encounter) -> Encounter:
    Encounter.objects.filter(pk=made.pk).update(state="over")
    return challenged(made.challenger, made.challenged)


def test_what_is_no_longer_true_is_not_mailed():
    alpha, beta, ours, _theirs = two_clubs(1)
    made = challenged(alpha, beta)
    challenging.withdraw(encounter_id=made.pk, user=ours[0])
    assert told() == [] and not EncounterNews.objects.exists()


def test_lapsed_last_day_called_off_and_over(hours):
    alpha, beta, ours, theirs = two_clubs(2)
    challenged(alpha, beta, begins_at=clock.now() + timedelta(days=30))
    hours.go_by(hours=7 * 24 + 1)
    assert told() == [("a001", "The club “Beta” has not answered your challenge")]
    made = accepted(alpha, beta, begins_at=clock.now() + timedelta(days=3))
    told()
    lined_up(made, [*ours, *theirs])
    hours.go_by(hours=49)
    last = "The line-up against the club “%s” closes in a day"
    assert told() == [("a001", last % "Beta"), ("b001", last % "Alpha")]
    assert "So far 2 members of “Beta” play" in mail.outbox[-1].body + mail.outbox[0].body
    assert told() == []
    begun(made, hours)
    for board in boards(made):
        end_board(board, [1, 1])
    subjects = told()
    assert [who for who, _subject in subjects] == ["a001", "a002", "b001", "b002"]
    assert "is a draw, 100 : 100" in mail.outbox[-1].body
    off = accepted(alpha, beta, begins_at=clock.now() + timedelta(hours=2))
    told()
    lined_up(off, ours)
    hours.go_by(hours=3)
    assert told() == [
        ("a001", "The club match “Alpha” – “Beta” is called off"),
        ("a002", "The club match “Alpha” – “Beta” is called off"),
        ("b001", "The club match “Beta” – “Alpha” is called off"),
    ]


def test_whoever_turned_the_topic_off_reads_nothing_and_french_is_french():
    alpha, beta, _ours, theirs = two_clubs(1)
    prefer(theirs[0], language="fr")
    challenged(alpha, beta)
    assert told() == [("b001", "Le club « Alpha » défie « Beta »")]
    Encounter.objects.all().delete()
    theirs[0].mail_off = ["club"]
    theirs[0].save()
    challenged(alpha, beta)
    assert told() == [] and not EncounterNews.objects.exists()


def test_mails_of_its_matches_say_which_table(hours):
    alpha, beta, ours, theirs = two_clubs(1)
    made = accepted(alpha, beta)
    lined_up(made, [*ours, *theirs])
    (board,) = begun(made, hours)
    match = fresh(board.match)
    assert notices.told_of(match, ours[0]) == "Club match Alpha – Beta: this is table 1."
    end_board(board, [1, 2])
    assert notices.told_of(fresh(match), ours[0]) == "It was table 1 of the club match Alpha – Beta."


def test_a_circle_asks_and_invites_in_its_own_name(ann, bob, hours):
    made = keeping.keep_together(match_id=played(ann, bob).pk, user=ann, name="Friday")
    assert told() == [("bob", "ann asks you into the circle “Friday”")]
    keeping.answer(circle_id=made.pk, user=bob, accepts=True)
    opening.open_now(circle_id=made.pk, user=ann)
    mail.outbox.clear()
    hours.go_by(minutes=10)
    send()
    invitations = [one for one in mail.outbox if "invites you" in one.subject]
    assert len(invitations) == 2
    assert all(one.subject.startswith("Your circle “Friday” invites you to Yum EXTRA") for one in invitations)
