"""What keeps ratings from being bought: how often two may meet, and how long a match must have been played."""

from collections import Counter
from collections.abc import Collection
from datetime import timedelta
from itertools import combinations

from config.lib import clock
from games.engine import OPENING_MOVES, UnknownRules
from games.models import Match, Seat

WITHIN = timedelta(days=7)
MOST_OF_PAIR = 6  # rated matches of one game that two members begin within that time


def least_moves(match: Match) -> int:
    """Return how many moves two at least must have made in a rated match that is given up, so that it counts."""
    try:
        return match.game.opening_moves(match.options)
    except UnknownRules:
        return OPENING_MOVES


def pairs_at_limit(game_slug: str, user_ids: Collection[int]) -> list[tuple[int, int]]:
    """Return those pairs of these members who have begun as many rated matches of the game lately as count.

    Those called off do not count among them.
    """
    lately = Seat.objects.filter(match__rated=True, match__started_at__gt=clock.now() - WITHIN)
    rows = lately.filter(match__game_slug=game_slug, user_id__in=user_ids).exclude(
        match__ending=Match.Ending.CALLED_OFF
    )
    seated: dict[int, list[int]] = {}
    for match_id, user_id in rows.order_by("match_id", "user_id").values_list("match_id", "user_id"):
        seated.setdefault(match_id, []).append(user_id or 0)
    together = Counter(pair for people in seated.values() for pair in combinations(people, 2))
    return sorted(pair for pair, number in together.items() if number >= MOST_OF_PAIR)
