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
KEEP_THEM = _(
    "That costs 150,000, and the card goes away for one that you do not know. Your two objectives fit your countries "
    "well: keep them for now."
)
ON_PATH = {**OBJECTIVES_KEPT, "countries.france": 0, "marker": 3}
"""COUNTRY kept and Europe paid: the learner had 300,000 before the purchase."""
MET = {"to_move": [1], "turn": 3, "phase": "offer", "countries.united_kingdom": 0, "met": ["four_europe"]}
BOUGHT = {**MET, **ON_PATH}


def deck(size: int, *top: int) -> list[int]:
    """A shuffle of so many cards with these on top."""
    return [*top, *(number for number in range(size) if number not in top)]


def objectives(*names: str) -> list[int]:
    return [OBJECTIVES.index(name) for name in names]


def mine(turn: int, phase: str, **more: Any) -> dict[str, Any]:
    """What the learner is asked, after so many rolls."""
    return {"to_move": [0], "turn": turn, "phase": phase, **more}


WELCOME: tuple[tuple[dict[str, Any], str, tuple[str, ...]], ...] = (
    (
        OBJECTIVES_KEPT,
        _(
            "Your two secret objectives: four goods in Europe, nine goods in all. Meet both, or have 1,000,000 in "
            "cash, and you win at once. Roll."
        ),
        ("goal-four_europe", "goal-nine_goods"),
    ),
    ({}, _("Meet both your objectives, or have 1,000,000 in cash, and you win at once. Roll."), ()),
)
"""What is said at first, by the objectives that one has, and which of them it points at."""

PURCHASES = (
    (
        {**BOUGHT, "cash.0": 220_000},
        _(
            "Bought for 80,000: with the United Kingdom, “Four goods in Europe” is met. The other die is SELL: as your "
            "left neighbour, the bot must offer one of its countries."
        ),
    ),
    (
        {**BOUGHT, "cash.0": (290_000, 280_000, 250_000)},
        _(
            "The red die was kind: you paid less than 80,000. With the United Kingdom, “Four goods in Europe” is met. "
            "The other die is SELL: the bot must offer one of its countries."
        ),
    ),
    (
        {**BOUGHT, "cash.0": (200_000, 140_000)},
        _(
            "The red die was dear: you paid more than 80,000. With the United Kingdom, “Four goods in Europe” is met. "
            "The other die is SELL: the bot must offer one of its countries."
        ),
    ),
    (
        MET,
        _(
            "With the United Kingdom, “Four goods in Europe” is met. The other die is SELL: as your left neighbour, "
            "the bot must offer one of its countries."
        ),
    ),
    (
        {"to_move": [1], "turn": 3, "phase": "offer"},
        _("The other die is SELL: as your left neighbour, the bot must offer one of its countries."),
    ),
)
"""What is said to the purchase, by what it cost and met."""

DEBTS: tuple[tuple[dict[str, Any], str], ...] = (
    (
        {"countries.india": 0},
        _(
            "India is yours. Whoever cannot pay sells cards to the bank, at their printed prices; with none left, the "
            "red die is rolled, and the bank pays what it shows. Who still cannot pay is out. The bot goes on."
        ),
    ),
    (
        {},
        _(
            "Whoever cannot pay sells cards to the bank, at their printed prices; with none left, the red die is "
            "rolled, and the bank pays what it shows. Who still cannot pay is out. The bot goes on."
        ),
    ),
)
"""What is said of debts, after the sale."""

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
        *(
            Step(
                when=mine(0, "roll", **more),
                says=says,
                points=("roll", *points),
                move=ROLL,
                others=(({"type": "exchange"}, KEEP_THEM),),
                draws=([COUNTRY_DIE, NO],),
            )
            for more, says, points in WELCOME
        ),
        Step(
            when=mine(1, "choose"),
            says=_(
                "COUNTRY: a country, free. NO: a bad card. You play the die you choose, your neighbour must play the "
                "other."
            ),
            points=("keep-0-1", "keep-1-1"),
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
            when={"to_move": [1], "turn": 1, "countries.france": 0},
            says=_(
                "France is yours, and the NO is the bot’s. The goods on the map count for your objectives, and for "
                "CASH. Now the bot rolls."
            ),
            points=("ya",),
        ),
        Step(
            when={"to_move": [1], "turn": 1},
            says=_(
                "The bad card was yours, and the bot has the free country. The goods on the map count for your "
                "objectives, and for CASH. Now the bot rolls."
            ),
            points=("ya",),
        ),
        Step(seat=1, when={"phase": "roll", "turn": 1}, move=ROLL, draws=([YES, CASH],)),
        Step(
            when={"to_move": [1], "turn": 2},
            says=_(
                "The bot keeps one of its dice; the other will be yours. Each time a die has been carried out, "
                "everybody’s goal is checked: you may win by another’s die, too."
            ),
            points=("ya",),
        ),
        Step(seat=1, when={"phase": "choose", "turn": 2}, move={"type": "keep", "die": 0}),
        Step(
            when=mine(2, "advance", marker=0),
            says=_(
                "CASH is yours: move the marker clockwise, 1 to 3 spaces. The space pays 100,000 to whoever has the "
                "most goods of that place or kind; equals share it. Where do you move it?"
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
            says=_(
                "The Bank space, the first, pays 100,000 to whoever moves the marker onto it; one like Oil, to whoever "
                "has most of it. If none of the next three would pay you, the others bid to move it: the highest bid "
                "is yours. Roll again."
            ),
            points=("roll",),
            move=ROLL,
            others=(({"type": "exchange"}, KEEP_THEM),),
            draws=([BUY_DIE, SELL],),
        ),
        Step(
            when=mine(3, "choose", **OBJECTIVES_KEPT),
            says=_(
                "BUY: whoever can afford a card of another must buy one. SELL: one offers a card of one’s own. You "
                "have cash, and an objective wants four goods in Europe. Which die do you keep?"
            ),
            points=("keep-0-3", "keep-1-3"),
            move={"type": "keep", "die": 0},
            others=(
                (
                    KEEP,
                    _(
                        "Then the bot would have BUY, and take a country of yours. Keep BUY, and you take "
                        "one of its countries."
                    ),
                ),
                ({"type": "exchange"}, KEEP_THEM),
            ),
        ),
        Step(
            when=mine(3, "buy", **OBJECTIVES_KEPT, **{"countries.united_kingdom": 1}),
            says=_(
                "The United Kingdom is in Europe, as your objective wants. Buy or gamble, as you like: 80,000, or what "
                "the red die says, 65,000 on average. So may the bot buy your countries, too."
            ),
            points=("pick-united_kingdom", "goal-four_europe"),
            move={"type": "buy", "country": "united_kingdom"},
            others=(
                (BUY, _("That one does not help your objective of four goods in Europe: the United Kingdom does.")),
            ),
        ),
        *(Step(when=when, says=says, points=("ya",)) for when, says in PURCHASES),
        Step(
            seat=1,
            when={"phase": "offer", "turn": 3, "countries.india": 1},
            move={"type": "offer", "country": "india", "bank": True},
        ),
        Step(
            when=mine(3, "interest", **OBJECTIVES_KEPT, **{"sale.country": "india"}),
            says=_(
                "India is for sale. The red die sets the price: 10,000 to 100,000, or twice the printed price "
                "(80,000). A good more helps “Nine goods”, and costs you cash. Do you want it?"
            ),
            points=("want", "no-want", "goal-nine_goods"),
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
        *(
            Step(when={"to_move": [1], "turn": (3, 4), "phase": ("roll", "choose"), **more}, says=says, points=("ya",))
            for more, says in DEBTS
        ),
        Step(seat=1, when={"phase": "roll", "turn": 3}, move=ROLL, draws=([YES, COUNTRY_DIE],)),
        Step(seat=1, when={"phase": "choose", "turn": 4}, move={"type": "keep", "die": 1}),
        # The end: what is left to be known.
        Step(
            when=mine(4, "roll"),
            says=_(
                "Your YES card paid you for each good. Once in your turn, before you choose a die, you may exchange an "
                "objective for 150,000: it goes away for one that you do not know. Roll!"
            ),
            points=("exchange", "roll"),
            move=ROLL,
        ),
        Step(
            when=mine(5, "choose", met=["four_europe"], **OBJECTIVES_KEPT),
            says=_(
                "“Four goods in Europe” is met: “Nine goods”, too, or a million in cash, wins. From the next question "
                "on, “?” beside the headline helps, and “The rules in brief” at the foot. The match is yours: good "
                "luck!"
            ),
            last=True,
        ),
        Step(
            when=mine(5, "choose"),
            says=_(
                "Both objectives win, or a million in cash: watch the others’ cash. From the next question on, “?” "
                "beside the headline helps, and “The rules in brief” at the foot. The match is yours: good luck!"
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
