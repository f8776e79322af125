"""Turns of ¥€$ to be stepped through: two dice, one for oneself and one for the neighbour."""

from games.engine import Example, Play, Scene
from games.engine import gettext_noop as _
from games.rules.yes.data import OBJECTIVES
from games.rules.yes.lesson import BUY_DIE, CASH, COUNTRY_DIE, LESSON, NO, SELL, YES, deck, objectives

ROLL = {"type": "roll"}
KEEP = {"type": "keep", "die": 0}

COUNTRY_CARDS, _GOALS, *REST = LESSON.setup
OBJECTIVE_CARDS = deck(len(OBJECTIVES), *objectives("four_europe", "seven_common", "six_kinds", "dearest"))
"""Two objectives that the cards of these turns meet."""

EXAMPLES = (
    Example(
        title=_("Two turns to a win: a country, CASH, a purchase and a sale"),
        setup=(COUNTRY_CARDS, OBJECTIVE_CARDS, *REST),
        scenes=(
            Scene(
                says=_(
                    "You roll the two white dice: COUNTRY and NO. You carry out one of them; the player on your left "
                    "must carry out the other."
                ),
                plays=(Play(seat=0, move=ROLL, draws=([COUNTRY_DIE, NO],)),),
            ),
            Scene(
                says=_("You keep COUNTRY: France is yours, free. The bot gets the NO, a bad card."),
                plays=(Play(seat=0, move=KEEP),),
            ),
            Scene(
                says=_("The bot rolls YES and CASH, and keeps YES. So the CASH die is yours to carry out."),
                plays=(Play(seat=1, move=ROLL, draws=([YES, CASH],)), Play(seat=1, move=KEEP)),
            ),
            Scene(
                says=_(
                    "You move the marker three spaces, to Europe: it pays 100,000 to whoever has the most goods there, "
                    "and that is you."
                ),
                plays=(Play(seat=0, move={"type": "advance", "steps": 3}),),
            ),
            Scene(
                says=_("Your next turn: BUY and SELL. Keep BUY, and the bot must offer one of its countries."),
                plays=(Play(seat=0, move=ROLL, draws=([BUY_DIE, SELL],)),),
            ),
            Scene(
                says=_("You keep BUY. Any country of the bot is yours for its price, or for what the red die says."),
                plays=(Play(seat=0, move=KEEP),),
            ),
            Scene(
                says=_(
                    "You pay 80,000 for the United Kingdom: your fourth good in Europe, so that one of your two secret "
                    "objectives is met. The other asks for seven tractors, factories and buildings: you have six."
                ),
                plays=(Play(seat=0, move={"type": "buy", "country": "united_kingdom", "gamble": False}),),
            ),
            Scene(
                says=_(
                    "The bot has to carry out SELL: it offers India. Who is interested rolls the red die for the "
                    "price, and the highest takes it."
                ),
                plays=(Play(seat=1, move={"type": "offer", "country": "india", "bank": True}),),
            ),
            Scene(
                says=_(
                    "You want it, and roll the red die: 50,000. India’s tractor is your seventh, so that both "
                    "objectives are met: you win at once, though it was the bot’s die."
                ),
                plays=(Play(seat=0, move={"type": "interest", "yes": True}, draws=([3],)),),
            ),
        ),
    ),
)
