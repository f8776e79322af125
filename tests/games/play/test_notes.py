"""Private notes on a match, and how far a person has seen it."""

from random import Random

import pytest

from games.services.lobby import opening
from games.services.play import moves
from games.services.refusals import NotYourSeat
from tests.factories import opened, play_on, seat, seated


def write(match, person, notes):
    moves.write_notes(match_id=match.pk, user=person, notes=notes)


def test_a_stranger_has_no_page_to_write_on(ann, bob, eve):
    match = seated(ann, bob)
    with pytest.raises(NotYourSeat):
        write(match, eve, "mine")


def test_each_their_own(ann, bob):
    match = seated(ann, bob)
    write(match, ann, "Bob saves his extras.")
    write(match, bob, "Ann\r\n\tbluffs — 骰子")
    assert seat(match, 0).notes == "Bob saves his extras."
    assert seat(match, 1).notes == "Ann\r\n\tbluffs — 骰子"


def test_they_change_nothing_of_the_match(ann, bob):
    match = seated(ann, bob)
    write(match, ann, "x")
    match.refresh_from_db(fields=["version"])
    assert match.version == 3


@pytest.mark.parametrize("when", ["before", "left", "after"])
def test_at_any_time(ann, bob, cem, when):
    match = opened(ann)
    if when != "before":
        for person in (bob, cem):
            opening.join(match_id=match.pk, user=person)
        moves.resign(match_id=match.pk, user=ann)
    if when == "after":
        moves.resign(match_id=match.pk, user=bob)
    write(match, ann, when)
    assert seat(match, 0).notes == when


def test_an_empty_page(ann, bob):
    match = seated(ann, bob)
    write(match, ann, "x")
    write(match, ann, "")
    assert seat(match, 0).notes == ""


def test_seen(ann, bob, eve):
    match = play_on(seated(ann, bob), Random(31), turns=7)
    for user in (ann, eve):
        moves.mark_seen(match_id=match.pk, user_id=user.pk)
    assert seat(match, 0).seen == 7
