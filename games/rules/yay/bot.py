"""The bots of YAY!. They see views only."""

from random import Random

from games.engine import Bot, Move, View
from games.rules.yay.board import board_seen
from games.rules.yay.geometry import Cell, middle
from games.rules.yay.odds import ways_to_beat
from games.rules.yay.outlook import Outlook


class Easy:
    """Aims where there is most room and writes in the first cell it can; never throws again."""

    def choose(self, view: View, rng: Random) -> Move:
        if view["phase"] == "throw":
            x, y = middle(board_seen(view["grid"]).roomiest())
            return throw_at(x, y)
        if view["phase"] == "cross":
            own = board_seen(view["grid"]).valid(view["you"])
            return _at("cross", min(own, key=lambda cell: own[cell]))
        if view["enterable"]:
            return _at("write", view["enterable"][0])
        return _at("lock", view["touched"][0])


class Strong:
    """Aims by what sampled throws would bring, and throws again when that is worth the risk."""

    def choose(self, view: View, rng: Random) -> Move:
        outlook = Outlook(board_seen(view["grid"]), view["you"], view["seats"])
        if view["phase"] == "throw":
            return throw_at(*outlook.best_aim(rng)[0])
        if view["phase"] == "cross":
            return _at("cross", outlook.cheapest_own())
        return self._decide(view, outlook, rng)

    def _decide(self, view: View, outlook: Outlook, rng: Random) -> Move:
        total = view["throws"][-1]["sum"]
        kind = "write" if view["enterable"] else "lock"
        cells = [(row, col) for row, col in view["enterable"] or view["touched"]]
        gain, cell = max((outlook.gain(kind, cell, total), cell) for cell in cells)
        if view["first_turns"][view["you"]] and ways_to_beat(total):
            aim, hoped = outlook.best_aim(rng, above=total)
            if hoped > gain:
                return throw_at(*aim)
        return _at(kind, cell)


BOTS: dict[str, type[Bot]] = {"easy": Easy, "strong": Strong}


def throw_at(x: int, y: int) -> Move:
    return {"type": "throw", "x": x, "y": y}


def _at(kind: str, cell: Cell | list[int]) -> Move:
    return {"type": kind, "row": cell[0], "col": cell[1]}
