"""What tests of single rules share: entrants, results and draws in one line each."""

from collections.abc import Iterable, Sequence

from games.competitions.pairing import Entrant, Plan, Result, Table, draw
from games.engine import SeededChance


def people(count: int, strengths: Sequence[int] = ()) -> list[Entrant]:
    """Entrants 1 … count, all as strong, or as strong as told."""
    return [Entrant(number, strengths[number - 1] if strengths else 1500) for number in range(1, count + 1)]


def over(round_: int, *places: Sequence[int], void: bool = False, away: Iterable[int] = ()) -> Result:
    """A table that ended so: (entrant, rank) or (entrant, rank, game points)."""
    complete = tuple((place[0], place[1], place[2] if len(place) > 2 else None) for place in places)
    return Result(round_, complete, void, frozenset(away))


def in_order(round_: int, table: Table) -> Result:
    """A table at which everybody ended in the order given, the first as the best."""
    return over(round_, *((number, rank) for rank, number in enumerate(table, 1)))


def by_number(round_: int, tables: Iterable[Table]) -> list[Result]:
    """Tables, their seats as told, at which the lower number always won."""
    return [over(round_, *((number, 1 + sorted(table).index(number)) for number in table)) for table in tables]


def drawn(
    plan: Plan, field: Iterable[Entrant], results: Iterable[Result] = (), apart: Iterable[set[int]] = (), seed: int = 1
) -> list[Table] | None:
    """A draw with a seed of its own."""
    return draw(plan, field, results, {frozenset(pair) for pair in apart}, SeededChance(b"seed %d" % seed))


def together(tables: Iterable[Table]) -> list[set[int]]:
    """Who sits with whom, whatever the order."""
    return sorted((set(table) for table in tables), key=sorted)
