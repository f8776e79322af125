"""The options of games as a form asks for them: what they are called, and which are proposed."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from games.engine import get_game

OPTION_LABELS: dict[tuple[str, str | int | None], Any] = {
    ("scratch", None): _("Writing a zero"),
    ("scratch", "forced"): _("Only when no open row would give points"),
    ("scratch", "free"): _("In any open row, at any time"),
    ("size", None): _("Board"),
    ("size", 8): _("8 × 8 cells"),
    ("size", 6): _("6 × 6 cells, for a short match"),
    ("mode", None): _("How you play"),
    ("mode", "competitive"): _("Against each other, 3 to 7 players"),
    ("mode", "cooperative"): _("Together, 2 to 7 players, against the clock"),
    ("language", None): _("The words are said in"),
    ("language", "fr"): _("French"),
    ("language", "en"): _("English"),
    ("rounds", None): _("Rounds"),
    ("rounds", ""): _("All there are cards for: ten less the number of players"),
    ("swaps", None): _("Changing places between rounds"),
    ("swaps", True): _("Yes, for a brain"),
    ("swaps", False): _("No"),
    ("minutes", None): _("The clock of the race"),
    ("minutes", 3): _("3 minutes"),
    ("minutes", 5): _("5 minutes"),
    ("minutes", 0): _("No clock, over days"),
}

OPTION_HELP = {
    "swaps": _("Over days, leaving it out saves a round of waiting each time. Live, it is part of the fun."),
}


def _read_language() -> str:
    """Return the language that the member reads, if words can be said in it."""
    return get_language() if get_language() in ("fr", "en") else "fr"


OPTION_PROPOSED: dict[str, Callable[[], Any]] = {
    "language": _read_language,
    "swaps": lambda: False,  # the pace proposed is one of days (spec: yesss.md, Swap)
}


def option_field(name: str, field: dict[str, Any]) -> forms.TypedChoiceField:
    """Return the choice of one of a game's options; without a default, the game may be left to choose."""
    values = field["one_of"] if "one_of" in field else range(field["min"], field["max"] + 1)
    free = [] if "default" in field else [("", OPTION_LABELS[name, ""])]
    initial = OPTION_PROPOSED[name]() if name in OPTION_PROPOSED else field.get("default", "")
    return forms.TypedChoiceField(
        label=OPTION_LABELS[name, None],
        required=not free,
        empty_value=None,
        coerce={str(value): value for value in values}.__getitem__,
        choices=[*free, *((value, OPTION_LABELS.get((name, value), value)) for value in values)],
        initial=initial,
        help_text=OPTION_HELP.get(name, ""),
        widget=forms.RadioSelect,
    )


def usual_options(game_slug: str) -> dict[str, Any]:
    """Return what a match that is begun without choosing anything has instead of the game's defaults."""
    return {"language": _read_language()} if "language" in get_game(game_slug).option_fields else {}
