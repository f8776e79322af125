"""Saying no to an invitation."""

import pytest

from games import queries
from games.models import Match
from games.services import lobby
from games.services.refusals import NotInvited
from tests.factories import fresh, opened


def test_without_an_invitation_nothing_happens(ann, eve):
    match = opened(ann)
    lobby.decline(match_id=match.pk, user=eve)
    assert fresh(match).version == match.version


def test_who_declined_is_a_stranger_again(ann, bob, cem):
    match = opened(ann, access=Match.Access.INVITATION, invited=[bob, cem])
    lobby.decline(match_id=match.pk, user=bob)
    assert not queries.visible_to(bob).exists()
    assert queries.visible_to(cem).exists()
    assert fresh(match).version > match.version
    with pytest.raises(NotInvited):
        lobby.join(match_id=match.pk, user=bob)
