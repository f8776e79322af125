"""A member's ratings in the data export, and their removal when the account is closed."""

from typing import Any

from accounts.models import User
from leaderboards import ranks
from leaderboards.models import RatingChange, Standing


def leave_boards(user: User) -> None:
    """Remove the member from all boards, in Redis after commit; a hook of accounts (ON_ACCOUNT_CLOSING).

    Rating changes stay, with the member's former id, so that others' ratings can be replayed.
    """
    if standings := list(Standing.objects.filter(user=user)):
        Standing.objects.filter(user=user).delete()
        ranks.reflect(standings)


def rating_data(user: User) -> dict[str, Any]:
    """Return the member's ratings and each of their changes, in points; a hook (DATA_EXPORTS)."""
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
    }
