"""How many people sit at each table (spec: tournaments.md, Tables)."""

from collections.abc import Iterator

FEW = 16  # up to so many people every division into tables is considered when blocks leave no even one
KINDS = 4  # of more people so many for each number of byes


def sizes(people: int, seats: int, least: int, most: int) -> list[int] | None:
    """Return the sizes of tables for so many people, largest first; None when they cannot all be seated.

    Tables have `seats` places, or one more or less where the number does not divide, and differ by more
    only where nothing else is possible.
    """
    fewest, many = max(1, -(-people // most)), people // least
    # With fewer tables all are too large, with more too small: the nearest possible number on either side is the best.
    nearest = {min(people // seats, many), max(-(-people // seats), fewest)}
    found = [_even(people, tables) for tables in nearest if fewest <= tables <= many]
    return min(found, key=lambda division: _cost(division, seats), default=None)


def divisions(people: int, seats: int, least: int, most: int) -> Iterator[tuple[int, list[int]]]:
    """Yield pairs of byes and sizes of tables, the best first: the fewest byes, then as `sizes` says.

    The first is what is done wherever blocks allow; the others are for where they do not.
    """
    for byes in range(max(0, people - least + 1)):
        left = people - byes
        kinds = _all(left, least, most) if people <= FEW else _nearly_even(left, least, most)
        ordered = sorted(kinds, key=lambda division: _cost(division, seats))
        yield from ((byes, division) for division in (ordered if people <= FEW else ordered[:KINDS]))


def best_division(people: int, seats: int, least: int, most: int) -> tuple[int, list[int]] | None:
    """Return the first of `divisions` without making the others; None when no table is possible."""
    for byes in range(max(0, people - least + 1)):
        found = sizes(people - byes, seats, least, most)
        if found is not None:
            return byes, found
    return None


def _cost(division: list[int], seats: int) -> tuple[int, int, int, int]:
    """Compare divisions: by the worst table, all, more tables (smaller ones are over sooner), evenness."""
    off = [abs(size - seats) for size in division]
    return max(off), sum(off), -len(division), sum(size * size for size in division)


def _even(people: int, tables: int) -> list[int]:
    size, larger = divmod(people, tables)
    return [size + 1] * larger + [size] * (tables - larger)


def _nearly_even(people: int, least: int, most: int) -> Iterator[list[int]]:
    """Yield the even divisions, and those where one seat more has gone from a table to another."""
    for tables in range(1, people // least + 1):
        even = _even(people, tables)
        if even[0] > most:
            continue
        yield even
        if tables > 1 and even[0] < most and even[-1] > least:
            yield [even[0] + 1, *even[1:-1], even[-1] - 1]


def _all(people: int, least: int, most: int) -> Iterator[list[int]]:
    """Yield every division, each largest first."""
    if people == 0:
        yield []
    for size in range(min(most, people), least - 1, -1):
        for rest in _all(people - size, least, size):
            yield [size, *rest]
