"""The load generator's reader: of a table only its version, its question and the moves of its forms."""

import html
import json
import re
from random import Random
from urllib.parse import urlencode

ASK = re.compile(r'name="ask" value="(\d+)"')
KEY = re.compile(r'name="key" value="([\w-]+)"')
MOVE = re.compile(r"""name="move" value=(?:"([^"]+)"|'([^']+)')""")
VERSION = re.compile(r'data-version="(\d+)"')


def version_of(text: str) -> int:
    """Return the version of a table; 0 when the text is none."""
    found = VERSION.search(text)
    return int(found[1]) if found else 0


def move_of(text: str, rng: Random) -> str | None:
    """Return the form of a random move that the table offers, as a browser encodes it; None when it offers none."""
    ask, moves = ASK.search(text), [html.unescape(a or b) for a, b in MOVE.findall(text)]
    moves = [move for move in moves if '"chosen"' not in move]  # asks for a choice in the sheet
    if not ask or not moves:
        return None
    rolls = [move for move in moves if json.loads(move)["type"] == "roll"]
    fields = {"ask": ask[1], "key": KEY.search(text)[1], "move": rng.choice(rolls or moves)}
    return urlencode(fields | {"transform.text.into": "high_roll"})
