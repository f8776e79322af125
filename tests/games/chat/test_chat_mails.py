"""Mails about the chat of one's matches, for who wants them; and answers to what one proposed."""

import pytest

from accounts.services import relationships
from games.models import Kind, Mail, Muted, Notice
from games.queries.play import seats_of
from games.services.chat import lines, mentions
from games.services.mail import unsubscribing
from games.services.play import moves
from tests.factories import browser_of, seated
from tests.mailing import MINUTE, prefer, send

pytestmark = [pytest.mark.usefixtures("clock"), pytest.mark.outgrown]


@pytest.fixture
def match(ann, bob, cem):
    match = seated(ann, bob, cem)
    match.seats.update(ask=None, asked_at=None, deadline=None)
    Notice.objects.all().delete()
    return match


def say(match, user, text="hello"):
    return lines.say(match=match, seats=seats_of(match), user=user, text=text)


def test_nobody_is_told_who_did_not_ask_for_it(match, ann):
    say(match, ann)
    assert send() == []
    assert not Notice.objects.exists()


def test_who_asked_for_it_is_told_once_until_they_have_read(match, ann, bob, cem, clock):
    prefer(bob, chat_mails=True)
    say(match, ann)
    say(match, cem)
    (message,) = send()
    assert message.to == [bob.email]
    assert "There is something new in the chat." in message.body
    assert f"/matches/{match.pk}/#chat" in message.body
    assert "hello" not in message.body
    last = say(match, ann)
    clock.forward(31 * MINUTE)
    assert send() == []
    mentions.mark_read(user_id=bob.pk, match_id=match.pk, last=last.pk)
    say(match, ann)
    assert len(send()) == 1


def test_what_was_read_meanwhile_is_not_told(match, ann, bob):
    prefer(bob, chat_mails=True)
    line = say(match, ann)
    mentions.mark_read(user_id=bob.pk, match_id=match.pk, last=line.pk)
    assert send() == []


def test_neither_of_ones_own_lines_nor_of_whom_one_muted_or_blocked(match, ann, bob, cem):
    for person in (ann, bob, cem):
        prefer(person, chat_mails=True)
    Muted.objects.create(user=bob, person=ann)
    relationships.block(blocker=cem, blocked=ann)
    say(match, ann)
    assert not Notice.objects.filter(kind=Kind.SAID).exists()


def test_a_mention_is_told_as_one_alone(match, ann, bob):
    prefer(bob, chat_mails=True)
    say(match, ann, "hello @bob")
    assert [notice.kind for notice in Notice.objects.all()] == ["mentioned"]


def test_spectators_lines_are_not_told(match, ann, eve):
    prefer(ann, chat_mails=True)
    say(match, eve)
    assert not Notice.objects.exists()


def test_the_setting_and_the_link_in_the_mail(match, ann, bob):
    form = {"topics": ["turn", "chat"], "rhythm": "each", "digest_hour": "8"}
    browser = browser_of(bob)
    assert "chat" not in browser.get("/settings/mails/").context["form"].initial["topics"]
    browser.post("/settings/mails/", form)
    bob.refresh_from_db()
    assert bob.chat_mails and "chat" not in bob.topics_off and "ended" in bob.topics_off
    unsubscribing.turn_off(bob.pk, ["chat"])
    bob.refresh_from_db()
    assert not bob.chat_mails and "chat" in bob.topics_off and "chat" not in bob.mail_off


@pytest.mark.parametrize(("what", "words"), [("pause", "pause the match"), ("call_off", "call the match off")])
def test_who_proposed_is_told_of_a_no(match, ann, bob, cem, what, words, clock):
    act = getattr(moves, f"wish_{what}")
    act(match_id=match.pk, user=ann, wish=True)
    Notice.objects.all().delete()
    act(match_id=match.pk, user=bob, wish=False)
    (message,) = send()
    assert message.to == [ann.email]
    assert f"bob would rather not {words}." in message.body
    act(match_id=match.pk, user=bob, wish=False)
    assert Mail.objects.count() == 1


def test_a_no_to_what_is_proposed_no_more_is_not_told(match, ann, bob):
    moves.wish_pause(match_id=match.pk, user=ann, wish=True)
    Notice.objects.all().delete()
    moves.wish_pause(match_id=match.pk, user=bob, wish=False)
    moves.wish_pause(match_id=match.pk, user=ann, wish=False)
    assert send() == []
