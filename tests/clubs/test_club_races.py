"""Everything at the same moment, in threads with connections of their own: sizes true, one owner, no deadlock."""

from collections.abc import Callable, Iterable
from random import Random

import pytest
from django.core.exceptions import ValidationError

from accounts.services.closing import close_account
from games.clubs import tasks
from games.clubs.services import joining, locking, making, roles
from games.models import Club, Membership
from games.moderation import members as sanctions
from tests.clubs.arranged import REQUEST, made, said, state, whole
from tests.factories import WHY, member
from tests.leaderboards.test_at_once import at_once

pytestmark = [pytest.mark.both, pytest.mark.django_db(transaction=True)]

SEED = 20261130


def people(number: int) -> list:
    return [member(f"p{place:02}") for place in range(number)]


def tried(acts: Iterable[Callable[[], object]]) -> None:
    """Do these at once; a deadlock, or whatever else is no refusal, fails; every club is whole."""
    assert [one for one in at_once(acts) if not isinstance(one, ValidationError)] == []
    assert all(whole(club) for club in Club.objects.all())


def test_one_joins_as_many_clubs_at_once_as_one_may(monkeypatch):
    monkeypatch.setattr(locking, "MOST_JOINED", 3)
    owners = people(6)
    clubs = [made(one, name=f"Club number {number}") for number, one in enumerate(owners)]
    eve = member("eve")
    tried(lambda club=club: joining.join(club_id=club.pk, user=eve) for club in clubs)
    assert Membership.objects.filter(user=eve, state="in").count() == 3


def test_one_makes_as_many_at_once_as_one_may_and_two_of_one_name_are_one():
    ann, bob = people(2)
    tried(lambda number=number: made(ann, name=f"Ann {number}") for number in range(6))
    assert Club.objects.count() == 3
    tried([lambda: made(bob, name="The same")] * 4)
    assert Club.objects.filter(name="The same").count() == 1


def test_the_last_place_is_taken_once(monkeypatch):
    monkeypatch.setattr(locking, "MOST_MEMBERS", 2)
    ann, *others = people(6)
    club = made(ann)
    tried(lambda one=one: joining.join(club_id=club.pk, user=one) for one in others)
    assert Club.objects.get().size == 2


@pytest.mark.thin(1)
@pytest.mark.parametrize("turn", range(4))
def test_all_happens_to_a_club_at_once(turn):
    """Joining, asking, letting in, removing, handing over, closing, banning, talking, dissolving; then the sweep."""
    root = member("root", is_superuser=True, is_staff=True)
    ann, bob, *others = people(8)
    club = made(ann, bob, *others[:3], access=REQUEST)
    about = {"club_id": club.pk}
    acts = [
        *(lambda one=one: joining.join(**about, user=one) for one in others[3:]),
        *(lambda one=one: joining.let_in(**about, user=ann, asker_id=one.pk) for one in others[3:]),
        lambda: roles.make_organiser(**about, user=ann, member_id=bob.pk, wish=True),
        lambda: roles.hand_over(**about, user=ann, member_id=bob.pk),
        lambda: roles.hand_over(**about, user=ann, member_id=others[0].pk),
        lambda: roles.remove(**about, user=bob, member_id=others[1].pk),
        lambda: joining.leave(**about, user=others[1]),
        lambda: joining.leave(**about, user=ann),
        lambda: close_account(user_id=ann.pk),
        lambda: sanctions.ban(moderator=root, member=others[0], reason=WHY),
        lambda: said(club, bob, f"@{others[0].username} @{ann.username} hello"),
        lambda: joining.invite(**about, user=bob, name=others[4].username),
        tasks.tend,
        *([lambda: making.dissolve(**about, user=bob)] if turn % 2 else []),
    ]
    Random(SEED + turn).shuffle(acts)
    tried(acts)
    for _time in range(2):
        tasks.tend()
    assert all(whole(one) for one in Club.objects.all())
    assert state(club, ann) == state(club, others[0]) == ""
