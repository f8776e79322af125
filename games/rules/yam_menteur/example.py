"""Turns of YAM menteur to be stepped through: the truth, which somebody doubts, and a bluff found out."""

from games.engine import Example, Play, Scene
from games.engine import gettext_noop as _
from games.rules.yam_menteur.moves import BELIEVE, DOUBT, FIRST_TRY

EXAMPLES = (
    Example(
        title=_("A true announcement, and a bluff"),
        seats=3,
        setup=([6, 6, 5, 5, 4], [1, 2, 2, 3, 1], [2, 1, 3, 2, 1]),
        scenes=(
            Scene(
                says=_("You roll five dice under the cup. Only you see them: 2, 3, 4 and 5 are nearly a straight."),
                plays=(Play(seat=0, move=FIRST_TRY, draws=([2, 3, 4, 5, 2],)),),
            ),
            Scene(
                says=_(
                    "You keep those four, and roll the other 2 under the next cup: a 6. The others see two cups, no "
                    "dice."
                ),
                plays=(Play(seat=0, move={"type": "roll", "dice": [4]}, draws=([6],)),),
            ),
            Scene(
                says=_("You announce Large straight, 40. It is true. The others answer in secret, at the same time."),
                plays=(Play(seat=0, move={"type": "announce", "combination": "large_straight", "points": 40}),),
            ),
            Scene(
                says=_(
                    "One of them doubted, so the dice are shown. It was true: you write 40, and the doubter gets a "
                    "cross in that row."
                ),
                plays=(Play(seat=1, move=DOUBT), Play(seat=2, move=BELIEVE)),
            ),
            Scene(
                says=_(
                    "The next player rolls once and announces a Full house, 25. So soon? Believing costs nothing; "
                    "doubting may win the points."
                ),
                plays=(
                    Play(seat=1, move=FIRST_TRY, draws=([5, 5, 2, 1, 6],)),
                    Play(seat=1, move={"type": "announce", "combination": "full_house", "points": 25}),
                ),
            ),
            Scene(
                says=_(
                    "You doubt, and the dice are shown: a bluff! The thrower gets a cross there; you write the 25, as "
                    "you were right. Who believed writes nothing."
                ),
                plays=(Play(seat=0, move=DOUBT), Play(seat=2, move=BELIEVE)),
            ),
        ),
    ),
)
