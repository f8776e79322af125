"""What a game says of itself before it is played, and of its options in the form of a new table."""

from types import EllipsisType
from typing import TypeAlias

from msgspec import Struct

Value: TypeAlias = str | int | bool | None


class Catalogue(Struct, frozen=True, kw_only=True):
    """A game's entry; its texts are English, to be translated where they are shown."""

    order: int
    """Its place among the games."""
    tagline: str
    minutes: str
    quick_seats: int
    """How many play in a match that is begun at once against bots."""
    publisher: str = ""
    options: dict[str, str] = {}
    """The label of each option."""
    values: dict[tuple[str, Value | EllipsisType], str] = {}
    """The words for an option's value; (option, ...) for any other: a text with the number as %(option)s."""
    lobby: tuple[str, ...] = ()
    """The options of which the list of open tables tells too."""
    brief: dict[tuple[str, Value | EllipsisType], str] = {}
    """As `values`: what a table's line says of its options, in this order; no word for what is usual."""
    proposed: dict[str, Value] = {}
    """What the form proposes where that is not the option's default."""
    help: dict[str, str] = {}
    unreadable: dict[str, str] = {}
    """Why fields of a move are refused: `none` left of a list, `fewer` or `more` than two."""
    refusals: dict[str, tuple[str, str]] = {}
    """For what `full_options` refuses by its name: the field of the form, and why."""
