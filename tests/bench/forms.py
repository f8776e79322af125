"""The load generator's reader: of a table only its version, its question, and the board's buttons and fields.

A form is filled in as a browser would send it, by plain searches of the text: a parser of HTML would take more of
the processor than the server does for the move.
"""

import html
import json
import re
from collections.abc import Iterable
from random import Random
from urllib.parse import urlencode

ASK = re.compile(r'name="ask" value="(\d+)"')
KEY = re.compile(r'name="key" value="([\w-]+)"')
VERSION = re.compile(r'data-version="(\d+)"')
HISTORY = re.compile(r'data-history="([^"]*)"')
MOVE = re.compile(r"""name="move"\s+value=(?:"([^"]*)"|'([^']*)')""")
CHOSEN = re.compile(r"""name="chosen"[^>]*? value=(?:"([^"]+)"|'([^']+)')""")
FIELD = re.compile(r'<(input|select)\b[^>]*?\bname="([\w+]+)\.(\w+)\.(\w+)(?:\.(\d+))?"[^>]*>')
ATTRIBUTE = re.compile(r'\b(value|min|max)="([^"]*)"')
OPTION = re.compile(r'<option value="([^"]*)"')
WORDS = ["voyage", "danger", "hiver", "musique", "vitesse", "jardin", "montagne", "silence", "courage", "orage"]


def version_of(text: str) -> int:
    """Return the version of a table; 0 when the text is none."""
    found = VERSION.search(text)
    return int(found[1]) if found else 0


def history_of(text: str) -> str:
    """Return the mark of a table's history."""
    found = HISTORY.search(text)
    return found[1] if found else ""


def move_of(text: str, rng: Random) -> str | None:
    """Return the form of a random move that the table offers, as a browser encodes it; None when it offers none.

    Dice are rolled as long as they may be.
    """
    ask, start = ASK.search(text), text.find('id="board"')
    if not ask or start < 0:
        return None
    board = text[start : text.find("</form>", start)]
    moves = [json.loads(html.unescape(a or b)) for a, b in MOVE.findall(board)]
    chosen = [html.unescape(a or b) for a, b in CHOSEN.findall(board)]
    moves = [move for move in moves if move["type"] != "chosen" or chosen]
    if not moves:
        return None
    move = rng.choice([move for move in moves if move["type"] == "roll"] or moves)
    fields = [("ask", ask[1]), ("key", KEY.search(text)[1]), ("move", json.dumps(move))]
    if move["type"] == "chosen":
        fields.append(("chosen", rng.choice(chosen)))
        move = json.loads(fields[-1][1])
    return urlencode(fields + filled(board, move, rng))


def filled(board: str, move: dict, rng: Random) -> list[tuple[str, str]]:
    """Return the fields that belong to a move, filled in at random but so that nothing is missing."""
    choices: dict[str, list[str]] = {}
    ranges: dict[str, tuple[str, str]] = {}
    for field in FIELD.finditer(board):
        tag, types, kind, name, token = field.groups()
        if move["type"] not in types.split("+") or token not in (None, str(move.get("token"))):
            continue
        whole = ".".join(filter(None, (types, kind, name, token)))
        values = dict(ATTRIBUTE.findall(field[0]))
        offered = [values.get("value", "")] if tag == "input" else options(board, field.end())
        choices.setdefault(whole, []).extend(offered)
        if "min" in values:
            ranges[whole] = values["min"], values["max"]
    return [(whole, value) for whole in choices for value in picked(whole, choices, ranges.get(whole), rng)]


def options(board: str, start: int) -> list[str]:
    """Return the values of a list of options that begins there."""
    return OPTION.findall(board, start, board.find("</select>", start))


def picked(whole: str, choices: dict[str, list[str]], limits: tuple[str, str] | None, rng: Random) -> Iterable[str]:
    """Return what is sent for a field of that name, whose kind says how many values it takes."""
    kind, values = whole.split(".")[1], [value for value in choices[whole] if value]
    if limits:
        return [str(rng.randint(int(limits[0]), int(limits[1])))]
    if kind == "text" and not values:
        return [rng.choice(WORDS)]
    if kind == "but":
        return rng.sample(values, rng.randrange(len(values)))
    if kind == "of":
        return values
    return rng.sample(values, min(len(values), 2 if kind == "two" else 1))
