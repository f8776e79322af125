"""The first match of YAY! with a coach: a cell of one's own, a throw repeated, and a number crossed out."""

from typing import Any

from games.engine import Lesson, Step, View
from games.engine import gettext_noop as _

SIZE = 6


BESIDE_A6 = {"to_move": [0], "first_turns.0": True, "grid.5.0.owner": 1, "grid.5.0.valid": True}
"""The bot holds the corner bottom left, whose number the learner crosses out."""
NEAR_A6 = {"type": "throw", "x": range(101), "y": range(500, 601)}
THROW = {"type": "throw"}
WRITE = {"type": "write"}


def facts(view: View) -> dict[str, Any]:
    """How many cells are filled, and the sum of the last throw."""
    throws = view["throws"]
    return {
        "filled": sum(cell is not None for row in view["grid"] for cell in row),
        "throws_made": len(throws),
        "sum": throws[-1]["sum"] if throws else 0,
    }


LESSON = Lesson(
    options={"size": SIZE},
    setup=([6, 5, 4], [1, 2, 3]),
    facts=facts,
    steps=(
        # The first turn: a cell of one's own.
        Step(
            when={"to_move": [0], "phase": "throw", "first_turns.0": False},
            says=_(
                "Welcome! Whoever holds the most cells wins. Aim at the middle of the board, then throw: the dice "
                "scatter around your aim."
            ),
            points=("field",),
            move={"type": "throw", "x": range(250, 351), "y": range(250, 351)},
            others=(
                (THROW, _("Near the rim dice easily roll off the board, and do not count then: aim at the middle.")),
            ),
            draws=([4, 3, 5], [-60, -40], [50, 30], [20, 70]),
        ),
        Step(
            when={"to_move": [0], "phase": "decide", "first_turns.0": False},
            says=_(
                "All dice on the board make your sum. Tap a lit cell, one that a die touches, to write it there: that "
                "cell is yours."
            ),
            points=("field",),
            move=WRITE,
        ),
        # The bot takes the corner.
        Step(
            when={"to_move": [1], "first_turns.1": False},
            says=_("Now the bot throws, by the same rules. A cell that is filled never becomes free again."),
        ),
        Step(
            seat=1,
            when={"phase": "throw", "first_turns.1": False},
            move={"type": "throw", "x": 60, "y": 540},
            draws=([2, 1, 3], [0, 0], [-10, 20], [5, 10]),
        ),
        Step(
            seat=1,
            when={"phase": "decide", "first_turns.1": False, "sum": 6},
            move={"type": "write", "row": 5, "col": 0},
        ),
        # The second turn: a throw that is too low, one more, and the bot's number goes.
        Step(
            when=BESIDE_A6 | {"phase": "throw", "filled": range(1, 5)},
            says=_(
                "The bot holds A6 with a 6. A higher number of yours in a cell beside it crosses the 6 out: aim at A6, "
                "the corner bottom left."
            ),
            points=("field",),
            move=NEAR_A6,
            others=(
                (
                    THROW,
                    _("There you would gain a cell, too; beside A6 you gain one, and the bot loses one."),
                ),
            ),
            draws=([2, 1, 1], [30, -30], [10, -60], [60, -80]),
        ),
        Step(
            when=BESIDE_A6 | {"phase": "decide", "throws_made": 1, "sum": 4},
            says=_(
                "Too low: an equal or higher number beside a cell keeps you out of it. Dare one more throw, again at "
                "A6! It must be higher than this one."
            ),
            points=("field",),
            move=NEAR_A6,
            others=(
                (
                    THROW,
                    _("That may well be higher, too; but only beside A6 would it cross out the 6 of the bot."),
                ),
                (
                    WRITE,
                    _("So low a number is soon crossed out itself, and 98 of 100 throws beat a 4: throw once more."),
                ),
            ),
            draws=([5, 4, 6], [20, -40], [50, -10], [40, -60]),
        ),
        Step(
            when=BESIDE_A6 | {"phase": "decide", "throws_made": 2, "sum": 15},
            says=_(
                "15! Write it beside A6, above it or to its right: the red cross marks the number that this crosses "
                "out."
            ),
            points=("field",),
            move={"type": "write", "row": 4, "col": 0},
            or_move={"type": "write", "row": 5, "col": 1},
            others=(
                (WRITE, _("There your 15 crosses out nothing: only a cell with a side on A6 takes it from the bot.")),
                (
                    THROW,
                    _(
                        "Only 10 of 216 throws beat 15. Any other is void, ends your turn, and costs you a number of "
                        "yours: write it."
                    ),
                ),
            ),
        ),
        Step(
            when={"to_move": [0], "phase": "cross"},
            says=_("That throw was not higher, so it is void: cross out one of your numbers, best the lowest."),
            points=("field",),
        ),
        # The bot's second turn, in the corner across.
        Step(
            when={"to_move": [1], "first_turns.1": True, "filled": range(2, 4)},
            says=_("A number that is crossed out counts for nobody, but its cell stays filled."),
        ),
        Step(
            seat=1,
            when={"phase": "throw", "first_turns.1": True, "grid.0.5": None, "filled": range(2, 5)},
            move={"type": "throw", "x": 540, "y": 60},
            draws=([6, 5, 3], [0, 0], [10, -20], [-5, -10]),
        ),
        Step(
            seat=1,
            when={"phase": "decide", "sum": 14, "grid.0.5": None},
            move={"type": "write", "row": 0, "col": 5},
        ),
        # The end: what is left to be known.
        Step(
            when={"to_move": [0], "phase": "throw", "first_turns.0": True},
            says=_(
                "The match ends once a whole row and a whole column are full; the most valid cells win, and the sum of "
                "their numbers breaks ties. Throw where you like!"
            ),
            points=("field",),
            move=THROW,
            draws=([4, 5, 2], [-20, 30], [25, 40], [10, -30]),
        ),
        Step(
            when={"to_move": [0], "phase": "decide", "first_turns.0": True},
            says=_(
                "Write, or dare another throw; if every cell you touch is kept from you, you may lock one. From here "
                "on the match is yours, without me: good luck!"
            ),
            last=True,
        ),
    ),
)
