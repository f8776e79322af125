"""YAM menteur in words: what is answered by mail, in English and in French."""

from collections import Counter

from games.engine import Move, View
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
from games.rules.yam_menteur.moves import BELIEVE, DOUBT, FIRST_TRY
from games.rules.yam_menteur.sheet import CLAIMS, FIXED, INDEX, TRIES, UPPER

BELIEVES = phrases(
    *("believe", "believe it", "believe him", "believe her", "believe them", "yes", "yes believe", "yes i believe it"),
    *("crois", "croire", "y crois", "le crois", "la crois", "j y crois", "oui", "oui j y crois", "oui je le crois"),
    *("yes i believe", "oui je crois", "do believe it", "do believe", "yes i do", "true", "it s true", "vrai"),
    *("c est vrai", "trust him", "trust her", "trust it", "fais confiance"),
)
DOUBTS = phrases(
    *("doubt", "doubt it", "doubt him", "doubt her", "doubt them", "no", "no doubt it", "no i doubt it", "bluff"),
    *("doute", "douter", "en doute", "j en doute", "non", "non j en doute", "non je doute", "n y crois pas"),
    *("don t believe it", "do not believe it", "don t believe", "do not believe", "no i don t", "no i do not"),
    *("don t believe him", "don t believe her", "ne crois pas", "ne le crois pas", "ne la crois pas"),
    *("liar", "menteur"),
    *("lie", "a lie", "it s a lie", "he lies", "she lies", "he s lying", "she s lying", "il ment", "elle ment"),
    *("mensonge", "c est faux", "doute de lui", "doute d elle", "n en crois rien", "non il ment", "non elle ment"),
    *("non je n y crois pas", "no i don t believe it", "it s a bluff", "c est un bluff", "menteuse", "dont believe it"),
)
ROLLS = phrases(
    *("roll", "roll the dice", "roll them", "roll all", "roll dice", "roll all five", "throw", "throw the dice"),
    *("lance", "lancer", "lancer les des", "lance les des", "lance les 5 des", "lancer les 5 des"),
    *("lancer les cinq des",),
    *("lance les cinq des", "jeter les des", "jette les des", "lance tous les des"),
)
BELIEVE_WHOM = phrases("believe", "trust", "crois", "yes i believe", "oui je crois")
DOUBT_WHOM = phrases(
    "doubt", "don t believe", "do not believe", "don t trust", "doute de", "ne crois pas", "no i doubt"
)
ALL = phrases(
    "roll all", "reroll all", "roll everything", "roll all again", "roll all of them", "keep nothing"
) | phrases(
    *("tout relancer", "relance tout", "relancer tout", "je relance tout", "tout lancer"),
    *("ne garde rien", "garder rien"),
    *("keep none", "roll them all", "reroll everything", "lance tout", "lancer tout"),
)
KEEPS = phrases("keep", "hold", "garde", "garder", "conserve", "conserver")
AGAIN = phrases("roll", "reroll", "roll again", "relance", "relancer", "lance", "lancer")
CLAIMS_IT = phrases("announce", "claim", "say", "annonce", "annoncer", "j annonce", "dis", "dire", "bid")
POINTS = frozenset({"points", "point", "pts", "pt"})
IN = frozenset({"in", "en", "dans", "aux", "au", "a", "for", "pour", "les", "the"})
NUMERALS = frozenset({"deux", "trois", "quatre", "cinq", "six"})
ROWS = {
    "ones": phrases("ones", "as", "aces"),
    "twos": phrases("twos", "deux"),
    "threes": phrases("threes", "trois"),
    "fours": phrases("fours", "quatre"),
    "fives": phrases("fives", "cinq"),
    "sixes": phrases("sixes", "six"),
    "three_kind": phrases("three of a kind", "3 of a kind", "brelan", "three alike", "3 alike", "3 identiques"),
    "four_kind": phrases("four of a kind", "4 of a kind", "carre", "four alike", "4 alike", "4 identiques"),
    "full_house": phrases("full house", "full", "fullhouse"),
    "small_straight": phrases("small straight", "petite suite", "short straight"),
    "large_straight": phrases("large straight", "grande suite", "big straight", "long straight"),
    "yam": phrases("yam", "yams", "yahtzee", "yum"),
    "chance": phrases("chance"),
}
FRENCH_NAMES = (
    *("as", "deux", "trois", "quatre", "cinq", "six", "brelan", "carré", "full", "petite suite", "grande suite"),
    *("yam", "chance"),
)
FRENCH = dict(zip(CLAIMS, FRENCH_NAMES, strict=True))


def read(words: Words, view: View, names: Names) -> Move | None:
    """The answer to a claim, a throw or an announcement; None for anything else."""
    if view["phase"] == "answer":
        if words in BELIEVES or _is_of_thrower(after(words, BELIEVE_WHOM), view, names):
            return BELIEVE
        return DOUBT if words in DOUBTS or _is_of_thrower(after(words, DOUBT_WHOM), view, names) else None
    if view["phase"] != "throw":
        return None
    if not view["tries"]:
        return FIRST_TRY if words in ROLLS else None
    return _throw(words, view) or _announcement(words)


def _is_of_thrower(words: Words | None, view: View, names: Names) -> bool:
    """Whether the words name the one who announced."""
    return bool(words) and seat_named(words or (), names, [view["thrower"]]) is not None


def _throw(words: Words, view: View) -> Move | None:
    """Another try: which dice are kept, or which are rolled."""
    loose = [die for die in range(5) if die not in (view["locked"] or ())]
    if words in ALL:
        return _roll(loose)
    kept, rolled = after(words, KEEPS), after(words, AGAIN)
    if kept:
        return _roll(_others(faces(kept), view["dice"], loose))
    if rolled is None or len(rolled) < 2:  # "roll 2" may be two dice
        return None
    return _roll(with_faces(faces(rolled) or [0], view["dice"], loose))


def _roll(dice: list[int] | None) -> Move | None:
    return {"type": "roll", "dice": dice} if dice else None


def _others(wanted: list[int] | None, dice: list[int], loose: list[int]) -> list[int] | None:
    """The dice that are rolled if those with the faces are kept; None if that may be meant in two ways.

    Some name the dice under earlier cups as well, which stay there.
    """
    if wanted is None or _may_be_a_count(wanted, [dice[die] for die in loose]):
        return None
    fixed = Counter(face for die, face in enumerate(dice) if die not in loose)
    ways = []
    for faces_kept in (Counter(wanted), Counter(wanted) - fixed if fixed <= Counter(wanted) else None):
        kept = None if faces_kept is None else with_faces(list(faces_kept.elements()), dice, loose)
        if kept is not None:
            ways.append([die for die in loose if die not in kept])
    fates = {tuple(sorted(dice[die] for die in rolled)) for rolled in ways}
    return ways[0] if len(fates) == 1 else None


def _may_be_a_count(wanted: list[int], shown: list[int]) -> bool:
    """Whether "6" may be all sixes, or "2 6" two of them."""
    if len(wanted) == 1:
        return shown.count(wanted[0]) > 1
    return len(wanted) == 2 and wanted[0] != wanted[1] and 1 < wanted[0] <= shown.count(wanted[1])


def _announcement(words: Words) -> Move | None:
    said = after(words, CLAIMS_IT)
    said = words if said is None else said
    said = tuple(word for word in said if word not in POINTS) if (marked := bool(POINTS & set(said))) else said
    for length in range(1, min(4, len(said)) + 1):
        for row, rest, is_first in (
            (named(said[:length], ROWS), said[length:], True),
            (named(said[-length:], ROWS), said[:-length], False),
        ):
            if row is not None and (move := _claim(row, rest, may_count=not marked and not is_first)):
                is_count = is_first and not marked and said[0] in NUMERALS and move.get("points", 0) <= 6
                return None if is_count else move  # "trois 6" may be three sixes
    return None


def _claim(row: str, rest: Words, *, may_count: bool) -> Move | None:
    """The claim of a row with these points. "4 fours" may be four points or four dice, so that it is none."""
    bare = tuple(word for word in rest if word not in IN)
    if not bare:
        return {"type": "announce", "combination": row} if row in FIXED and not rest else None
    found = numbers(bare)
    if found is None or len(found) != 1 or found[0] not in CLAIMS[row]:
        return None
    if row in UPPER and may_count and bare == rest and found[0] <= 5 and INDEX[row]:
        return None
    return {"type": "announce", "combination": row, "points": found[0]}


def say(view: View, names: Names) -> Said:
    if view["phase"] == "answer":
        return {"en": ["believe", "doubt"], "fr": ["j’y crois", "j’en doute"]}
    if not view["tries"]:
        return {"en": ["roll"], "fr": ["lancer"]}
    said = _claims([move["combination"] for move in view["prompt"]["moves"] if move["type"] == "announce"])
    if view["tries"] == TRIES:
        return said
    loose = [die for die in range(5) if die not in (view["locked"] or ())]
    faces_kept = [view["dice"][die] for die in loose[:-1]]
    kept = " ".join(map(str, faces_kept)) if _others(faces_kept, view["dice"], loose) else ""
    again = {"en": [f"keep {kept}", "roll all"], "fr": [f"garder {kept}", "tout relancer"]}
    return {language: [*again[language][not kept :], *said[language]] for language in said}


def _claims(rows: list[str]) -> Said:
    """An example of each kind of row that may be announced: one of fixed points, an upper one, another."""
    said: Said = {"en": [], "fr": []}
    for kind in (FIXED, UPPER, [row for row in CLAIMS if row not in FIXED and row not in UPPER]):
        row = next((row for row in reversed(rows) if row in kind), None)
        if row is not None:
            points = "" if row in FIXED else f" {CLAIMS[row][3] if row in UPPER else 20}"
            said["en"].append(f"{row.replace('_kind', ' of a kind').replace('_', ' ')}{points}")
            said["fr"].append(f"{FRENCH[row]}{points}")
    return said


GRAMMAR = Grammar(
    read=read,
    say=say,
    words=vocabulary(BELIEVES, DOUBTS, ROLLS, ALL, KEEPS, AGAIN, CLAIMS_IT, *ROWS.values()),
)
