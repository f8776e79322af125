"""Whether the counted dice are fair, and how lucky a few rolls were."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from accounts.models import User
from games.models import FaceCount, Match, Seat, Tally
from games.rules import games, get_game

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
        return 1 / self.sides

    @property
    def is_telling(self) -> bool:
        """Whether there are enough rolls for band and test: five of each face are expected."""
        return self.total >= ENOUGH * self.sides

    def share(self, face: int) -> float:
        """Return the share of rolls with this face (from 1)."""
        return self.counts[face - 1] / self.total

    @property
    def band(self) -> float:
        """The deviation within which all faces of fair dice are in 95 of 100 counts (normal, Bonferroni)."""
        z = _NORMAL.inv_cdf(1 - (1 - CONFIDENCE) / (2 * self.sides))
        return z * math.sqrt(self.expected * (1 - self.expected) / self.total)

    @property
    def chi_square(self) -> float:
        """Pearson's sum of squared deviations over the expected counts."""
        wanted = self.total / self.sides
        return sum((count - wanted) ** 2 for count in self.counts) / wanted

    @property
    def p_value(self) -> float:
        """The probability that fair dice deviate at least as much."""
        return chi_square_tail(self.chi_square, self.sides - 1)


def chi_square_tail(value: float, freedom: int) -> float:
    """Return the probability that a chi-square variable with so many degrees of freedom exceeds the value.

    Q(freedom/2, value/2), the upper incomplete gamma function, from Q(½, x) = erfc(√x) or Q(1, x) = e⁻ˣ by
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
    """Somebody's dice of one kind: the number of dice rolled, and of pips in all."""

    dice: int
    pips: int
    sides: int = 6

    @classmethod
    def of(cls, counts: Sequence[int]) -> "Luck":
        """Return the luck of rolls from the counts of faces, face 1 first."""
        pips = sum(face * count for face, count in enumerate(counts, 1))
        return cls(sum(counts), pips, len(counts))

    @property
    def average(self) -> float:
        return self.pips / self.dice

    @property
    def usual(self) -> float:
        return (self.sides + 1) / 2

    @property
    def above(self) -> float:
        """The probability that as many fair dice have fewer pips (half of the ties)."""
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
    """Return how many of a game's matches are counted."""
    number = FaceCount.objects.filter(game_slug=game_slug, sides=FaceCount.MATCHES).values_list("count", flat=True)
    return number.first() or 0


def luck_in_match(match: Match, seats: Sequence[Seat]) -> list[tuple[Seat, Luck]]:
    """Return the luck of each seat that rolled six-sided dice with pips; empty until the match is counted."""
    if match.status != Match.Status.ENDED or not match.game.has_pips:
        return []
    tally = Tally.objects.filter(match=match, counted_at__isnull=False).first()
    if tally is None:
        return []
    return [(seat, Luck.of(tally.seats[key])) for seat in seats if (key := str(seat.number)) in tally.seats]


def luck_of(member: User) -> Luck | None:
    """Return the luck of a member over their last 50 counted matches; None without rolls."""
    seats = Seat.objects.filter(user=member, match__tally__counted_at__isnull=False)
    return luck_in(dict(seats.order_by("-match__ended_at").values_list("match_id", "number")[:LOOKED_AT]))


def luck_in(seats: Mapping[int, int]) -> Luck | None:
    """Return the luck of these seats with pips, by their matches, as far as those are counted; None without rolls."""
    rolled = [0] * 6
    plain = [slug for slug in games() if not get_game(slug).has_pips]
    tallies = Tally.objects.filter(match_id__in=list(seats)).exclude(match__game_slug__in=plain)
    for match_id, counts in tallies.values_list("match_id", "seats"):
        for index, count in enumerate(counts.get(str(seats[match_id]), ())):
            rolled[index] += count
    return Luck.of(rolled) if sum(rolled) else None
