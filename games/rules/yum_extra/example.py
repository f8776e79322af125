"""A turn of Yum EXTRA to be stepped through: three rolls, a row written, and a steal with the white die."""

from games.engine import Example, Play, Scene
from games.engine import gettext_noop as _
from games.rules.yum_extra.moves import FIRST_ROLL

EXAMPLES = (
    Example(
        title=_("Your turn, and a combo on the bot’s"),
        setup=([1],),
        scenes=(
            Scene(
                says=_("You roll all five dice. Three sixes!"),
                plays=(Play(seat=0, move=FIRST_ROLL, draws=([6, 2, 6, 3, 6],)),),
            ),
            Scene(
                says=_("You keep the sixes and roll the two others again: a fourth six."),
                plays=(Play(seat=0, move={"type": "roll", "dice": [1, 3]}, draws=([6, 1],)),),
            ),
            Scene(
                says=_(
                    "The third and last roll brings a 4. Each open row of your sheet shows what these dice give there."
                ),
                plays=(Play(seat=0, move={"type": "roll", "dice": [3]}, draws=([4],)),),
            ),
            Scene(
                says=_(
                    "You write 28, the sum of the dice, in Four of a kind. Your dice stay: now the bot rolls the white "
                    "die. Its 2 forms no combo with them."
                ),
                plays=(Play(seat=0, move={"type": "score", "cell": "four_kind"}, draws=([2],)),),
            ),
            Scene(
                says=_("The bot’s turn: two rolls bring it four fives."),
                plays=(
                    Play(seat=1, move={"type": "pass"}),
                    Play(seat=1, move=FIRST_ROLL, draws=([5, 5, 2, 5, 1],)),
                    Play(seat=1, move={"type": "roll", "dice": [2, 4]}, draws=([5, 3],)),
                ),
            ),
            Scene(
                says=_(
                    "The bot writes 20 in Fives. Now you roll the white die: your 2 and the yellow 5 are a combo, "
                    "Steal."
                ),
                plays=(Play(seat=1, move={"type": "score", "cell": "fives"}, draws=([2],)),),
            ),
            Scene(
                says=_(
                    "You steal the 20: they stand in your Bonus column, where nobody can touch them any more. The "
                    "bot’s row is open again. Your turn."
                ),
                plays=(Play(seat=0, move={"type": "steal", "seat": 1, "cell": "fives"}),),
            ),
        ),
    ),
)
