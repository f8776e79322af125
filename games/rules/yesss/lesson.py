"""The first match of YESSS! with a coach: a hard pair for a neighbour, a word of one's own, and a guess."""

from collections.abc import Iterable
from typing import Any

from games.engine import LEARNER, Lesson, Step, View
from games.engine import gettext_noop as _
from games.rules.yesss.data import CARDS, FACES, PAIRS, PLACES, TOKENS, rounds_for
from games.rules.yesss.state import MOST_VOIDS

SEATS = 3


def _with(picture: int) -> tuple[list[int], ...]:
    """All pairs with this picture."""
    return tuple(pair for pair in PAIRS if picture in pair)


OWL_PIZZA, SNOW_MOUNTAIN, CROWN_CASTLE, MOON_OWL = [2, 7], [3, 4], [5, 6], [1, 2]
PICTURES = (36, 9, 35, 30, 78, 63, 49)
"""Moon, owl, snowflake, mountain, crown, castle, pizza: they lie on top of the seven piles."""
HANDS = ((OWL_PIZZA, [1, 6], [3, 5]), (SNOW_MOUNTAIN, [1, 7], [3, 7]), (CROWN_CASTLE, [1, 2], [2, 4]))
"""The pairs of the learner and of both bots."""
NAMED = {"en": "mouse", "fr": "souris"}
"""What the first bot says for owl and pizza, in the match's language."""
SNOWFLAKE, MOUNTAIN = SNOW_MOUNTAIN
SKI = (
    (
        {"type": "guess", "pair": _with(SNOWFLAKE)},
        _("A wrong guess pays whoever chose the pair. Snowflake, 3, is right: untap the other picture, then tap 4."),
    ),
    (
        {"type": "guess", "pair": _with(MOUNTAIN)},
        _("A wrong guess pays whoever chose the pair. Mountain, 4, is right: untap the other picture, then tap 3."),
    ),
    (
        {"type": "guess"},
        _("A wrong guess pays whoever chose the pair. Snowflake and mountain fit “ski”: untap yours, tap 3 and 4."),
    ),
    (
        {"type": "object"},
        _("Object only to a word that breaks the rules: a number, a colour, a compound. “ski” is fine: guess 3 and 4."),
    ),
)
"""What is said to other answers to the second bot's word."""
SKI_RIGHT, SKI_WRONG, LAST_RIGHT, LAST_WRONG = (
    {f"{tokens}.1.word": "ski", f"{tokens}.1.pair": SNOW_MOUNTAIN, "guessed": guessed}
    for tokens in ("tokens", "last_round.tokens")
    for guessed in ("right", "wrong")
)
"""The learner's guess, while its round goes on and in the next one."""
MISSED = {"last_round.tokens.0.guesses.2": MOON_OWL}
"""In the second round: the bot did not find the learner's pair."""
NO_BREACH = (
    (
        {"type": "object"},
        _(
            "This word breaks no rule: guess. With three players you alone guess it, so your objection is enough, and "
            "another word must be said; with more, if half or fewer object, it counts as a wrong guess."
        ),
    ),
)
"""What is said to an objection in the second round: bots say no word against the rules."""


def facts(view: View) -> dict[str, Any]:
    """For which pairs a word has been said (`said`); which kinds of moves are asked for (`asks`); what became of the
    learner's own guess in this round, or until it has pairs in the last one (`guessed`: right, wrong, None); whether
    the word that the learner is to guess follows a void one (`anew`), whether a pair came back to them (`returned`).
    """
    moves = view["prompt"]["moves"] if view["prompt"] else ()
    tokens = view.get("tokens", ())
    last = view.get("last_round") or {"tokens": ()}
    others = [token for token in tokens if LEARNER not in (token["announcer"], token["keeper"])]
    return {
        "said": [token["word"] is not None for token in tokens],
        "asks": {move["type"]: True for move in moves},
        "guessed": _guessed(tokens or last["tokens"]),
        "anew": any(token["voids"] and not token["revealed"] for token in others),
        "returned": any(token["announcer"] == token["selector"] == LEARNER and not token["word"] for token in tokens),
    }


def _guessed(tokens: Iterable[View]) -> str | None:
    for token in tokens:
        if token["revealed"] and token["guesses"][LEARNER] and token["voids"] < MOST_VOIDS:
            return "right" if token["guesses"][LEARNER] == token["pair"] else "wrong"
    return None


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
                "All choose at the same time, in secret. Give your neighbour one of your three pairs: they must say "
                "one word for both pictures. The harder, the better for you: take owl and pizza, 2 and 7."
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
            says=_("When all have chosen, each pair goes to a neighbour: you get one, too."),
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
                "You got crown and castle, 5 and 6. Say one word for both, like “king”: no number, colour or compound; "
                "“crown” itself is allowed. A right guess: a brain, a point, for you and for the guesser."
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
        Step(
            when={"prompt.phase": "propose", "round": 1, "tokens.1.word": "ski", "tokens.1.revealed": False},
            says=_(
                "A bot says “ski”. All guess once, in secret, but who said it and who chose the pair. Snowflake and "
                "mountain, it seems: tap 3 and 4, then “Guess”."
            ),
            points=("pic-3", "pic-4", "token-1-1-1"),
            move={"type": "guess", "token": 1, "pair": SNOW_MOUNTAIN},
            others=SKI,
        ),
        *(
            Step(when={"phase": "propose", "round": 1, "prompt": None, **told}, says=says)
            for told, says in (
                (SKI_RIGHT, _("Right: +1 for you and for who said “ski”. The others still have to answer.")),
                (
                    SKI_WRONG,
                    _(
                        "Wrong: “ski” was snowflake and mountain, 3 and 4. +1 for whoever chose them. The others still "
                        "have to answer."
                    ),
                ),
                (
                    {"tokens.0.guesses.2": MOON_OWL},
                    _("A bot took your pair, owl and pizza, for moon and owl: +1 for you, who chose it!"),
                ),
                (
                    {},
                    _(
                        "Who says a word and who chose its pair do not guess; all others do once, in secret. When the "
                        "last of them has answered, the pair is revealed."
                    ),
                ),
            )
        ),
        # The second round: what it brought, and what else one may do.
        *(
            Step(when={"prompt.phase": "select", "round": 2, **told}, says=says, points=("desk",))
            for told, says in (
                (
                    LAST_RIGHT | MISSED,
                    _(
                        "Right: +1 for you and for who said “ski”. A wrong guess pays whoever chose the pair: yours "
                        "brought +1. New pictures; pairs now go the other way: choose one."
                    ),
                ),
                (
                    LAST_RIGHT,
                    _(
                        "Right: +1 for you and for who said “ski”. A wrong guess pays whoever chose the pair. New "
                        "pictures; pairs now go the other way: choose one."
                    ),
                ),
                (
                    LAST_WRONG | MISSED,
                    _(
                        "Wrong: “ski” was 3 and 4, +1 for whoever chose them. Your pair was missed, too: +1 for you. A "
                        "right guess pays the guesser and who said the word. Choose a new pair."
                    ),
                ),
                (
                    LAST_WRONG,
                    _(
                        "Wrong: “ski” was 3 and 4, +1 for whoever chose them. A right guess pays the guesser and who "
                        "said the word. New pictures; pairs now go the other way: choose one."
                    ),
                ),
                (
                    {},
                    _(
                        "Who chose the pair gets a brain for each wrong guess; for a right one the guesser and who "
                        "said the word get one each. New pictures; pairs now go the other way: choose one."
                    ),
                ),
            )
        ),
        Step(
            when={"phase": "propose", "round": 2, "asks.refuse": True},
            says=_(
                "Impossible? Send the pair back: whoever gave it then finds the word, you do not guess, and get a "
                "brain for each wrong guess. Otherwise say a word."
            ),
            points=("desk",),
            move={"type": "word"},
            or_move={"type": "refuse"},
            others=NO_BREACH,
        ),
        Step(
            when={"phase": "propose", "round": 2, "asks.word": True, "returned": True},
            says=_(
                "Your pair came back: now you find the word, and a right guess pays you. A pair comes back only once."
            ),
            points=("desk",),
        ),
        *(
            Step(
                when={"phase": "propose", "round": 2, "asks.guess": True, **told},
                says=says,
                move={"type": "guess"},
                others=NO_BREACH,
            )
            for told, says in (
                (
                    {"anew": False},
                    _(
                        "This word breaks no rule: tap its two pictures, then “Guess”. Object only to numbers, colours "
                        "and compounds: if more than half of its guessers do, another must be said; else it counts as "
                        "a wrong guess."
                    ),
                ),
                (
                    {},
                    _(
                        "Another word for the same pair, and it breaks no rule: tap its two pictures, then “Guess”. A "
                        "second void word ends the pair, and pays only who keeps it."
                    ),
                ),
            )
        ),
        *(
            Step(when={"phase": "propose", "round": 2, "prompt": None, "guessed": guessed}, says=says)
            for guessed, says in (
                ("right", _("Right: +1 for you and for who said the word.")),
                ("wrong", _("Wrong: +1 for whoever kept the pair. Which it was stands below the pictures.")),
            )
        ),
        # The end.
        *(
            Step(when={"prompt.phase": "select", "round": 3, **told}, says=says, points=("desk",), last=True)
            for told, says in (
                (
                    {"guessed": "right"},
                    _(
                        "Right: +1 for you and for who said the word. The last round; then the most brains win, equal "
                        "ones share the place. In longer matches a brain also buys another place at table. Good luck!"
                    ),
                ),
                (
                    {"guessed": "wrong"},
                    _(
                        "Wrong: +1 for who kept the pair, shown below. The last round; then the most brains win, equal "
                        "ones share the place. In longer matches a brain also buys another place at table. Good luck!"
                    ),
                ),
                (
                    {},
                    _(
                        "The last round. Then the most brains win, and equal brains share the place. In longer matches "
                        "a brain may also buy another place at the table. This round is yours, without me: good luck!"
                    ),
                ),
            )
        ),
    ),
)
