"""The bots of ¥€$. They see views only."""

from random import Random

from games.engine import Bot, Move, View, sample_move


class Easy:
    """Plays what comes to mind."""

    def choose(self, view: View, rng: Random) -> Move:
        return sample_move(view["prompt"], rng)


BOTS: dict[str, type[Bot]] = {"easy": Easy, "strong": Easy}
