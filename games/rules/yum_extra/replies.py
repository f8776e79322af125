"""Yum EXTRA in words: what is answered by mail, in English and in French."""

from games.engine import PASS, Move, View
from games.engine.replies import (
    Grammar,
    Names,
    Said,
    Words,
    after,
    faces,
    named,
    numbers,
    phrases,
    seat_named,
    vocabulary,
    with_faces,
)
from games.engine.throws import ALL_DICE
from games.rules.yum_extra.moves import ALL_EXTRA, COMBO_EXTRA, FIRST_ROLL, MAX_ROLLS
from games.rules.yum_extra.sheet import CELLS, KINDS, points

ROLLS = phrases(
    *("roll", "roll the dice", "roll all five", "roll dice", "roll them", "roll all", "throw"),
    *("throw the dice", "lance"),
    *("lancer", "lancer les des", "lance les des", "lance les 5 des", "lancer les 5 des", "lancer les cinq des"),
    *("lance les cinq des", "jeter les des", "jette les des", "lance tous les des"),
)
ALL = phrases(
    *("roll all", "reroll all", "roll everything", "roll all again", "keep nothing", "keep none", "roll all five"),
    *("tout relancer", "relance tout", "relancer tout", "tout lancer", "lance tout", "lancer tout", "ne garde rien"),
)
KEEPS = phrases("keep", "hold", "garde", "garder", "conserve", "conserver")
AGAIN = phrases("roll", "reroll", "roll again", "relance", "relancer", "lance", "lancer")
WRITES = phrases(
    "write", "write in", "score", "ecris", "ecrire", "inscris", "inscrire", "note", "noter", "marque", "put", "take"
)
PASSES = phrases("pass", "passe", "passer", "no", "non", "no combo", "pas de combo", "skip")
POINTS = frozenset({"points", "point", "pts", "pt", "in", "en", "dans"})
ZEROS = frozenset({"0", "zero"})
EXTRA = phrases("extra", "use extra", "use the extra", "utilise l extra", "utiliser l extra", "l extra")
WHITE = phrases("", "white", "white die", "de blanc", "blanc", "le de blanc")
ALL_FIVE = phrases("all", "all five", "tout", "tous", "les cinq", "les 5", "all 5")
COLOURS = {
    0: phrases("red", "rouge", "red die", "de rouge", "le rouge"),
    1: phrases("blue", "bleu", "blue die", "de bleu", "le bleu"),
    2: phrases("green", "vert", "green die", "de vert", "le vert"),
    3: phrases("yellow", "jaune", "yellow die", "de jaune", "le jaune"),
    4: phrases("purple", "violet", "purple die", "de violet", "le violet"),
}
ROWS = {
    "ones": phrases("ones", "as", "aces", "les as"),
    "twos": phrases("twos", "deux", "les deux"),
    "threes": phrases("threes", "trois", "les trois"),
    "fours": phrases("fours", "quatre", "les quatre"),
    "fives": phrases("fives", "cinq", "les cinq"),
    "sixes": phrases("sixes", "six", "les six"),
    "three_kind": phrases("three of a kind", "3 of a kind", "brelan", "le brelan"),
    "four_kind": phrases("four of a kind", "4 of a kind", "carre", "le carre"),
    "short_straight": phrases("short straight", "petite suite", "la petite suite", "small straight"),
    "long_straight": phrases("long straight", "grande suite", "la grande suite", "large straight"),
    "high_roll": phrases("high roll", "somme", "la somme"),
    "full_house": phrases("full house", "full", "le full"),
    "yum": phrases("yum", "le yum", "yam"),
}
PRIVILEGES = {
    "erase": phrases("erase", "efface", "effacer"),
    "steal": phrases("steal", "vole", "voler"),
    "triple": phrases("triple", "tripler"),
    "double": phrases("double", "doubler"),
    "swap": phrases("swap", "echange", "echanger"),
    "transform": phrases("transform", "transforme", "transformer"),
}
WITH = ("from", "with", "a", "avec", "de")
INTO = ("into", "en", "to")


def read(words: Words, view: View, names: Names) -> Move | None:
    """A roll, an extra, a row to write, a privilege or a pass; None for anything else."""
    if view["phase"] == "combo":
        return PASS if words in PASSES else _extra(words, view) or _privilege(words, view, names)
    if view["phase"] != "roll":
        return None
    if view["dice"] is None:
        return FIRST_ROLL if words in ROLLS else None
    return _roll(words, view["dice"]) or _extra(words, view) or _write(words, view)


def _roll(words: Words, dice: list[int]) -> Move | None:
    if words in ALL:
        return {"type": "roll", "dice": list(ALL_DICE)}
    kept, rolled = after(words, KEEPS), after(words, AGAIN)
    if kept:
        held = with_faces(faces(kept) or [0], dice, ALL_DICE)
        again = None if held is None else [die for die in ALL_DICE if die not in held]
    else:  # "roll 2" may be two dice
        again = with_faces(faces(rolled) or [0], dice, ALL_DICE) if rolled and len(rolled) > 1 else None
    if not again or not _is_clear(again, dice):
        return None
    return {"type": "roll", "dice": again}


def _is_clear(rolled: list[int], dice: list[int]) -> bool:
    """Whether it does not matter which of equal dice are rolled: their colours count for combos."""
    return all(die in rolled for one in rolled for die in ALL_DICE if dice[die] == dice[one])


def _extra(words: Words, view: View) -> Move | None:
    what = after(words, EXTRA)
    if what is None:
        return None
    if view["phase"] == "combo":
        return COMBO_EXTRA if what in WHITE or not what else None
    if what in ALL_FIVE:
        return ALL_EXTRA
    dice = [die for die, colour in COLOURS.items() if what in colour]
    return {"type": "extra", "extra": "die", "die": dice[0]} if dice else None


def _write(words: Words, view: View) -> Move | None:
    """The row, with its points or without; a zero must be said, as it closes the row."""
    row = after(words, WRITES)
    row = words if row is None else row
    is_zero = bool(ZEROS & set(row))
    row = tuple(word for word in row if word not in ZEROS | POINTS)
    for name, rest in ((row, ()), (row[:-1], row[-1:]), (row[1:], row[:1])):
        cell, said = named(name, ROWS), numbers(rest)
        if cell is None or said is None:
            continue
        worth = points(tuple(view["dice"]))[view["sheets"][view["you"]][cell]["as"] or cell]
        if is_zero != (worth == 0) or (said and said != [worth]):
            return None
        return {"type": "score", "cell": cell}
    return None


def _privilege(words: Words, view: View, names: Names) -> Move | None:
    for privilege, heads in PRIVILEGES.items():
        rest = after(words, heads)
        if not rest:
            continue
        if privilege in ("steal", "swap"):
            return _with_another(privilege, rest, view, names)
        if privilege == "transform":
            return _transformed(rest)
        cell = named(rest, ROWS)
        return {"type": privilege, "cell": cell} if cell else None
    return None


def _with_another(privilege: str, rest: Words, view: View, names: Names) -> Move | None:
    seats = [seat for seat in range(view["seats"]) if seat != view["you"]]
    for at, word in enumerate(rest):
        if word in WITH:
            cell, seat = named(rest[:at], ROWS), seat_named(rest[at + 1 :], names, seats)
            if cell and seat is not None:
                return {"type": privilege, "seat": seat, "cell": cell}
    return None


def _transformed(rest: Words) -> Move | None:
    for at, word in enumerate(rest):
        if word in INTO:
            cell, into = named(rest[:at], ROWS), named(rest[at + 1 :], ROWS)
            if cell and into in KINDS:
                return {"type": "transform", "cell": cell, "into": into}
    return None


ENGLISH = {cell: cell.replace("_kind", " of a kind").replace("_", " ") for cell in CELLS}
FRENCH_NAMES = (
    *("as", "deux", "trois", "quatre", "cinq", "six", "brelan", "carré", "petite suite", "grande suite"),
    *("somme", "full", "yum"),
)
FRENCH = dict(zip(CELLS, FRENCH_NAMES, strict=True))
VERBS = {"erase": "effacer", "triple": "tripler", "double": "doubler", "steal": "voler", "swap": "échanger"}


def say(view: View, names: Names) -> Said:
    if view["phase"] == "combo":
        return _say_combo(view, names)
    if view["dice"] is None:
        return {"en": ["roll"], "fr": ["lancer"]}
    dice = view["dice"]
    kept = " ".join(str(face) for face in dice if face == max(dice, key=dice.count))
    again = {"en": [f"keep {kept}", "roll all"], "fr": [f"garder {kept}", "tout relancer"]}
    if len(kept) == 9:
        again = {language: phrases[1:] for language, phrases in again.items()}
    if view["rolls"] == MAX_ROLLS:
        again = {"en": [], "fr": []}
    worth = points(tuple(dice))
    [cells] = [move["cell"]["one_of"] for move in view["prompt"]["moves"] if move["type"] == "score"]
    best = max(cells, key=lambda cell: worth[view["sheets"][view["you"]][cell]["as"] or cell])
    zero = "" if worth[view["sheets"][view["you"]][best]["as"] or best] else " 0"
    return {
        "en": [*again["en"], f"write {ENGLISH[best]}{zero}"],
        "fr": [*again["fr"], f"écrire {FRENCH[best]}{zero}"],
    }


def _say_combo(view: View, names: Names) -> Said:
    said: Said = {"en": ["pass"], "fr": ["passer"]}
    for move in view["prompt"]["moves"]:
        kind = move["type"]
        if kind == "extra":
            said["en"].append("extra")
            said["fr"].append("extra")
        elif kind in VERBS:
            cell = move["cell"]["one_of"][0]
            other = names[move["seat"]] if "seat" in move else ""
            preposition = ("from", "à") if kind == "steal" else ("with", "avec")
            said["en"].append(f"{kind} {ENGLISH[cell]}" + (f" {preposition[0]} {other}" if other else ""))
            said["fr"].append(f"{VERBS[kind]} {FRENCH[cell]}" + (f" {preposition[1]} {other}" if other else ""))
        elif kind == "transform":
            cell = move["cell"]["one_of"][0]
            said["en"].append(f"transform {ENGLISH[cell]} into full house")
            said["fr"].append(f"transformer {FRENCH[cell]} en full")
    return said


GRAMMAR = Grammar(
    read=read,
    say=say,
    words=vocabulary(
        *(ROLLS, ALL, KEEPS, AGAIN, WRITES, PASSES, EXTRA, WHITE, ALL_FIVE),
        *(*COLOURS.values(), *ROWS.values(), *PRIVILEGES.values()),
    ),
)
