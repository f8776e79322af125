"""Starting early: bots take the empty seats."""

import pytest

from games.models import Match
from games.services.lobby import closing, opening
from games.services.refusals import Invalid, NotOpen, NotYours
from tests.factories import fresh, opened, seated


def test_only_who_opened_the_table_may(ann, bob, eve):
    match = opened(ann)
    opening.join(match_id=match.pk, user=bob)
    for other in (bob, eve):
        with pytest.raises(NotYours):
            opening.start_with_bots(match_id=match.pk, user=other)
    assert fresh(match).status == Match.Status.OPEN


def test_a_level_that_the_game_has_not(ann):
    match = opened(ann)
    with pytest.raises(Invalid):
        opening.start_with_bots(match_id=match.pk, user=ann, level="genius")
    assert fresh(match).status == Match.Status.OPEN


def test_a_match_that_runs(ann, bob):
    match = seated(ann, bob)
    with pytest.raises(NotOpen):
        opening.start_with_bots(match_id=match.pk, user=ann)


def test_a_table_that_closed(ann):
    match = opened(ann)
    closing.leave(match_id=match.pk, user=ann)
    with pytest.raises(NotOpen):
        opening.start_with_bots(match_id=match.pk, user=ann)


def test_bots_take_the_empty_seats(ann, bob):
    match = opened(ann, size=4, bots=["strong"])
    opening.join(match_id=match.pk, user=bob)
    opening.start_with_bots(match_id=match.pk, user=ann)
    assert fresh(match).status == Match.Status.RUNNING
    assert [(s.user, s.bot) for s in match.seats.order_by("number")] == [
        (ann, ""),
        (bob, ""),
        (None, "easy"),
        (None, "strong"),
    ]


def test_who_inherited_the_table_starts_it(ann, bob):
    match = opened(ann)
    opening.join(match_id=match.pk, user=bob)
    closing.leave(match_id=match.pk, user=ann)
    opening.start_with_bots(match_id=match.pk, user=bob, level="strong")
    assert [(s.user, s.bot) for s in match.seats.order_by("number")] == [
        (None, "strong"),
        (bob, ""),
        (None, "strong"),
    ]
