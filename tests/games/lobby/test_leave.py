"""Getting up from a table before it starts."""

import pytest
from django.contrib.auth.models import AnonymousUser

from games.models import Match
from games.services.lobby import closing, opening
from games.services.refusals import NotOpen, NotYourSeat
from tests.factories import fresh, opened, seat, seated


@pytest.mark.parametrize("who", ["eve", "visitor"])
def test_who_does_not_sit_there(ann, eve, who):
    match = opened(ann)
    with pytest.raises(NotYourSeat):
        closing.leave(match_id=match.pk, user=eve if who == "eve" else AnonymousUser())
    assert seat(match, 0).user == ann


def test_a_running_match_is_not_left_like_this(ann, bob):
    match = seated(ann, bob)
    with pytest.raises(NotOpen):
        closing.leave(match_id=match.pk, user=bob)
    assert seat(match, 1).user == bob


def test_the_seat_is_free_again(ann, bob, cem):
    match = opened(ann)
    opening.join(match_id=match.pk, user=bob)
    closing.leave(match_id=match.pk, user=bob)
    assert seat(match, 1).is_free
    assert seat(match, 1).nonce == ""
    assert fresh(match).creator == ann
    opening.join(match_id=match.pk, user=cem)
    assert seat(match, 1).user == cem


def test_the_table_passes_to_who_sits_next(ann, bob, cem):
    match = opened(ann, size=4)
    opening.join(match_id=match.pk, user=bob)
    opening.join(match_id=match.pk, user=cem)
    closing.leave(match_id=match.pk, user=ann)
    assert fresh(match).creator == bob
    assert fresh(match).status == Match.Status.OPEN
    assert seat(match, 0).is_free


def test_nobody_comes_by_more_tables_than_they_may_open(ann, bob, cem):
    """An accomplice who opens tables and leaves them to another filled the lobby without end."""
    for _ in range(closing.MOST_OPEN):
        opened(bob)
    left_alone, with_another = opened(ann, size=3), opened(ann, size=4)
    for match, people in ((left_alone, [bob]), (with_another, [bob, cem])):
        for person in people:
            opening.join(match_id=match.pk, user=person)
        closing.leave(match_id=match.pk, user=ann)
    assert (fresh(left_alone).status, fresh(left_alone).ending) == (Match.Status.ENDED, Match.Ending.CLOSED)
    assert (fresh(with_another).status, fresh(with_another).creator) == (Match.Status.OPEN, cem)


def test_a_table_of_nobody_closes(ann, bob):
    match = opened(ann, bots=["easy"], invited=[bob])
    closing.leave(match_id=match.pk, user=ann)
    match = fresh(match)
    assert (match.status, match.ending) == (Match.Status.ENDED, Match.Ending.CLOSED)
    assert match.ended_at
    assert not match.invitations.filter(declined=False).exists()


def test_getting_up_twice(ann, bob):
    match = opened(ann)
    opening.join(match_id=match.pk, user=bob)
    closing.leave(match_id=match.pk, user=bob)
    with pytest.raises(NotYourSeat):
        closing.leave(match_id=match.pk, user=bob)
