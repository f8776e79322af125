"""Signing up and withdrawing: refusals first, each in words."""

from datetime import timedelta

import pytest

from accounts.services.relationships import block
from config.lib import clock as site_clock
from games.competitions.models import Entrant, Tournament
from games.competitions.services import entering
from games.competitions.services.refusals import Closed, NoEntrant, NotWelcome, UnconfirmedEntrant
from games.moderation import members
from games.services.refusals import BlockedByOther, CannotWrite, Full, GuestsCannot, HasBlocked
from tests.competitions.arranged import announced, begun, entered, organiser, people
from tests.factories import WHY, confirmed_member, guest, moderator, placed


@pytest.fixture
def olga(db):
    return organiser()


def enter(tournament, user, token=""):
    return entering.enter(tournament_id=tournament.pk, user=user, token=token)


def test_guests_and_unconfirmed_do_not_take_part(olga):
    tournament = announced(olga)
    with pytest.raises(GuestsCannot):
        enter(tournament, guest())
    with pytest.raises(UnconfirmedEntrant):
        enter(tournament, confirmed_member("new", "new@example.org", confirmed=False))


def test_who_is_suspended_does_not_take_part(olga, eve):
    until = site_clock.now() + timedelta(days=3)
    members.suspend(moderator=moderator(), member=eve, reason=WHY, until=until)
    with pytest.raises(CannotWrite, match="suspended"):
        enter(announced(olga), eve)


def test_a_block_with_the_organiser_keeps_out(olga, ann, bob):
    tournament = announced(olga)
    block(blocker=olga, blocked=ann)
    block(blocker=bob, blocked=olga)
    with pytest.raises(BlockedByOther):
        enter(tournament, ann)
    with pytest.raises(HasBlocked):
        enter(tournament, bob)


def test_by_link_alone(olga, ann):
    tournament = announced(olga, access="link")
    for token in ("", "no", "ü"):
        with pytest.raises(NotWelcome):
            enter(tournament, ann, token)
    enter(tournament, ann, tournament.token)
    entering.withdraw(tournament_id=tournament.pk, user=ann)
    assert enter(tournament, ann).is_in  # who was there once knows it


def test_when_it_is_full_a_withdrawal_makes_room(olga, ann, bob, cem):
    tournament = announced(olga, most=2)
    entered(tournament, [ann, bob])
    with pytest.raises(Full):
        enter(tournament, cem)
    entering.withdraw(tournament_id=tournament.pk, user=bob)
    assert enter(tournament, cem).number == 3
    with pytest.raises(Full):
        enter(tournament, bob)


@pytest.mark.parametrize(
    ("wishes", "points", "why"),
    [
        ({"lowest_rating": 1600}, None, "rating of 1500"),
        ({"highest_rating": 1400}, None, "rating of 1500"),
        ({"lowest_rating": 1600}, 1599, "rating of 1599"),
        ({"least_ended": 3}, None, "3 ended matches are missing"),
        ({"least_ended": 1}, None, "1 ended match is missing"),
    ],
)
def test_conditions_are_told_with_what_is_missing(olga, ann, wishes, points, why):
    if points:
        placed(ann, points)
    tournament = announced(olga, **wishes)
    with pytest.raises(NotWelcome, match=why):
        enter(tournament, ann)
    assert why in entering.why_not(tournament, ann)
    assert not Entrant.objects.exists()


def test_within_the_conditions(olga, ann):
    placed(ann, 1650)
    assert enter(announced(olga, lowest_rating=1600, highest_rating=1700), ann).strength == 1650


def test_twice_is_once_and_nobody_comes_after_the_beginning(olga, ann):
    tournament = announced(olga)
    assert enter(tournament, ann) == enter(tournament, ann)
    running = begun(olga, people(2, "q"))
    with pytest.raises(Closed):
        enter(running, ann)


def test_withdrawing_takes_an_entry(olga, ann):
    tournament = announced(olga)
    with pytest.raises(NoEntrant):
        entering.withdraw(tournament_id=tournament.pk, user=ann)
    enter(tournament, ann)
    entering.withdraw(tournament_id=tournament.pk, user=ann)
    with pytest.raises(NoEntrant):
        entering.withdraw(tournament_id=tournament.pk, user=ann)
    Tournament.objects.update(state="cancelled", ended_at=site_clock.now())
    with pytest.raises(Closed):
        entering.withdraw(tournament_id=tournament.pk, user=ann)
