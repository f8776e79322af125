"""Half bots of YAY!, against which its strong bot shows what aiming and what deciding is worth."""

from random import Random

from games.engine import Bot, Move, View
from games.rules.yay.board import edge
from games.rules.yay.bot import Easy, Strong, throw_at


class MiddleAim(Easy):
    """Always aims at the middle of the board; decides as easy."""

    def choose(self, view: View, rng: Random) -> Move:
        if view["phase"] == "throw":
            middle = edge(len(view["grid"])) // 2
            return throw_at(middle, middle)
        return super().choose(view, rng)


class EasyAim(Strong):
    """Aims as easy, also when it throws again; decides as strong."""

    def choose(self, view: View, rng: Random) -> Move:
        move = super().choose(view, rng)
        return Easy().choose({**view, "phase": "throw"}, rng) if move["type"] == "throw" else move


RIVALS: dict[str, Bot] = {
    "aiming at the middle, deciding as easy": MiddleAim(),
    "aiming as easy, deciding as strong": EasyAim(),
}
