"""Legal moves as data: checking a move against a prompt, and sampling one from it.

A prompt is {"phase", "moves": [entry], "optional"}; an entry is a move whose fields may be
descriptions: {"one_of"}, {"subset_of", "min", "max"}, {"min", "max", "step"}, {"text": {"max_length"}}.
Options and standing orders use the same descriptions, and {"list_of": description or fields} and "null".
"""

from itertools import product
from random import Random
from typing import Any, TypeAlias

Move: TypeAlias = dict[str, Any]
Prompt: TypeAlias = dict[str, Any]
Description: TypeAlias = dict[str, Any]

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def fits(field: Any, value: object) -> bool:
    """Whether the description allows `value`. A field that is no description allows only itself."""
    if not isinstance(field, dict):
        return _same(field, value)
    if value is None and "null" in field:
        return True
    if "one_of" in field:
        return any(_same(choice, value) for choice in field["one_of"])
    if "subset_of" in field:
        return _is_subset(field, value)
    if "list_of" in field:
        return type(value) is list and all(_fits_item(field["list_of"], item) for item in value)
    if "text" in field:
        return type(value) is str and len(value) <= field["text"]["max_length"]
    return _in_range(field, value)


def permits(prompt: Prompt | None, move: object) -> bool:
    """Whether the prompt has `move`; what a prompt cannot express, as whether a word is acceptable, aside."""
    if prompt is None or type(move) is not dict:
        return False
    kind = move.get("type")
    return any(entry["type"] == kind and _matches(entry, move) for entry in prompt["moves"])


def sample_move(prompt: Prompt, rng: Random) -> Move:
    """A random move of the prompt: an entry, then a value for each of its fields."""
    entry = rng.choice(prompt["moves"])
    optional = entry.get("may_omit", ())
    return {
        name: _sample(field, rng)
        for name, field in entry.items()
        if name != "may_omit" and not (name in optional and rng.random() < 0.5)
    }


def few_moves(prompt: Prompt, most: int) -> list[Move]:
    """All moves of the prompt, in its order; [] where they are more than `most`. A field that may be omitted is not."""
    found: list[Move] = []
    for entry in prompt["moves"]:
        named = {name: field for name, field in entry.items() if name != "may_omit"}
        choices = [_choices(field, most) for field in named.values()]
        if not all(choices):
            return []
        found += [dict(zip(named, chosen, strict=True)) for chosen in product(*choices)]
        if len(found) > most:
            return []
    return found


def _choices(field: Any, most: int) -> list[Any]:
    """The values that a description allows; [] where they are more than `most`, or too many to be listed."""
    if not isinstance(field, dict):
        return [field]
    if "one_of" in field:
        values = list(field["one_of"])
    elif "min" in field and "subset_of" not in field:
        values = list(range(field["min"], field["max"] + 1, field.get("step", 1))[: most + 1])
    else:
        return []
    return values if len(values) <= most else []


def _matches(entry: Move, move: Move) -> bool:
    optional = entry.get("may_omit", ())
    for name, field in entry.items():
        if name in move:
            if not fits(field, move[name]):
                return False
        elif name != "may_omit" and name not in optional:
            return False
    return all(name in entry for name in move) and "may_omit" not in move


def _same(wanted: object, value: object) -> bool:
    """Equal as JSON: 1, 1.0 and true are three different values."""
    return type(wanted) is type(value) and wanted == value


def _is_subset(field: Description, value: object) -> bool:
    if type(value) is not list:
        return False
    base: list[Any] = field["subset_of"]
    least: int = field.get("min", 0)
    if not least <= len(value) <= field.get("max", len(base)):
        return False
    return all(value.count(item) == 1 and any(_same(choice, item) for choice in base) for item in value)


def _in_range(field: Description, value: object) -> bool:
    if type(value) is not int or not field["min"] <= value <= field["max"]:
        return False
    step: int = field.get("step", 1)
    return int(value - field["min"]) % step == 0


def _fits_item(field: Any, item: object) -> bool:
    """An item of a list: of one description, or an object with a description for each of its fields."""
    if isinstance(field, dict) and not _is_description(field):
        return type(item) is dict and item.keys() == field.keys() and all(fits(field[k], item[k]) for k in field)
    return fits(field, item)


def _is_description(field: Description) -> bool:
    return bool(field.keys() & {"one_of", "subset_of", "list_of", "text", "min"})


def _sample(field: Any, rng: Random) -> Any:
    if not isinstance(field, dict):
        return field
    if "one_of" in field:
        return rng.choice(field["one_of"])
    if "subset_of" in field:
        base = field["subset_of"]
        return rng.sample(base, rng.randint(field.get("min", 0), field.get("max", len(base))))
    if "text" in field:
        return "".join(rng.choices(LETTERS, k=rng.randint(1, field["text"]["max_length"])))
    return rng.randrange(field["min"], field["max"] + 1, field.get("step", 1))
