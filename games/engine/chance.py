"""Sources of dice, shuffles and scatters: a seed, prepared draws, and recorders around either."""

import hmac
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeAlias

from games.engine.errors import brief

Draw: TypeAlias = list[int]

WORD = 1 << 32  # numbers are drawn from 32 bits
SPREAD_STEPS = 1 << 16  # each of the four parts of a scatter is one of so many integers


class Chance(Protocol):
    """One call is one draw."""

    def roll(self, n: int, sides: int = 6) -> Draw:
        """n numbers from 1 to `sides`."""

    def shuffle(self, n: int) -> Draw:
        """A permutation of range(n)."""

    def scatter(self, spread: int) -> Draw:
        """[dx, dy], bell-shaped, standard deviation `spread`, each within 4 times that."""


class ChanceMismatch(Exception):
    """A prepared draw does not have the shape that the game asks for, or none is left."""


class SeededChance:
    """Draws that follow from a seed, the same on every platform, cryptographically strong and unbiased.

    Draw k depends only on the seed, k and its kind: after k draws a match goes on with
    `SeededChance(seed, drawn=k)`.
    """

    def __init__(self, seed: bytes, drawn: int = 0) -> None:
        self._seed = seed
        self.drawn = drawn

    def roll(self, n: int, sides: int = 6) -> Draw:
        words = self._next_words()
        return [1 + _below(sides, words) for _ in range(n)]

    def shuffle(self, n: int) -> Draw:
        words = self._next_words()
        order = list(range(n))
        for last in range(n - 1, 0, -1):
            pick = _below(last + 1, words)
            order[last], order[pick] = order[pick], order[last]
        return order

    def scatter(self, spread: int) -> Draw:
        words = self._next_words()
        return [_bell(spread, words), _bell(spread, words)]

    def _next_words(self) -> Iterator[int]:
        words = _words(self._seed, self.drawn)
        self.drawn += 1
        return words


class ScriptedChance:
    """Returns prepared draws in order. ChanceMismatch when one does not fit the request."""

    def __init__(self, draws: Sequence[Draw]) -> None:
        self._draws = list(draws)
        self._used = 0

    @property
    def left(self) -> list[Draw]:
        """The unused draws."""
        return self._draws[self._used :]

    def roll(self, n: int, sides: int = 6) -> Draw:
        wanted = f"a roll of {n} numbers from 1 to {sides}"
        return self._next(wanted, n, lambda draw: all(1 <= number <= sides for number in draw))

    def shuffle(self, n: int) -> Draw:
        return self._next(f"a shuffle of {n}", n, lambda draw: sorted(draw) == list(range(n)))

    def scatter(self, spread: int) -> Draw:
        wanted = f"a scatter of spread {spread}"
        return self._next(wanted, 2, lambda draw: all(abs(offset) <= 4 * spread for offset in draw))

    def _next(self, wanted: str, size: int, fits: Callable[[Draw], bool]) -> Draw:
        if self._used == len(self._draws):
            raise ChanceMismatch(f"draw {self._used + 1} is missing: {wanted}")
        draw = self._draws[self._used]
        numbers = type(draw) is list and all(type(number) is int for number in draw)
        if not numbers or len(draw) != size or not fits(draw):
            raise ChanceMismatch(f"draw {self._used + 1} is {brief(draw)}, not {wanted}")
        self._used += 1
        return list(draw)


class PreparedChance:
    """Wraps another source: where a draw was prepared that has the shape asked for, that one is given instead."""

    def __init__(self, inner: Chance) -> None:
        self._inner = inner
        self.prepare(())

    def prepare(self, draws: Sequence[Draw | None]) -> None:
        """Prepare the next draws, in order; None leaves one to the other source."""
        self._draws, self._given = list(draws), 0
        self.used: list[int] = []
        """Which of the draws since then were prepared ones, from 0."""

    def roll(self, n: int, sides: int = 6) -> Draw:
        return self._prepared(self._inner.roll(n, sides), lambda chance: chance.roll(n, sides))

    def shuffle(self, n: int) -> Draw:
        return self._prepared(self._inner.shuffle(n), lambda chance: chance.shuffle(n))

    def scatter(self, spread: int) -> Draw:
        return self._prepared(self._inner.scatter(spread), lambda chance: chance.scatter(spread))

    def _prepared(self, drawn: Draw, again: Callable[[ScriptedChance], Draw]) -> Draw:
        """A draw of the other source is made in any case: what follows does not hang on what was prepared."""
        place, self._given = self._given, self._given + 1
        draw = self._draws[place] if place < len(self._draws) else None
        if draw is None:
            return drawn
        try:
            found = again(ScriptedChance([draw]))
        except ChanceMismatch:
            return drawn
        self.used.append(place)
        return found


class RecordedChance:
    """Wraps another source and records its draws, and of which kind each is (spec: chance.md, Draws)."""

    def __init__(self, inner: Chance) -> None:
        self._inner = inner
        self.draws: list[Draw] = []
        self.kinds: list[str] = []

    def take(self) -> list[Draw]:
        """The draws recorded since the last call."""
        return self.take_told()[0]

    def take_told(self) -> tuple[list[Draw], list[str]]:
        """The draws recorded since the last call, and their kinds."""
        told = self.draws, self.kinds
        self.draws, self.kinds = [], []
        return told

    def roll(self, n: int, sides: int = 6) -> Draw:
        return self._keep(self._inner.roll(n, sides), f"roll {n} {sides}")

    def shuffle(self, n: int) -> Draw:
        return self._keep(self._inner.shuffle(n), f"shuffle {n}")

    def scatter(self, spread: int) -> Draw:
        return self._keep(self._inner.scatter(spread), f"scatter {spread}")

    def _keep(self, draw: Draw, kind: str) -> Draw:
        self.draws.append(list(draw))
        self.kinds.append(kind)
        return draw


class RolledChance(RecordedChance):
    """Records its rolls of dice also by themselves, each with the number of sides."""

    def __init__(self, inner: Chance) -> None:
        super().__init__(inner)
        self.rolls: list[tuple[int, Draw]] = []

    def roll(self, n: int, sides: int = 6) -> Draw:
        faces = super().roll(n, sides)
        self.rolls.append((sides, list(faces)))
        return faces


def _words(seed: bytes, draw: int) -> Iterator[int]:
    """Endless 32-bit numbers: HMAC-SHA-256, keyed by the seed, of the draw's number and a block counter."""
    block = 0
    while True:
        digest = hmac.digest(seed, draw.to_bytes(8, "big") + block.to_bytes(8, "big"), "sha256")
        for start in range(0, 32, 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def _below(limit: int, words: Iterator[int]) -> int:
    """A uniform number below `limit`; words that would favour small numbers are rejected."""
    fair = WORD - WORD % limit
    return next(word for word in words if word < fair) % limit


def _bell(spread: int, words: Iterator[int]) -> int:
    """The sum of four uniform integers, scaled by whole-number arithmetic.

    Four uniform numbers of N steps have the variance (N² - 1) / 3; rounding adds 1/12, which is taken
    off beforehand, so that even small spreads are exact. The sum never exceeds 3.47 spreads.
    """
    total = sum(_below(SPREAD_STEPS, words) for _ in range(4)) - 2 * (SPREAD_STEPS - 1)
    top = math.isqrt((12 * spread * spread - 1) << 64)
    bottom = math.isqrt(4 * (SPREAD_STEPS * SPREAD_STEPS - 1) << 64)
    return (2 * total * top + bottom) // (2 * bottom)
