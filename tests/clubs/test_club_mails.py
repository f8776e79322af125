"""Mails of clubs: each once, thinned, only while they are true, and how to turn them off."""

import pytest
from django.core import mail

from accounts.models import User
from accounts.services.closing import close_account
from games.clubs.models import News
from games.clubs.services import joining, making, notices, roles, talking
from games.moderation import matches
from tests.clubs.arranged import INVITATION, REQUEST, made, said
from tests.factories import WHY, browser_of
from tests.mailing import deliver, prefer


def told() -> list:
    """Write and send the mails of clubs that are due now; return them, by their readers."""
    before = len(mail.outbox)
    notices.send_due()
    deliver()
    return sorted(mail.outbox[before:], key=lambda one: one.to)


@pytest.mark.outgrown
def test_who_is_invited_is_told_once_and_only_while_it_stands(ann, bob, cem):
    club = made(ann, access=INVITATION)
    joining.invite(club_id=club.pk, user=ann, name="bob")
    joining.invite(club_id=club.pk, user=ann, name="cem")
    joining.take_back(club_id=club.pk, user=ann, guest_id=cem.pk)
    (one,) = told()
    assert one.to == ["bob@example.org"] and one.subject == "Invitation to the club “Dice at Dawn”"
    for part in (one.body, one.alternatives[0][0]):
        assert "ann invites you to the club “Dice at Dawn”" in part and f"/clubs/{club.pk}/" in part
    assert told() == []


@pytest.mark.outgrown
def test_organisers_get_one_mail_while_some_wait(ann, bob, cem, eve):
    club = made(ann, access=REQUEST)
    for user in (bob, cem):
        joining.join(club_id=club.pk, user=user)
    assert [one.to for one in told()] == [["ann@example.org"]]
    joining.join(club_id=club.pk, user=eve)
    assert told() == []
    for user in (bob, cem, eve):
        joining.let_in(club_id=club.pk, user=ann, asker_id=user.pk)
    assert [one.subject for one in told()] == ["You belong to the club “Dice at Dawn” now"] * 3


def test_nobody_is_told_of_an_asking_that_is_answered(ann, bob):
    club = made(ann, access=REQUEST)
    joining.join(club_id=club.pk, user=bob)
    joining.withdraw(club_id=club.pk, user=bob)
    assert told() == []
    joining.join(club_id=club.pk, user=bob)
    joining.refuse(club_id=club.pk, user=ann, asker_id=bob.pk)
    (one,) = told()
    assert one.to == ["bob@example.org"] and "has not let you in this time" in one.body


def test_who_asks_again_is_not_told_that_they_were_not_let_in(ann, bob):
    club = made(ann, access=REQUEST)
    joining.join(club_id=club.pk, user=bob)
    joining.refuse(club_id=club.pk, user=ann, asker_id=bob.pk)
    joining.join(club_id=club.pk, user=bob)
    assert [one.to for one in told()] == [["ann@example.org"]]
    joining.refuse(club_id=club.pk, user=ann, asker_id=bob.pk)
    assert [one.to for one in told()] == [["bob@example.org"]]


def test_roles_a_removal_and_the_end_are_told(ann, bob, cem):
    club = made(ann, bob, cem)
    roles.make_organiser(club_id=club.pk, user=ann, member_id=bob.pk, wish=True)
    assert ["organiser" in one.body for one in told()] == [True]
    roles.hand_over(club_id=club.pk, user=ann, member_id=bob.pk)
    assert [one.subject for one in told()] == ["The club “Dice at Dawn” is yours now"]
    roles.remove(club_id=club.pk, user=bob, member_id=cem.pk)
    (one,) = told()
    assert "You no longer belong" in one.body and "bob" not in one.body
    making.dissolve(club_id=club.pk, user=bob)
    (one,) = told()
    assert one.to == ["ann@example.org"] and "was dissolved" in one.body
    assert "/clubs/\n" in one.body


@pytest.mark.outgrown
def test_a_mention_is_mailed_unless_it_was_read_or_hidden(ann, bob, root):
    club = made(ann, bob)
    line = said(club, ann, "@bob, tonight?")
    (one,) = told()
    assert "ann has mentioned you" in one.body and "tonight?" in one.body and f"/clubs/{club.pk}/chat/" in one.body
    line = said(club, ann, "@bob, and now?")
    talking.mark_read(club_id=club.pk, user=bob, last=line.pk)
    assert told() == []
    line = said(club, ann, "@bob, a rude word")
    matches.hide(moderator=root, line=line, reason=WHY)
    assert told() == []
    said(club, ann, "@bob?")
    joining.leave(club_id=club.pk, user=bob)
    assert told() == []


@pytest.mark.outgrown
def test_who_is_mentioned_again_and_again_has_one_mail_until_they_have_read(ann, bob):
    club = made(ann, bob)
    said(club, ann, "@bob!")
    assert len(told()) == 1
    for _time in range(3):
        line = said(club, ann, "@bob!!")
        assert told() == []
    talking.mark_read(club_id=club.pk, user=bob, last=line.pk)
    said(club, ann, "@bob, again?")
    assert len(told()) == 1
    joining.leave(club_id=club.pk, user=bob)
    assert not News.objects.exists()
    joining.join(club_id=club.pk, user=bob)
    said(club, ann, "@bob, back?")
    assert len(told()) == 1


def test_the_topic_is_turned_off_by_its_mail(ann, bob):
    club = made(ann, access=INVITATION)
    joining.invite(club_id=club.pk, user=ann, name="bob")
    (one,) = told()
    off = one.extra_headers["List-Unsubscribe"].strip("<>")
    browser_of().post(off[off.index("/mails/") :])
    assert "club" in User.objects.get(pk=bob.pk).topics_off
    joining.withdraw(club_id=club.pk, user=bob)
    joining.invite(club_id=club.pk, user=ann, name="bob")
    assert told() == [] and not News.objects.exists()


def test_one_mail_a_day_waits_and_a_french_reader_reads_french(ann, bob):
    prefer(bob, language="fr", mail_rhythm=User.Rhythm.DAILY)
    club = made(ann, access=INVITATION)
    joining.invite(club_id=club.pk, user=ann, name="bob")
    assert told() == []
    notices.tell_member(User.objects.get(pk=bob.pk))
    deliver()
    assert mail.outbox[-1].subject == "Invitation au club « Dice at Dawn »"


def test_a_closed_account_leaves_no_news_and_no_name(ann, bob):
    club = made(ann, access=INVITATION)
    joining.invite(club_id=club.pk, user=ann, name="bob")
    close_account(user_id=bob.pk)
    assert not News.objects.exists()
    assert club.name and told() == []
