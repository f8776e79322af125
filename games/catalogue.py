"""What the site says of each game before it is played: one line, seats, length, makers."""

from typing import Any

from django.utils.translation import gettext

from games.rules import catalogue, games, get_game


def games_shown() -> list[dict[str, Any]]:
    """Return all games as the pages show them, in their order."""
    return [_shown(slug) for slug in games()]


def _shown(slug: str) -> dict[str, Any]:
    game, entry = get_game(slug), catalogue(slug)
    return {
        "slug": slug,
        "name": game.name,
        "tagline": gettext(entry.tagline),
        "seats": f"{game.min_seats}–{game.max_seats}",
        "minutes": entry.minutes,
        "publisher": entry.publisher,
        "has_dice": game.has_dice,
    }
