"""¥€$ in words: what is answered by mail, in English and in French."""

import json
from pathlib import Path
from typing import Any

from games.engine import PASS, Move, View
from games.engine.replies import (
    Grammar,
    Names,
    Said,
    Words,
    after,
    named,
    numbers,
    phrases,
    seat_named,
    vocabulary,
    words_of,
)
from games.rules.yes.data import ACTIONS
from games.rules.yes.moves import (
    ALLOW,
    IGNORE_IT,
    INTERESTED,
    NO_BID,
    NOT_INTERESTED,
    ROLL,
    ROLL_AGAIN,
    SUFFER,
    VETO_IT,
)

KNOWN = json.loads(Path(__file__).with_name("names.json").read_text(encoding="utf-8"))
"""The names of countries and objectives in both languages."""

COUNTRIES = {country: phrases(*names) for country, names in KNOWN["countries"].items()}
OBJECTIVES = {objective: frozenset(map(words_of, names)) for objective, names in KNOWN["objectives"].items()}
ACTION_NAMES = {
    "yes": phrases("yes", "oui"),
    "no": phrases("no", "non"),
    "cash": phrases("cash"),
    "country": phrases("country", "pays"),
    "buy": phrases("buy", "achat"),
    "sell": phrases("sell", "vente"),
}
ARTICLES = ("the", "le", "la", "les", "l")
PLAIN: dict[str, dict[str, tuple[Move, frozenset[Words]]]] = {
    "roll": {"roll": (ROLL, phrases("roll", "roll the dice", "lance", "lancer", "lancer les des", "lance les des"))},
    "choose": {
        "again": (ROLL_AGAIN, phrases("again", "roll again", "use again", "relance", "relancer", "utiliser relance"))
    },
    "bid": {
        "none": (
            NO_BID,
            phrases(
                *("no bid", "nothing", "none", "pass", "0", "bid 0", "don t bid", "sans mise", "pas de mise", "rien"),
                *("aucune", "passe", "passer"),
            ),
        )
    },
    "veto": {
        "veto": (VETO_IT, phrases("veto", "veto it", "use veto", "mettre mon veto")),
        "allow": (
            ALLOW,
            phrases("allow", "allow it", "let it happen", "laisser faire", "laisse faire", "no veto"),
        ),
    },
    "interest": {
        "yes": (
            INTERESTED,
            phrases(
                *(
                    "yes",
                    "want",
                    "want it",
                    "yes i want it",
                    "interested",
                    "m interested",
                    "oui",
                    "la veux",
                    "la voudrais",
                ),
                *("la voudrais", "suis interesse", "suis interessee", "oui je la veux", "interesse", "interessee"),
            ),
        ),
        "no": (
            NOT_INTERESTED,
            phrases("no", "no thanks", "not interested", "non", "non merci", "pas interesse"),
        ),
    },
    "ignore": {
        "ignore": (IGNORE_IT, phrases("ignore", "ignore it", "ignorer", "l ignore", "ignorer la carte")),
        "suffer": (SUFFER, phrases("suffer", "accept it", "suffer it", "la subir", "subir", "la subis")),
    },
}
PASSES = phrases("pass", "passe", "passer", "skip")
KEEPS = phrases("keep", "play", "choose", "garde", "garder", "joue", "jouer", "choisir", "choisis")
ADVANCES = phrases("advance", "move", "avance", "avancer")
BIDS = phrases("bid", "mise", "miser")
STEPS = frozenset({"space", "spaces", "step", "steps", "case", "cases"})
SPACES = STEPS | {"for", "pour", "de"}
BUYS = phrases("buy", "achete", "acheter")
GAMBLES = phrases("gamble", "gamble for", "gamble on", "parie", "parier", "parie pour", "parier pour", "parier sur")
OFFERS = phrases("offer", "sell", "vendre", "vends", "mettre en vente", "mets en vente")
TO_BANK = phrases("bank", "or bank", "or to the bank", "banque", "ou banque", "ou a la banque", "ou la banque")
OR_KEEP = phrases("keep", "or keep", "or keep it", "garder", "ou garder", "ou la garder")
SWAPS = phrases("swap", "exchange", "echange", "echanger")
GIVES = phrases("give", "give up", "donne", "donner", "cede", "ceder", "rendre", "rends")
SELLS = phrases("sell", "vendre", "vends", "liquidate")
EXCHANGES = phrases("exchange", "echange", "echanger", "change", "changer")
PUTS_BACK = phrases("put back", "remettre", "remets", "rendre", "rends")
PICKS = phrases("accept", "pick", "choose", "accepte", "accepter", "choisis", "choisir")


def read(words: Words, view: View, names: Names) -> Move | None:
    """The answer to the question of the view's phase; None for anything else."""
    phase, prompt = view["phase"], view["prompt"]
    if prompt is None:
        return None
    for move, known in PLAIN.get(phase, {}).values():
        if words in known:
            return move
    if words in PASSES:
        return PASS if PASS in prompt["moves"] else None
    reading = READ.get(phase)
    return reading(words, view, names) if reading else None


def _country(words: Words) -> str | None:
    return named(words[1:] if words[:1] and words[0] in ARTICLES else words, COUNTRIES)


def _of(kind: str, field: str, thing: Any) -> Move | None:
    return {"type": kind, field: thing} if thing is not None else None


def _exchange(words: Words, view: View, names: Names) -> Move | None:
    said = after(words, EXCHANGES)
    return _of("exchange", "objective", named(said, OBJECTIVES)) if said else None


def _choose(words: Words, view: View, names: Names) -> Move | None:
    """The white die that is kept, by its action; of equal ones either is the same."""
    said = after(words, KEEPS)
    if said is None:
        return _exchange(words, view, names)
    action = named(said[1:] if said[:1] and said[0] in ARTICLES else said, ACTION_NAMES)
    kept = [die for die, face in enumerate(view["dice"]) if ACTIONS[face - 1] == action]
    return {"type": "keep", "die": kept[0]} if kept else None


def _advance(words: Words, view: View, names: Names) -> Move | None:
    said = after(words, ADVANCES)
    found = numbers(tuple(word for word in (words if said is None else said) if word not in SPACES))
    return {"type": "advance", "steps": found[0]} if found and len(found) == 1 else None


def _bid(words: Words, view: View, names: Names) -> Move | None:
    """The amount and the steps: "bid 30000, 2 spaces"."""
    said = after(words, BIDS)
    if said is None:
        return None
    said = tuple(f"{word[:-1]}000" if word[:-1].isdecimal() and word.endswith("k") else word for word in said)
    found = numbers(tuple(word for word in said if word not in SPACES))
    if found is None or len(found) != 2 or not found[0] > 3 >= found[1]:
        return None
    return {"type": "bid", "amount": found[0], "steps": found[1]}


def _buy(words: Words, view: View, names: Names) -> Move | None:
    for heads, is_gamble in ((GAMBLES, True), (BUYS, False)):
        if (said := after(words, heads)) and (country := _country(said)):
            return {"type": "buy", "country": country, "gamble": is_gamble}
    return None


def _offer(words: Words, view: View, names: Names) -> Move | None:
    """The card that is put up, and what becomes of it if nobody wants it."""
    said = after(words, OFFERS)
    for length in range(1, min(4, len(said or ())) + 1):
        country, rest = _country(said[:length]) if said else None, (said or ())[length:]
        if country and (rest in TO_BANK or rest in OR_KEEP):
            return {"type": "offer", "country": country, "bank": rest in TO_BANK}
    return None


def _swap(words: Words, view: View, names: Names) -> Move | None:
    said = after(words, SWAPS) or ()
    for at, word in enumerate(said):
        if word in ("for", "contre", "against"):
            give, take = _country(said[:at]), _country(said[at + 1 :])
            return {"type": "swap", "give": give, "take": take} if give and take else None
    return None


def _thing(kind: str, field: str, heads: frozenset[Words]) -> Any:
    """The reading of a phase in which one thing is named, with a verb or alone."""

    def reading(words: Words, view: View, names: Names) -> Move | None:
        said = after(words, heads)
        if field == "seat":  # with its verb: a name alone may be a signature
            if not said:
                return None
            [entry] = [move for move in view["prompt"]["moves"] if move["type"] == kind]
            return _of(kind, field, seat_named(said, names, entry["seat"]["one_of"]))
        said = words if said is None else said
        return _of(kind, field, named(said, OBJECTIVES) if field == "objective" else _country(said))

    return reading


READ = {
    "roll": _exchange,
    "choose": _choose,
    "advance": _advance,
    "bid": _bid,
    "buy": _buy,
    "half_price": _buy,
    "offer": _offer,
    "swap": _swap,
    "accept": _thing("accept", "seat", PICKS),
    "award": _thing("award", "seat", PICKS),
    "give_up": _thing("give_up", "country", GIVES),
    "debt": _thing("liquidate", "country", SELLS),
    "put_back": _thing("put_back", "objective", PUTS_BACK),
}

SAYS = {
    "roll": ("roll", "lancer"),
    "again": ("again", "relance"),
    "veto": ("veto", "veto"),
    "allow": ("allow", "laisser faire"),
    "ignore": ("ignore", "ignorer"),
    "suffer": ("suffer", "subir"),
    "pass": ("pass", "passer"),
}
FRENCH_ACTIONS = dict(zip(ACTIONS, ("oui", "non", "cash", "pays", "achat", "vente"), strict=True))


def say(view: View, names: Names) -> Said:
    said: Said = {"en": [], "fr": []}
    for move in view["prompt"]["moves"]:
        for english, french in _examples(move, view, names):
            if english not in said["en"]:
                said["en"].append(english)
                said["fr"].append(french)
    return said


def _examples(move: Move, view: View, names: Names) -> list[tuple[str, str]]:
    country = KNOWN["countries"].get(move["country"]["one_of"][0]) if "country" in move else None
    objective = KNOWN["objectives"].get(move["objective"]["one_of"][0]) if "objective" in move else None
    match move["type"]:
        case "keep":
            actions = [ACTIONS[face - 1] for face in view["dice"]]
            return [(f"keep {action}", f"garder {FRENCH_ACTIONS[action]}") for action in actions]
        case "advance":
            return [("2 spaces", "2 cases")]
        case "bid" if "steps" in move:
            amount = min(30_000, move["amount"]["max"])
            return [(f"bid {amount}, 2 spaces", f"miser {amount}, 2 cases")]
        case "bid":
            return [("no bid", "sans mise")]
        case "interest":
            return [("yes", "oui"), ("no", "non")]
        case "accept" | "award":
            return [(f"accept {names[seat]}", f"accepter {names[seat]}") for seat in move["seat"]["one_of"]]
        case "buy" if country:
            verbs = ("gamble for", "parier pour") if move["gamble"] is True else ("buy", "acheter")
            return [(f"{verbs[0]} {country[0]}", f"{verbs[1]} {country[1]}")]
        case "offer" if country:
            ends = (("or bank", "ou banque"), ("or keep", "ou garder"))
            return [(f"offer {country[0]} {english}", f"vendre {country[1]} {french}") for english, french in ends]
        case "swap":
            give, take = (KNOWN["countries"][move[side]["one_of"][0]] for side in ("give", "take"))
            return [(f"swap {give[0]} for {take[0]}", f"échanger {give[1]} contre {take[1]}")]
        case "give_up" | "liquidate" if country:
            verbs = ("give", "donner") if move["type"] == "give_up" else ("sell", "vendre")
            return [(f"{verbs[0]} {country[0]}", f"{verbs[1]} {country[1]}")]
        case "exchange" | "put_back" if objective:
            verbs = ("exchange", "échanger") if move["type"] == "exchange" else ("put back", "remettre")
            return [(f"{verbs[0]}: {objective[0]}", f"{verbs[1]} : {objective[1]}")]
    return [SAYS[move["type"]]]


GRAMMAR = Grammar(
    read=read,
    say=say,
    words=STEPS
    | vocabulary(
        *(known for phase in PLAIN.values() for _move, known in phase.values()),
        *(PASSES, KEEPS, ADVANCES, BIDS, BUYS, GAMBLES, OFFERS, TO_BANK, OR_KEEP, SWAPS, GIVES, SELLS, EXCHANGES),
        *(PUTS_BACK, PICKS, *COUNTRIES.values(), *ACTION_NAMES.values()),
    ),
)
