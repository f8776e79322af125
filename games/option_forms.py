"""The options of games as fields of the form of a new table, in words."""

from typing import Any

from django import forms
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext_lazy as _

from games.engine import Game

Value = str | int | bool | None
MOST_RADIOS = 10

# What the form proposes where that is not the game's own default: most tables are by correspondence.
PROPOSED: dict[str, Value] = {"swaps": False}

LABELS: dict[tuple[str, Value], Any] = {
    ("scratch", None): _("Writing a zero"),
    ("scratch", "forced"): _("Only when no open row would give points"),
    ("scratch", "free"): _("In any open row, at any time"),
    ("size", None): _("Board"),
    ("size", 8): _("8 × 8 cells"),
    ("size", 6): _("6 × 6 cells, for a short match"),
    ("mode", None): _("How you play"),
    ("mode", "competitive"): _("Against each other, 3 to 7 players"),
    ("mode", "cooperative"): _("Together for one score, 2 to 7 players"),
    ("language", None): _("Language of the words"),
    ("language", "fr"): _("French"),
    ("language", "en"): _("English"),
    ("rounds", None): _("Rounds"),
    ("rounds", 0): _("Until somebody reaches the goal"),
    ("rounds", ""): _("As many as the cards last: 7 for three players, one fewer for each player more"),
    ("swaps", None): _("Changing places between rounds"),
    ("swaps", True): _("For a brain, whoever likes"),
    ("swaps", False): _("Everybody stays where they sit"),
    ("minutes", None): _("Time for the race"),
    ("minutes", 3): _("3 minutes"),
    ("minutes", 5): _("5 minutes"),
    ("minutes", 0): _("No clock: by correspondence"),
}
HELP: dict[str, Any] = {
    "swaps": _(
        "By correspondence the match is quicker without: each time, everybody would wait once more for"
        " everybody’s answer."
    ),
    "minutes": _(
        "A race against the clock is for players who are there at the same time: agree on an hour, and"
        " choose “Live” below. It begins when everybody is ready."
    ),
}


def option_fields(game: Game[Any]) -> dict[str, forms.TypedChoiceField]:
    """Return a field for each option of a game, by its name in the form."""
    return {f"option_{name}": _field(name, field) for name, field in game.option_fields.items()}


def _field(name: str, field: dict[str, Any]) -> forms.TypedChoiceField:
    """Return an option's field; where the game works the default out, an empty choice stands for it."""
    values: list[Value] = field["one_of"] if "one_of" in field else [*range(field["min"], field["max"] + 1)]
    free: list[Value] = [] if "default" in field else [""]
    choices = [(value, _label(name, value, least=0 in values)) for value in [*free, *values]]
    return forms.TypedChoiceField(
        label=LABELS[name, None],
        coerce={str(value): value for value in values}.__getitem__,
        choices=choices,
        initial=_proposed(name, field, values),
        required=not free and "only" not in field,
        empty_value=None,
        help_text=HELP.get(name, ""),
        widget=forms.RadioSelect if len(choices) <= MOST_RADIOS else forms.Select,
    )


def _label(name: str, value: Value, *, least: bool) -> Any:
    """Return the words for a choice; `least`: there is a zero, so that other numbers are bounds."""
    if (name, value) in LABELS:
        return LABELS[name, value]
    number = int(value or 0)
    if least:
        return _("%(rounds)s rounds at the most") % {"rounds": number}
    return ngettext("%(num)d round", "%(num)d rounds", number) % {"num": number}


def _proposed(name: str, field: dict[str, Any], values: list[Value]) -> Value:
    if name == "language" and get_language() in values:
        return get_language()
    return PROPOSED.get(name, field.get("default", ""))


def chosen(game: Game[Any], data: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a cleaned form: those that the chosen mode has, without what was left open."""
    options: dict[str, Any] = {}
    for name, field in game.option_fields.items():
        value = data.get(f"option_{name}")
        belongs = all(
            options.get(other, game.option_fields[other]["default"]) == wanted
            for other, wanted in field.get("only", {}).items()
        )
        if value is not None and belongs:
            options[name] = value
    return options


def usual_options(game: Game[Any]) -> dict[str, Any]:
    """Return the options of a match begun without a form: the reader's language, where it can be chosen."""
    languages = game.option_fields.get("language", {}).get("one_of", ())
    return {"language": get_language()} if get_language() in languages else {}


def fewest(game: Game[Any]) -> int:
    """Return with how many seats a game can be played as the form first proposes it."""
    for size in range(game.min_seats, game.max_seats):
        try:
            game.full_options(size, {})
        except ValueError:
            continue
        return size
    return game.max_seats
