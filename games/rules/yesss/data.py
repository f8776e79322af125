"""The material of YESSS!: sixty cards of two faces, a token for every pair of seven places, word lists."""

import json
import re
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import TypeAlias

from games.engine import Chance

Pair: TypeAlias = list[int]

PLACES = 7
CARDS = 60
FACES = 2
PAIRS: list[Pair] = [list(pair) for pair in combinations(range(1, PLACES + 1), 2)]
"""The pair of each token, in printed order: 1-2, 1-3, … 6-7. Shared: read only."""

TOKENS = len(PAIRS)
TOKEN_OF = {tuple(pair): token for token, pair in enumerate(PAIRS)}
HAND = 3

MOST_ROUNDS = 7
LANGUAGES = ("fr", "en")


def rounds_for(seats: int) -> int:
    """The number of cards in each pile, and so of rounds, for 3 to 7 seats."""
    return 10 - seats


def drawn_pictures(count: int, chance: Chance) -> list[int]:
    """The pictures of so many shuffled cards, each with a face up by chance."""
    cards = chance.shuffle(CARDS)[:count]
    return [FACES * card + face - 1 for card, face in zip(cards, chance.roll(count, FACES), strict=True)]


def token_of(pair: Pair) -> int:
    """The number of the token with that pair."""
    return TOKEN_OF[pair[0], pair[1]]


PICTURES = Path(__file__).with_name("associations.json")
"""The names of each picture and the words that go with it (spec: yesss-pictures.md, The list)."""

BETWEEN_PARTS = re.compile(r"[\s-]+")

Words: TypeAlias = tuple[str, ...]


@cache
def _data() -> list[dict[str, dict[str, object]]]:
    data: list[dict[str, dict[str, object]]] = json.loads(PICTURES.read_text(encoding="utf-8"))
    return data


@cache
def name_of(picture: int, language: str) -> str:
    """The name of a picture in a language."""
    return str(_data()[picture]["names"][language])


def names_of(picture: int) -> list[str]:
    """The names of a picture in all languages."""
    return [str(name) for name in _data()[picture]["names"].values()]


@cache
def words_of(language: str) -> tuple[Words, ...]:
    """For each picture, by its number, the words that go with it."""
    return tuple(tuple(picture["words"][language]) for picture in _data())  # type: ignore[arg-type]


def default_word(picture: int, language: str) -> str:
    """The longest part of the picture's name, the first of several (spec: yesss.md, Time-out moves)."""
    return max(BETWEEN_PARTS.split(name_of(picture, language)), key=len)
