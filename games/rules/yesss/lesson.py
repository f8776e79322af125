"""The first match of YESSS! with a coach: a hard pair for a neighbour, a word of one's own, and a guess."""

from typing import Any

from games.engine import Lesson, Step, View
from games.engine import gettext_noop as _
from games.rules.yesss.data import CARDS, FACES, PAIRS, PLACES, TOKENS, rounds_for

SEATS = 3
OWL_PIZZA, SNOW_MOUNTAIN, CROWN_CASTLE = [2, 7], [3, 4], [5, 6]
PICTURES = (36, 9, 35, 30, 78, 63, 49)
"""Moon, owl, snowflake, mountain, crown, castle, pizza: they lie on top of the seven piles."""
HANDS = ((OWL_PIZZA, [1, 6], [3, 5]), (SNOW_MOUNTAIN, [1, 7], [3, 7]), (CROWN_CASTLE, [1, 2], [2, 4]))
"""The pairs of the learner and of both bots."""
NAMED = {"en": "mouse", "fr": "souris"}
"""What the first bot says for owl and pizza, in the match's language."""


def facts(view: View) -> dict[str, Any]:
    """For which pairs a word has been said."""
    return {"said": [token["word"] is not None for token in view.get("tokens", ())]}


def cards() -> list[int]:
    """A shuffle that lays the pictures on top of the piles."""
    height, top = rounds_for(SEATS), [picture // FACES for picture in PICTURES]
    others = iter([card for card in range(CARDS) if card not in top])
    laid = [top[place // height] if place % height == 0 else next(others) for place in range(PLACES * height)]
    return [*laid, *others]


def faces() -> list[int]:
    """For each card of the piles which of its faces is up; only the top ones matter."""
    height = rounds_for(SEATS)
    up = [picture % FACES + 1 for picture in PICTURES]
    return [up[place // height] if place % height == 0 else 1 + place % FACES for place in range(PLACES * height)]


def tokens() -> list[int]:
    """A shuffle of the tokens that deals the hands."""
    dealt = [PAIRS.index(pair) for hand in HANDS for pair in hand]
    return [*dealt, *(token for token in range(TOKENS) if token not in dealt)]


LESSON = Lesson(
    seats=SEATS,
    options={"mode": "competitive", "rounds": 3, "swaps": False},
    setup=(cards(), faces(), [1], tokens()),
    facts=facts,
    steps=(
        # A pair for the neighbour.
        Step(
            when={"prompt.phase": "select", "round": 1},
            says=_(
                "Welcome! Give one of your three pairs to your neighbour, who must say one word for both its pictures. "
                "The harder, the better for you: take owl and pizza, 2 and 7."
            ),
            points=("desk",),
            move={"type": "select", "pair": OWL_PIZZA},
            others=(
                (
                    {"type": "select"},
                    _("An easier pair, and each wrong guess brings you a brain, a point. Owl and pizza are harder."),
                ),
            ),
        ),
        Step(seat=1, when={"phase": "select", "round": 1}, move={"type": "select", "pair": SNOW_MOUNTAIN}),
        Step(seat=2, when={"phase": "select", "round": 1}, move={"type": "select", "pair": CROWN_CASTLE}),
        Step(
            when={"phase": "select", "round": 1},
            says=_("All choose at the same time, in secret; then the pairs are handed on."),
        ),
        # A word of one's own.
        Step(
            when={
                "phase": "propose",
                "round": 1,
                "tokens.2.announcer": 0,
                "tokens.2.pair": CROWN_CASTLE,
                "said.2": False,
            },
            says=_(
                "Your pair is 5 and 6, crown and castle. Say one word that leads to both, like “king”. No number, no "
                "colour, nothing compound."
            ),
            points=("desk",),
            move={"type": "word", "token": 2},
            others=(
                (
                    {"type": "refuse"},
                    _(
                        "You may send a pair back once, and then earn by wrong guesses alone. This one is easy: a "
                        "right guess brings you a brain."
                    ),
                ),
            ),
        ),
        Step(
            seat=2,
            when={"phase": "propose", "round": 1, "tokens.1.announcer": 2, "said.1": False},
            move={"type": "word", "token": 1, "word": "ski"},
        ),
        *(
            Step(
                seat=1,
                when={
                    "phase": "propose",
                    "round": 1,
                    "language": language,
                    "tokens.0.announcer": 1,
                    "tokens.0.pair": OWL_PIZZA,
                    "said.0": False,
                },
                move={"type": "word", "token": 0, "word": word},
            )
            for language, word in NAMED.items()
        ),
        Step(
            seat=2,
            when={"phase": "propose", "round": 1, "tokens.0.word": tuple(NAMED.values())},
            move={"type": "guess", "token": 0, "pair": [1, 2]},
        ),
        Step(
            seat=1,
            when={"phase": "propose", "round": 1, "tokens.2.announcer": 0, "said.2": True},
            move={"type": "guess", "token": 2, "pair": CROWN_CASTLE},
        ),
        # A guess.
        Step(
            when={"prompt.phase": "propose", "round": 1, "tokens.1.word": "ski", "tokens.1.revealed": False},
            says=_("A bot says “ski”. Which two pictures fit best? Snowflake and mountain, it seems: guess 3 and 4."),
            points=("pic-3", "pic-4", "token-1-1"),
            move={"type": "guess", "token": 1, "pair": SNOW_MOUNTAIN},
            others=(
                (
                    {"type": "guess"},
                    _("Who knows; but snow and mountain both fit “ski”. A wrong guess pays whoever chose the pair."),
                ),
                (
                    {"type": "object"},
                    _("Object to a word only if it breaks the rules: a number, a colour, a compound. “ski” is fine."),
                ),
            ),
        ),
        # The end: what is left to be known.
        Step(
            when={"prompt.phase": "select", "round": 2},
            says=_(
                "A right guess brings the guesser and the announcer a brain each, a wrong one a brain to whoever chose "
                "the pair. New pictures lie, and pairs now go the other way round: choose!"
            ),
            points=("desk",),
            move={"type": "select"},
        ),
        Step(
            when={"prompt.phase": "propose", "round": 2},
            says=_(
                "After the last round the most brains win; in longer matches a brain may also buy another place at the "
                "table. From here on the match is yours, without me: good luck!"
            ),
            last=True,
        ),
    ),
)
