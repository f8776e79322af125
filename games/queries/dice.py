"""Whether counts of faces are those of fair dice, and how lucky a few rolls were: arithmetic alone."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from accounts.models import User
from games.models import FaceCount, Match, Seat, Tally

CONFIDENCE = 0.95
ENOUGH = 5
_NORMAL = NormalDist()


@dataclass(frozen=True)
class Fairness:
    """How often each face of a kind of dice came up, face 1 first."""

    counts: tuple[int, ...]

    @property
    def sides(self) -> int:
        return len(self.counts)

    @property
    def total(self) -> int:
        return sum(self.counts)

    @property
    def expected(self) -> float:
        """The share of each face of a fair die."""
        return 1 / self.sides

    @property
    def is_telling(self) -> bool:
        """Whether there are enough rolls for band and test: five of each face are to be expected."""
        return self.total >= ENOUGH * self.sides

    def share(self, face: int) -> float:
        """Return which part of all rolls showed this face (from 1)."""
        return self.counts[face - 1] / self.total

    @property
    def band(self) -> float:
        """How far a share may be off: with fair dice all faces are at once within it in 95 of 100 counts.

        By the normal approximation, the chance of being out shared evenly among the faces (Bonferroni).
        """
        z = _NORMAL.inv_cdf(1 - (1 - CONFIDENCE) / (2 * self.sides))
        return z * math.sqrt(self.expected * (1 - self.expected) / self.total)

    @property
    def chi_square(self) -> float:
        """Pearson's sum of squared deviations over the expected counts."""
        wanted = self.total / self.sides
        return sum((count - wanted) ** 2 for count in self.counts) / wanted

    @property
    def p_value(self) -> float:
        """How probable it is that fair dice deviate as much as these, or more."""
        return chi_square_tail(self.chi_square, self.sides - 1)


def chi_square_tail(value: float, freedom: int) -> float:
    """Return the probability that a chi-square variable with so many degrees of freedom exceeds the value.

    The upper incomplete gamma function Q(freedom/2, value/2), from Q(½, x) = erfc(√x) or Q(1, x) = e⁻ˣ by
    Q(a + 1, x) = Q(a, x) + xᵃe⁻ˣ/Γ(a + 1).
    """
    x = value / 2
    if x <= 0:
        return 1.0
    a = 0.5 if freedom % 2 else 1.0
    tail = math.erfc(math.sqrt(x)) if freedom % 2 else math.exp(-x)
    while a < freedom / 2:
        tail += math.exp(a * math.log(x) - x - math.lgamma(a + 1))
        a += 1
    return min(1.0, tail)


@dataclass(frozen=True)
class Luck:
    """What somebody's dice of one kind showed: how many were rolled, and how many pips in all."""

    dice: int
    pips: int
    sides: int = 6

    @classmethod
    def of(cls, counts: Sequence[int]) -> "Luck":
        """Return the luck of rolls by how often each face came up, face 1 first."""
        pips = sum(face * count for face, count in enumerate(counts, 1))
        return cls(sum(counts), pips, len(counts))

    @property
    def average(self) -> float:
        return self.pips / self.dice

    @property
    def usual(self) -> float:
        """The average of fair dice."""
        return (self.sides + 1) / 2

    @property
    def above(self) -> float:
        """In which part of as many fair rolls the pips would be fewer than these (half of the ties)."""
        spread = math.sqrt(self.dice * (self.sides**2 - 1) / 12)
        return _NORMAL.cdf((self.pips - self.dice * self.usual) / spread)


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


def luck_in_match(match: Match, seats: Sequence[Seat]) -> list[tuple[Seat, Luck]]:
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
