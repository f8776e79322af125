"""Tournaments in every state, by the services that members use."""

from collections.abc import Sequence
from datetime import timedelta
from random import Random
from typing import Any

from accounts.models import User
from config.lib import clock
from games.competitions import tasks
from games.competitions.models import Entrant, Place, Round, Table, Tournament
from games.competitions.services import announcing, entering
from games.models import Match, Seat
from tests.factories import end, fresh, member

USUAL: dict[str, Any] = {
    "name": "Autumn Cup",
    "game_slug": "yum-extra",
    "format": "swiss",
    "seats": 2,
    "pace_slug": "3d",
    "most": 100,
    "round_limit": 14 * 24 * 60,
}


def people(number: int, first: str = "p") -> list[User]:
    """Return so many new members, in the order of their names."""
    return [member(f"{first}{place:03}") for place in range(1, number + 1)]


def organiser(name: str = "olga") -> User:
    """Return a member who may organise: they have ended as many matches as it takes."""
    who, other = member(name), member(f"{name}s-friend")
    facts = {"game_slug": "yum-extra", "rules_version": 1, "size": 2, "status": "ended", "ending": "played"}
    rows = [Match(**facts, ended_at=clock.now()) for _match in range(announcing.LEAST_ENDED)]
    matches = Match.objects.bulk_create(rows)
    Seat.objects.bulk_create(
        Seat(match=match, number=number, user=one, rank=1)
        for match in matches
        for number, one in enumerate((who, other))
    )
    return who


def announced(by: User, **wishes: Any) -> Tournament:
    """Return a tournament as it was announced, which begins in a day."""
    usual = {**USUAL, "least": wishes.get("seats", 2), "begins_at": clock.now() + timedelta(days=1)}
    return announcing.announce(organiser=by, **usual | wishes)


def entered(tournament: Tournament, members: Sequence[User]) -> list[Entrant]:
    """Sign them up."""
    return [entering.enter(tournament_id=tournament.pk, user=one, token=tournament.token) for one in members]


def begun(by: User, members: Sequence[User], **wishes: Any) -> Tournament:
    """Return a tournament of these members whose first round is under way."""
    tournament = announced(by, **wishes)
    entered(tournament, members)
    announcing.begin_now(tournament_id=tournament.pk, user=by)
    tasks.tend()
    return now(tournament)


def now(tournament: Tournament) -> Tournament:
    """Return the tournament as it stands."""
    return Tournament.objects.get(pk=tournament.pk)


def running_tables(tournament: Tournament) -> list[Table]:
    """Return the tables that are played."""
    rows = Table.objects.filter(round__tournament=tournament, state=Table.State.RUNNING).select_related("match")
    return list(rows.order_by("round__number", "number"))


def end_table(table: Table, places: Sequence[int] | None = None) -> Match:
    """Let the match of a table end with these ranks by seat; without them the first seat wins."""
    assert table.match is not None
    match = fresh(table.match)
    return end(match, places or list(range(1, match.size + 1)))


def play_round(tournament: Tournament, rng: Random | None = None) -> None:
    """End every running table, by chance if one is given, and let the next round be drawn."""
    for table in running_tables(tournament):
        size = Place.objects.filter(table=table).count()
        places = list(range(1, size + 1))
        if rng is not None:
            rng.shuffle(places)
        end_table(table, places)
    tasks.tend()


def play_to_the_end(tournament: Tournament, rng: Random | None = None) -> Tournament:
    """Play all rounds."""
    for _round in range(50):
        play_round(tournament, rng)
        if now(tournament).state == Tournament.State.OVER:
            return now(tournament)
    raise AssertionError("this tournament does not end")


def rounds_of(tournament: Tournament) -> list[Round]:
    """Return its rounds."""
    return list(Round.objects.filter(tournament=tournament).order_by("number"))
