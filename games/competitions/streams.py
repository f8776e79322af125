"""What streams tell of tournaments: those in which somebody takes part, and places offered (spec: streams.md)."""

from typing import Any

from accounts.models import User
from games.api.services.concerns import Concern
from games.competitions import queries
from games.competitions.models import Entrant, Tournament

# Until they are over: how many rounds were drawn.
_TOURNAMENTS = """
    SELECT own.user_id AS user_id, contest.id AS subject,
        CASE contest.state WHEN 'open' THEN 1 ELSE 2 END
        + 10 * (SELECT COUNT(*) FROM competitions_round drawn WHERE drawn.tournament_id = contest.id) AS mark
    FROM competitions_entrant own JOIN competitions_tournament contest
        ON contest.id = own.tournament_id AND contest.state IN ('open', 'running')
    WHERE own."left" = ''"""
_PLACES = """
    SELECT asked.user_id AS user_id, asked.tournament_id AS subject, 1 AS mark
    FROM competitions_offer asked WHERE asked.state = 'open'"""


def _tournaments(user: User, numbers: list[int]) -> dict[int, dict[str, Any]]:
    """Return how these tournaments stand, of those in which the member takes or took part, and that they may see."""
    rows = Entrant.objects.filter(user=user, tournament__in=numbers).select_related("tournament")
    return {row.tournament_id: _told(row) for row in rows if queries.may_see(row.tournament, user)}


def _told(row: Entrant) -> dict[str, Any]:
    one: Tournament = row.tournament
    return {
        "name": one.name,
        "game": one.game_slug,
        "state": one.state,
        "round": len(queries.rounds_of(one)),
        "enters": not row.left,
    }


def _places(user: User, numbers: list[int]) -> dict[int, dict[str, Any]]:
    """Return the places that the member is asked to take in these tournaments."""
    return {
        one.tournament_id: {
            "name": one.tournament.name,
            "by": one.by.username if one.by else "",
            "gone": one.entrant.user.username if one.entrant.user else "",
            "reason": one.reason,
        }
        for one in queries.offers_to(user).filter(tournament__in=numbers)
    }


CONCERNS = (
    Concern("tournament", _TOURNAMENTS, _tournaments),
    Concern("place", _PLACES, _places),
)
