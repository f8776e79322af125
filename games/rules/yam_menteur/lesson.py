"""The first match of YAM menteur with a coach: a true claim, a bluff found out, a bluff of one's own."""

from typing import Any

from games.engine import Lesson, Step, View
from games.engine import gettext_noop as _
from games.rules.yam_menteur.moves import BELIEVE, DOUBT, FIRST_TRY

ROLL = {"type": "roll"}
ANNOUNCE = {"type": "announce"}
NOT_YET = _("You still have a try: what you announce now ends your throw, and these dice can become better.")
OTHERS = _("Those dice are good: what you roll again is lost, so keep what fits and roll only the rest.")


def facts(view: View) -> dict[str, Any]:
    """How many turns are settled, and the thrower's own dice in order."""
    return {
        "settled": sum(tally["announced"] for tally in view["tally"]),
        "sorted": sorted(view["dice"]) if view["dice"] and view["tries"] else [],
    }


def throwing(settled: int, tries: int, *dice: int) -> dict[str, Any]:
    """The learner's own throw, after so many settled turns."""
    return {"phase": "throw", "to_move": [0], "settled": settled, "tries": tries, "sorted": list(dice)}


LESSON = Lesson(
    seats=3,
    minutes=5,
    setup=([6, 6, 5, 5, 4], [1, 2, 2, 3, 1], [2, 1, 3, 2, 1]),
    facts=facts,
    steps=(
        # The learner's first throw: the truth, and somebody doubts it.
        Step(
            when=throwing(0, 0),
            says=_("Welcome! The dice roll under your cup, and only you see them. Press “Roll all five dice”."),
            points=("roll",),
            move=ROLL,
            draws=([2, 3, 4, 5, 2],),
        ),
        Step(
            when=throwing(0, 1, 2, 2, 3, 4, 5),
            says=_(
                "2-3-4-5: a 6 makes a large straight, 40 points. Tap 2, 3, 4 and 5 to keep them, and roll the other 2 "
                "again."
            ),
            points=("stage",),
            move={"type": "roll", "dice": ([0], [4])},
            others=((ROLL, OTHERS), (ANNOUNCE, NOT_YET)),
            draws=([6],),
        ),
        Step(
            when=throwing(0, 2, 2, 3, 4, 5, 6),
            says=_(
                "Your large straight! Now you announce what you like, true or not. This is true: announce Large "
                "straight, 40."
            ),
            points=("say-large_straight",),
            move={"type": "announce", "combination": "large_straight"},
            others=(
                (
                    {"type": "announce", "combination": "yam"},
                    _("That is a bluff: whoever doubts it is right, and you get a cross. You hold 40 true points."),
                ),
                (ANNOUNCE, _("These dice truly give 40, in Large straight: less would be a pity, and a bluff a risk.")),
                (ROLL, _("You have the best straight there is: a die rolled again would only break it.")),
            ),
        ),
        Step(
            when={"phase": "answer", "thrower": 0, "settled": 0},
            says=_("Now each of the others believes you or doubts you, all at once and in secret."),
        ),
        Step(
            seat=1,
            when={"prompt.phase": "answer", "thrower": 0, "claim.combination": "large_straight"},
            move=DOUBT,
        ),
        Step(
            seat=2,
            when={"prompt.phase": "answer", "thrower": 0, "claim.combination": "large_straight"},
            move=BELIEVE,
        ),
        # The first bot bluffs.
        Step(
            when={"phase": "throw", "thrower": 1, "settled": 1},
            says=_(
                "What is true is written, and whoever doubted it gets a cross there; the second cross in a row bars it "
                "for good. Now a bot throws: its dice are hidden."
            ),
        ),
        Step(seat=1, when={"thrower": 1, "tries": 0, "settled": 1}, move=FIRST_TRY, draws=([5, 5, 2, 1, 6],)),
        Step(
            seat=1,
            when={"phase": "throw", "thrower": 1, "tries": 1, "settled": 1},
            move={"type": "announce", "combination": "full_house", "points": 25},
        ),
        Step(
            when={"prompt.phase": "answer", "claim.combination": "full_house", "tries": 1, "settled": 1},
            says=_(
                "A full house after a single try? Fewer than 4 of 100 first rolls are one. Doubt it: if it is a bluff, "
                "you write the 25."
            ),
            points=("doubt",),
            move=DOUBT,
            others=(
                (
                    BELIEVE,
                    _(
                        "Who believes wins nothing, and the bot would write 25. A wrong doubt would cost you one "
                        "cross, and only the second hurts."
                    ),
                ),
            ),
        ),
        Step(seat=2, when={"prompt.phase": "answer", "thrower": 1, "settled": 1}, move=BELIEVE),
        # The second bot is honest.
        Step(
            when={"phase": "throw", "thrower": 2, "settled": 2},
            says=_(
                "A bluff found out gives the thrower a cross, and the points to each doubter whose row is open. The "
                "next one throws, up to three tries."
            ),
        ),
        Step(seat=2, when={"thrower": 2, "tries": 0, "settled": 2}, move=FIRST_TRY, draws=([2, 2, 4, 6, 1],)),
        Step(
            seat=2,
            when={"thrower": 2, "tries": 1, "dice": [2, 2, 4, 6, 1]},
            move={"type": "roll", "dice": [2, 3, 4]},
            draws=([2, 5, 3],),
        ),
        Step(
            seat=2,
            when={"thrower": 2, "tries": 2, "dice": [2, 2, 2, 5, 3]},
            move={"type": "roll", "dice": [3, 4]},
            draws=([1, 6],),
        ),
        Step(
            seat=2,
            when={"phase": "throw", "thrower": 2, "dice": [2, 2, 2, 1, 6]},
            move={"type": "announce", "combination": "twos", "points": 6},
        ),
        Step(
            when={"prompt.phase": "answer", "claim.combination": "twos", "settled": 2},
            says=_(
                "Twos for 6 after three tries is likely true, and there is little to win: believe it. Nobody sees your "
                "answer before all have given theirs."
            ),
            points=("believe",),
            move=BELIEVE,
            others=(
                (
                    DOUBT,
                    _("For 6 points you would risk a cross, and the claim is a modest one: believe it."),
                ),
            ),
        ),
        Step(seat=1, when={"prompt.phase": "answer", "thrower": 2, "settled": 2}, move=BELIEVE),
        # The learner's second throw: a bluff.
        Step(
            when=throwing(3, 0),
            says=_("What nobody doubts is written, and its dice stay hidden to the end. Your throw again: roll!"),
            points=("roll",),
            move=ROLL,
            draws=([1, 4, 4, 6, 2],),
        ),
        Step(
            when=throwing(3, 1, 1, 2, 4, 4, 6),
            says=_("Keep the two fours and roll the rest. A die that you keep stays under its cup until you announce."),
            points=("stage",),
            move={"type": "roll", "dice": [0, 3, 4]},
            others=((ROLL, OTHERS), (ANNOUNCE, NOT_YET)),
            draws=([6, 2, 1],),
        ),
        Step(
            when=throwing(3, 2, 1, 2, 4, 4, 6),
            says=_("No third four yet: roll those three dice again, your last try."),
            points=("stage",),
            move={"type": "roll", "dice": [0, 3, 4]},
            others=((ROLL, OTHERS), (ANNOUNCE, NOT_YET)),
            draws=([3, 1, 5],),
        ),
        Step(
            when=throwing(3, 3, 1, 3, 4, 4, 5),
            says=_(
                "Bad dice: only 8 in Fours. So bluff, but modestly: announce Fours for 12, which looks like three "
                "fours in three tries."
            ),
            points=("say-fours",),
            move={"type": "announce", "combination": "fours", "points": 12},
            others=(
                (
                    {"type": "announce", "combination": "fours", "points": 8},
                    _("True and safe, but a poor use of the row. Try a bluff once: 12 is seldom doubted."),
                ),
                (
                    {"type": "announce", "combination": "yam"},
                    _("Five alike are rare, so many would doubt: a good bluff looks likely. Fours for 12 does."),
                ),
                (
                    ANNOUNCE,
                    _("If that is a bluff, is it a likely one? Fours for 12 is: three fours in three tries."),
                ),
            ),
        ),
        Step(
            when={"phase": "answer", "thrower": 0, "settled": 3},
            says=_("If somebody doubts a bluff, the doubters write the points, and you get a cross. Keep calm…"),
        ),
        Step(
            seat=1,
            when={"prompt.phase": "answer", "thrower": 0, "settled": 3, "claim.combination": "fours"},
            move=BELIEVE,
        ),
        Step(
            seat=2,
            when={"prompt.phase": "answer", "thrower": 0, "settled": 3, "claim.combination": "fours"},
            move=BELIEVE,
        ),
        # The end: what is left to be known.
        Step(
            when={"phase": "throw", "thrower": (1, 2), "settled": (4, 5)},
            says=_(
                "A bluff that nobody doubts counts like the truth. 63 in the upper six rows bring 35 more, so three of "
                "each are a good measure."
            ),
        ),
        Step(
            when={"prompt.phase": "answer", "settled": (4, 5)},
            says=_(
                "Your answer! Once a sheet is closed, all others have one last turn; the highest total wins. From here "
                "on the match is yours, without me: good luck!"
            ),
            points=("doubt", "believe"),
            last=True,
        ),
        Step(
            when={"to_move": [0], "settled": range(4, 60)},
            says=_(
                "You know the rest: the highest total wins. From here on the match is yours, without me: good luck!"
            ),
            last=True,
        ),
    ),
)
