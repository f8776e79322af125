"""The first match of Yum EXTRA with a coach: four sixes, a steal, a Yum by an extra, and a triple."""

from typing import Any

from games.engine import Lesson, Step, View
from games.engine import gettext_noop as _
from games.rules.yum_extra.moves import COMBO_EXTRA, FIRST_ROLL
from games.rules.yum_extra.sheet import CELLS

PASS = {"type": "pass"}
ROLL = {"type": "roll"}
SCORE = {"type": "score"}
EXTRA = {"type": "extra"}
KEEP_EXTRA = _("An extra works only once in the whole match, and you still have a roll that costs nothing.")
TOO_SOON = _("That writes now and ends your turn, although you may still roll: another roll can only help here.")
NOT_THESE = _("Those are not the dice I mean: what you roll again may come out worse, so keep the ones that are alike.")


def facts(view: View) -> dict[str, Any]:
    """How many rows the bot has written, those stolen from it included: so many of its turns are over."""
    rows = [view["sheets"][1][cell] for cell in CELLS]
    return {"bots_turns": sum(row["pts"] is not None or row["stolen"] for row in rows)}


def bot_after_mine(turns: int, **more: Any) -> dict[str, Any]:
    """The bot's white die on the learner's dice, after so many of the bot's turns."""
    return {"active": 0, "phase": "combo", "to_move": [1], "bots_turns": turns, **more}


def mine(turns: int, **more: Any) -> dict[str, Any]:
    """The learner's own turn, after so many of the bot's."""
    return {"active": 0, "phase": "roll", "to_move": [0], "bots_turns": turns, **more}


LESSON = Lesson(
    setup=([1],),
    facts=facts,
    steps=(
        # The first turn: four sixes.
        Step(
            when=mine(0, rolls=0),
            says=_("Welcome! Press “Roll all five dice”."),
            points=("roll",),
            move=ROLL,
            draws=([6, 2, 6, 3, 1],),
        ),
        Step(
            when=mine(0, rolls=1, dice=[6, 2, 6, 3, 1]),
            says=_("Two sixes! Tap both to keep them, then roll the others."),
            points=("tray",),
            move={"type": "roll", "dice": [1, 3, 4]},
            others=((SCORE, TOO_SOON), (EXTRA, KEEP_EXTRA), (ROLL, NOT_THESE)),
            draws=([5, 1, 2],),
        ),
        Step(
            when=mine(0, rolls=2, dice=[6, 5, 6, 1, 2]),
            says=_("No six. Yours stay kept: press “Roll 3 dice”."),
            points=("roll",),
            move={"type": "roll", "dice": [1, 3, 4]},
            others=((SCORE, TOO_SOON), (EXTRA, KEEP_EXTRA), (ROLL, NOT_THESE)),
            draws=([6, 4, 6],),
        ),
        Step(
            when=mine(0, rolls=3, dice=[6, 6, 6, 4, 6]),
            says=_(
                "Four sixes! Three of a kind, Four of a kind and High roll all give 28, each written once: four alike "
                "is the rarest. Which one do you write?"
            ),
            points=("write-three_kind", "write-four_kind", "write-high_roll"),
            move={"type": "score", "cell": "four_kind"},
            or_move={"type": "score", "cell": ("three_kind", "high_roll")},
            others=(
                (
                    {"type": "score", "cell": "sixes"},
                    _("Sixes would give 24, Four of a kind 28, and four alike come rarely: Sixes will come again."),
                ),
                (SCORE, _("That gives away points: each row is written once only. Four of a kind gives 28.")),
                (EXTRA, _("The dice are good as they are: keep the extra for a turn in which one die is missing.")),
            ),
            draws=([2],),
        ),
        Step(
            when=bot_after_mine(0, **{"sheets.0.four_kind.pts": 28}),
            says=_(
                "Well chosen: Three of a kind and High roll are easily filled later. Now the bot rolls the white die: "
                "with one of your dice it may form a combo. All are listed here."
            ),
            points=("combos",),
        ),
        Step(
            when=bot_after_mine(0, **{"sheets.0.three_kind.pts": 28}),
            says=_(
                "28 as well, but Four of a kind, the rarer row, is still to fill. Now the bot rolls the white die: "
                "with one of your dice it may form a combo. All are listed here."
            ),
            points=("combos",),
        ),
        Step(
            when=bot_after_mine(0, **{"sheets.0.high_roll.pts": 28}),
            says=_(
                "28 as well, but any dice make a High roll, and four alike are rare. Now the bot rolls the white die: "
                "with one of your dice it may form a combo. All are listed here."
            ),
            points=("combos",),
        ),
        Step(
            when=bot_after_mine(0),
            says=_(
                "Your turn is over. Now the bot rolls the white die: with one of your dice it may form a combo. All "
                "are listed here."
            ),
            points=("combos",),
        ),
        Step(seat=1, when={"active": 0, "phase": "combo"}, move=PASS),
        # The bot's first turn, on which the learner steals.
        Step(
            when={"active": 1, "phase": "roll", "to_move": [1], "bots_turns": 0},
            says=_("The bot’s turn. Watch its dice: you will play on them, too."),
            points=("tray",),
        ),
        Step(seat=1, when={"active": 1, "rolls": 0, "bots_turns": 0}, move=FIRST_ROLL, draws=([5, 5, 2, 5, 1],)),
        Step(
            seat=1,
            when={"rolls": 1, "dice": [5, 5, 2, 5, 1]},
            move={"type": "roll", "dice": [2, 4]},
            draws=([5, 3],),
        ),
        Step(seat=1, when={"dice": [5, 5, 5, 5, 3]}, move={"type": "score", "cell": "fives"}, draws=([2],)),
        Step(
            when={"active": 1, "phase": "combo", "to_move": [0], "combos": ["steal"], "dice": [5, 5, 5, 5, 3]},
            says=_(
                "The bot wrote 20 in Fives. You now roll the white die on its dice, automatically: a 2, with the "
                "yellow 5 the combo Steal! Tap the 20 in the bot’s Fives, then “Steal”."
            ),
            points=("steal-fives-1",),
            move={"type": "steal", "cell": "fives"},
            others=(
                (
                    PASS,
                    _("You may pass, but a steal costs nothing: you get 20 points, and the bot loses them."),
                ),
                (
                    COMBO_EXTRA,
                    _("That extra rolls the white die again, and your Steal would be lost: keep it for a bad number."),
                ),
            ),
        ),
        # The second turn: a Yum by an extra.
        Step(
            when=mine(1, rolls=0, **{"sheets.0.fives.bonus": 20, "sheets.1.fives.stolen": True}),
            says=_(
                "Your Fives now has 20 as Bonus: it is written, and nobody can touch it. The bot’s Fives is struck "
                "out; it may write that row once more. Your turn: roll!"
            ),
            points=("row-fives",),
            move=ROLL,
            draws=([2, 2, 4, 2, 2],),
        ),
        Step(
            when=mine(1, rolls=0),
            says=_(
                "What a combo brings stands in the Bonus column, counts in place of the points, and can never be "
                "touched again. Your turn: roll!"
            ),
            points=("roll",),
            move=ROLL,
            draws=([2, 2, 4, 2, 2],),
        ),
        Step(
            when=mine(1, rolls=1, dice=[2, 2, 4, 2, 2]),
            says=_("Four twos! A fifth would be a Yum, 30 points: tap the twos to keep them, and roll the 4."),
            points=("tray",),
            move={"type": "roll", "dice": [2]},
            others=((SCORE, TOO_SOON), (EXTRA, KEEP_EXTRA), (ROLL, NOT_THESE)),
            draws=([6],),
        ),
        Step(
            when=mine(1, rolls=2, dice=[2, 2, 6, 2, 2]),
            says=_("Not yet. The four twos stay kept: just press “Roll one die”."),
            points=("roll",),
            move={"type": "roll", "dice": [2]},
            others=((SCORE, TOO_SOON), (EXTRA, KEEP_EXTRA), (ROLL, NOT_THESE)),
            draws=([1],),
        ),
        Step(
            when=mine(1, rolls=3, dice=[2, 2, 1, 2, 2]),
            says=_("No roll is left, but you have extras, each once a match: press “One die”, then the green 1."),
            points=("one-3", "reroll-3-2"),
            move={"type": "extra", "extra": "die", "die": 2},
            others=(
                (
                    SCORE,
                    _("These dice give 9 at most. An extra that you never use is worth nothing: try it first."),
                ),
                ({"type": "extra", "extra": "die"}, _("That die is a two: roll the green one, which is missing.")),
                (EXTRA, _("All five would roll again, your four twos too: take the extra for one die.")),
            ),
            draws=([2],),
        ),
        Step(
            when=mine(1, dice=[2, 2, 2, 2, 2]),
            says=_("Five alike: Yum! Write the 30."),
            points=("write-yum",),
            move={"type": "score", "cell": "yum"},
            others=(
                (
                    SCORE,
                    _("That row gives less than the 30 of Yum, which needs five alike: these are the dice for it."),
                ),
                (EXTRA, _("You cannot do better than five alike: write your Yum.")),
            ),
            draws=([3],),
        ),
        # The bot's second turn, on which the learner triples.
        Step(
            when={"active": 1, "phase": "roll", "to_move": [1], "bots_turns": 1},
            says=_(
                "The bot’s turn again. A Full house, three and two alike, gives 25; a straight of four 15, of five 20."
            ),
            points=("row-full_house",),
        ),
        Step(seat=1, when={"active": 1, "rolls": 0, "bots_turns": 1}, move=FIRST_ROLL, draws=([3, 3, 3, 6, 1],)),
        Step(
            seat=1,
            when={"rolls": 1, "dice": [3, 3, 3, 6, 1]},
            move={"type": "roll", "dice": [3, 4]},
            draws=([4, 4],),
        ),
        Step(seat=1, when={"dice": [3, 3, 3, 4, 4]}, move={"type": "score", "cell": "full_house"}, draws=([3],)),
        Step(
            when={
                "active": 1,
                "phase": "combo",
                "to_move": [0],
                "combos": ["triple"],
                "sheets.0.yum.pts": 30,
                "sheets.0.yum.bonus": None,
            },
            says=_(
                "Your white die was rolled automatically, a 3: with the bot’s green 3 that is Triple, a row of yours "
                "counts three times. Tap the 90 in your Yum, then “Triple”."
            ),
            points=("triple-yum",),
            move={"type": "triple", "cell": "yum"},
            others=(
                (
                    {"type": "triple"},
                    _("Three times the Yum is 90, more than three times any other row of yours."),
                ),
                (PASS, _("You may pass, but a Triple is rare: it makes 90 of the 30 of your Yum.")),
                (COMBO_EXTRA, _("The white die would roll again, and your Triple would be lost.")),
            ),
        ),
        # The end: what is left to be known.
        Step(
            when=mine(2, rolls=0, **{"sheets.0.yum.bonus": 90}),
            says=_(
                "Your Yum now has 90 as Bonus, for good. Other combos: Erase opens a row of yours again, Double counts "
                "it twice, Swap trades points, Transform makes an upper row a lower one. Roll!"
            ),
            points=("row-yum",),
            move=ROLL,
        ),
        Step(
            when=mine(2, rolls=0),
            says=_(
                "Other combos: Erase opens a row of yours again, Double counts it twice, Swap trades points, Transform "
                "makes an upper row a lower one. Roll!"
            ),
            points=("roll",),
            move=ROLL,
        ),
        Step(
            when=mine(2, rolls=1),
            says=_(
                "All six upper rows written bring a lucky roll, where 4, 5 or 6 gives 25 points. A zero is written "
                "only where no open row gives points. Now roll or write as you like."
            ),
            points=("row-lucky",),
        ),
        Step(
            when={"active": 0, "phase": "roll", "to_move": [0], "bots_turns": range(2, 14)},
            says=_(
                "Three extras, once each: one die, all five, the white die again. The match ends when a sheet is full, "
                "and the highest total wins. Now it is yours, without me: good luck!"
            ),
            last=True,
        ),
    ),
)
