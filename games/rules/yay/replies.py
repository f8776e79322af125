"""YAY! in words: what is answered by mail, in English and in French."""

import re

from games.engine import Move, View, fits
from games.engine.replies import Grammar, Names, Said, Words, after, phrases, vocabulary
from games.rules.yay.board import Cell, board_seen, middle
from games.rules.yay.moves import in_cell, throw_at

THROWS = phrases(
    *("throw", "throw at", "aim", "aim at", "throw again", "throw again at", "again", "again at"),
    *("lance", "lancer", "lancer en", "lance en", "vise", "viser", "relance", "relancer", "relancer en", "relance en"),
)
VERBS = {
    "write": phrases("write", "write in", "ecris", "ecrire", "ecrire en", "ecris en", "inscrire", "inscris"),
    "lock": phrases("lock", "verrouille", "verrouiller", "bloque", "bloquer", "ferme", "fermer"),
    "cross": phrases("cross", "cross out", "barre", "barrer", "raye", "rayer"),
}
LETTERS = "abcdefgh"
CELL = re.compile(r"([a-h])([1-8])|([1-8])([a-h])")


def read(words: Words, view: View, names: Names) -> Move | None:
    """A throw at a cell's middle, or a cell to write in, to lock, to cross out; None for anything else.

    A cell alone is enough where it can be meant in one way.
    """
    if view["prompt"] is None:
        return None
    kinds = {move["type"] for move in view["prompt"]["moves"]}
    if (said := after(words, THROWS)) is not None:
        return _throw(said, view)
    for kind, heads in VERBS.items():
        if (said := after(words, heads)) is not None:
            cell = _cell(said, view)
            return in_cell(kind, cell) if cell else None
    cell = _cell(words, view)
    if cell is None or len(kinds) != 1:
        return None
    return _throw(words, view) if kinds == {"throw"} else in_cell(kinds.pop(), cell)


def _throw(words: Words, view: View) -> Move | None:
    cell = _cell(words, view)
    return throw_at(*middle(cell)) if cell else None


def _cell(words: Words, view: View) -> Cell | None:
    """The cell of "D4", "4 D" or "d 4"."""
    found = CELL.fullmatch("".join(words))
    if found is None or len(words) > 2:
        return None
    letter, number = found[1] or found[4], found[2] or found[3]
    cell = int(number) - 1, LETTERS.index(letter)
    return cell if max(cell) < len(view["grid"]) else None


def say(view: View, names: Names) -> Said:
    said: Said = {"en": [], "fr": []}
    for kind, english, french in (
        ("write", "write", "écrire"),
        ("lock", "lock", "verrouiller"),
        ("cross", "cross out", "barrer"),
    ):
        entry = next((move for move in view["prompt"]["moves"] if move["type"] == kind), None)
        if entry:
            cell = _label((entry["row"], entry["col"]["one_of"][0]))
            said["en"].append(f"{english} {cell}")
            said["fr"].append(f"{french} {cell}")
    if any(move["type"] == "throw" and fits(move["x"], 50) for move in view["prompt"]["moves"]):
        cell = _label(board_seen(view["grid"]).roomiest())
        said["en"].append(f"throw {cell}")
        said["fr"].append(f"lancer {cell}")
    return said


def _label(cell: Cell) -> str:
    return f"{LETTERS[cell[1]].upper()}{cell[0] + 1}"


GRAMMAR = Grammar(read=read, say=say, words=vocabulary(THROWS, *VERBS.values()))
