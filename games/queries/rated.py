"""What keeps ratings from being bought: how often two may meet, and how long a match must have been played."""

from collections import Counter
from collections.abc import Collection
from datetime import timedelta
from itertools import combinations

from django.db.models import QuerySet

from accounts.models import User
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

    A member and their bots are one, whichever sat there; with a bot, those count too whose opponent's account is closed
    since, as that may have been a bot: otherwise each new one could be beaten as often again. Those called off do not
    count.
    """
    answers = answering(user_ids)
    group = dict(User.objects.filter(owner__in=answers.values()).values_list("pk", "owner_id"))
    group |= {number: number for number in answers.values()}
    seated: dict[int, set[int]] = {}
    for match_id, user_id in _lately(game_slug).filter(user_id__in=group).values_list("match_id", "user_id"):
        seated.setdefault(match_id, set()).add(group[user_id or 0] or 0)
    together = Counter(pair for people in seated.values() for pair in combinations(sorted(people), 2))
    bots = {number for number, owner in answers.items() if number != owner}
    gone: Counter[int] = Counter()
    if bots:
        closed = _lately(game_slug).filter(former=True, match__in=list(seated)).order_by().values_list("match_id")
        gone.update(who for (match_id,) in closed.distinct() for who in seated[match_id])

    def count(one: int, other: int) -> int:
        first, second = sorted((answers[one], answers[other]))
        since = [gone[answers[met]] for met, bot in ((one, other), (other, one)) if bot in bots]
        return together[first, second] + max(since, default=0)

    return [pair for pair in combinations(sorted(user_ids), 2) if count(*pair) >= MOST_OF_PAIR]


def answering(user_ids: Collection[int]) -> dict[int, int]:
    """Return who answers for each of these: a bot's owner, everybody else for themselves."""
    owners = User.objects.filter(pk__in=user_ids, owner__isnull=False).values_list("pk", "owner_id")
    return {number: number for number in user_ids} | {bot: owner or 0 for bot, owner in owners}


def _lately(game_slug: str) -> QuerySet[Seat]:
    lately = Seat.objects.filter(match__rated=True, match__started_at__gt=clock.now() - WITHIN)
    return lately.filter(match__game_slug=game_slug).exclude(match__ending=Match.Ending.CALLED_OFF)
