"""Elo for 2 to 8 players, as exact arithmetic: no database, no floating point (spec: site.md, Ratings).

Ratings and changes are whole hundredths of a point. Expected results are decimals of 28 digits, the same on
every machine; a change is rounded once, at its end, half to even.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import NamedTuple

START = 1500_00
FLOOR = 100_00
QUICK_MATCHES = 20  # the number of matches with the larger K
QUICK, SLOW = 40, 20  # the K of Elo, in points
SURE_AFTER = 10  # matches; before, a rating is provisional

_DIGITS = Context(prec=28, rounding=ROUND_HALF_EVEN)
_SPREAD = Decimal(400_00)
_ONE = Decimal(1)
_RESULTS = {-1: Decimal(1), 0: Decimal("0.5"), 1: Decimal(0)}


class Player(NamedTuple):
    """One player of a match: rating before it, rated matches before it, place in it (1 is best)."""

    rating: int
    matches: int
    rank: int


@dataclass(frozen=True)
class Duel:
    """One player against one opponent (by index): expected and actual result, points in hundredths."""

    opponent: int
    expected: Decimal
    result: Decimal
    points: Decimal


def k_factor(matches: int) -> int:
    """Return K, in points, for a player with so many rated matches in the game."""
    return QUICK if matches < QUICK_MATCHES else SLOW


def is_provisional(matches: int) -> bool:
    """Return whether a rating after so many matches is shown with a question mark."""
    return matches < SURE_AFTER


def expected(own: int, other: int) -> Decimal:
    """Return the expected result, from 0 to 1, of a rating against another."""
    power = _DIGITS.power(Decimal(10), _DIGITS.divide(Decimal(other - own), _SPREAD))
    return _DIGITS.divide(_ONE, _DIGITS.add(_ONE, power))


def duels(players: Sequence[Player], who: int) -> list[Duel]:
    """Return the duels of player `who` with each of the others, in their order."""
    me = players[who]
    share = _DIGITS.divide(Decimal(100 * k_factor(me.matches)), Decimal(len(players) - 1))
    found = []
    for number, other in enumerate(players):
        if number != who:
            chance = expected(me.rating, other.rating)
            result = _RESULTS[(me.rank > other.rank) - (me.rank < other.rank)]
            points = _DIGITS.multiply(share, _DIGITS.subtract(result, chance))
            found.append(Duel(number, chance, result, points))
    return found


def changes(players: Sequence[Player]) -> list[int]:
    """Return the change of each player's rating, none below the floor; for two players or more."""
    return [_change(players, who) for who in range(len(players))]


def _change(players: Sequence[Player], who: int) -> int:
    total = Decimal(0)
    for duel in duels(players, who):
        total = _DIGITS.add(total, duel.points)
    return moved(players[who].rating, int(total.to_integral_value(ROUND_HALF_EVEN)))


def moved(rating: int, delta: int) -> int:
    """Return a change of a rating, limited by the floor."""
    return max(FLOOR, rating + delta) - rating


def forecast(players: Sequence[Player], who: int) -> tuple[int, int]:
    """Return the change for player `who` as the only first, and as the only last."""
    gains = []
    for mine, theirs in ((1, 2), (2, 1)):
        ranked = [player._replace(rank=theirs) for player in players]
        ranked[who] = players[who]._replace(rank=mine)
        gains.append(_change(ranked, who))
    return gains[0], gains[1]


def whole(hundredths: int) -> int:
    """Return hundredths as whole points, as shown."""
    return int((Decimal(hundredths) / 100).to_integral_value(ROUND_HALF_EVEN))
