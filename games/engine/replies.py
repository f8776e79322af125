"""Answers in words, as they come by mail: what the grammars of the games share.

A grammar understands a line as a whole or not at all: what it does not know makes it no answer, never another one.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from games.engine.base import View
from games.engine.prompt import Move


class Word(str):
    """A word in small letters without accents; `spelt` is how it was written."""

    __slots__ = ("spelt",)
    spelt: str

    def __new__(cls, spelt: str) -> "Word":
        word = super().__new__(cls, plain(spelt))
        word.spelt = spelt
        return word


Words: TypeAlias = tuple[str, ...]
"""A line without marks and courtesies, a `Word` each."""

Names: TypeAlias = Sequence[str]
"""Under which name each seat is shown."""

Said: TypeAlias = dict[str, list[str]]
"""What one may answer, by language."""

LONGEST_LINE = 200  # characters
MOST_LINES = 12


class Grammar(Struct, frozen=True, kw_only=True):
    """How a game is played in words, in English and in French at once."""

    read: Callable[[Words, View, Names], Move | None]
    """The move that these words are for the view's seat; None if they are none, or may be several."""
    say: Callable[[View, Names], Said]
    """Examples of what the view's seat may answer now: one of each kind."""
    words: frozenset[str]
    """What is said in answers: a further line with one of these may take the first one back."""
    alone: Callable[[Words, View, Names], Move | None] | None = None
    """The move that these words are for if nothing else is said in the answer."""


def _plain_letters() -> dict[int, str]:
    """Each Latin letter with an accent, and the letter without."""
    found = {ord("œ"): "oe", ord("æ"): "ae", ord("ß"): "ss"}
    for code in range(0xC0, 0x250):
        parts = unicodedata.decomposition(chr(code)).split()
        if parts and not parts[0].startswith("<"):
            found[code] = chr(int(parts[0], 16))
    return found


PLAIN = _plain_letters()
NARROW = "\xa0\u2009\u202f"  # spaces within numbers


def plain(text: str) -> str:
    """The text in small letters, without accents and marks; numbers in groups are one."""
    small = text.casefold().translate(PLAIN)
    bare = "".join(sign for sign in small if unicodedata.category(sign) not in ("Mn", "Cf"))
    return " ".join(bare.split())


def words_in(text: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(text.split())


WORD = re.compile(r"(?:[^\W_][\u0300-\u036f]*)+")
GROUPED = re.compile(r"(?<![\d.,])\d{1,3}(?:[ .,]\d{3})+(?![\d])")
"""A number in groups of three digits."""
NOT_READ = re.compile(r"[?¿]|(?:^|\s)[-−]\d")
"""Questions, and numbers below zero."""

POLITE = words_in("hi hello hey dear bonjour bonsoir salut coucou ok okay well so then alors donc allez bon")
SAYS = words_in("i je j ll will vais")
"""Words before an answer that change nothing: "I'll", "je vais"."""
ENDINGS = tuple(
    tuple(words.split())
    for words in (
        *("please", "pls", "plz", "thanks", "thank you", "thanks a lot", "cheers", "merci", "merci beaucoup"),
        *("svp", "stp", "s il te plait", "s il vous plait", "now", "maintenant", "d accord"),
    )
)
TAKES_BACK = words_in(
    "no non not nope wait attends attendez plutot instead actually sorry oops oups finalement correction sinon ou or "
    "but mais if si unless erreur mistake scratch cancel annule annuler never jamais ne pas dont nevermind rather "
    "error faux wrong opposite contraire inverse kidding joking blague rigole plaisante reverse changed mind avis hold "
    "forget oublie oubliez second thought stop edit undo annulez other autre lieu think pense hesitate hesite unsure "
    "maybe peut perhaps possibly nah nan negative negatif euh hmm hum enfin fait jk psych deconne ignore ignorez "
    "disregard retire typo bad quoi"
)
"""Words by which a further line may take back the first."""


def words_of(line: str) -> Words:
    """The words and numbers of a line, without courtesies before and after; () for a question or a long text."""
    if len(line) > LONGEST_LINE or NOT_READ.search(line):
        return ()
    even = "".join(" " if sign in NARROW else sign for sign in line if unicodedata.category(sign) != "Cf")
    text = GROUPED.sub(lambda found: re.sub(r"\D", "", found[0]), even)
    words = [Word(word) for word in WORD.findall(text)]
    for skipped in (POLITE, SAYS):
        while words and words[0] in skipped:
            del words[0]
    while ending := next((end for end in ENDINGS if tuple(words[-len(end) :]) == end), None):
        del words[-len(ending) :]
    return tuple(words)


def spelt(word: str) -> str:
    """A word of a line as it was written there."""
    return word.spelt if isinstance(word, Word) else word


def understand(grammar: Grammar, text: str, view: View, names: Names) -> Move | None:
    """The move that a text is; None unless its first line is one and no other line may take it back."""
    lines = [line for line in text.splitlines() if WORD.search(line) and not line.lstrip().startswith(">")]
    while len(lines) > 1 and _is_greeting(lines[0], grammar):
        del lines[0]
    if not lines or len(lines) > MOST_LINES:
        return None
    words, *others = map(words_of, lines)
    if any(_may_take_back(line, grammar) for line in lines[1:]):
        return None
    move = grammar.read(words, view, names) if words else None
    if any(other and grammar.read(other, view, names) not in (None, move) for other in others):
        return None
    return grammar.alone(words, view, names) if not (move or others) and words and grammar.alone else move


def _is_greeting(line: str, grammar: Grammar) -> bool:
    words = WORD.findall(plain(line))
    says = (grammar.words | TAKES_BACK).intersection(words) or any(sign.isdecimal() for sign in line)
    return words[0] in POLITE and len(words) <= 4 and not says and "?" not in line


def _may_take_back(line: str, grammar: Grammar) -> bool:
    words = WORD.findall(plain(line))
    if "?" in line or (grammar.words | TAKES_BACK).intersection(words):
        return True
    has_number = any(sign.isdecimal() for word in words for sign in word)  # a figure, "40k", a cell, "d 5"
    return has_number and len(words) <= 5 and all(len(word) == 1 or not word.isalpha() for word in words)


def phrases(*texts: str) -> frozenset[Words]:
    """The words of each of these phrases."""
    return frozenset(tuple(WORD.findall(plain(text))) for text in texts)


def vocabulary(*known: Iterable[Words]) -> frozenset[str]:
    """All words of such phrases, short ones that say nothing aside."""
    words = {word for some in known for phrase in some for word in phrase}
    courtesies = POLITE.union(*ENDINGS)
    return frozenset(word for word in words - courtesies if len(word) > 2 and not word.isdecimal())


def after(words: Words, heads: Iterable[Words]) -> Words | None:
    """What follows the longest of these beginnings; None where the line has none of them."""
    found = [head for head in heads if words[: len(head)] == head]
    return words[len(max(found, key=len)) :] if found else None


def named(words: Words, names: Mapping[str, Iterable[Words]]) -> str | None:
    """The one thing of which the words are a name; None if they are none's, or of several."""
    found = {thing for thing, known in names.items() if words in known}
    return found.pop() if len(found) == 1 else None


def numbers(words: Words) -> list[int] | None:
    """The words as numbers; None if one is none."""
    if not all(word.isascii() and word.isdecimal() and len(word) <= 9 for word in words):
        return None
    return [int(word) for word in words]


COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, **{str(number): number for number in range(1, 6)}}
PLURALS = {
    **{f"{face}s": str(face) for face in range(1, 7)},
    **{name: str(face) for face, name in enumerate(("ones", "twos", "threes", "fours", "fives", "sixes"), 1)},
}
"""Names of faces that can only be that: "trois 6" may be two faces."""
REST = tuple(
    tuple(words.split())
    for words in (
        *("roll the rest", "reroll the rest", "roll the others", "reroll the others", "roll the other dice"),
        *("relancer le reste", "relance le reste", "relancer les autres", "relance les autres", "roll others"),
        *("and", "et"),
    )
)
"""What may follow the dice that are kept, and changes nothing."""


def faces(words: Words) -> list[int] | None:
    """The words as faces of up to five dice, "666" and "three sixes" as three of them; None if they are none."""
    while tail := next((end for end in REST if tuple(words[-len(end) :]) == end), None):
        words = words[: -len(tail)]
    found: list[str] = []
    left = [word for word in words if word not in ("and", "et")]
    while left:
        word, *left = left
        if left and word in COUNTS and left[0] in PLURALS:
            found += [PLURALS[left.pop(0)]] * COUNTS[word]
        else:
            found += word if word.isdecimal() else "0"
    if not 1 <= len(found) <= 5 or not all(face in "123456" for face in found):
        return None
    return [int(face) for face in found]


def with_faces(wanted: Sequence[int], dice: Sequence[int], among: Sequence[int]) -> list[int] | None:
    """The first indices `among` those of the dice that show these faces; None if they do not."""
    left, found = Counter(wanted), []
    for index in among:
        if left[dice[index]]:
            left[dice[index]] -= 1
            found.append(index)
    return found if not left.total() else None


def seat_named(words: Words, names: Names, seats: Iterable[int]) -> int | None:
    """The one of the seats that has this name."""
    found = [seat for seat in seats if tuple(WORD.findall(plain(names[seat]))) == words]
    return found[0] if len(found) == 1 else None
