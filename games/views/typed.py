"""What was typed for a move that was refused: it is given back, and the refusal is told beside it."""

import json
from typing import Any

from django.http import QueryDict

from games.forms import inputs_of
from games.services.refusals import Illegal, Refused

LONGEST_WORD = 80  # characters of a text that are given back
SPOILT = "bad_word"  # the engine's code for a text that may not be sent


def refused(refusal: Refused, post: QueryDict) -> dict[str, Any]:
    """Return a refusal as a table tells it: its sentence, all that was typed, by input, and at which input
    it is to be told (empty: at none).
    """
    typed = {name: post.get(name, "")[:LONGEST_WORD] for name in post if ".text." in name}
    is_of_text = isinstance(refusal, Illegal) and refusal.code == SPOILT
    return {"words": str(refusal), "typed": typed, "at": _text_input(post) if is_of_text else ""}


def _text_input(post: QueryDict) -> str:
    """Return the name of the input whose text became a part of the posted move; empty when there is none."""
    move = json.loads(post.get("move", ""))  # it was read already: the rules have seen it
    inputs = inputs_of(post, move["type"], move.get("token"))
    return next((name for name, kind, _field in inputs if kind == "text"), "")
