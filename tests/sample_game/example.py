"""Both moves of the sample game, to be stepped through."""

from games.engine import Example, Play, Scene
from games.engine import gettext_noop as _

EXAMPLES = (
    Example(
        title=_("Two turns"),
        setup=([5, 2],),
        scenes=(
            Scene(says=_("You may roll, or go one step more than your hidden die says, which shows a 5.")),
            Scene(says=_("You roll: 3 steps."), plays=(Play(seat=0, move={"type": "roll"}, draws=([3],)),)),
            Scene(says=_("The other rolls: 6 steps."), plays=(Play(seat=1, move={"type": "roll"}, draws=([6],)),)),
            Scene(
                says=_("You play the hidden 5: 6 steps. Another is rolled in its place."),
                plays=(Play(seat=0, move={"type": "play"}, draws=([4],)),),
            ),
            Scene(
                says=_("The other rolls 1, and you lead with 9."),
                plays=(Play(seat=1, move={"type": "roll"}, draws=([1],)),),
            ),
        ),
    ),
)
