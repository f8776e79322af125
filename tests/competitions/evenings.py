"""Random arenas: people wait, sit down as tables are free, come late and leave."""

from random import Random

from games.competitions.pairing import Entrant, Plan, Result, Table, sit, standings, with_lots
from games.engine import SeededChance
from tests.competitions import bounds, naive


class Evening:
    """One random arena, in steps at which some tables end and others begin."""

    def __init__(self, seed: int) -> None:
        self.seed, self.random = seed, Random(seed)
        seats = self.random.randint(2, 8)
        self.plan = Plan("arena", seats, self.random.randint(2, seats), self.random.randint(seats, 8))
        people = self.random.choices([self.random.randint(2, 20), self.random.randint(20, 200)], [80, 20])[0]
        self.entrants = with_lots((Entrant(number) for number in range(1, people + 1)), SeededChance(b"%d" % seed))
        self.waiting = self.random.sample(range(1, people + 1), people)
        blocks = self.random.choice([0, 0, people // 4])
        self.apart = {frozenset(self.random.sample(range(1, people + 1), 2)) for _ in range(blocks)}
        self.running: list[Table] = []
        self.results: list[Result] = []

    def play(self) -> int:
        """Play so many steps; return how many tables there were."""
        for step in range(self.random.randint(3, 12)):
            self._begin(step)
            self._end(step)
            if self.waiting and self.random.random() < 0.2:
                self.waiting.pop(self.random.randrange(len(self.waiting)))
        lines = standings(self.plan, self.entrants, self.results)
        assert [line.number for line in lines] == naive.standing(self.plan, self.entrants, self.results)
        assert bounds.first_beyond_share(self.results) < 2, "somebody is first much more often"
        return len(self.results)

    def _begin(self, step: int) -> None:
        hurry = self.random.random() < 0.2
        chance = SeededChance(b"%d, %d" % (self.seed, step))
        tables = sit(self.plan, self.waiting, self.results, self.apart, chance, hurry=hurry)
        self._check(tables, hurry)
        seated = {number for table in tables for number in table}
        self.waiting = [number for number in self.waiting if number not in seated]
        self.running += tables

    def _check(self, tables: list[Table], hurry: bool) -> None:
        seated = [number for table in tables for number in table]
        assert len(seated) == len(set(seated)) and set(seated) <= set(self.waiting)
        assert bounds.kept(tables, self.apart)
        least, most = (self.plan.least, self.plan.most) if hurry else (self.plan.seats, self.plan.seats)
        assert all(least <= len(table) <= most for table in tables)
        if any(pair <= set(self.waiting) for pair in self.apart):
            return
        full = len(self.waiting) // self.plan.seats * self.plan.seats
        if not hurry:
            assert set(seated) == set(self.waiting[:full]), "somebody who waits longer was passed over"
        elif len(self.waiting) >= self.plan.least:
            assert len(seated) == len(self.waiting) - naive.fewest_byes(len(self.waiting), self.plan)
        if tables:
            assert bounds.needless(tables, bounds.met(self.results), ()) <= 1

    def _end(self, step: int) -> None:
        for table in self.random.sample(self.running, self.random.randint(0, len(self.running))):
            self.running.remove(table)
            order = self.random.sample(range(1, len(table) + 1), len(table))
            places = tuple((number, rank, rank * 3) for number, rank in zip(table, order, strict=True))
            self.results.append(Result(step * 1000 + len(self.results), places))
            self.waiting += table
