"""Clubs and their matches against each other in every state, by the services that members use."""

from collections.abc import Sequence
from datetime import timedelta

from django.utils import timezone

from accounts.models import User
from accounts.names import skeleton
from config.lib import clock
from games.clubs import tasks
from games.clubs.forms.encounters import ChallengeForm
from games.clubs.models import Board, Encounter
from games.clubs.services.encounters import challenging, lining_up, summing
from games.models import Club, Match, Membership
from tests.factories import end, fresh, member

GAME = "yum-extra"
Role = Membership.Role


def people(number: int, first: str = "p") -> list[User]:
    """Return so many new members, in the order of their names."""
    return [member(f"{first}{place:03}") for place in range(1, number + 1)]


def club_of(name: str, members: Sequence[User], access: str = "open") -> Club:
    """Return a club of these members, the first of whom owns it."""
    club = Club.objects.create(name=name, skeleton=skeleton(name), access=access, size=len(members))
    roles = [Role.OWNER, *[Role.MEMBER] * (len(members) - 1)]
    Membership.objects.bulk_create(
        Membership(club=club, user=one, role=role) for one, role in zip(members, roles, strict=True)
    )
    return club


def two_clubs(each: int) -> tuple[Club, Club, list[User], list[User]]:
    """Return two clubs of so many members, and these."""
    one, other = people(each, "a"), people(each, "b")
    return club_of("Alpha", one), club_of("Beta", other), one, other


def owner(club: Club) -> User:
    return User.objects.get(memberships__club=club, memberships__role=Role.OWNER)


def challenged(own: Club, other: Club, **wishes) -> Encounter:
    """Return a challenge that was just made."""
    usual = {"game_slug": GAME, "options": {}, "seats": 2, "most_tables": 10, "pace_slug": "3d", "rated": True}
    at = wishes.pop("begins_at", clock.now() + timedelta(days=10))
    return challenging.challenge(
        user=owner(own), own_id=own.pk, other_id=other.pk, begins_at=at, **{**usual, "words": "", **wishes}
    )


def form_of(own: Club, **wishes) -> dict[str, str]:
    """Return what the form of a challenge sends."""
    begins = timezone.localtime(clock.now() + timedelta(days=3)).strftime("%Y-%m-%dT%H:%M")
    usual = {"own": own.pk, "game": "yum-extra", "seats": "2", "most_tables": "3", "pace": "3d", "begins_at": begins}
    fields = ChallengeForm(game_slug="yum-extra", clubs=[own]).fields.items()
    usual |= {name: str(field.initial) for name, field in fields if name.startswith("option_")}
    return {**usual, "rated": "rated", "words": "Come on", **wishes}


def accepted(own: Club, other: Club, **wishes) -> Encounter:
    """Return an encounter whose line-ups are open."""
    made = challenged(own, other, **wishes)
    return challenging.answer(encounter_id=made.pk, user=owner(other), accepts=True)


def lined_up(encounter: Encounter, members: Sequence[User]) -> None:
    for one in members:
        lining_up.say(encounter_id=encounter.pk, user=one, plays=True)


def begun(encounter: Encounter, hours) -> list[Board]:
    """Let its hour come; return its tables."""
    hours.go_by(hours=1 + (encounter.begins_at - clock.now()).total_seconds() // 3600)
    tasks.tend_encounters()
    return boards(encounter)


def boards(encounter: Encounter) -> list[Board]:
    return list(Board.objects.filter(encounter=encounter).order_by("number"))


def now(encounter: Encounter) -> Encounter:
    """Return the encounter as it stands; whole it must be."""
    found = Encounter.objects.get(pk=encounter.pk)
    assert summing.problems(found) == []
    return found


def end_board(board: Board, ranks: Sequence[int]) -> Match:
    """End its match with these ranks, in the order of seats."""
    return end(fresh(Board.objects.get(pk=board.pk).match), ranks)


def seated(board: Board) -> list[str]:
    """Return the names of who sits at a table, in the order of seats."""
    return list(board.places.order_by("seat").values_list("player__user__username", flat=True))
