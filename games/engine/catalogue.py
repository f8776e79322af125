"""What the site says of a game before it is played."""

from types import EllipsisType
from typing import TypeAlias

from msgspec import Struct

Value: TypeAlias = str | int | bool | None
"""The value of an option."""


class Catalogue(Struct, frozen=True, kw_only=True):
    """A game's description before it is played. Texts are English and translated where they are shown."""

    order: int
    """Its place among the games."""
    tagline: str
    minutes: str
    quick_seats: int
    """The number of seats of a match against bots that starts at once."""
    publisher: str = ""
    options: dict[str, str] = {}
    """The label of each option."""
    values: dict[tuple[str, Value | EllipsisType], str] = {}
    """The text for an option's value; (option, ...) for all other values, with the number as %(option)s."""
    lobby: tuple[str, ...] = ()
    """The options that the list of open matches shows."""
    brief: dict[tuple[str, Value | EllipsisType], str] = {}
    """As `values`, for the line of an open match, in this order; usual values have no text."""
    proposed: dict[str, Value] = {}
    """The values that the form proposes instead of the defaults."""
    help: dict[str, str] = {}
    unreadable: dict[str, str] = {}
    """Why the fields of a move are refused: `none` of a list, `fewer` or `more` than two."""
    refusals: dict[str, tuple[str, str]] = {}
    """For each name with which `full_options` refuses: the field of the form, and the reason."""
