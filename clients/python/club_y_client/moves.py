"""Moves from a prompt, for programs that know nothing of the game."""

from random import Random
from typing import Any

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def random_move(prompt: dict[str, Any], rng: Random) -> dict[str, Any]:
    """Return a move that the prompt allows, by chance. What a prompt cannot say, as which words a game takes, aside."""
    entry = rng.choice(prompt["moves"])
    optional = entry.get("may_omit", ())
    return {
        name: _value(field, rng)
        for name, field in entry.items()
        if name != "may_omit" and not (name in optional and rng.random() < 0.5)
    }


def _value(field: Any, rng: Random) -> Any:
    if not isinstance(field, dict):
        return field
    if "one_of" in field:
        return rng.choice(field["one_of"])
    if "subset_of" in field:
        among = field["subset_of"]
        size = rng.randint(field.get("min", 0), field.get("max", len(among)))
        return sorted(rng.sample(list(among), size), key=among.index)
    if "text" in field:
        return "".join(rng.choices(LETTERS, k=min(8, field["text"]["max_length"])))
    return rng.randrange(field["min"], field["max"] + 1, field.get("step", 1))
