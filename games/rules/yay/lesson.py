"""The first match of YAY! with a coach: a cell of one's own, a throw repeated, and a number crossed out."""

from typing import Any

from games.engine import Lesson, Step, View
from games.engine import gettext_noop as _

SIZE = 6


ABOVE_A6, RIGHT_OF_A6 = [4, 0], [5, 1]
BESIDE_A6 = {"to_move": [0], "first_turns.0": True, "grid.5.0.owner": 1, "grid.5.0.valid": True}
"""The bot holds the corner bottom left, whose number the learner crosses out."""
AT_B5 = {"type": "throw", "x": range(100, 201), "y": range(400, 501)}
IN_A6 = {"type": "throw", "x": range(100), "y": range(501, 601)}
NEAR_A6 = {"type": "throw", "x": range(201), "y": range(400, 601)}
THROW = {"type": "throw"}
WRITE = {"type": "write"}
LOCKED_A4 = {"grid.3.0.locked": True}


def facts(view: View) -> dict[str, Any]:
    """How many cells are filled, the throws of this turn, the sum of the last, and what it does beside A6."""
    throws, beside_a6 = view["throws"], [ABOVE_A6, RIGHT_OF_A6]
    return {
        "filled": sum(cell is not None for row in view["grid"] for cell in row),
        "throws_made": len(throws),
        "sum": throws[-1]["sum"] if throws else 0,
        "open": len(view["enterable"]),
        "open_beside_a6": sum(cell in view["enterable"] for cell in beside_a6),
        "closed_beside_a6": sum(cell in view["touched"] and cell not in view["enterable"] for cell in beside_a6),
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
                "Whoever holds the most cells wins. Tap the middle of the board to aim there, then press “Throw”. The "
                "dice scatter; one that lands beside the board counts nothing."
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
                "Each free cell that a die touches is lit, and shows your sum. Tap one to write it there, and the cell "
                "is yours: any will do now. In your first turn you throw only once."
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
                "The bot holds A6 with a 6. A higher number of yours in A5 or B6, the cells that share a side with it, "
                "crosses the 6 out. Aim at B5: from there dice reach both, and rarely leave the board."
            ),
            points=("field",),
            move=AT_B5,
            others=(
                (IN_A6, _("Aimed at the corner, half of the dice land beside the board and count nothing: aim at B5.")),
                (NEAR_A6, _("Near the rim more dice roll off the board: aim at B5, and they reach A5 and B6.")),
                (
                    THROW,
                    _("There you would gain a cell, too; beside A6 you gain one, and the bot loses one: aim at B5."),
                ),
            ),
            draws=([2, 1, 1], [-70, 70], [-90, 40], [-40, 20]),
        ),
        Step(
            when=BESIDE_A6 | {"phase": "decide", "throws_made": 1, "sum": 4, "closed_beside_a6": range(1, 3)},
            says=_(
                "Dashed cells are closed: the bot’s number beside them is equal or higher. Press “One more throw?” and "
                "throw at B5, as often as you dare! A throw that is not higher is void: you cross out one of your "
                "numbers, and your turn ends."
            ),
            points=("field", "one-more"),
            move=AT_B5,
            others=(
                (IN_A6, _("At the corner dice are lost: about half of the throws beat a 4; at B5, 88 of 100 do.")),
                (
                    THROW,
                    _("That may well be higher, too; but only beside A6 would it cross out the 6 of the bot."),
                ),
                (
                    WRITE,
                    _("So low a number is soon crossed out. At B5, 88 of 100 throws beat a 4: throw once more."),
                ),
            ),
            draws=([5, 4, 6], [-90, 30], [-50, 60], [-70, -10]),
        ),
        Step(
            when=BESIDE_A6
            | {"phase": "decide", "throws_made": 1, "filled": range(1, 5), "open": range(1, SIZE * SIZE)},
            says=_(
                "Write your sum in a lit cell, or dare another throw. If that is not higher, it is void, you cross out "
                "a number of yours, and your turn ends."
            ),
            points=("field",),
        ),
        Step(
            when=BESIDE_A6 | {"phase": "decide", "sum": 15, "open_beside_a6": range(1, 3)},
            says=_(
                "15! Write it in A5 or B6: the red cross marks the number that this crosses out. Numbers of your own "
                "never close a cell to you."
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
        # The bot's second turn: beside the 15 in A5 it touches only a cell that is closed to it.
        Step(
            when={"to_move": [1], "first_turns.1": True, "filled": range(2, 4)},
            says=_("A number that is crossed out counts for nobody, but its cell stays filled."),
        ),
        Step(
            seat=1,
            when={"phase": "throw", "first_turns.1": True, "grid.4.0.value": 15, "grid.3.0": None, "filled": 3},
            move={"type": "throw", "x": 60, "y": 400},
            draws=([5, 2, 3], [-30, 0], [-150, -70], [-140, 80]),
        ),
        Step(
            seat=1,
            when={"phase": "decide", "first_turns.1": True, "touched": [[3, 0]], "enterable": []},
            move={"type": "lock", "row": 3, "col": 0},
        ),
        # The end: what is left to be known.
        Step(
            when={"to_move": [0], "phase": "throw", "first_turns.0": True} | LOCKED_A4,
            says=_(
                "All that the bot touched was closed, so it locked a cell for everybody. The match ends once a row and "
                "a column have no free cell left. Most numbers that are not crossed out win, the sum breaks ties. "
                "Throw where you like!"
            ),
            points=("field",),
            move=THROW,
            draws=([4, 5, 2], [-20, 30], [25, 40], [10, -30]),
        ),
        Step(
            when={"to_move": [0], "phase": "throw", "first_turns.0": True},
            says=_(
                "If every cell that you touch is closed, you lock one, for everybody. The match ends once a row and a "
                "column have no free cell left. Most numbers that are not crossed out win, the sum breaks ties. Throw "
                "where you like!"
            ),
            points=("field",),
        ),
        Step(
            when={"to_move": [0], "phase": "decide", "first_turns.0": True},
            says=_(
                "Write, or dare another throw: if it is not higher, one of your numbers goes. If every cell you touch "
                "is closed, lock one or throw again. From here on the match is yours, without me: good luck!"
            ),
            last=True,
        ),
    ),
)
