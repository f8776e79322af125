"""Sitting down: at open tables, by link, by invitation; the last one to sit down starts the match."""

import pytest
from django.test import Client

from games.models import Match
from games.services.lobby import closing, opening
from games.services.play import moves
from games.services.refusals import Full, GuestsCannot, NotInvited, NotOpen
from tests.factories import fresh, opened, seat, seated


def test_a_guest_sits_with_bots_only(ann, gus):
    match = opened(ann)
    with pytest.raises(GuestsCannot):
        opening.join(match_id=match.pk, user=gus)
    assert seat(match, 1).is_free


def test_a_full_table(ann, bob, cem):
    match = seated(ann, bob)
    with pytest.raises(Full):
        opening.join(match_id=match.pk, user=cem)


def test_an_ended_match(ann, bob, cem):
    match = seated(ann, bob)
    moves.resign(match_id=match.pk, user=ann)
    with pytest.raises(NotOpen):
        opening.join(match_id=match.pk, user=cem)


def test_a_closed_table(ann, bob):
    match = opened(ann)
    closing.leave(match_id=match.pk, user=ann)
    with pytest.raises(NotOpen):
        opening.join(match_id=match.pk, user=bob)


def test_no_such_match(ann):
    with pytest.raises(Match.DoesNotExist):
        opening.join(match_id=404, user=ann)


@pytest.mark.parametrize("token", ["", "wrong", "é", "x" * 64])
def test_a_wrong_link(ann, bob, token):
    match = opened(ann, access=Match.Access.LINK)
    with pytest.raises(NotInvited):
        opening.join(match_id=match.pk, user=bob, token=token)


def test_the_link_of_another_table(ann, bob):
    match, other = opened(ann, access=Match.Access.LINK), opened(ann, access=Match.Access.LINK)
    with pytest.raises(NotInvited):
        opening.join(match_id=match.pk, user=bob, token=other.token)


def test_the_link_opens_no_table_by_invitation(ann, eve):
    match = opened(ann, access=Match.Access.INVITATION)
    with pytest.raises(NotInvited):
        opening.join(match_id=match.pk, user=eve, token=match.token)


def test_sitting_down(ann, bob):
    match = opened(ann)
    opening.join(match_id=match.pk, user=bob, nonce="bobs")
    assert (seat(match, 1).user, seat(match, 1).nonce) == (bob, "bobs")
    assert seat(match, 2).is_free
    assert fresh(match).status == Match.Status.OPEN
    assert fresh(match).version > match.version
    assert fresh(match).joined_at > match.joined_at


@pytest.mark.outgrown
def test_sitting_down_twice_is_once(ann, bob):
    match = opened(ann)
    opening.join(match_id=match.pk, user=bob, nonce="first")
    opening.join(match_id=match.pk, user=bob, nonce="second")
    assert [s.user for s in match.seats.order_by("number")] == [ann, bob, None]
    assert seat(match, 1).nonce == "first"


@pytest.mark.outgrown
def test_the_last_one_to_sit_down_starts_the_match(ann, bob, cem):
    match = seated(ann, bob, cem)
    assert match.status == Match.Status.RUNNING
    assert match.state
    assert match.seats.filter(ask__isnull=False).count() == 1


def test_whoever_sat_down_last_may_ask_again_after_the_start(ann, bob):
    match = seated(ann, bob)
    assert opening.join(match_id=match.pk, user=bob).pk == match.pk
    assert fresh(match).version == match.version


def test_by_link(ann, bob):
    match = opened(ann, size=2, access=Match.Access.LINK)
    opening.join(match_id=match.pk, user=bob, token=match.token)
    assert fresh(match).status == Match.Status.RUNNING


@pytest.mark.outgrown
def test_by_invitation(ann, bob):
    match = opened(ann, access=Match.Access.INVITATION, invited=[bob])
    opening.join(match_id=match.pk, user=bob)
    assert seat(match, 1).user == bob
    assert not match.invitations.exists()


def test_an_invitation_is_good_for_a_table_by_link_too(ann, bob):
    match = opened(ann, access=Match.Access.LINK, invited=[bob])
    opening.join(match_id=match.pk, user=bob)
    assert seat(match, 1).user == bob


@pytest.mark.outgrown
def test_invitations_end_when_the_match_starts(ann, bob, cem):
    match = opened(ann, size=2, invited=[bob, cem])
    opening.join(match_id=match.pk, user=bob)
    assert not match.invitations.filter(declined=False).exists()


def test_one_network_address_does_not_take_all_seats(settings, ann, bob, cem, eve):
    """Accounts that need no mailbox sat down everywhere, sixty times an hour each."""
    rates = settings.ACCOUNT_RATE_LIMITS
    settings.ACCOUNT_RATE_LIMITS = rates | {"join": rates["join"].replace("200/h/ip", "2/h/ip")}
    answers = []
    for person, address in ((bob, 1), (cem, 1), (eve, 1), (eve, 2)):
        client = Client(REMOTE_ADDR=f"203.0.113.{address}")
        client.force_login(person)
        answers.append(client.post(f"/matches/{opened(ann, size=4).pk}/join/").status_code)
    assert answers == [302, 302, 429, 302]


def test_guests_of_one_network_address_do_not_fill_the_worker_with_bots(settings, db):
    """Sixty an hour, each with twenty matches among bots: everybody else's bots took ten seconds for a move."""
    rates = settings.ACCOUNT_RATE_LIMITS
    settings.ACCOUNT_RATE_LIMITS = rates | {"table": rates["table"].replace("120/h/ip", "2/h/ip")}
    addresses = [f"203.0.113.{number}" for number in (1, 1, 1, 2)]
    played = [Client(REMOTE_ADDR=one).post("/games/yam-menteur/now/", {"lesson": "no"}) for one in addresses]
    assert [answer.status_code for answer in played] == [302, 302, 429, 302]
