"""Whether a plan is possible at all."""

from collections.abc import Collection

from games.competitions.pairing.plan import ARENA, FORMATS, GROUPS, ROBIN, STAGED, Plan
from games.competitions.pairing.robin import MOST
from games.competitions.pairing.sizes import best_division


def refuse(plan: Plan, entrants: int, sizes: Collection[int]) -> str:
    """Return why the plan is impossible for so many entrants, as a code; empty when it is possible.

    `sizes` are the numbers of seats that the game has. `format`: no such format. `seats`: least, wished and
    most are not in order, or below two. `game`: the game is not played by so many. `rounds`, `advance`,
    `matches`: out of range (of each table somebody must stay behind). `few`: not one table. `many`: with so
    many, not everybody can meet everybody at tables of more than two.
    """
    if plan.format not in FORMATS:
        return "format"
    if not 2 <= plan.least <= plan.seats <= plan.most:
        return "seats"
    if not all(size in sizes for size in range(plan.least, plan.most + 1)):
        return "game"
    return _of_format(plan) or _of_number(plan, entrants)


def _of_format(plan: Plan) -> str:
    if plan.rounds < 0:
        return "rounds"
    if plan.format in STAGED and not 0 <= plan.advance < plan.least:
        return "advance"
    if plan.format == GROUPS and plan.matches < 1:
        return "matches"
    return ""


def _of_number(plan: Plan, entrants: int) -> str:
    if plan.format != ARENA and best_division(entrants, plan.seats, plan.least, plan.most) is None:
        return "few"
    if plan.format == ROBIN and plan.seats > 2 and entrants > MOST:
        return "many"
    return ""
