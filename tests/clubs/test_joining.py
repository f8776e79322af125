"""Coming to a club and leaving it: by a button, by asking, by invitation, by its link; and who cannot."""

from datetime import timedelta

import pytest

from accounts.models import Block, User
from config.lib import clock as present
from games.clubs.services import joining, locking, roles
from games.clubs.services.refusals import (
    ByInvitation,
    FullClub,
    NoClub,
    NotOfClub,
    NotThere,
    NotWelcome,
    OrganisersOnly,
    OwnerBlocked,
    OwnsIt,
    TooManyClubs,
    UnconfirmedMember,
)
from games.models import Membership
from games.moderation import members
from games.services.refusals import BlockedByOther, CannotWrite, GuestsCannot, HasBlocked, Invalid, NotAsked
from tests.clubs.arranged import INVITATION, REQUEST, made, said, state, whole
from tests.factories import WHY, confirmed_member, guest

pytestmark = pytest.mark.outgrown


def join(club, user, **more):
    return joining.join(club_id=club.pk, user=user, **more)


def test_anybody_joins_an_open_club_once_and_has_read_what_was_said(ann, bob):
    club = made(ann)
    line = said(club, ann)
    for _time in range(2):
        assert join(club, bob).seen == line.pk
    assert state(club, bob) == "in member" and whole(club)


def test_whoever_asks_waits_for_an_organiser(ann, bob, cem, eve):
    club = made(ann, cem, access=REQUEST)
    join(club, bob)
    join(club, bob)
    assert state(club, bob) == "asked" and whole(club)
    for user, refusal in ((cem, OrganisersOnly), (eve, NotOfClub), (bob, NotOfClub)):
        with pytest.raises(refusal):
            joining.let_in(club_id=club.pk, user=user, asker_id=bob.pk)
    joining.let_in(club_id=club.pk, user=ann, asker_id=bob.pk)
    assert state(club, bob) == "in member" and whole(club)
    with pytest.raises(NotThere):
        joining.let_in(club_id=club.pk, user=ann, asker_id=bob.pk)


def test_an_asking_is_withdrawn_or_refused_and_may_come_again(ann, bob):
    club = made(ann, access=REQUEST)
    join(club, bob)
    joining.withdraw(club_id=club.pk, user=bob)
    assert state(club, bob) == ""
    join(club, bob)
    joining.refuse(club_id=club.pk, user=ann, asker_id=bob.pk)
    assert state(club, bob) == ""
    join(club, bob)
    assert state(club, bob) == "asked"


def test_nobody_joins_a_club_by_invitation_unasked_but_by_its_link(ann, bob, cem):
    club = made(ann, access=INVITATION)
    for token in ("", "x", club.token[:-1]):
        with pytest.raises(ByInvitation):
            join(club, bob, token=token)
    join(club, bob, token=club.token)
    assert joining.invite(club_id=club.pk, user=ann, name="CEM") == cem
    assert state(club, cem) == "invited" and whole(club)
    join(club, cem)
    assert state(club, cem) == "in member" and whole(club)


def test_an_invitation_is_declined_or_taken_back(ann, bob):
    club = made(ann, access=INVITATION)
    joining.invite(club_id=club.pk, user=ann, name="bob")
    joining.withdraw(club_id=club.pk, user=bob)
    assert state(club, bob) == ""
    joining.invite(club_id=club.pk, user=ann, name="bob")
    joining.take_back(club_id=club.pk, user=ann, guest_id=bob.pk)
    with pytest.raises(ByInvitation):
        join(club, bob)


def test_inviting_who_has_asked_lets_them_in(ann, bob):
    club = made(ann, access=REQUEST)
    join(club, bob)
    joining.invite(club_id=club.pk, user=ann, name="bob")
    assert state(club, bob) == "in member" and whole(club)


def test_whom_nobody_can_invite(ann, bob, cem, eve):
    club = made(ann, bob)
    roles.remove(club_id=club.pk, user=ann, member_id=bob.pk)
    User.objects.filter(pk=cem.pk).update(invitations_from=User.Invitations.NONE)
    for name, refusal in (("nobody", Invalid), ("a\0", Invalid), ("ann", Invalid), ("bob", Invalid), ("cem", NotAsked)):
        with pytest.raises(refusal):
            joining.invite(club_id=club.pk, user=ann, name=name)
    with pytest.raises(NotOfClub):
        joining.invite(club_id=club.pk, user=eve, name="cem")
    Block.objects.create(blocker=ann, blocked=eve)
    with pytest.raises(HasBlocked):
        joining.invite(club_id=club.pk, user=ann, name="eve")
    Block.objects.update(blocker=eve, blocked=ann)
    with pytest.raises(BlockedByOther) as refusal:
        joining.invite(club_id=club.pk, user=ann, name="eve")
    assert "block" not in str(refusal.value)


def test_a_block_with_the_owner_keeps_out_in_neutral_words(ann, bob, cem):
    club = made(ann)
    Block.objects.create(blocker=ann, blocked=bob)
    Block.objects.create(blocker=cem, blocked=ann)
    for token in ("", club.token):
        with pytest.raises(NotWelcome) as refusal:
            join(club, bob, token=token)
        assert "block" not in str(refusal.value).lower()
        with pytest.raises(OwnerBlocked):
            join(club, cem, token=token)


def test_who_is_blocked_since_they_asked_is_not_let_in(ann, bob, cem):
    club = made(ann, cem, access=REQUEST)
    roles.make_organiser(club_id=club.pk, user=ann, member_id=cem.pk, wish=True)
    join(club, bob)
    Block.objects.create(blocker=ann, blocked=bob)
    with pytest.raises(NotThere):
        joining.let_in(club_id=club.pk, user=cem, asker_id=bob.pk)
    assert state(club, bob) == "asked" and whole(club)


def test_guests_the_unconfirmed_and_the_suspended_join_none(ann, bob, root):
    club = made(ann)
    with pytest.raises(GuestsCannot):
        join(club, guest())
    with pytest.raises(UnconfirmedMember):
        join(club, confirmed_member("una", "una@example.org", confirmed=False))
    members.suspend(moderator=root, member=bob, reason=WHY, until=present.now() + timedelta(days=1))
    with pytest.raises(CannotWrite):
        join(club, bob)


def test_limits_of_a_club_and_of_a_person(ann, bob, cem, eve, monkeypatch):
    monkeypatch.setattr(locking, "MOST_MEMBERS", 2)
    monkeypatch.setattr(locking, "MOST_JOINED", 2)
    monkeypatch.setattr(joining, "MOST_WAITING", 1)
    club, asking = made(ann, bob), made(eve, name="Asking", access=REQUEST)
    with pytest.raises(FullClub):
        join(club, cem)
    join(asking, bob)
    with pytest.raises(FullClub):
        join(asking, cem)
    made(bob, name="Own")
    with pytest.raises(TooManyClubs):
        joining.let_in(club_id=asking.pk, user=eve, asker_id=bob.pk)
    assert state(asking, bob) == "asked" and whole(asking) and whole(club)


def test_everybody_leaves_but_the_owner(ann, bob, cem):
    club = made(ann, bob)
    with pytest.raises(OwnsIt):
        joining.leave(club_id=club.pk, user=ann)
    with pytest.raises(NotOfClub):
        joining.leave(club_id=club.pk, user=cem)
    joining.leave(club_id=club.pk, user=bob)
    assert state(club, bob) == "" and whole(club)
    join(club, bob)
    assert whole(club)


def test_who_is_removed_is_kept_out_until_they_are_let_back(ann, bob):
    club = made(ann, bob)
    roles.remove(club_id=club.pk, user=ann, member_id=bob.pk)
    assert state(club, bob) == "out" and whole(club)
    for token in ("", club.token):
        with pytest.raises(NotWelcome):
            join(club, bob, token=token)
    joining.withdraw(club_id=club.pk, user=bob)  # which does not wash them clean
    assert state(club, bob) == "out"
    roles.let_back(club_id=club.pk, user=ann, member_id=bob.pk)
    join(club, bob)
    assert state(club, bob) == "in member" and whole(club)


def test_no_such_club(ann):
    for act in (join, lambda club, user: joining.leave(club_id=0, user=user)):
        with pytest.raises(NoClub):
            act(type("Club", (), {"pk": 0}), ann)
    assert not Membership.objects.exists()
