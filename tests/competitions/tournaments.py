"""Random tournaments, played to their end; every round is checked against what is promised."""

from dataclasses import dataclass, field, replace
from itertools import combinations
from random import Random

from games.competitions.pairing import (
    Entrant,
    Need,
    Plan,
    Result,
    Table,
    draw,
    need,
    refuse,
    rounds_of,
    standings,
    with_lots,
)
from games.engine import SeededChance
from tests.competitions import bounds, naive

STAGED = ("groups", "knockout")


def planned(random: Random) -> tuple[Plan, int]:
    """A plan that is possible, and a number of people."""
    while True:
        low, high = random.choices([(2, 8), (6, 14), (12, 40), (40, 200)], [30, 35, 28, 7])[0]
        people, least = random.randint(low, high), random.choice([2, 2, 2, 3, 4])
        seats = random.randint(least, 8)
        most = random.choice([seats, random.randint(seats, 8), 8])
        least = random.choice([least, seats])
        form = random.choice(["swiss", "swiss", "groups", "robin", "knockout"])
        rounds = random.choice([0, random.randint(1, 6)])
        plan = Plan(form, seats, least, most, rounds, random.randint(0, 3), random.randint(1, 3))
        if form == "robin" and people > 24 and random.random() < 0.8:
            continue  # many rounds
        if not refuse(plan, people, range(2, 9)):
            return plan, people


@dataclass
class Tournament:
    """One random tournament; `name` tells how to play it again."""

    seed: int
    plan: Plan = field(init=False)
    results: list[Result] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        self.plan, people = planned(self.random)
        strong = [Entrant(number, self.random.randint(8, 20) * 100) for number in range(1, people + 1)]
        self.entrants = with_lots(strong, SeededChance(b"all %d" % self.seed))
        self.field = list(self.entrants)
        self.apart = self._blocks(people)
        self.leaving = self.random.choice([0.0, 0.0, 0.03, 0.15])
        self.wild = self.random.random() < 0.5

    def _blocks(self, people: int) -> set[frozenset[int]]:
        """None, pairs of whom nobody is in two, or any."""
        numbers, kind = self.random.sample(range(1, people + 1), people), self.random.choice("nnpa")
        if kind == "n":
            return set()
        if kind == "p":
            return {frozenset(numbers[at : at + 2]) for at in range(0, self.random.randint(0, people // 2) * 2, 2)}
        return {frozenset(self.random.sample(numbers, 2)) for _ in range(self.random.randint(1, max(1, people // 3)))}

    def play(self) -> int:
        """Play to the end, checking each round; return the number of rounds."""
        most, rounds = rounds_of(self.plan, len(self.field)), 0
        while (tables := self._draw(rounds + 1)) is not None:
            rounds += 1
            assert rounds <= most, "more rounds than announced"
            self._check(tables)
            asked = self._ask(tables, rounds) if rounds == most else {}
            self.results += [self._result(rounds, table) for table in tables]
            self._check_needs(asked)
            self._withdraw()
        self._check_standings()
        self._check_meetings(rounds)
        assert bounds.first_beyond_share(self.results) < 2, "somebody is first much more often"
        return rounds

    def _draw(self, number: int) -> list[Table] | None:
        seed = b"%d, %d" % (self.seed, number)
        tables = draw(self.plan, self.field, self.results, self.apart, SeededChance(seed))
        if self.random.random() < 0.2:
            fields, results = list(self.field), list(self.results)
            self.random.shuffle(fields)
            self.random.shuffle(results)
            assert draw(self.plan, fields, results, self.apart, SeededChance(seed)) == tables
        return tables

    def _result(self, number: int, table: Table) -> Result:
        ranks = [self.random.randint(1, len(table)) for _ in table]
        ranks = [1 + sum(other < rank for other in ranks) for rank in ranks]
        if self.random.random() < 0.5:
            ranks = self.random.sample(range(1, len(table) + 1), len(table))
        scored = self.random.random() < 0.8
        scores = [self.random.randint(-5, 60) if scored else None for _ in table]
        away = {one for one in table if self.wild and len(table) > 1 and self.random.random() < 0.1}
        void = self.wild and len(table) > 1 and self.random.random() < 0.1
        return Result(number, tuple(zip(table, ranks, scores, strict=True)), void, frozenset(away))

    def _withdraw(self) -> None:
        self.field = [entrant for entrant in self.field if self.random.random() >= self.leaving]

    def _check(self, tables: list[Table]) -> None:
        distinct = list({frozenset(table): table for table in tables}.values())
        people = [number for table in distinct for number in table]
        matches = self.plan.matches if self.plan.format == "groups" else 1
        assert len(people) == len(set(people)), "somebody sits twice"
        assert len(tables) == sum(matches if len(table) > 1 else 1 for table in distinct)
        assert any(len(table) > 1 for table in tables)
        present = {entrant.number for entrant in self.field}
        assert set(people) <= present, "somebody sits who withdrew"
        if not self.results or self.plan.format not in STAGED:
            assert set(people) == present, "somebody was left out"
        else:
            self._check_going_on(set(people), present)
        assert bounds.kept(distinct, self.apart), "two sit together who must not"
        self._check_sizes(distinct, people)
        if self.plan.format != "robin":  # whose meetings are compared at its end
            before = bounds.met(self.results)
            assert bounds.needless(distinct, before, self.apart) <= 1, "two meet more often than needed"

    def _check_going_on(self, people: set[int], present: set[int]) -> None:
        last = max(result.round for result in self.results)
        level = [e if e.number in present else replace(e, lot=10**9) for e in self.entrants]
        order = naive.standing(self.plan, level, self.results)
        groups, best = {frozenset(result.table) for result in self.results if result.round == last}, set()
        for group in groups:
            wanted = 1 if len(group) == 1 else min(self.plan.advance or len(group) // 2, len(group) - 1)
            best |= set([number for number in order if number in group][:wanted])
        assert best & present <= people, "somebody went out who should go on"
        assert people <= set().union(*groups), "somebody is back"
        assert len(people) < sum(map(len, groups)), "nobody went out"
        more = people - best
        if len(best) >= self.plan.least:
            assert len(more) <= len(best - present), "somebody goes on in nobody's place"
        behind = [number for number in order if number in set().union(*groups) & present - best]
        assert set(behind[: len(more)]) == more, "not the next best"

    def _check_sizes(self, tables: list[Table], people: list[int]) -> None:
        sizes = [len(table) for table in tables if len(table) > 1]
        byes = len(tables) - len(sizes)
        assert all(self.plan.least <= size <= self.plan.most for size in sizes)
        touched = any(pair <= set(people) for pair in self.apart)
        if self.plan.format == "robin" and self.plan.seats == 2:
            return
        needed = naive.fewest_byes(len(people), self.plan)
        single = all(sum(one in pair for pair in self.apart) <= 1 for one in people)
        if not touched or (single and len(people) - needed > max(12, self.plan.most)):
            assert byes == needed, "more byes than needed"
            self._check_who_rests(tables, people, touched)
        elif len(people) <= bounds.EXHAUSTED:
            assert byes == bounds.fewest_byes(people, self.plan, self.apart), "more byes than needed"
        if not touched:
            off = [abs(size - self.plan.seats) for size in sizes]
            best = naive.least_off(len(people) - byes, self.plan.seats, self.plan.least, self.plan.most)
            assert (max(off), sum(off)) == best, "tables of other sizes than promised"

    def _check_who_rests(self, tables: list[Table], people: list[int], touched: bool) -> None:
        had = {one: sum(result.table == (one,) for result in self.results) for one in people}
        rested = [table[0] for table in tables if len(table) == 1]
        if not touched and rested:
            fewest = sorted(had.values())[: len(rested)]
            assert sorted(had[one] for one in rested) == fewest, "a second bye before everybody had one"

    def _check_meetings(self, rounds: int) -> None:
        """Round robin: two at a table meet at most once. All meet, with larger tables as evenly as can be but for one
        meeting more, unless blocks or withdrawals upset the timetable."""
        if self.plan.format != "robin" or not rounds:
            return
        met, pairs = bounds.met(self.results), len(self.entrants) * (len(self.entrants) - 1) // 2
        there = map(frozenset, combinations([entrant.number for entrant in self.field], 2))
        missed = [pair for pair in there if not met[pair] and pair not in self.apart]
        undisturbed = len(self.field) == len(self.entrants) and not self.apart
        if self.plan.seats == 2 or undisturbed:
            assert not missed, "two never met"
            even = 1 if self.plan.seats == 2 else 1 - (-sum(met.values()) // pairs)
            assert max(met.values()) <= even, "two met much more often than others"

    def _ask(self, tables: list[Table], number: int) -> dict[int, tuple[Need, Table]]:
        running = [(number, table) for table in tables]
        asked = self.random.sample(self.field, min(4, len(self.field)))
        found = {}
        for entrant in asked:
            told = need(self.plan, self.entrants, self.results, entrant.number, running)
            own = next((table for table in tables if entrant.number in table), None)
            assert (told is None) == (own is None)
            if told is not None:
                found[entrant.number] = told, own
        return found

    def _check_needs(self, asked: dict[int, tuple[Need, Table]]) -> None:
        order = naive.standing(self.plan, self.entrants, self.results) if asked else []
        for number, (told, own) in asked.items():
            among = [one for one in order if one in own] if self.plan.format in STAGED else order
            place = 1 + among.index(number)
            mine = [result for result in self.results if set(result.table) == set(own)][-1]
            if mine.void and not told.sure:
                continue  # nobody can foresee that
            assert told.best <= place <= told.worst
            assert not told.sure or place <= told.target
            rank = naive.position(mine, number)
            shared = sum(naive.keys(mine)[one] == naive.keys(mine)[number] for one in own) > 1
            if told.enough is not None and rank <= told.enough and not shared:
                assert place <= told.target, "it was not enough"
            if place <= told.target and not shared and (self.plan.matches == 1 or self.plan.format != "groups"):
                assert told.possible is not None and rank <= told.possible, "it was possible"

    def _check_standings(self) -> None:
        lines = standings(self.plan, self.entrants, self.results)
        assert [line.number for line in lines] == naive.standing(self.plan, self.entrants, self.results)
        assert [line.place for line in lines] == list(range(1, len(self.entrants) + 1))
        entrants, results = list(self.entrants), list(self.results)
        self.random.shuffle(entrants)
        self.random.shuffle(results)
        assert standings(self.plan, entrants, results) == lines, "the order of what is known matters"
