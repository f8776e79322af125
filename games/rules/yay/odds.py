"""The chances of a throw at a point, dice that land beside the board included (spec: yay.md, On the page)."""

from collections.abc import Iterator
from functools import cache
from itertools import product
from math import comb, factorial

from games.rules.yay.board import SPREAD, Board, Cell, Point, beside, edge, middle
from games.rules.yay.turns import DICE

UNIFORMS = 4
"""A die's distance from the aim, across and down, is a sum of so many uniform numbers (spec: engine.md, Chance)."""
BELL = SPREAD * (12 / UNIFORMS) ** 0.5
"""That sum of numbers from 0 to 1, less its mean, times this has the spread of a die."""


def stays(aim: Point, size: int) -> float:
    """The chance, from 0 to 1, that a die thrown at that aim lands on the board."""
    return _within(aim[0], edge(size)) * _within(aim[1], edge(size))


def _within(at: int, limit: int) -> float:
    """The chance that a die aimed at `at` lands from 0 to below `limit`, in one direction."""
    return _below(limit - 0.5 - at) - _below(-0.5 - at)


def _below(distance: float) -> float:
    """The chance that a die lands less than that distance beyond the aim, in one direction."""
    at = UNIFORMS / 2 + distance / BELL
    terms = ((-1.0) ** k * comb(UNIFORMS, k) * max(0.0, at - k) ** UNIFORMS for k in range(UNIFORMS + 1))
    return sum(terms, 0.0) / factorial(UNIFORMS)


@cache
def beats(total: int) -> tuple[float, ...]:
    """The chances that 0, 1, 2 and 3 dice on the board sum to more than `total`."""
    return tuple(
        sum(sum(faces) > total for faces in product(range(1, 7), repeat=dice)) / 6**dice for dice in range(DICE + 1)
    )


def chance_at(aim: Point, total: int, size: int) -> float:
    """The chance, from 0 to 1, that a throw at that aim sums to more than `total`."""
    stay = stays(aim, size)
    ways = (comb(DICE, dice) * stay**dice * (1 - stay) ** (DICE - dice) for dice in range(DICE + 1))
    return sum(way * beat for way, beat in zip(ways, beats(total), strict=True))


def threat(board: Board, cell: Cell, total: int) -> float:
    """The chance that a throw at the best of the free cells beside a cell beats `total`; 0 if none is free."""
    return max((chance_at(middle(near), total, board.size) for near in free_beside(board, cell)), default=0.0)


def free_beside(board: Board, cell: Cell) -> Iterator[Cell]:
    return (near for near in beside(cell, board.size) if board.at(near) is None)
