"""The engine of tournaments: who sits with whom, what a table is worth, who stands where (spec: tournaments.md).

It knows no database and no clock: the same arguments and the same chance give the same answer.
"""
# ruff: noqa: F401 (what the rest of the code may import of the engine)

from games.competitions.pairing.arena import sit
from games.competitions.pairing.needs import Need, need
from games.competitions.pairing.plan import (
    ARENA,
    FORMATS,
    GROUPS,
    KNOCKOUT,
    ROBIN,
    SWISS,
    Entrant,
    Plan,
    Result,
    Table,
    with_lots,
)
from games.competitions.pairing.points import BYE, FIRST, places, points
from games.competitions.pairing.refusals import refuse
from games.competitions.pairing.rounds import draw, rounds_of
from games.competitions.pairing.sizes import sizes
from games.competitions.pairing.standing import Line, standings
