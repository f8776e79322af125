"""A member's ratings in the data export, and their removal when the account is closed."""

from typing import Any

from accounts.models import User
from games.models import Match, Seat
from leaderboards import ranks, rating
from leaderboards.models import Departed, Qualified, RatingChange, Standing
from leaderboards.queries import medals_of
from leaderboards.seasons import ALL_TIME


def leave_ratings(user: User) -> None:
    """Keep the member's rating, without their name, for the ends of the rated matches in which they sit.

    A hook of accounts (ON_ACCOUNT_CLOSING), before their seats are handed over: who is left does not lose a win.
    """
    seats = Seat.objects.filter(user=user, match__rated=True, match__status=Match.Status.RUNNING, substituted=False)
    own = dict(Standing.objects.filter(user=user, season=ALL_TIME).values_list("game_slug", "rating"))
    rows = seats.order_by("match_id").values_list("match_id", "number", "match__game_slug")
    Departed.objects.bulk_create(
        (Departed(match_id=match, seat=number, rating=own.get(slug, rating.START)) for match, number, slug in rows),
        ignore_conflicts=True,
    )


def leave_boards(user: User) -> None:
    """Remove the member from all boards, in Redis after commit; a hook of accounts (ON_ACCOUNT_CLOSING).

    Rating changes stay, with the member's former id, so that others' ratings can be replayed.
    """
    if standings := list(Standing.objects.filter(user=user)):
        Standing.objects.filter(user=user).delete()
        ranks.reflect(standings)


def rating_data(user: User) -> dict[str, Any]:
    """Return the ratings and each of their changes, in points, and the championships; a hook (DATA_EXPORTS)."""
    changes = RatingChange.objects.filter(user=user).select_related("settlement").order_by("settlement")
    return {
        "ratings": [
            {"game": row.game_slug, "season": row.season or None, "rating": row.rating / 100}
            | {"matches": row.matches, "wins": row.wins, "last_active": row.last_active.isoformat()}
            for row in Standing.objects.filter(user=user).order_by("game_slug", "season")
        ],
        "rating_changes": [
            {"match": row.settlement.match_id, "game": row.settlement.game_slug, "kind": row.settlement.kind}
            | {"at": row.settlement.at.isoformat(), "rank": row.rank}
            | {"before": row.before / 100, "after": row.after / 100}
            for row in changes
        ],
        "championships": [
            {"game": row.championship.game_slug, "season": row.championship.season, "seed": row.seed}
            for row in Qualified.objects.filter(user=user).select_related("championship").order_by("pk")
        ],
        "medals": [
            {"game": row.championship.game_slug, "season": row.championship.season, "place": row.place}
            for row in medals_of(user)
        ],
    }
