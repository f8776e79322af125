"""Games: their rules, options, prompts and moves, as JSON Schema."""

from typing import Annotated, Any

from django.http import Http404, HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from ninja import Query

from games.api.kit import Routes
from games.api.shapes.games import GameListed, GameWhole, PaceListed
from games.api.shapes.parts import GameSlug
from games.catalogue import games_shown
from games.engine import PASS_ALWAYS, Catalogue, Game, json_schema
from games.rules import catalogue, get_game, versions
from games.time_controls import TIME_CONTROLS

routes = Routes("games")
Version = Annotated[
    int | None, Query(description=_("An older version of the rules; the present one without it."), examples=[1])
]


@routes.reads("/games", GameListed, page="lobby", words=_("All games"))
def listed(request: HttpRequest) -> dict[str, Any]:
    """All games of the site."""
    return {"items": [_line(shown, get_game(shown["slug"])) for shown in games_shown()], "next": None}


@routes.reads(
    "/games/{slug}",
    GameWhole,
    page="game",
    words=_("A game"),
    more=_("What a match of the game may be, and what a move is, as JSON Schema: made from the rules themselves."),
)
def whole(request: HttpRequest, slug: GameSlug, version: Version = None) -> dict[str, Any]:
    """One game, by a version of its rules."""
    shown = next((one for one in games_shown() if one["slug"] == slug), None)
    if shown is None or (version is not None and version not in versions(slug)):
        raise Http404
    game = get_game(slug, version)
    return _line(shown, game) | {
        "versions": list(versions(slug)),
        "options": _options(game, catalogue(slug, version)),
        "orders": json_schema.of_fields({**game.orders, "pass_always": PASS_ALWAYS}),
        "moves": json_schema.of_moves(game.moves),
        "prompt": json_schema.of_prompts(game.moves),
    }


@routes.reads("/time-controls", PaceListed, page="new-match", words=_("Time controls"))
def time_controls(request: HttpRequest) -> dict[str, Any]:
    """All time controls."""
    found = [
        {
            "slug": pace.slug,
            "name": str(pace.label),
            "bank": _ms(pace.bank),
            "increment": _ms(pace.increment),
            "cap": _ms(pace.cap),
            "is_live": pace.is_live,
        }
        for pace in TIME_CONTROLS.values()
    ]
    return {"items": found, "next": None}


def _ms(span: Any) -> int:
    return int(span.total_seconds() * 1000)


def _line(shown: dict[str, Any], game: Game[Any]) -> dict[str, Any]:
    return {
        "slug": shown["slug"],
        "name": game.name,
        "tagline": shown["tagline"],
        "rules_version": game.rules_version,
        "min_seats": game.min_seats,
        "max_seats": game.max_seats,
        "levels": list(game.levels),
        "secret": game.secret,
        "has_dice": game.has_dice,
    }


def _options(game: Game[Any], entry: Catalogue) -> dict[str, Any]:
    """Return the schema of a game's options, with their words."""
    schema = json_schema.of_fields(game.option_fields)
    for name, field in game.option_fields.items():
        about: dict[str, Any] = {"title": gettext(entry.options[name])}
        if name in entry.help:
            about["description"] = gettext(entry.help[name])
        if "default" in field:
            about["default"] = field["default"]
        if "only" in field:
            about["x-only"] = field["only"]
        if "live" in field:
            about["x-live"] = list(field["live"])
        schema["properties"][name] |= about
    return schema
