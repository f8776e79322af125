"""What may be said (spec: yesss.md, What a word must be): one word, no colour, no number up to ten."""

import json
import unicodedata
from functools import cache
from pathlib import Path

from games.engine import IllegalMove
from games.engine import gettext_noop as _

MOST_LETTERS = 30
APOSTROPHES = "'’"
LISTS = Path(__file__).with_name("forbidden.json")

NO_WORD = _("Say one word of 1 to 30 letters.")
NOT_LETTERS = _("Say one word made of letters: no spaces, hyphens, digits or other signs.")
TOO_LONG = _("A word has at most 30 letters.")
TOO_MUCH_TYPED = _("Too long for a word: at most 40 characters, 30 of them letters.")
A_COLOUR = _("“%(word)s” is a colour: say another word.")
A_NUMBER = _("“%(word)s” is a number: say another word.")


def acceptable(word: str, language: str) -> str:
    """The word as it is stored and shown: trimmed, in NFC. IllegalMove `bad_word` if it may not be said."""
    said = unicodedata.normalize("NFC", word.strip())
    letters = _letters(said)
    if letters is None:
        raise IllegalMove("bad_word", NOT_LETTERS)
    if not 1 <= letters <= MOST_LETTERS:
        raise IllegalMove("bad_word", TOO_LONG if letters else NO_WORD)
    forbidden = _forbidden(language).get(folded(said))
    if forbidden:
        raise IllegalMove("bad_word", forbidden, word=said)
    return said


def _letters(said: str) -> int | None:
    """How many letters it has; None if anything else is in it.

    Marks stand after a letter or another mark, an apostrophe between two letters.
    """
    letters, before = 0, ""
    for sign in said:
        kind = "'" if sign in APOSTROPHES else unicodedata.category(sign)[0]
        if kind == "L":
            letters += 1
        elif kind not in ("M", "'") or before not in ("L", "M"):
            return None
        before = kind
    return None if before == "'" else letters


def folded(word: str) -> str:
    """A word without case, accents and typographic variants, for comparing."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", word).casefold())
    return "".join(sign for sign in plain if not unicodedata.category(sign).startswith("M"))


@cache
def _forbidden(language: str) -> dict[str, str]:
    """The folded words that may not be said in that language, each with the sentence that refuses it."""
    lists = json.loads(LISTS.read_text(encoding="utf-8"))[language]
    colours = {folded(word): A_COLOUR for word in lists["colours"]}
    return colours | {folded(word): A_NUMBER for word in lists["numbers"]}
