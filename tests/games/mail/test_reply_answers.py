"""What the answer to a reply tells: what became of it, and what is asked now."""

import pytest
from django.core import mail

from games.services.mail import delivery, reply_address
from tests.factories import asked, seated, waiting
from tests.mailing import send
from tests.replying import letter, say, take, told

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("replies_on")]


@pytest.fixture
def match(ann, bob):
    return seated(ann, bob, game_slug="yum-extra")


def test_the_answer_tells_what_is_asked_now(match, clock):
    mover = asked(match)
    say(match, "roll", message_id="<one@example.org>")
    delivery.send_due()
    [answer] = mail.outbox
    now = asked(match)
    assert answer.to == [mover.user.email]
    assert answer.subject == f"Re: Played: Yum EXTRA, match {match.pk}"
    assert "Played, as you wrote." in answer.body
    assert "Your second roll" in answer.body
    assert "keep" in answer.body
    assert answer.extra_headers["Reply-To"] == reply_address.address_for(mover.user, match.pk, now.ask)
    assert answer.extra_headers["In-Reply-To"] == "<one@example.org>"
    assert answer.extra_headers["Auto-Submitted"] == "auto-replied"
    clock.forward(3600)
    late = [one for one in send() if one.to == [mover.user.email]]
    assert late == [], "the question was told by the answer"


@pytest.mark.parametrize(("text", "said"), [("help", "What one may answer"), ("what a nice day", "Not played")])
def test_the_subject_says_what_became_of_it(match, text, said):
    say(match, text)
    delivery.send_due()
    assert mail.outbox[0].subject == f"Re: {said}: Yum EXTRA, match {match.pk}"


def test_the_answer_tells_what_the_turn_has_brought(ann, bob, cem):
    match = seated(ann, bob, cem, game_slug="yam-menteur")
    for text in ("roll", "chance 20", "believe", "doubt"):
        say(match, text)
    text = told()
    assert "What has happened:" in text
    assert "20" in text
    assert "announced" in text


def test_the_answer_is_the_mail_of_the_question(match):
    """Whole, as no other comes: deadline, figures, buttons; of what was mailed before, nothing again."""
    for text in ("roll", "write high roll", "pass", "pass", "help"):
        say(match, text)
    mover, other = asked(match), waiting(match)
    text = told()
    assert "/mails/answer/" in text
    assert "left, until " in text
    assert f"{'●▲'[mover.number]} you " in text and f"{'●▲'[other.number]} {other.user.username} " in text
    say(match, "roll")
    text = told()
    assert "You rolled" in text
    assert "High roll" not in text.partition("You are asked now:")[0]  # of the turn before


def test_who_may_be_another_reads_nothing_of_the_question(match):
    say(match, "roll", user=asked(match).user)
    delivery.send_due()
    mover = asked(match)
    to = reply_address.address_for(mover.user, match.pk, mover.ask)
    take(letter("eve@example.org", to, "roll"), to)
    text = told()
    assert "from another address" in text
    assert "asked now" not in text and "/mails/answer/" not in text and "reply+" not in text
