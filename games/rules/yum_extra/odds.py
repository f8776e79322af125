"""The exact worth of a throw: what each way to go on is expected to bring, with the rolls and extras left."""

from collections.abc import Sequence

from games.engine.throws import INDEX, KEEPS, NOTHING, PARTS, THROWS, Dice, expectations, parts_of

FOURS = tuple(parts_of(throw, [4]) for throw in THROWS)
"""For each throw: what can be kept of it when exactly one die is rolled."""


class Plan:
    """What to do with a throw, given what each final throw is worth and what using an extra costs.

    An extra's cost is what it would bring at another time; None for one that is gone.
    """

    def __init__(self, final: Sequence[float], die_cost: float | None, all_cost: float | None) -> None:
        self._final = final
        self._die_cost = die_cost
        self._all_cost = all_cost
        self._ahead: dict[tuple[int, bool, bool], list[float]] = {}

    def choose(self, dice: Dice, rolls: int) -> tuple[str, Dice]:
        """("score" | "roll" | "die" | "all", the dice to keep, sorted) with `rolls` still to make."""
        throw = INDEX[tuple(sorted(dice))]
        options = [(self._final[throw], "score", throw)]
        if rolls:
            options.append(self._best_keep("roll", 0, PARTS[throw], self._expected(rolls - 1, True, True)))
        if self._die_cost is not None:
            ahead = self._expected(rolls, False, True)
            options.append(self._best_keep("die", self._die_cost, FOURS[throw], ahead))
        if self._all_cost is not None:
            ahead = self._expected(rolls, True, False)
            options.append(self._best_keep("all", self._all_cost, (NOTHING,), ahead))
        _worth, action, keep = max(options, key=lambda option: option[0])
        return action, KEEPS[keep]

    def _best_keep(
        self, action: str, cost: float, keeps: tuple[int, ...], ahead: list[float]
    ) -> tuple[float, str, int]:
        keep = max(keeps, key=ahead.__getitem__)
        return ahead[keep] - cost, action, keep

    def _expected(self, rolls: int, die: bool, every: bool) -> list[float]:
        """What each kept set is worth before its roll, with so many rolls to follow.

        `die`, `every`: whether those extras are still unused (if they ever were there).
        """
        key = (rolls, die and self._die_cost is not None, every and self._all_cost is not None)
        if key not in self._ahead:
            self._ahead[key] = expectations(self._worths(*key))
        return self._ahead[key]

    def _worths(self, rolls: int, die: bool, every: bool) -> list[float]:
        """What each throw is worth with so many rolls and those extras left."""
        worths = list(self._final)
        if rolls:
            get = self._expected(rolls - 1, die, every).__getitem__
            worths = [max(worth, *map(get, parts)) for worth, parts in zip(worths, PARTS, strict=True)]
        if die:
            get = self._expected(rolls, False, every).__getitem__
            cost = self._die_cost or 0
            worths = [
                max(worth, max(map(get, fours)) - cost) for worth, fours in zip(worths, FOURS, strict=True)
            ]
        if every:
            again = self._expected(rolls, die, False)[NOTHING] - (self._all_cost or 0)
            worths = [max(worth, again) for worth in worths]
        return worths
