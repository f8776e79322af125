"""The options of games as fields of the form of a new table, and in words."""

from typing import Any

from django import forms
from django.utils.translation import get_language, gettext

from games.engine import Catalogue, Game, Value
from games.rules import catalogue

MOST_RADIOS = 10  # choices of an option; more become a drop-down list


class OptionRadios(forms.RadioSelect):
    """The choices of an option; `marks` are attributes of those that settle other fields of the form."""

    marks: dict[str, dict[str, str]] = {}

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        option["attrs"] |= self.marks.get(str(value), {})
        return option


def option_fields(game: Game[Any]) -> dict[str, forms.TypedChoiceField]:
    """Return a field for each option of a game, by its name in the form."""
    entry = catalogue(game.slug, game.rules_version)
    fields = {f"option_{name}": _field(entry, name, field) for name, field in game.option_fields.items()}
    for name, field in game.option_fields.items():
        widget = fields[f"option_{name}"].widget
        if isinstance(widget, OptionRadios):
            casual = {str(game.together[name]): {"data-casual": ""}} if name in game.together else {}
            widget.marks = casual | {str(value): {"data-live": ""} for value in field.get("live", ())}
    return fields


def _field(entry: Catalogue, name: str, field: dict[str, Any]) -> forms.TypedChoiceField:
    """Return an option's field, with an empty choice if the game computes the default."""
    values: list[Value] = field["one_of"] if "one_of" in field else [*range(field["min"], field["max"] + 1)]
    choices = [(value, _label(entry, name, value)) for value in values]
    if free := "default" not in field:
        choices.insert(0, ("", _label(entry, name, None)))
    return forms.TypedChoiceField(
        label=gettext(entry.options[name]),
        coerce={str(value): value for value in values}.__getitem__,
        choices=choices,
        initial=_proposed(entry, name, field, values),
        required=not free and "only" not in field,
        empty_value=None,
        help_text=gettext(entry.help[name]) if name in entry.help else "",
        widget=OptionRadios if len(choices) <= MOST_RADIOS else forms.Select,
    )


def _label(entry: Catalogue, name: str, value: Value) -> str:
    if (name, value) in entry.values:
        return gettext(entry.values[name, value])
    return gettext(entry.values[name, ...]) % {name: value}


def _proposed(entry: Catalogue, name: str, field: dict[str, Any], values: list[Value]) -> Value:
    if name == "language" and get_language() in values:
        return get_language()
    return entry.proposed.get(name, field.get("default", ""))


def place_of_choice(fields: dict[str, Any], name: str) -> int:
    """Return the number of the choice of another option on which this one depends; 0 if on none."""
    for other, value in fields[name].get("only", {}).items():
        return int(fields[other]["one_of"].index(value)) + 1
    return 0


def chosen(game: Game[Any], data: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a cleaned form, without those that do not apply or were left open."""
    options: dict[str, Any] = {}
    for name, field in game.option_fields.items():
        value, only = data.get(f"option_{name}"), field.get("only", {})
        others = {other: options.get(other, game.option_fields[other]["default"]) for other in only}
        if value is not None and others == only:
            options[name] = value
    return options


def usual_options(game: Game[Any]) -> dict[str, Any]:
    """Return the options of a match started without a form: the reader's language, if it is one."""
    languages = game.option_fields.get("language", {}).get("one_of", ())
    return {"language": get_language()} if get_language() in languages else {}


def fewest(game: Game[Any]) -> int:
    """Return the smallest number of seats at which the default options are allowed."""
    for size in range(game.min_seats, game.max_seats):
        try:
            game.full_options(size, {})
        except ValueError:
            continue
        return size
    return game.max_seats
