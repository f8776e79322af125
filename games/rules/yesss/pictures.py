"""The names of the 120 pictures, and the words that go with each."""

import json
import re
from functools import cache
from pathlib import Path
from typing import TypeAlias

PICTURES = Path(__file__).with_name("associations.json")
BETWEEN_PARTS = re.compile(r"[\s-]+")

Words: TypeAlias = tuple[str, ...]


@cache
def _data() -> list[dict[str, dict[str, object]]]:
    data: list[dict[str, dict[str, object]]] = json.loads(PICTURES.read_text(encoding="utf-8"))
    return data


@cache
def name_of(picture: int, language: str) -> str:
    """What a picture is called in a language."""
    return str(_data()[picture]["names"][language])


def names_of(picture: int) -> list[str]:
    """What a picture is called in all languages there are."""
    return [str(name) for name in _data()[picture]["names"].values()]


@cache
def words_of(language: str) -> tuple[Words, ...]:
    """For each picture, by its number, the words that go with it."""
    return tuple(tuple(picture["words"][language]) for picture in _data())  # type: ignore[arg-type]


def default_word(picture: int, language: str) -> str:
    """The longest part of the picture's name, the first of several (spec: yesss.md, Time-out moves)."""
    return max(BETWEEN_PARTS.split(name_of(picture, language)), key=len)
