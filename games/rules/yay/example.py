"""Turns of YAY! to be stepped through: a throw repeated, a number crossed out, a lock, and a throw too many."""

from games.engine import Example, Play, Scene
from games.engine import gettext_noop as _
from games.rules.yay.moves import in_cell, throw_at

AT_B5 = throw_at(150, 450)

EXAMPLES = (
    Example(
        title=_("A turn, a lock, and one throw too many"),
        options={"size": 6},
        setup=([6, 5, 4], [1, 2, 3]),
        before=(
            Play(seat=0, move=throw_at(300, 300), draws=([4, 3, 5], [-60, -40], [50, 30], [20, 70])),
            Play(seat=0, move=in_cell("write", (2, 2))),
            Play(seat=1, move=throw_at(60, 540), draws=([2, 1, 3], [0, 0], [-10, 20], [5, 10])),
            Play(seat=1, move=in_cell("write", (5, 0))),
        ),
        scenes=(
            Scene(
                says=_(
                    "Your second turn: you hold C3 with a 12, the bot holds A6 with a 6. You aim at B5: from there "
                    "dice reach both cells beside the 6 and rarely leave the board."
                ),
                intends=AT_B5,
            ),
            Scene(
                says=_(
                    "4: your dice touch A5, B5 and B6. Beside the 6 a 4 is too low, so A5 and B6 are closed to you; "
                    "only B5 is open."
                ),
                plays=(Play(seat=0, move=AT_B5, draws=([2, 1, 1], [-70, 70], [-90, 40], [-40, 20])),),
            ),
            Scene(
                says=_("You dare one more throw, which must beat the 4. It does: 15! Now all three cells are open."),
                plays=(Play(seat=0, move=AT_B5, draws=([5, 4, 6], [-80, 60], [-50, 90], [-60, 40])),),
            ),
            Scene(
                says=_("You write 15 in A5. It is higher than the 6 beside it, so the 6 is crossed out at once."),
                plays=(Play(seat=0, move=in_cell("write", (4, 0))),),
            ),
            Scene(
                says=_(
                    "The bot throws 5: two dice fall beside the board, and the third touches no free cell but A4. Your "
                    "15 beside it is higher, so the cell is closed to the bot."
                ),
                plays=(Play(seat=1, move=throw_at(60, 400), draws=([5, 2, 3], [-30, 0], [-150, -70], [-140, 80])),),
            ),
            Scene(
                says=_("As all that it touches is closed, it locks one cell: A4 is lost to everybody, for good."),
                plays=(Play(seat=1, move=in_cell("lock", (3, 0))),),
            ),
            Scene(
                says=_("You again: 8, with open cells in the middle. You could write it, but hope for more."),
                plays=(Play(seat=0, move=throw_at(350, 350), draws=([2, 3, 3], [-20, 30], [25, 40], [10, -30])),),
            ),
            Scene(
                says=_(
                    "7 does not beat 8: the throw is void, the 8 is gone, and you must cross out one of your own "
                    "numbers."
                ),
                plays=(Play(seat=0, move=throw_at(350, 350), draws=([1, 2, 4], [-40, 10], [35, 60], [70, -20])),),
            ),
            Scene(
                says=_("You cross out the 12 and keep the 15. The cell stays filled, and counts for nobody."),
                plays=(Play(seat=0, move=in_cell("cross", (2, 2))),),
            ),
        ),
    ),
)
