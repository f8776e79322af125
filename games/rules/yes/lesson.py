"""The first match of ¥€$ with a coach: a country, the CASH marker, a purchase and a sale."""

from typing import Any

from games.engine import Lesson, Step
from games.engine import gettext_noop as _
from games.rules.yes.data import COUNTRIES, COUNTRY, OBJECTIVES

ROLL = {"type": "roll"}
KEEP = {"type": "keep"}
BUY = {"type": "buy"}
YES, NO, CASH, COUNTRY_DIE, BUY_DIE, SELL = range(1, 7)
"""The faces of the white dice."""
CARDS = 21
"""YES cards, and NO cards."""
DEALT = ("germany", "italy", "mexico", "kenya")
"""The learner's countries, three of them soon in Europe; the bot's and the next of the deck follow."""
BOTS = ("united_kingdom", "india", "bahamas", "peru")
NEXT = ("france", "morocco")
OBJECTIVES_KEPT = {"objectives.0": ["four_europe", "nine_goods"]}
KEEP_THEM = _("That costs 150,000 of your cash. Your two objectives fit your countries well: keep them for now.")


def deck(size: int, *top: int) -> list[int]:
    """A shuffle of so many cards with these on top."""
    return [*top, *(number for number in range(size) if number not in top)]


def objectives(*names: str) -> list[int]:
    return [OBJECTIVES.index(name) for name in names]


def mine(turn: int, phase: str, **more: Any) -> dict[str, Any]:
    """What the learner is asked, after so many rolls."""
    return {"to_move": [0], "turn": turn, "phase": phase, **more}


LESSON = Lesson(
    minutes=5,
    setup=(
        deck(len(COUNTRIES), *(COUNTRY[name].index for name in (*DEALT, *BOTS, *NEXT))),
        deck(len(OBJECTIVES), *objectives("four_europe", "nine_goods", "six_kinds", "dearest")),
        deck(CARDS, 0, 11),
        deck(CARDS, 0),
        [1],
    ),
    steps=(
        # The learner's first turn: a new country.
        Step(
            when=mine(0, "roll"),
            says=_(
                "Welcome! Whoever meets both their secret objectives, or has 1,000,000 in cash, wins at once. Yours "
                "stand at “Your objectives”. Roll the two white dice."
            ),
            points=("roll", "goals"),
            move=ROLL,
            others=(({"type": "exchange"}, KEEP_THEM),),
            draws=([COUNTRY_DIE, NO],),
        ),
        Step(
            when=mine(1, "choose"),
            says=_(
                "Choose the die that you carry out; your neighbour must carry out the other. COUNTRY brings you a new "
                "country free, NO is a bad card: keep COUNTRY."
            ),
            points=("keep-0-1",),
            move={"type": "keep", "die": 0},
            others=(
                (
                    KEEP,
                    _("Then you would draw the bad card, and the bot a country free. Keep COUNTRY, and it has the NO."),
                ),
                ({"type": "exchange"}, KEEP_THEM),
            ),
        ),
        # The bot's turn: its other die is the learner's.
        Step(
            when={"to_move": [1], "turn": 1},
            says=_("The goods on the map count for your objectives, and for CASH. Now the bot rolls."),
            points=("world",),
        ),
        Step(seat=1, when={"phase": "roll", "turn": 1}, move=ROLL, draws=([YES, CASH],)),
        Step(
            when={"to_move": [1], "turn": 2},
            says=_("The bot chooses one of its dice; the other one will be yours."),
            points=("ya",),
        ),
        Step(seat=1, when={"phase": "choose", "turn": 2}, move={"type": "keep", "die": 0}),
        Step(
            when=mine(2, "advance", marker=0),
            says=_(
                "CASH is yours: move the marker 1 to 3 spaces. The space pays 100,000 to whoever has the most goods "
                "there: in Europe, the third, that is you."
            ),
            points=("ya",),
            move={"type": "advance", "steps": 3},
            others=(
                (
                    {"type": "advance", "steps": 1},
                    _("In North America you and the bot have one good each, and would share: 50,000 for each."),
                ),
                (
                    {"type": "advance", "steps": 2},
                    _("In South America only the bot has a good: it would be paid the 100,000. Europe pays you."),
                ),
            ),
        ),
        # The learner's second turn: a purchase, and the bot must sell.
        Step(
            when=mine(2, "roll"),
            says=_("Cash buys countries, and a million of it wins. Your turn again: roll."),
            points=("roll",),
            move=ROLL,
            others=(({"type": "exchange"}, KEEP_THEM),),
            draws=([BUY_DIE, SELL],),
        ),
        Step(
            when=mine(3, "choose", **OBJECTIVES_KEPT),
            says=_(
                "BUY lets you buy a country of the bot, SELL makes one offer a country. You have cash, and need a "
                "fourth good in Europe: keep BUY."
            ),
            points=("keep-0-3",),
            move={"type": "keep", "die": 0},
            others=(
                (KEEP, _("Then you would offer a country of yours, and the bot would buy one of you: keep BUY.")),
                ({"type": "exchange"}, KEEP_THEM),
            ),
        ),
        Step(
            when=mine(3, "buy", **OBJECTIVES_KEPT, **{"countries.united_kingdom": 1}),
            says=_(
                "Buy the United Kingdom: your fourth good in Europe. It costs 80,000, or what the red die says if you "
                "gamble: 65,000 on average."
            ),
            points=("world", "ya"),
            move={"type": "buy", "country": "united_kingdom"},
            others=(
                (BUY, _("That one does not help your objective of four goods in Europe: the United Kingdom does.")),
            ),
        ),
        Step(
            when={"to_move": [1], "turn": 3, "phase": "offer"},
            says=_("Bought. The other die is SELL: as your left neighbour, the bot must offer one of its countries."),
        ),
        Step(
            seat=1,
            when={"phase": "offer", "turn": 3, "countries.india": 1},
            move={"type": "offer", "country": "india", "bank": True},
        ),
        Step(
            when=mine(3, "interest", **OBJECTIVES_KEPT, **{"sale.country": "india"}),
            says=_(
                "India is for sale. Whoever is interested rolls the red die for the price, and the highest takes it. "
                "Nine goods are your other objective: say yes."
            ),
            points=("want",),
            move={"type": "interest", "yes": True},
            others=(
                (
                    {"type": "interest", "yes": False},
                    _("You would save some money, but a good more brings you nearer to nine goods, and pays on CASH."),
                ),
            ),
            draws=([2],),
        ),
        # The bot's second turn: a YES card for the learner.
        Step(
            when={"to_move": [1], "turn": (3, 4), "phase": ("roll", "choose")},
            says=_("By the red die a country may be cheap or dear. The bot rolls again, and leaves you a die."),
            points=("ya",),
        ),
        Step(seat=1, when={"phase": "roll", "turn": 3}, move=ROLL, draws=([YES, COUNTRY_DIE],)),
        Step(seat=1, when={"phase": "choose", "turn": 4}, move={"type": "keep", "die": 1}),
        # The end: what is left to be known.
        Step(
            when=mine(4, "roll"),
            says=_(
                "Your YES card paid you for each good. Once in your turn you may exchange an objective for 150,000, "
                "before you choose a die. Roll!"
            ),
            points=("exchange", "roll"),
            move=ROLL,
        ),
        Step(
            when=mine(5, "choose"),
            says=_(
                "Who cannot pay sells countries to the bank, and is out when none is left. From here on the match is "
                "yours, without me: good luck!"
            ),
            last=True,
        ),
        Step(
            when={"to_move": [0], "turn": range(6, 400)},
            says=_("You know the rest. From here on the match is yours, without me: good luck!"),
            last=True,
        ),
    ),
)
