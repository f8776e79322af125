"""Ladders in every state, by the services that members use."""

from collections.abc import Sequence
from datetime import timedelta

from accounts.models import User
from games.ladders import tasks
from games.ladders.models import Challenge, Climber, Ladder
from games.ladders.services import challenging, places, standing
from games.models import Match, Outage
from tests.factories import end, fresh, member

GAME = "yum-extra"


def people(number: int, first: str = "p") -> list[User]:
    """Return so many new members, in the order of their names."""
    return [member(f"{first}{place:03}") for place in range(1, number + 1)]


def joined(members: Sequence[User], at_once: int = 3) -> Ladder:
    """Return the ladder, on which these have joined one after the other."""
    for one in members:
        standing.join(game_slug=GAME, user=one, at_once=at_once)
    return ladder()


def ladder() -> Ladder:
    return Ladder.objects.get(game_slug=GAME)


def climber(user: User) -> Climber:
    """Return where somebody stands now."""
    return Climber.objects.get(ladder__game_slug=GAME, user=user)


def place(user: User) -> int | None:
    return climber(user).place


def names() -> list[str]:
    """Return who stands on the ladder, from the top; whole it must be."""
    assert places.problems(ladder()) == []
    rows = Climber.objects.filter(ladder=ladder(), place__isnull=False).order_by("place")
    return [row.user.username if row.user else "-" for row in rows.select_related("user")]


def challenged(by: User, whom: User) -> Challenge:
    """Return a challenge that was just made."""
    return challenging.challenge(ladder_id=ladder().pk, user=by, climber_id=climber(whom).pk)


def playing(by: User, whom: User) -> Challenge:
    """Return a challenge whose match has begun."""
    made = challenged(by, whom)
    challenging.accept(challenge_id=made.pk, user=whom)
    return now(made)


def now(challenge: Challenge) -> Challenge:
    """Return the challenge as it stands."""
    return Challenge.objects.get(pk=challenge.pk)


def end_match(challenge: Challenge, *, won: bool | None) -> Match:
    """End its match: won by the challenger, lost, or (None) drawn; the ladder is not told yet."""
    match = fresh(Match.objects.get(pk=now(challenge).match_id))
    ranks = [1, 1] if won is None else [1, 2] if won == (challenge.seat == 0) else [2, 1]
    return end(match, ranks)


def play(by: User, whom: User, *, won: bool | None = True) -> Challenge:
    """Return a challenge that was played to its end and has counted."""
    made = playing(by, whom)
    end_match(made, won=won)
    tasks.tend()
    return now(made)


def outage(start, span: timedelta) -> None:
    Outage.objects.create(part="web", start=start, end=start + span)
