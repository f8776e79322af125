"""What the site says of each game before it is played: one line, seats, length, makers."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from games.engine import GAMES, get_game

CATALOGUE: tuple[dict[str, Any], ...] = (
    {
        "slug": "yum-extra",
        "name": "Yum EXTRA",
        "tagline": _("Five coloured dice, and everybody plays on everybody’s turn."),
        "seats": "2–4",
        "minutes": "20–40",
        "publisher": "Éditions Gladius, 2020",
    },
    {
        "slug": "yam-menteur",
        "name": "YAM menteur",
        "tagline": _("Dice under cups: announce what you like, if they believe you."),
        "seats": "3–8",
        "minutes": "30",
    },
    {
        "slug": "yay",
        "name": "YAY!",
        "tagline": _("Three dice thrown on a board: aim, and hold your nerve."),
        "seats": "2–4",
        "minutes": "20",
        "publisher": "Heinz Meister, Noris-Spiele, 2012",
    },
    {
        "slug": "yesss",
        "name": "YESSS!",
        "tagline": _("One word for two pictures: will they guess which?"),
        "seats": "2–7",
        "minutes": "30",
        "publisher": "Romaric Galonnier, Blue Cocker Games",
    },
    {
        "slug": "yes",
        "name": "¥€$",
        "tagline": _("A million to be made, across five continents."),
        "seats": "2–6",
        "minutes": "60–90",
        "publisher": "Armstrong, Ravensburger, 2004",
    },
)


def games_shown() -> list[dict[str, Any]]:
    """Return the catalogue, each game with whether it can be played here already (`ready`), `has_dice`."""
    return [game | _of_the_rules(game["slug"]) for game in CATALOGUE]


def _of_the_rules(slug: str) -> dict[str, bool]:
    return {"ready": slug in GAMES, "has_dice": slug in GAMES and get_game(slug).has_dice}
