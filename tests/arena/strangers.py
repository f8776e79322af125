"""Engines of strangers, as the arena meets them: good, illegal, crashing, silent; as functions and as a program."""

import json
import sys
import time
from typing import Any

from tests.bench.recipes import first_legal


def first(view: dict[str, Any]) -> Any:
    return first_legal(view)


def illegal(view: dict[str, Any]) -> Any:
    return {"type": "nonsense"}


def crashing(view: dict[str, Any]) -> Any:
    raise RuntimeError("out of ideas")


def meddling(view: dict[str, Any]) -> Any:
    """Play, and spoil what it was given."""
    move = first_legal(view)
    view.clear()
    return move


def speaking(manner: str) -> None:
    """Answer lines of JSON in this manner."""
    for line in sys.stdin:
        if manner == "silent":
            time.sleep(60)
        if manner == "ends":
            return
        print("hm" if manner == "babbling" else json.dumps(first(json.loads(line))), flush=True)


if __name__ == "__main__":
    speaking(sys.argv[1])
