"""The first match of YAM menteur with a coach: a truth, a doubt or not of one's own, a bluff or not of one's own."""

from typing import Any

from games.engine import Lesson, Step, View
from games.engine import gettext_noop as _
from games.rules.yam_menteur.moves import BELIEVE, DOUBT, FIRST_TRY

ROLL = {"type": "roll"}
ANNOUNCE = {"type": "announce"}
NOT_YET = _("You still have a try: what you announce now ends your throw, and these dice can become better.")
SIXES = _("Keep both sixes and roll the other three: a die that is rolled again is gone, and only sixes help in Sixes.")


def facts(view: View) -> dict[str, Any]:
    """How many turns are settled, and the thrower's own dice in order."""
    return {
        "settled": sum(tally["announced"] for tally in view["tally"]),
        "sorted": sorted(view["dice"]) if view["dice"] and view["tries"] else [],
    }


def throwing(settled: int, tries: int, *dice: int) -> dict[str, Any]:
    """The learner's own throw, after so many settled turns."""
    return {"phase": "throw", "to_move": [0], "settled": settled, "tries": tries, "sorted": list(dice)}


def caught(doubters: list[int]) -> dict[str, Any]:
    """The first bot's full house was a bluff that these doubted."""
    last = {"last.claim.combination": "full_house", "last.true": False, "last.doubters": doubters}
    return {"phase": "throw", "thrower": 2, "settled": 2, **last}


def announced(combination: str | tuple[str, ...], *points: int) -> dict[str, Any]:
    """The learner's last announcement, which nobody doubted."""
    claim = {"last.claim.combination": combination, "last.claim.points": points}
    return {"phase": "throw", "thrower": 1, "settled": 4, "last.thrower": 0, "last.doubters": [], **claim}


LESSON = Lesson(
    seats=3,
    minutes=4,
    setup=([6, 6, 5, 5, 4], [1, 2, 2, 3, 1], [2, 1, 3, 2, 1]),
    facts=facts,
    steps=(
        # The learner's first throw: the truth, and somebody doubts it.
        Step(
            when=throwing(0, 0),
            says=_("Welcome! Press “Roll all five dice”: they fall under your cup, and only you see them."),
            points=("roll",),
            move=ROLL,
            draws=([5, 3, 6, 2, 4],),
        ),
        Step(
            when=throwing(0, 1, 2, 3, 4, 5, 6),
            says=_(
                "2 3 4 5 6: a Large straight, 40 points! You may announce any row, true or not; a bluff that is found "
                "out costs you a cross. Press a row, then its points."
            ),
            points=("say-0",),
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
            says=_("The others now believe you or doubt you, in secret."),
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
        # The first bot bluffs, and the learner decides; the other bot doubts, so that the dice are shown.
        Step(
            when={"phase": "throw", "thrower": 1, "settled": 1, "last.doubters": []},
            says=_("Nobody doubted: the points are written, true or not, and the dice stay hidden. Now a bot throws."),
        ),
        Step(
            when={"phase": "throw", "thrower": 1, "settled": 1, "last.true": False},
            says=_(
                "Your bluff was found out: a cross for you, and who doubted writes the points. A second cross in the "
                "same row bars it: its points are lost. Now a bot throws."
            ),
        ),
        Step(
            when={"phase": "throw", "thrower": 1, "settled": 1},
            says=_(
                "It was true: you write it, and who doubted gets a cross in that row. A first cross takes no points; a "
                "second in the same row bars it: its points are lost. Now a bot throws."
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
                "A full house after one try: 1 throw in 26 is one. A bluff: each doubter writes 25. True: each doubter "
                "gets a cross. Who believes risks and wins nothing. Believe or doubt?"
            ),
            points=("doubt", "believe"),
            move=DOUBT,
            or_move=BELIEVE,
        ),
        Step(
            when={"phase": "answer", "thrower": (1, 2), "settled": range(1, 3), "your_answer": (True, False)},
            says=_("Nobody sees your answer before all have given theirs."),
        ),
        Step(seat=2, when={"prompt.phase": "answer", "thrower": 1, "settled": 1}, move=DOUBT),
        # The second bot is honest.
        Step(
            when=caught([0, 2]),
            says=_(
                "Well doubted: it was a bluff! The thrower writes nothing and gets a cross; each doubter whose row is "
                "empty writes the points. Now the next bot throws."
            ),
        ),
        Step(
            when=caught([2]),
            says=_(
                "It was a bluff: the thrower gets a cross, and who doubted writes the points. You believed something "
                "rare, and so won nothing. Now the next bot throws."
            ),
        ),
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
                "Twos for 6 after three tries: about every third turn that tries for it has that, and bluffers mostly "
                "say more. A right doubt wins 6, a wrong one costs a cross. Believe or doubt?"
            ),
            points=("doubt", "believe"),
            move=BELIEVE,
            others=(
                (
                    DOUBT,
                    _(
                        "You may. But who bluffs would rather bluff for more than 6: so modest a claim is mostly true, "
                        "and a cross would put your own row at risk."
                    ),
                ),
            ),
        ),
        Step(seat=1, when={"prompt.phase": "answer", "thrower": 2, "settled": 2}, move=BELIEVE),
        # The learner's second throw: poor dice, and the truth or a bluff.
        Step(
            when=throwing(3, 0) | {"last.doubters": ([0], [0, 1])},
            says=_(
                "It was true: written, and a cross for you in Twos, which takes no points yet. Had nobody doubted, the "
                "dice would have stayed hidden. Your throw again: roll!"
            ),
            points=("roll",),
            move=ROLL,
            draws=([6, 1, 4, 2, 6],),
        ),
        Step(
            when=throwing(3, 0),
            says=_("What nobody doubts is written, and its dice stay hidden to the end. Your throw again: roll!"),
            points=("roll",),
            move=ROLL,
            draws=([6, 1, 4, 2, 6],),
        ),
        Step(
            when=throwing(3, 1, 1, 2, 4, 6, 6),
            says=_(
                "You have three tries. Tap both sixes to keep them, and roll the rest: a die that you keep stays "
                "kept for the whole turn."
            ),
            points=("stage",),
            move={"type": "roll", "dice": [1, 2, 3]},
            others=((ROLL, SIXES), (ANNOUNCE, NOT_YET)),
            draws=([3, 5, 1],),
        ),
        Step(
            when=throwing(3, 2, 1, 3, 5, 6, 6),
            says=_("No third six yet: roll those three dice again, your last try."),
            points=("stage",),
            move={"type": "roll", "dice": [1, 2, 3]},
            others=((ROLL, SIXES), (ANNOUNCE, NOT_YET)),
            draws=([2, 1, 1],),
        ),
        Step(
            when=throwing(3, 3, 1, 1, 2, 6, 6),
            says=_(
                "Poor dice: Sixes give only 12, Chance 16. Sixes for 18 is a bluff, but a likely one; caught, you get "
                "a cross. The truth, or a bluff?"
            ),
            points=("say-sixes", "say-chance"),
            move={"type": "announce", "combination": "sixes", "points": (12, 18)},
            or_move={"type": "announce", "combination": "chance", "points": 16},
            others=(
                (
                    {"type": "announce", "combination": "yam"},
                    _("Five alike are rare, so many would doubt: a good bluff looks likely. Sixes for 18 does."),
                ),
                (
                    {"type": "announce", "combination": ("sixes", "chance"), "points": range(5, 16)},
                    _("True, but you hold more there: Sixes for 12 and Chance for 16 are just as true."),
                ),
                (
                    {"type": "announce", "combination": ("ones", "twos"), "points": (1, 2)},
                    _("True, but a row given away for so little: Sixes for 12 and Chance for 16 are just as true."),
                ),
                (
                    ANNOUNCE,
                    _("That is a bluff too. Is it a likely one? Sixes for 18 is: three sixes in three tries."),
                ),
            ),
        ),
        Step(
            when={"phase": "answer", "thrower": 0, "settled": 3},
            says=_(
                "Now they think. Whoever has written that row already, or lost it by crosses, wins nothing by "
                "doubting. Of a false Yam nobody ever writes the points."
            ),
        ),
        Step(
            seat=1,
            when={"prompt.phase": "answer", "thrower": 0, "settled": 3, "claim.combination": ("sixes", "chance")},
            move=BELIEVE,
        ),
        Step(
            seat=2,
            when={"prompt.phase": "answer", "thrower": 0, "settled": 3, "claim.combination": ("sixes", "chance")},
            move=BELIEVE,
        ),
        # The end: what came of the learner's own decision, and what is left to be known.
        Step(
            when=announced("sixes", 18),
            says=_(
                "Nobody doubted your 18: true or not, they count, and the dice stay hidden. Three of each number in "
                "the upper six rows make 63, and that brings 35 more."
            ),
        ),
        Step(
            when=announced(("sixes", "chance"), 12, 16),
            says=_(
                "Nobody doubted: written. The truth risks nothing; 18 would have brought more, if believed. Three of "
                "each number in the upper six rows make 63, and that brings 35 more."
            ),
        ),
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
                "Lesson done, this answer is yours alone; from the next on, “?” beside the headline tells the "
                "chances. The end: once somebody has no empty row left, all others have one last turn. The highest "
                "total wins."
            ),
            points=("doubt", "believe"),
            last=True,
        ),
        Step(
            when={"to_move": [0], "settled": range(4, 60)},
            says=_(
                "Lesson done; from the next question on, “?” beside the headline tells the chances. The end: once "
                "somebody has no empty row left, all others have one last turn. The highest total wins."
            ),
            last=True,
        ),
    ),
)
