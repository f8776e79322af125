"""Saying no to an invitation."""

import pytest

from games.models import Match
from games.queries import play
from games.services.lobby import closing, opening
from games.services.refusals import NotInvited
from tests.factories import fresh, opened


def test_without_an_invitation_nothing_happens(ann, eve):
    match = opened(ann)
    closing.decline(match_id=match.pk, user=eve)
    assert fresh(match).version == match.version


def test_who_declined_is_a_stranger_again(ann, bob, cem):
    match = opened(ann, access=Match.Access.INVITATION, invited=[bob, cem])
    closing.decline(match_id=match.pk, user=bob)
    assert not play.visible_to(bob).exists()
    assert play.visible_to(cem).exists()
    assert fresh(match).version > match.version
    with pytest.raises(NotInvited):
        opening.join(match_id=match.pk, user=bob)
