"""What is read of the dice: how they fell in all matches of a game, in one match, and for one member."""

from collections.abc import Sequence

from accounts.models import User
from games.fairness import Fairness, Luck
from games.models import Match, Seat
from games.tally import FaceCount, Tally

LOOKED_AT = 50  # ended matches of a member


def fairness_of(game_slug: str) -> list[Fairness]:
    """Return the counts of each kind of dice of a game, six-sided first; empty before the first roll."""
    by_sides: dict[int, list[int]] = {}
    rows = FaceCount.objects.filter(game_slug=game_slug).order_by("sides", "face")
    for sides, count in rows.values_list("sides", "count"):
        by_sides.setdefault(sides, []).append(count)
    kinds = [Fairness(tuple(counts)) for sides, counts in by_sides.items() if sides > 1 and any(counts)]
    return sorted(kinds, key=lambda kind: (kind.sides != 6, kind.sides))


def counted_matches(game_slug: str) -> int:
    """Return how many matches of a game are in its counts."""
    return Tally.objects.filter(match__game_slug=game_slug, counted_at__isnull=False, problem="").count()


def luck_in(match: Match, seats: Sequence[Seat]) -> list[tuple[Seat, Luck]]:
    """Return the luck of each seat that rolled six-sided dice in a match that ended; empty until counted."""
    tally = Tally.objects.filter(match=match, counted_at__isnull=False).first()
    if tally is None or match.status != Match.Status.ENDED:
        return []
    return [
        (seat, Luck.of(tally.seats[str(seat.number)])) for seat in seats if str(seat.number) in tally.seats
    ]


def luck_of(member: User) -> Luck | None:
    """Return the luck of a member over their last counted matches; None when they rolled nothing."""
    seats = Seat.objects.filter(user=member, match__tally__counted_at__isnull=False)
    last = dict(seats.order_by("-match__ended_at").values_list("match_id", "number")[:LOOKED_AT])
    rolled = [0] * 6
    for match_id, counts in Tally.objects.filter(match_id__in=last).values_list("match_id", "seats"):
        for index, count in enumerate(counts.get(str(last[match_id]), ())):
            rolled[index] += count
    return Luck.of(rolled) if sum(rolled) else None
