"""What it costs to seat people together, as one whole number that compares like a list of aims.

The aims, each before the next: nobody sits with somebody they are kept apart from; no second bye before
everybody had one; the people who sit together met as seldom as possible (as few pairs as possible of those
who met most often, then of those who met once less, …); the wish of the format (neighbours in standing, or
strength spread).
"""

from collections.abc import Sequence
from dataclasses import dataclass

Bins = list[list[int]]
"""People by index at each table; the last one may be the bench, of those who have a bye."""


@dataclass(frozen=True)
class Costs:
    """Prices of pairs and of byes; people are indexes from 0."""

    extra: Sequence[dict[int, int]]
    """For each person: the price of sitting with another whom they met or are kept apart from."""
    near: Sequence[int]
    """The price of a pair by the distance of their levels."""
    level: Sequence[int]
    """Where each person is: standing or pot."""
    bench: Sequence[int]
    """The price of a bye for each person."""
    trouble: int
    """From this price on it is more than a wish of the format."""
    block: int
    """From this price on somebody sits with whom they must not."""

    def of(self, person: int, others: Sequence[int], skipped: int = -1) -> int:
        """Return what a person costs at a table with these others, `skipped` left out."""
        level, near, own, extra = self.level, self.near, self.level[person], self.extra[person]
        total = 0
        for other in others:
            if other not in (person, skipped):
                total += near[abs(own - level[other])]
                if other in extra:
                    total += extra[other]
        return total

    def whole(self, bins: Bins, bench: int) -> int:
        """Return what the whole arrangement costs; `bench` is the index of the bench, -1 without one."""
        pairs = sum(self.of(one, seated) for at, seated in enumerate(bins) if at != bench for one in seated)
        return pairs // 2 + (sum(self.bench[one] for one in bins[bench]) if bench >= 0 else 0)


def prices(
    *,
    met: Sequence[dict[int, int]],
    apart: Sequence[set[int]],
    byes: Sequence[int],
    rest: Sequence[int],
    level: Sequence[int],
    near: Sequence[int],
    pairs: int,
    even: int,
) -> Costs:
    """Return the costs: `met` counts meetings, `rest` says who has a bye sooner (the lowest first).

    `pairs` is the number of pairs that sit together: each aim weighs more than all of the next can come to.
    Only with `even` above 0 one meeting more is worth so many of a meeting less: all have met all sooner so.
    """
    fair = min(byes)
    unit = pairs * max(near) + sum(rest) + 1
    most = max((count for own in met for count in own.values()), default=0)
    meeting = [unit * (even or pairs + 1) ** count for count in range(most + 1)]
    top = meeting[-1] * (pairs + 1)
    second = [top * (len(byes) + 1) ** count for count in range(max(byes) - fair + 1)]
    block = second[-1] * (len(byes) + 1)
    extra = [{other: meeting[count - 1] for other, count in own.items() if count} for own in met]
    for person, kept in enumerate(apart):
        extra[person].update(dict.fromkeys(kept, block))
    bench = [price + (second[had - fair - 1] if had > fair else 0) for price, had in zip(rest, byes, strict=True)]
    return Costs(extra, near, level, bench, unit, block)
