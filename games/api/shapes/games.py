"""What the API says of games and of time controls."""

from typing import Any

from django.utils.translation import gettext_noop as _

from games.api.shapes.parts import Shape, Slug, said

_SCHEMA = {"type": "object", "properties": {"rounds": {"enum": [3, 6]}}}
_MOVE = {"anyOf": [{"$ref": "#/$defs/Lock"}], "$defs": {"Lock": {"type": "object"}}}


class GameShape(Shape):
    """A game of the site."""

    slug: Slug
    name: str = said(_("The name of the game."), "YAY!")
    tagline: str = said(_("What it is, in a sentence."), "Throw three dice at a grid.")
    rules_version: int = said(_("The version of the rules by which new matches are played."), 1)
    min_seats: int = said(_("The fewest seats of a match."), 2)
    max_seats: int = said(_("The most seats of a match."), 4)
    levels: list[str] = said(_("The strengths of its bots, the weakest first."), ["easy", "regular", "strong"])
    secret: bool = said(_("Whether a running match has hidden information."), False)
    has_dice: bool = said(_("Whether its chance is dice."), True)


class GameListed(Shape):
    """The games of the site."""

    items: list[GameShape] = said(_("All games, in the order of the pages."), [])
    next: None = said(_("Always null: all games are here."), None)


class GameWhole(GameShape):
    """A game with its options, orders and moves as JSON Schema."""

    versions: list[int] = said(_("The versions of the rules that are still played, the present one last."), [1])
    options: dict[str, Any] = said(
        _("The JSON Schema of its options, each with its title and its usual value; none has to be given."), _SCHEMA
    )
    orders: dict[str, Any] = said(_("The JSON Schema of its standing orders."), {"type": "object", "properties": {}})
    moves: dict[str, Any] = said(_("The JSON Schema of its moves, made from the types of the rules."), _MOVE)
    prompt: dict[str, Any] = said(
        _("The JSON Schema of its prompts: moves whose fields may be descriptions of what they may be."),
        {"type": "object"},
    )


class PaceShape(Shape):
    """A time control."""

    slug: str = said(_("Its short name."), "3d")
    name: str = said(_("What it is called."), "3 days a move")
    bank: int = said(_("The time of a seat at the start, in milliseconds."), 259200000)
    increment: int = said(_("What a completed turn adds, in milliseconds."), 259200000)
    cap: int = said(_("The most that a seat may have, in milliseconds."), 259200000)
    is_live: bool = said(_("Whether all are there at once."), False)


class PaceListed(Shape):
    """The time controls of the site."""

    items: list[PaceShape] = said(_("All time controls, the quickest first."), [])
    next: None = said(_("Always null: all are here."), None)
