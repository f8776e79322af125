"""The first match of YESSS! with a coach: a hard pair for a neighbour, a word of one's own, and a guess."""

from typing import Any

from games.engine import Lesson, Step, View
from games.engine import gettext_noop as _
from games.rules.yesss.data import CARDS, FACES, PAIRS, PLACES, TOKENS, rounds_for

SEATS = 3
OWL_PIZZA, SNOW_MOUNTAIN, CROWN_CASTLE, MOON_OWL = [2, 7], [3, 4], [5, 6], [1, 2]
PICTURES = (36, 9, 35, 30, 78, 63, 49)
"""Moon, owl, snowflake, mountain, crown, castle, pizza: they lie on top of the seven piles."""
HANDS = ((OWL_PIZZA, [1, 6], [3, 5]), (SNOW_MOUNTAIN, [1, 7], [3, 7]), (CROWN_CASTLE, [1, 2], [2, 4]))
"""The pairs of the learner and of both bots."""
NAMED = {"en": "mouse", "fr": "souris"}
"""What the first bot says for owl and pizza, in the match's language."""
SKI = (
    (
        {"type": "guess"},
        _("A wrong guess pays whoever chose the pair. Snowflake and mountain both fit “ski”: guess 3 and 4."),
    ),
    (
        {"type": "object"},
        _("Object only to a word that breaks the rules: a number, a colour, a compound. “ski” is fine: guess 3 and 4."),
    ),
)
"""What is said to other answers to the second bot's word."""


def facts(view: View) -> dict[str, Any]:
    """For which pairs a word has been said (`said`); which kinds of moves are asked for (`asks`)."""
    moves = view["prompt"]["moves"] if view["prompt"] else ()
    return {
        "said": [token["word"] is not None for token in view.get("tokens", ())],
        "asks": {move["type"]: True for move in moves},
    }


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
                "Seven pictures in a circle; a pair is two of them. Give one of your three pairs to your neighbour, "
                "who must say one word for both: the harder, the better for you. Take owl and pizza, 2 and 7."
            ),
            points=("desk",),
            move={"type": "select", "pair": OWL_PIZZA},
            others=(
                (
                    {"type": "select"},
                    _("Each wrong guess brings you a brain, a point: take a harder pair, owl and pizza, 2 and 7."),
                ),
            ),
        ),
        Step(seat=1, when={"phase": "select", "round": 1}, move={"type": "select", "pair": SNOW_MOUNTAIN}),
        Step(seat=2, when={"phase": "select", "round": 1}, move={"type": "select", "pair": CROWN_CASTLE}),
        Step(
            when={"phase": "select", "round": 1},
            says=_("All choose at the same time, in secret; then each pair goes to a neighbour."),
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
                "Your other neighbour gave you crown and castle, 5 and 6. Say one word for both, like “king”: no "
                "number, no colour, nothing compound. A right guess brings a brain to you and one to the guesser."
            ),
            points=("desk",),
            move={"type": "word", "token": 2},
            others=(
                (
                    {"type": "refuse"},
                    _("Send back only what is too hard. This pair is easy, and a right guess pays you: say “king”."),
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
            move={"type": "guess", "token": 0, "pair": MOON_OWL},
        ),
        Step(
            seat=1,
            when={"phase": "propose", "round": 1, "tokens.2.announcer": 0, "said.2": True},
            move={"type": "guess", "token": 2, "pair": CROWN_CASTLE},
        ),
        # A guess, before and after the bot's wrong one.
        *(
            Step(
                when={
                    "prompt.phase": "propose",
                    "round": 1,
                    "tokens.1.word": "ski",
                    "tokens.1.revealed": False,
                    **told,
                },
                says=says,
                points=("pic-3", "pic-4", "token-1-1-1"),
                move={"type": "guess", "token": 1, "pair": SNOW_MOUNTAIN},
                others=SKI,
            )
            for told, says in (
                (
                    {"tokens.0.guesses.2": MOON_OWL},
                    _(
                        "A bot guessed wrong at your pair, owl and pizza: +1 for you! Now “ski”: who said it and who "
                        "chose its pair do not guess, you do. Snowflake and mountain: tap 3 and 4, then “Guess”."
                    ),
                ),
                (
                    {},
                    _(
                        "A bot says “ski”. Who says a word and who chose its pair know it and do not guess: you guess. "
                        "Snowflake and mountain, it seems: tap 3 and 4, then “Guess”."
                    ),
                ),
            )
        ),
        Step(
            when={"phase": "propose", "round": 1, "prompt": None},
            says=_(
                "Who says a word and who chose its pair do not guess; all others do once, in secret. When the last of "
                "them has answered, the pair is revealed."
            ),
        ),
        # The second round: what it brought, and what else one may do.
        Step(
            when={"prompt.phase": "select", "round": 2, "last_round.tokens.0.guesses.2": MOON_OWL},
            says=_(
                "Who chose the pair gets a brain for each wrong guess: yours brought +1. For a right one the guesser "
                "and who said the word get one each. New pictures; pairs now go the other way: choose one."
            ),
            points=("desk",),
            move={"type": "select"},
        ),
        Step(
            when={"prompt.phase": "select", "round": 2},
            says=_(
                "Who chose the pair gets a brain for each wrong guess; for a right one the guesser and who said the "
                "word get one each. New pictures; pairs now go the other way: choose one."
            ),
            points=("desk",),
        ),
        Step(
            when={"phase": "propose", "round": 2, "asks.refuse": True},
            says=_(
                "Impossible? Send the pair back: your neighbour then finds the word, and you keep the pair: a brain "
                "for each wrong guess. Otherwise say a word."
            ),
            points=("desk",),
        ),
        Step(
            when={"phase": "propose", "round": 2, "asks.guess": True},
            says=_(
                "A word that is a number, a colour or a compound is not guessed: object. If more than half object, "
                "another word must be said. The pair is revealed when the last guesser has answered."
            ),
        ),
        # The end.
        Step(
            when={"prompt.phase": "select", "round": 3},
            says=_(
                "The last round. Then the most brains win, and equal brains share the place. In longer matches a brain "
                "may also buy another place at the table. This round is yours, without me: good luck!"
            ),
            points=("desk",),
            last=True,
        ),
    ),
)
