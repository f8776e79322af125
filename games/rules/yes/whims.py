"""The easy bot of ¥€$: it takes what looks nice, and does not think of its objectives."""

from random import Random

from games.engine import Move, View, sample_move
from games.rules.yes.entries import IGNORE_IT, INTERESTED, NO_BID, NOT_INTERESTED, ROLL
from games.rules.yes.tables import ACTIONS, COUNTRY, REACH, STEP

NICE = ("country", "yes", "cash", "buy", "sell", "no")
WHIM = 0.25
"""How often it does anything at all."""

MOST_BID = 4 * STEP
RICH = 100_000
"""With so much cash it may be interested in what is sold."""

ALWAYS: dict[str, Move] = {"roll": ROLL, "ignore": IGNORE_IT}


class Easy:
    """Likes new countries and low prices."""

    def choose(self, view: View, rng: Random) -> Move:
        phase = view["phase"]
        if phase in ALWAYS:
            return ALWAYS[phase]
        if phase == "choose":
            return {"type": "keep", "die": self._die(view, rng)}
        if phase == "bid":
            return self._bid(view, rng)
        if phase == "interest":
            rich = view["cash"][view["you"]] >= RICH
            return INTERESTED if rich and rng.random() < 0.5 else NOT_INTERESTED
        if phase == "buy" and rng.random() > WHIM:
            return self._cheapest(view)
        return sample_move(view["prompt"], rng)

    def _die(self, view: View, rng: Random) -> int:
        if rng.random() < WHIM:
            return rng.randrange(2)
        order = [NICE.index(ACTIONS[face - 1]) for face in view["dice"]]
        return order.index(min(order))

    def _bid(self, view: View, rng: Random) -> Move:
        """Now and then a little."""
        most = min(MOST_BID, view["cash"][view["you"]] // 2)
        amount = STEP * rng.randint(0, most // STEP)
        return {"type": "bid", "amount": amount, "steps": rng.choice(REACH)} if amount else NO_BID

    def _cheapest(self, view: View) -> Move:
        """The cheapest of the first entry: a purchase without gamble where there is one."""
        entry = view["prompt"]["moves"][0]
        country = min(entry["country"]["one_of"], key=lambda each: COUNTRY[each].price)
        return {"type": "buy", "country": country, "gamble": entry["gamble"]}
