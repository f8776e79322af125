"""YESSS! in words: what is answered by mail, in English and in French."""

from itertools import groupby

from games.engine import PASS, Move, View
from games.engine.replies import (
    Grammar,
    Names,
    Said,
    Words,
    after,
    numbers,
    phrases,
    seat_named,
    spelt,
    vocabulary,
    words_in,
)
from games.rules.yesss.wording import folded

PAIRS = phrases("pair", "select", "choose", "pick", "paire", "choisis", "choisir")
WORDS = phrases("word", "say", "mot", "dis", "dire", "the word", "le mot")
GUESSES = phrases("guess", "devine", "deviner")
OBJECTS = phrases("object", "object to", "conteste", "contester")
REFUSES = phrases("refuse", "send back", "send it back", "renvoie", "renvoyer", "la renvoie", "refuser")
SWAPS = phrases("swap with", "swap", "change with", "echange avec", "echanger avec", "changer avec")
PASSES = phrases("pass", "stay", "passe", "passer", "reste", "rester")
NO_THANKS = phrases("no", "no thanks", "no thank you", "non", "non merci")  # to a swap
READY = phrases("ready", "m ready", "pret", "prete", "suis pret", "suis prete")
WITHDRAWS = phrases("withdraw", "take back", "take it back", "retire", "retirer", "le retire")
STOPS = phrases("stop", "stop the race", "arrete", "arreter")
NO_WORDS = words_in(
    "thanks thank you merci please sorry desole pardon hello bonjour salut bye aurevoir ciao yes no oui non maybe peut "
    "what quoi why pourquoi how comment when quand who qui test oops oups help aide orders ordres unsubscribe "
    "desabonner desinscription desabonnement hmm great super cool nice bravo good bien lol haha hein ok done fait "
    "envoye sent regards cordialement bises bisous love later tard demain tomorrow busy absent wait attends play joue "
    "jouer roll lance lancer believe doubt crois doute pass passe keep garde write ecrire bid throw mail message mot "
    "word pair paire guess devine object conteste refuse renvoie swap echange ready pret stop arrete withdraw retire "
    "select choose pick choisis choisir dire say dis refuser renvoyer deviner contester echanger rester stay "
    "reste garder miser viser throw buy acheter sell vendre pay payer gamble parier announce annoncer "
    "best bisou amicalement amities"
)
"""What is said alone without being meant as the word for a pair."""


def read(words: Words, view: View, names: Names) -> Move | None:
    """A pair, a word, a guess or what else is asked; None for anything else."""
    if view["prompt"] is None:
        return None
    reading = READ.get(view["phase"])
    return reading(words, view, names) if reading else None


def _pair(words: Words) -> list[int] | None:
    """Two numbers of pictures, the smaller first."""
    found = numbers(words)
    return sorted(found) if found and len(found) == 2 else None


def _select(words: Words, view: View, names: Names) -> Move | None:
    said = after(words, PAIRS)
    pair = _pair(words if said is None else said)
    return {"type": "select", "pair": pair} if pair else None


def _propose(words: Words, view: View, names: Names) -> Move | None:
    if words in REFUSES:
        return {"type": "refuse"}
    if (said := after(words, OBJECTS)) is not None:
        token = _guessed(said, view)
        return None if token is None else {"type": "object", "token": token}
    if (said := after(words, WORDS)) is not None:
        return _word(said, view)
    said = after(words, GUESSES)
    said = words if said is None else said
    pair = _pair(said[-2:])
    token = _guessed(said[:-2], view)
    return {"type": "guess", "token": token, "pair": pair} if pair and token is not None else None


def alone(words: Words, view: View, names: Names) -> Move | None:
    """The word for one's only pair, where nothing else is asked; what is said without being meant so is none."""
    is_word = (
        len(words) == 1
        and len(words[0]) > 1
        and words[0].isascii()
        and words[0].isalpha()
        and words[0] not in NO_WORDS
        and not _is_a_name(words[0], names)
    )
    is_asked = view["phase"] == "propose" and view["prompt"] is not None and not _tokens(view, "guess")
    return _word(words, view) if is_word and is_asked else None


def _is_a_name(word: str, names: Names) -> bool:
    return any(word in folded(name) for name in names)


def _tokens(view: View, kind: str) -> list[int]:
    return [move["token"] for move in view["prompt"]["moves"] if move["type"] == kind]


def _word(words: Words, view: View) -> Move | None:
    """The word for the one pair that lacks one."""
    owed = _tokens(view, "word")
    return {"type": "word", "token": owed[0], "word": spelt(words[0])} if len(owed) == len(words) == 1 else None


def _guessed(words: Words, view: View) -> int | None:
    """The token whose word was named; without a word the only one that is to be guessed."""
    open_ones = _tokens(view, "guess")
    if words:
        open_ones = [token for token in open_ones if words == (folded(view["tokens"][token]["word"] or ""),)]
    return open_ones[0] if len(open_ones) == 1 else None


def _swap(words: Words, view: View, names: Names) -> Move | None:
    if words in PASSES or words in NO_THANKS:
        return PASS
    said = after(words, SWAPS)
    seat = seat_named(said, names, [seat for seat in range(view["seats"]) if seat != view["you"]]) if said else None
    return None if seat is None else {"type": "swap", "seat": seat}


def _ready(words: Words, view: View, names: Names) -> Move | None:
    return {"type": "ready"} if words in READY else None


def _race(words: Words, view: View, names: Names) -> Move | None:
    """A clue, "word 2 5 honey"; an answer to one, "guess honey 2 5"; the rest is a word each."""
    if words in WITHDRAWS or words in STOPS:
        return {"type": "withdraw" if words in WITHDRAWS else "stop"}
    said = after(words, WORDS)
    if said is not None:
        pair = _pair(said[:2])
        return {"type": "clue", "pair": pair, "word": spelt(said[2])} if pair and len(said) == 3 else None
    said = after(words, GUESSES)
    if said is None:
        return None
    clues = [move["clue"] for move in view["prompt"]["moves"] if move["type"] == "answer"]
    if said[:-2]:
        clues = [clue for clue in clues if said[:-2] == (folded(view["clues"][clue]["word"]),)]
    pair = _pair(said[-2:])
    return {"type": "answer", "clue": clues[0], "pair": pair} if pair and len(clues) == 1 else None


READ = {"select": _select, "propose": _propose, "swap": _swap, "ready": _ready, "race": _race}


def say(view: View, names: Names) -> Said:
    said: Said = {"en": [], "fr": []}
    for kind, moves in groupby(view["prompt"]["moves"], key=lambda move: str(move["type"])):
        for english, french in _examples(kind, next(moves), view, names):
            said["en"].append(english)
            said["fr"].append(french)
    return {language: list(dict.fromkeys(phrases)) for language, phrases in said.items()}


def _examples(kind: str, move: Move, view: View, names: Names) -> list[tuple[str, str]]:
    match kind:
        case "select":
            return [("pair {} {}".format(*pair), "paire {} {}".format(*pair)) for pair in move["pair"]["one_of"]]
        case "word":
            return [("word honey", "mot miel")] if len(_tokens(view, "word")) == 1 else []
        case "guess":
            word = view["tokens"][move["token"]]["word"]
            return [(f"guess {word} 2 5", f"deviner {word} 2 5")]
        case "object":
            word = view["tokens"][move["token"]]["word"]
            return [(f"object {word}", f"contester {word}")]
        case "swap":
            other = names[move["seat"]["one_of"][0]]
            return [(f"swap with {other}", f"échanger avec {other}")]
        case "clue":
            pair = move["pair"]["one_of"][0]
            return [("word {} {} honey".format(*pair), "mot {} {} miel".format(*pair))]
        case "answer":
            pair, word = move["pair"]["one_of"][0], view["clues"][move["clue"]]["word"]
            return [(f"guess {word} {pair[0]} {pair[1]}", f"deviner {word} {pair[0]} {pair[1]}")]
    return {
        "refuse": [("send back", "renvoyer")],
        "pass": [("stay", "rester")],
        "ready": [("ready", "prêt")],
        "withdraw": [("withdraw", "retirer")],
        "stop": [("stop", "arrêter")],
    }[kind]


GRAMMAR = Grammar(
    read=read,
    alone=alone,
    say=say,
    words=vocabulary(PAIRS, WORDS, GUESSES, OBJECTS, REFUSES, SWAPS, PASSES, NO_THANKS, READY, WITHDRAWS, STOPS),
)
