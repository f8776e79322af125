"""A round of YESSS! against each other, and the beginning of a race, to be stepped through, in each language."""

from games.engine import Example, Play, Scene
from games.engine import gettext_noop as _
from games.rules.yesss.data import FACES, TOKENS
from games.rules.yesss.lesson import CROWN_CASTLE, LESSON, NAMED, OWL_PIZZA, PICTURES, SNOW_MOUNTAIN

MOON_OWL, MOON_SNOW = [1, 2], [1, 3]
KING = {"en": "king", "fr": "roi"}
NIGHT = {"en": "night", "fr": "nuit"}
COLD = {"en": "cold", "fr": "froid"}


def _race_cards() -> list[int]:
    """A shuffle with the cards of the pictures on top."""
    top = [picture // FACES for picture in PICTURES]
    return [*top, *(card for card in range(60) if card not in top)]


def _against(language: str) -> Example:
    return Example(
        title=_("Against each other: a round"),
        languages=(language,),
        seats=3,
        options={"mode": "competitive", "language": language, "rounds": 3, "swaps": False},
        setup=LESSON.setup,
        scenes=(
            Scene(
                says=_(
                    "Seven pictures. You have drawn three pairs, and give one to your neighbour: the hardest, owl and "
                    "pizza, as wrong guesses pay you."
                )
            ),
            Scene(
                says=_(
                    "All have chosen, and pairs are handed on. You got crown and castle, 5 and 6: say one word for "
                    "both."
                ),
                plays=(
                    Play(seat=0, move={"type": "select", "pair": OWL_PIZZA}),
                    Play(seat=1, move={"type": "select", "pair": SNOW_MOUNTAIN}),
                    Play(seat=2, move={"type": "select", "pair": CROWN_CASTLE}),
                ),
            ),
            Scene(
                says=_(
                    "You say “king”. The others have said their words, too. You know the pair of “mouse”, which was "
                    "yours; you have to guess “ski”."
                ),
                plays=(
                    Play(seat=0, move={"type": "word", "token": 2, "word": KING[language]}),
                    Play(seat=2, move={"type": "word", "token": 1, "word": "ski"}),
                    Play(seat=1, move={"type": "word", "token": 0, "word": NAMED[language]}),
                ),
            ),
            Scene(
                says=_("You guess snowflake and mountain, 3 and 4, and are right: a brain for you, one for the other."),
                plays=(Play(seat=0, move={"type": "guess", "token": 1, "pair": SNOW_MOUNTAIN}),),
            ),
            Scene(
                says=_("“King” is guessed as well: a brain for you, who said it, and one for the guesser."),
                plays=(Play(seat=1, move={"type": "guess", "token": 2, "pair": CROWN_CASTLE}),),
            ),
            Scene(
                says=_(
                    "“Mouse” misleads: moon and owl, somebody thinks. A brain for you, who chose the pair. New "
                    "pictures lie for the next round."
                ),
                plays=(
                    Play(seat=2, move={"type": "guess", "token": 0, "pair": MOON_OWL}, draws=(list(range(TOKENS)),)),
                ),
            ),
        ),
    )


def _race(language: str) -> Example:
    return Example(
        name="race",
        title=_("Together: a race"),
        languages=(language,),
        options={"mode": "cooperative", "language": language, "minutes": 0},
        setup=(_race_cards(), [picture % FACES + 1 for picture in PICTURES]),
        before=(Play(seat=1, move={"type": "ready"}),),
        scenes=(
            Scene(
                says=_("All are ready: the pictures are turned over, and everybody plays at once."),
                plays=(Play(seat=0, move={"type": "ready"}),),
            ),
            Scene(
                says=_("You tick 5 and 6, crown and castle, and say “king”. It stays open until somebody answers."),
                plays=(Play(seat=0, move={"type": "clue", "pair": CROWN_CASTLE, "word": KING[language]}),),
            ),
            Scene(
                says=_("The bot answers 5 and 6. Right: the pair is found, a point for the team."),
                plays=(Play(seat=1, move={"type": "answer", "clue": 0, "pair": CROWN_CASTLE}),),
            ),
            Scene(
                says=_("The bot says “night”. You answer 1 and 2, moon and owl. Right again: the second point."),
                plays=(
                    Play(seat=1, move={"type": "clue", "pair": MOON_OWL, "word": NIGHT[language]}),
                    Play(seat=0, move={"type": "answer", "clue": 1, "pair": MOON_OWL}),
                ),
            ),
            Scene(
                says=_("Now it says “cold”. Snowflake and mountain? Snowflake and moon? One of you has to dare."),
                plays=(Play(seat=1, move={"type": "clue", "pair": MOON_SNOW, "word": COLD[language]}),),
            ),
            Scene(
                says=_("You answer 3 and 4, but it was 1 and 3: the pair 3 and 4 is lost, and so is a point."),
                plays=(Play(seat=0, move={"type": "answer", "clue": 2, "pair": SNOW_MOUNTAIN}),),
            ),
        ),
    )


EXAMPLES = tuple(make(language) for language in ("en", "fr") for make in (_against, _race))
