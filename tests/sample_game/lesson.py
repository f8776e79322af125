"""The first match of the sample game with a coach: one open die, the hidden one, and the rest is one's own."""

from games.engine import Lesson, Step
from games.engine import gettext_noop as _

LESSON = Lesson(
    setup=([5, 2],),
    minutes=1,
    steps=(
        Step(
            when={"to_move": [0], "steps": [0, 0]},
            says=_("Who first has gone so many steps wins. Roll an open die."),
            points=("roll",),
            move={"type": "roll"},
            others=(({"type": "play"}, _("Your hidden die is good for a moment when you need it: roll first.")),),
            draws=([3],),
        ),
        Step(seat=1, when={"steps.0": (3, 6), "steps.1": 0}, move={"type": "roll"}, draws=([6],)),
        Step(
            when={"to_move": [0], "played": [0, 0]},
            says=_("Now play your hidden die: it goes one step more than it says, and another is rolled in its place."),
            points=("play",),
            move={"type": "play"},
            others=(({"type": "roll"}, _("An open die goes 3.5 steps on average, your hidden one 6.")),),
            draws=([4],),
        ),
        Step(seat=1, when={"played": [1, 0]}, move={"type": "roll"}, draws=([1],)),
        Step(
            when={"to_move": [0]},
            says=_("That is all. From here on the match is yours."),
            last=True,
        ),
    ),
)
