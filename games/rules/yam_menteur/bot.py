"""The bots of YAM menteur: they see what their seat sees, and judge claims by public facts alone."""

from abc import ABC, abstractmethod
from functools import lru_cache
from itertools import combinations
from math import exp
from random import Random

import msgspec

from games.engine import Bot, Move, View
from games.engine.throws import INDEX
from games.rules.yam_menteur.bluffing import CARELESS, Stage
from games.rules.yam_menteur.moves import BELIEVE, DOUBT, FIRST_TRY
from games.rules.yam_menteur.odds import NOTHING_TRUE, PAR, best_true, open_cells_of, turn_with
from games.rules.yam_menteur.sheet import CLAIMS, MOST_CLAIMED, TRIES, points


class Easy:
    """Rolls for the number it has most of, claims what it has or sometimes lies, doubts big claims more."""

    def choose(self, view: View, rng: Random) -> Move:
        if view["phase"] == "answer":
            doubtful = view["claim"]["points"] / MOST_CLAIMED
            return DOUBT if rng.random() < 0.6 * doubtful else BELIEVE
        if not view["tries"]:
            return FIRST_TRY
        return self._roll(view) or self._announce(view, rng)

    def _roll(self, view: View) -> Move | None:
        dice = view["dice"]
        most = max(dice, key=lambda face: (dice.count(face), face))
        loose = [i for i in range(5) if i not in view["locked"] and dice[i] != most]
        return {"type": "roll", "dice": loose} if loose and view["tries"] < TRIES else None

    def _announce(self, view: View, rng: Random) -> Move:
        open_cells = open_cells_of(view["sheets"][view["you"]])
        held = points(tuple(view["dice"]))
        best = max(open_cells, key=lambda cell: held[cell])
        if held[best] and rng.random() < 0.85:
            return _claim(best, held[best])
        cell = rng.choice(open_cells)
        return _claim(cell, rng.choice(CLAIMS[cell]))


class Careful(ABC):
    """What the better bots share: they roll for the true claim that is highest above par."""

    def choose(self, view: View, rng: Random) -> Move:
        if view["phase"] == "answer":
            return DOUBT if self.doubts(view, rng) else BELIEVE
        if not view["tries"]:
            return FIRST_TRY
        return _best_roll(view) or _claim(*self.announces(view, rng))

    @abstractmethod
    def doubts(self, view: View, rng: Random) -> bool:
        """Whether to doubt what was announced."""

    @abstractmethod
    def announces(self, view: View, rng: Random) -> tuple[str, int]:
        """The row and the points to announce."""


HUNCH = 0.2
"""How far the regular bot's trust in a claim may be off, either way."""

TEMPTED = 0.5
"""How often the regular bot lies about a throw below par."""


ABSENT = 0.25
"""How often the regular bot decides as a beginner does."""


class Regular(Careful):
    """Tells the truth about good throws, lies about poor ones now and then, and doubts what is rarely thrown."""

    def choose(self, view: View, rng: Random) -> Move:
        return Easy().choose(view, rng) if rng.random() < ABSENT else super().choose(view, rng)

    def doubts(self, view: View, rng: Random) -> bool:
        """The dearer a claim beside the mean of its row, the likelier; hardly where a cross would bar the row."""
        cell, claimed = view["claim"]["combination"], view["claim"]["points"]
        row = view["sheets"][view["you"]][cell]
        if row["barred"]:
            return True
        doubtful = (claimed - PAR[cell]) / MOST_CLAIMED + rng.uniform(-HUNCH, HUNCH)
        return bool(doubtful > (0.6 if row["crosses"] else 0.25))

    def announces(self, view: View, rng: Random) -> tuple[str, int]:
        open_cells = open_cells_of(view["sheets"][view["you"]])
        found = best_true(tuple(view["dice"]), open_cells)
        if found is not None and (found[2] >= POOR or rng.random() >= TEMPTED):
            return found[:2]
        cell = rng.choice(open_cells)
        return cell, min(CLAIMS[cell], key=lambda claim: (abs(claim - PAR[cell]), claim))


POOR = -3.0
"""Points above par under which the regular bot is tempted to lie."""


class Strong(Careful):
    """Lies and doubts as often as leaves the others no answer that is always right."""

    def doubts(self, view: View, rng: Random) -> bool:
        stage = _stage(view)
        claim = (view["claim"]["combination"], view["claim"]["points"])
        return rng.random() < stage.doubts(view["you"], stage.claims.index(claim))

    def announces(self, view: View, rng: Random) -> tuple[str, int]:
        stage, held = _stage(view), points(tuple(view["dice"]))
        worth = [
            (stage.worth_true if claimed == held[cell] else stage.worth_lie)[number]
            for number, (cell, claimed) in enumerate(stage.claims)
        ]
        most = max(worth)
        weights = [
            0.0 if claimed < held[cell] else exp((worth[number] - most) / CARELESS)
            for number, (cell, claimed) in enumerate(stage.claims)
        ]
        return rng.choices(stage.claims, weights)[0]


def worth(view: View, move: Move) -> float:
    """The points that a move is expected to bring, as the sharp bot reckons: by what all may think of each claim.

    Of an answer beside believing; of a claim and a further try above the mean of the rows.
    """
    if move["type"] == "roll":
        kept = tuple(sorted(face for index, face in enumerate(view["dice"]) if index not in move["dice"]))
        turn = turn_with(open_cells_of(view["sheets"][view["you"]]))
        return float(turn.ahead[TRIES - view["tries"] - 1][INDEX[kept]])
    stage = _stage(view)
    if move["type"] == "answer":
        claim = view["claim"]["combination"], view["claim"]["points"]
        return stage.doubt_brings(view["you"], stage.claims.index(claim)) if move["doubt"] else 0.0
    claim = move["combination"], move.get("points", CLAIMS[move["combination"]][-1])
    is_true = points(tuple(view["dice"]))[claim[0]] >= claim[1]
    return (stage.worth_true if is_true else stage.worth_lie)[stage.claims.index(claim)]


BOTS: dict[str, type[Bot]] = {"easy": Easy, "regular": Regular, "strong": Strong}


def _best_roll(view: View) -> Move | None:
    """The dice to roll again, if that is worth more than what is held."""
    more = TRIES - view["tries"]
    if not more:
        return None
    open_cells = open_cells_of(view["sheets"][view["you"]])
    ahead = turn_with(open_cells).ahead[more - 1]
    found = best_true(tuple(view["dice"]), open_cells)
    best, move = (NOTHING_TRUE if found is None else found[2]), None
    loose = [index for index in range(5) if index not in view["locked"]]
    for size in range(1, len(loose) + 1):
        for rolled in combinations(loose, size):
            kept = tuple(sorted(face for i, face in enumerate(view["dice"]) if i not in rolled))
            if ahead[INDEX[kept]] > best + 1e-9:
                best, move = ahead[INDEX[kept]], {"type": "roll", "dice": list(rolled)}
    return move


def _claim(cell: str, claimed: int) -> Move:
    return {"type": "announce", "combination": cell, "points": claimed}


def _stage(view: View) -> Stage:
    """The stage of a view; the same for all who sit there, and so worked out once."""
    names = ("thrower", "tries", "seats", "sheets", "tally")
    return _staged(msgspec.json.encode({name: view[name] for name in names}))


@lru_cache(maxsize=64)
def _staged(public: bytes) -> Stage:
    return Stage(msgspec.json.decode(public))
