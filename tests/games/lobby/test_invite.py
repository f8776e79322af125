"""Asking a member to a table."""

import pytest

from games.models import Match
from games.queries import play
from games.services.lobby import opening
from games.services.refusals import GuestsCannot, NotOpen, NotYourSeat
from tests.factories import fresh, opened, seated


def test_a_stranger_invites_nobody(ann, bob, eve):
    match = opened(ann)
    with pytest.raises(NotYourSeat):
        opening.invite(match_id=match.pk, user=eve, guests=[bob])
    assert not match.invitations.exists()


def test_a_guest_is_not_invited(ann, gus):
    match = opened(ann)
    with pytest.raises(GuestsCannot):
        opening.invite(match_id=match.pk, user=ann, guests=[gus])


def test_a_running_match_has_no_room(ann, bob, cem):
    match = seated(ann, bob)
    with pytest.raises(NotOpen):
        opening.invite(match_id=match.pk, user=ann, guests=[cem])


def test_who_sits_there_is_not_invited(ann, bob):
    match = opened(ann)
    opening.join(match_id=match.pk, user=bob)
    opening.invite(match_id=match.pk, user=ann, guests=[bob])
    assert not match.invitations.exists()


def test_anyone_at_the_table_invites(ann, bob, cem):
    match = opened(ann, size=4, access=Match.Access.INVITATION, invited=[bob])
    opening.join(match_id=match.pk, user=bob)
    opening.invite(match_id=match.pk, user=bob, guests=[cem])
    opening.invite(match_id=match.pk, user=ann, guests=[cem])
    assert list(match.invitations.values_list("user", flat=True)) == [cem.pk]


def test_who_is_invited_sees_the_table(ann, bob, eve):
    match = opened(ann, access=Match.Access.INVITATION, invited=[bob])
    assert list(play.visible_to(bob)) == [match]
    assert list(play.open_tables(bob)) == [match]
    assert list(play.my_matches(bob)) == [match]
    assert not play.visible_to(eve).exists()
    assert not play.open_tables(eve).exists()
    assert not play.my_matches(eve).exists()


def test_inviting_changes_no_seat(ann, bob):
    match = opened(ann)
    opening.invite(match_id=match.pk, user=ann, guests=[bob])
    assert [s.user for s in match.seats.order_by("number")] == [ann, None, None]
    assert fresh(match).status == Match.Status.OPEN
