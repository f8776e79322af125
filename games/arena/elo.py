"""Elo by maximum likelihood from pairs of results, with intervals that know which results hang together.

A place before another is a won game, the same place a drawn one, as by Bradley and Terry. What one deal of dice decides
hangs together, so results are given by such groups, and the spread is worked out of the groups' sums (the "sandwich").
"""

import math
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

SCALE = 400 / math.log(10)
NORMAL = 1.959964  # of 95 %
STEPS = 100
FLAT = 1e-9

Result: TypeAlias = tuple[int, int, float]
"""Two players, and what the first won of it: 1, 0.5 or 0."""
Matrix: TypeAlias = list[list[float]]


class Rating(NamedTuple):
    """A player's Elo, relative to the average of all, and half the width of its 95 % interval.

    `is_bounded` is whether the results bound it: who never lost, or never won, is as strong, or weak, as one likes.
    """

    elo: float
    plus_minus: float
    is_bounded: bool


def ratings(players: int, groups: Sequence[Sequence[Result]]) -> list[Rating]:
    """Return the rating of each player; of who met nobody, zero and unbounded."""
    results = [result for group in groups for result in group]
    bounded = _bounded(players, results)
    # A drawn game against each met opponent bounds what the results do not; where they do, nothing is added.
    added = [] if all(bounded) else sorted({(min(a, b), max(a, b), 0.5) for a, b, _won in results})
    strength = _fitted(players, [*results, *added])
    spread = _spread(players, strength, [*groups, *([one] for one in added)])
    return [
        Rating(SCALE * value, NORMAL * SCALE * math.sqrt(max(spread[n][n], 0.0)), bounded[n])
        for n, value in enumerate(strength)
    ]


def expected(first: float, second: float) -> float:
    """Return what a player of this strength (natural logarithm) wins of a game against another, on average."""
    return 1 / (1 + math.exp(second - first))


def _bounded(players: int, results: Sequence[Result]) -> list[bool]:
    """Return of each player whether one comes from it to everybody by lost games, and back."""
    beats = [set[int]() for _ in range(players)]
    for first, second, won in results:
        if won > 0:
            beats[first].add(second)
        if won < 1:
            beats[second].add(first)
    beaten = [{n for n in range(players) if who in beats[n]} for who in range(players)]
    return [len(_reached(n, beats)) == players and len(_reached(n, beaten)) == players for n in range(players)]


def _reached(start: int, ways: Sequence[set[int]]) -> set[int]:
    found, waiting = {start}, [start]
    while waiting:
        fresh = ways[waiting.pop()] - found
        found |= fresh
        waiting += fresh
    return found


def _fitted(players: int, results: Sequence[Result]) -> list[float]:
    """Return the strengths, with the average zero, that make these results likeliest: by Newton's steps."""
    strength = [0.0] * players
    for _step in range(STEPS):
        slope = [0.0] * players
        for first, second, won in results:
            surplus = won - expected(strength[first], strength[second])
            slope[first] += surplus
            slope[second] -= surplus
        change = _times(_inverse(_curvature(players, strength, results)), slope)
        largest = max(map(abs, change), default=0.0)
        damped = min(1.0, 2.0 / largest) if largest else 0.0
        strength = [value + damped * step for value, step in zip(strength, change, strict=True)]
        if largest < FLAT:
            break
    return strength


def _spread(players: int, strength: Sequence[float], groups: Sequence[Sequence[Result]]) -> Matrix:
    """Return the covariances of the strengths."""
    bread = _inverse(_curvature(players, strength, [result for group in groups for result in group]))
    meat = [[0.0] * players for _ in range(players)]
    for group in groups:
        pull: dict[int, float] = {}
        for first, second, won in group:
            surplus = won - expected(strength[first], strength[second])
            pull[first] = pull.get(first, 0.0) + surplus
            pull[second] = pull.get(second, 0.0) - surplus
        for a, one in pull.items():
            for b, other in pull.items():
                meat[a][b] += one * other
    return _product(_product(bread, meat), bread)


def _curvature(players: int, strength: Sequence[float], results: Sequence[Result]) -> Matrix:
    """Return how sharply the likelihood bends, with the average held at zero so that it can be inverted."""
    found = [[1.0 / players] * players for _ in range(players)]
    for first, second, _won in results:
        share = expected(strength[first], strength[second])
        weight = share * (1 - share)
        found[first][first] += weight
        found[second][second] += weight
        found[first][second] -= weight
        found[second][first] -= weight
    return found


def _inverse(matrix: Matrix) -> Matrix:
    """Return the inverse, by elimination; rows that say nothing stay zero."""
    size = len(matrix)
    rows = [[*row, *(float(n == number) for n in range(size))] for number, row in enumerate(matrix)]
    for column in range(size):
        best = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[best] = rows[best], rows[column]
        pivot = rows[column][column]
        if abs(pivot) < FLAT:
            rows[column] = [0.0] * (2 * size)
            continue
        rows[column] = [value / pivot for value in rows[column]]
        for number, row in enumerate(rows):
            if number != column and row[column]:
                factor = row[column]
                rows[number] = [value - factor * above for value, above in zip(row, rows[column], strict=True)]
    return [row[size:] for row in rows]


def _times(matrix: Matrix, vector: Sequence[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def _product(one: Matrix, other: Matrix) -> Matrix:
    columns = list(zip(*other, strict=True))
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in one]
