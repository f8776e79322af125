"""Claim and answers as a game of its own: whom a claim deceives depends on how often it is a lie, and the reverse.

What each seat sees is the same for all here: rows, tries, claims, tallies. From it the bot works out how often each
claim would be true, were throwers and doubters to choose what is best for them with the small errors of people (a
quantal response equilibrium). Each belief makes the claims, and the claims make the belief, so both are improved in
turn until they hardly change. Nobody gains much by another fixed answer or claim then.
"""

from functools import lru_cache
from math import exp

from games.engine import View
from games.engine.throws import THROWS
from games.rules.yam_menteur.odds import PAR, bonus_share, open_cells_of, turn_with
from games.rules.yam_menteur.sheet import CLAIMS, points

Claimed = tuple[str, int]

LOST_TURN = 12.0
"""The cost of a turn in which nothing is written."""

FIRST_CROSS = 1.5
"""The cost of the first cross in a bluff cell; the next one bars the row."""

OTHERS = 0.3
"""The weight of another seat's point against an own one."""

ALONE = 0.5
"""How likely nobody else doubts a lie that one believes."""

CARELESS = 1.2
"""How many points two claims may differ by and still both be made now and then."""

WAVERING = 1.0
"""The same for an answer."""

FREE = 0.98
"""How likely a seat doubts whose row is barred, so that a doubt costs nothing."""

ROUNDS = 8
"""How often beliefs and claims are improved."""

BELIEVED = 0.8
"""How likely true a claim is before anything is worked out."""

LIES = (3.0, 3.0)
"""The prior for a seat's doubted claims: so many caught, so many true."""

DOUBTS = (4.0, 12.0)
"""The prior for a seat's answers: so many doubts, so many beliefs."""


class Stage:
    """The claims that the thrower may make after its tries, and what all think of them."""

    def __init__(self, view: View) -> None:
        self.thrower: int = view["thrower"]
        self.sheets, self.tallies = view["sheets"], view["tally"]
        self.sheet = self.sheets[self.thrower]
        open_cells = open_cells_of(self.sheet)
        self.claims, self.likely = _stops(open_cells, view["tries"])
        self.others = [seat for seat in range(view["seats"]) if seat != self.thrower]
        self.written = [claimed * (1 + bonus_share(cell)) - PAR[cell] for cell, claimed in self.claims]
        self.lost = [LOST_TURN + cross_cost(self.sheet[cell], cell) for cell, _ in self.claims]
        self.taken = [[doubters_gain(self.sheets[seat], *claim) for claim in self.claims] for seat in self.others]
        self.costs = [[cross_cost(self.sheets[seat][cell], cell) for cell, _ in self.claims] for seat in self.others]
        self.lying = _lying(self.tallies[self.thrower])
        self.doubting = [_doubting(self.tallies, seat) for seat in self.others]
        self.true = [BELIEVED] * len(self.claims)
        for number in range(ROUNDS):
            self._weigh()
            step = 1 / (1 + number / 2)
            self.true = [old + step * (new - old) for old, new in zip(self.true, self._believed(), strict=True)]
        self._weigh()

    def doubts(self, seat: int, number: int) -> float:
        """How likely that seat doubts a claim: the more it gains by it than by believing, surely where it is free."""
        return self._doubts(self.others.index(seat), number)

    def doubt_brings(self, seat: int, number: int) -> float:
        """The points that a doubt of that seat is expected to bring beyond believing the claim."""
        return self._brings(self.others.index(seat), number)

    def _doubts(self, other: int, number: int) -> float:
        return chance(self._brings(other, number) / WAVERING) if self.costs[other][number] else FREE

    def _brings(self, other: int, number: int) -> float:
        true, harm = self.true[number], max(0.0, self.written[number] + self.lost[number])  # what the thrower misses
        gain = self.taken[other][number] + OTHERS * ALONE * harm
        return (1 - true) * gain - true * self.costs[other][number]

    def _weigh(self) -> None:
        """What each claim is worth to its thrower, as the truth and as a lie, by what the others would answer."""
        self.worth_true, self.worth_lie = [], []
        for number, written in enumerate(self.written):
            crossed, believed, given = 0.0, 1.0, 0.0
            for other, times in enumerate(self.doubting):
                doubt = self._doubts(other, number)
                doubt = doubt * times / (1 - doubt + doubt * times)  # in the light of how often it has doubted
                crossed += doubt * self.costs[other][number]
                given += doubt * self.taken[other][number]
                believed *= 1 - doubt
            self.worth_true.append(written + OTHERS * crossed)
            self.worth_lie.append(believed * written - (1 - believed) * self.lost[number] - OTHERS * given)

    def _believed(self) -> list[float]:
        """How likely each claim is true, by how often it would be made truly and as a lie."""
        truths = [exp(each / CARELESS) for each in self.worth_true]
        lies = [exp(each / CARELESS) for each in self.worth_lie]
        upto: list[float] = []
        whole = 0.0  # the weight of a row's lies up to each claim
        for number, (cell, _claimed) in enumerate(self.claims):
            begins = not number or self.claims[number - 1][0] != cell
            upto.append(lies[number] if begins else upto[-1] + lies[number])
            whole += lies[number]
        true, barred, free = [0.0] * len(self.claims), [0.0] * len(self.claims), 0.0
        for mass, held in self.likely:
            share = mass / (whole + sum(truths[number] - upto[number] for number in held))
            free += share
            for number in held:
                true[number] += share * truths[number]
                barred[number] += share
        for number in range(len(self.claims) - 2, -1, -1):  # who holds more cannot lie with less
            if self.claims[number][0] == self.claims[number + 1][0]:
                barred[number] += barred[number + 1]
        return [
            made / (made + self.lying * lies[number] * max(0.0, free - barred[number]) + 1e-12)
            for number, made in enumerate(true)
        ]


@lru_cache(maxsize=4096)
def _stops(open_cells: tuple[str, ...], tries: int) -> tuple[list[Claimed], list[tuple[float, list[int]]]]:
    """All claims in those rows; and the throws at which so many tries end: chance, highest true claim of each row."""
    claims = [(cell, claimed) for cell in open_cells for claimed in CLAIMS[cell]]
    numbers = {claim: number for number, claim in enumerate(claims)}
    likely = []
    for throw, mass in turn_with(open_cells).stops[tries - 1]:
        held = points(THROWS[throw])
        likely.append((mass, [numbers[cell, held[cell]] for cell in open_cells if held[cell]]))
    return claims, likely


def chance(wish: float) -> float:
    """From a wish, in units of its wavering, the probability to follow it."""
    return 1 / (1 + exp(-max(-30.0, min(30.0, wish))))


def _lying(tally: View) -> float:
    """How many times as often as the others this seat has been caught, by its doubted claims."""
    caught, true = LIES
    return float((tally["caught"] + caught) / (tally["doubted"] - tally["caught"] + true) * true / caught)


def _doubting(tallies: list[View], seat: int) -> float:
    """How many times as often as usual this seat has doubted."""
    doubts, believes = DOUBTS
    heard = sum(tally["announced"] for other, tally in enumerate(tallies) if other != seat)
    done = tallies[seat]["doubts"]
    return float((done + doubts) / (max(0, heard - done) + believes) * believes / doubts)


def cross_cost(row: View, cell: str) -> float:
    """What one more cross in that row costs its owner."""
    if row["barred"]:
        return 0.0
    if row["crosses"]:
        return float(PAR[cell] if row["points"] is None else row["points"] * (1 + bonus_share(cell)))
    return FIRST_CROSS


def doubters_gain(sheet: View, cell: str, claimed: int) -> float:
    """The points of a doubter if the claim is a lie, beyond what its row would bring anyway."""
    if cell == "yam" or not sheet[cell]["open"]:
        return 0.0
    return claimed * (1 + bonus_share(cell)) - 0.4 * PAR[cell]
