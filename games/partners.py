"""The bots as partners: each has a name, a face and a line of character, whatever its strength.

Who sits in a seat follows from match and seat alone, so that it never changes, and at one table no two are the same.
The names have a space, which no member's name can have.
"""

from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models import Seat

STRENGTHS: dict[str, Any] = {
    "easy": pgettext_lazy("strength of a bot", "first steps"),
    "regular": pgettext_lazy("strength of a bot", "regular"),
    "strong": pgettext_lazy("strength of a bot", "sharp"),
}
"""The levels of `games.engine` in words."""

SAID: dict[str, Any] = {
    "easy": _("Bot, first steps"),
    "regular": _("Bot, regular"),
    "strong": _("Bot, sharp"),
}
"""What stands beside a bot's name, and in lists to choose from."""

MANNERS: dict[str, Any] = {
    "easy": _("First steps: plays what looks good at first sight. For a first match."),
    "regular": _("Regular: knows the game, and has its weak moments."),
    "strong": _("Sharp: weighs every decision, and what the others may be up to."),
}


class Partner(NamedTuple):
    """One of those who may sit in a bot's seat; `face` is a drawing of templates/parts/faces.html."""

    face: str
    name: str
    line: Any


PARTNERS = (
    Partner("ada", "Ada Gobelet", _("Counts on her fingers, and then once more to be sure.")),
    Partner("bruno", "Bruno Jeton", _("Has a system. Nobody has ever seen it.")),
    Partner("clara", "Clara Cornet", _("Shakes the cup longer than anybody else.")),
    Partner("dimitri", "Dimitri Pion", _("Sits very still, and has all the time in the world.")),
    Partner("elsa", "Elsa Carreau", _("Lines her pencils up before each match.")),
    Partner("felix", "Félix Trèfle", _("Purrs when the dice are good, and when they are not.")),
    Partner("gilda", "Gilda Quinte", _("Thanks the table for every six.")),
    Partner("hugo", "Hugo Fanion", _("Cheers for whoever is last.")),
    Partner("ines", "Inès Roulette", _("Hums while she thinks, always the same tune.")),
    Partner("jules", "Jules Sablier", _("Knows a proverb for every throw.")),
    Partner("karl", "Karl Domino", _("Says little, and that twice.")),
    Partner("lola", "Lola Pique", _("Laughs first, looks at her dice afterwards.")),
)

STRIDE = 5
"""How far apart neighbours are in the list: none of its length's divisors, so that nobody comes twice."""


def names() -> list[str]:
    """Return the names of all bots, which no member may have (NAMES_KEPT)."""
    return [partner.name for partner in PARTNERS]


def partner_at(match_id: int, number: int) -> Partner:
    """Return who plays in a bot's seat."""
    return PARTNERS[(match_id * 7 + number * STRIDE) % len(PARTNERS)]


def kind_of(seat: Seat) -> str:
    """Return who sits here: "free", "person" (also one who left), "former" or "bot"."""
    if seat.is_free:
        return "free"
    if seat.user_id is not None or seat.hand:
        return "person"
    return "former" if seat.former or seat.left is not None else "bot"


def partner_in(seat: Seat) -> Partner | None:
    """Return which bot sits here from the start on; None for whoever plays on in the seat of somebody else."""
    return partner_at(seat.match_id, seat.number) if kind_of(seat) == "bot" else None


def hand_of(seat: Seat) -> str:
    """Return the name of a seat of a sandbox that its one person moves for, too; empty for every other."""
    return _("Seat %(number)d") % {"number": seat.number + 1} if seat.hand else ""


def badge_of(seat: Seat) -> str:
    """Return what stands beside the seat's name: staff, whose bot, or a bot of the site, and how strong."""
    return str(SAID[seat.bot] if kind_of(seat) == "bot" else seat.badge)
