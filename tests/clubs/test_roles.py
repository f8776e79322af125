"""Owner and organisers: who makes whom what, that a club always has one owner, and passes on when theirs is gone."""

import pytest

from accounts.models import User
from accounts.services.closing import close_account
from games.clubs import tasks
from games.clubs.models import News
from games.clubs.services import joining, roles
from games.clubs.services.refusals import NotOfClub, NotThere, OrganisersOnly, OwnerOnly, OwnsIt
from games.models import Club, Membership
from games.moderation import members
from games.services.refusals import Invalid
from tests.clubs.arranged import REQUEST, made, state, whole
from tests.factories import WHY

pytestmark = pytest.mark.outgrown


def organiser(club, owner, member, wish=True):
    return roles.make_organiser(club_id=club.pk, user=owner, member_id=member.pk, wish=wish)


def remove(club, user, member):
    return roles.remove(club_id=club.pk, user=user, member_id=member.pk)


def test_the_owner_alone_makes_organisers(ann, bob, cem, eve):
    club = made(ann, bob, cem)
    organiser(club, ann, bob)
    assert state(club, bob) == "in organiser"
    for user, whom, refusal in (
        (bob, cem, OwnerOnly),
        (eve, cem, NotOfClub),
        (ann, eve, NotThere),
        (ann, ann, Invalid),
    ):
        with pytest.raises(refusal):
            organiser(club, user, whom)
    organiser(club, ann, bob, wish=False)
    assert state(club, bob) == "in member"
    assert not News.objects.filter(kind="organiser").exists()


def test_who_removes_whom(ann, bob, cem, eve):
    club = made(ann, bob, cem)
    organiser(club, ann, bob)
    for user, whom, refusal in (
        (cem, bob, OrganisersOnly),
        (bob, ann, OrganisersOnly),
        (bob, bob, Invalid),
        (eve, cem, NotOfClub),
        (bob, eve, NotThere),
    ):
        with pytest.raises(refusal):
            remove(club, user, whom)
    organiser(club, ann, cem)
    with pytest.raises(OwnerOnly):
        remove(club, bob, cem)
    remove(club, ann, cem)
    assert state(club, cem) == "out" and whole(club)


def test_the_owner_hands_over_and_may_leave_then(ann, bob, eve):
    club = made(ann, bob)
    for whom, refusal in ((ann, OwnsIt), (eve, NotThere)):
        with pytest.raises(refusal):
            roles.hand_over(club_id=club.pk, user=ann, member_id=whom.pk)
    roles.hand_over(club_id=club.pk, user=ann, member_id=bob.pk)
    assert (state(club, ann), state(club, bob)) == ("in organiser", "in owner") and whole(club)
    with pytest.raises(OwnerOnly):
        roles.hand_over(club_id=club.pk, user=ann, member_id=ann.pk)
    joining.leave(club_id=club.pk, user=ann)
    assert whole(club)


def test_a_closed_account_passes_its_club_to_the_longest_serving_organiser(ann, bob, cem, eve):
    club = made(ann, bob, cem, eve)
    organiser(club, ann, eve)
    organiser(club, ann, cem)
    close_account(user_id=ann.pk)
    assert state(club, cem) == "in owner" and whole(club)
    close_account(user_id=cem.pk)
    assert state(club, eve) == "in owner" and whole(club)
    close_account(user_id=eve.pk)
    assert state(club, bob) == "in owner" and whole(club)
    close_account(user_id=bob.pk)
    assert not Club.objects.exists() and not Membership.objects.exists()


def test_a_closed_account_is_gone_from_all_clubs(ann, bob):
    clubs = [made(ann, bob), made(ann, name="Asking", access=REQUEST)]
    joining.join(club_id=clubs[1].pk, user=bob)
    close_account(user_id=bob.pk)
    assert Membership.objects.count() == 2 and all(whole(club) for club in clubs)


def test_a_banned_owner_s_club_passes_on_and_a_suspended_one_s_does_not(ann, bob, cem, root):
    club, other = made(ann, bob), made(cem, bob, name="Other")
    members.ban(moderator=root, member=ann, reason=WHY)
    members.suspend(moderator=root, member=cem, reason=WHY, until=None)
    for _time in range(2):
        tasks.tend()
    assert state(club, ann) == "" and state(club, bob) == "in owner" and whole(club)
    assert state(other, cem) == "in owner" and whole(other)
    members.ban(moderator=root, member=bob, reason=WHY)
    tasks.tend()
    assert not Club.objects.filter(pk=club.pk).exists()
    assert User.objects.filter(pk=bob.pk).exists() and whole(other)
