"""The standings and the tables of a tournament as lines of its page."""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from config.lib.formats import number, percent, signed
from games.competitions import pairing, queries
from games.competitions.models import Entrant, Round, Table, Tournament
from games.competitions.telling import who

STATE = Table.State
STAGED = (Tournament.Format.GROUPS, Tournament.Format.KNOCKOUT)
BADGES = {STATE.RUNNING: "good", STATE.JUDGED: "warn", STATE.VOID: "bad"}
PLACES_SHOWN = 3  # of which one counts how often somebody had them


class Standing:
    """Who stands where in a tournament, who takes part, and how many rounds it has."""

    def __init__(self, tournament: Tournament, reader: int | None) -> None:
        self.tournament, self.reader = tournament, reader
        self.plan = queries.plan_of(tournament)
        self.entrants: dict[int, Entrant] = {one.number: one for one in queries.entrants(tournament)}
        self.by_id = {one.pk: one for one in self.entrants.values()}

    @cached_property
    def results(self) -> list[pairing.Result]:
        """The tables that are over."""
        return queries.results_of(self.tournament)

    @cached_property
    def running(self) -> list[tuple[int, pairing.Table]]:
        """The tables that are not over."""
        return queries.running_of(self.tournament)

    @cached_property
    def known(self) -> list[pairing.Entrant]:
        """Everybody, as the engine reads them; not who left before it began."""
        seated = {number for result in self.results for number in result.table}
        seated |= {number for _round, table in self.running for number in table}
        return [
            pairing.Entrant(one.number, one.strength, one.lot)
            for one in self.entrants.values()
            if one.is_in or one.number in seated
        ]

    @cached_property
    def lines(self) -> list[pairing.Line]:
        """The standings, the best first."""
        return pairing.standings(self.plan, self.known, self.results, self.running)

    @cached_property
    def entered(self) -> int:
        """How many take part."""
        return sum(not one.left for one in self.entrants.values())

    @cached_property
    def is_staged(self) -> bool:
        """Whether only the best of each table go on."""
        return self.tournament.format in STAGED

    @cached_property
    def rounds(self) -> int | None:
        """How many rounds are announced for so many; None for an arena."""
        first = {number for result in self.results if result.round == 1 for number in result.table}
        first |= {number for round_, table in self.running if round_ == 1 for number in table}
        people = len(first) or max(self.entered, self.tournament.least)
        return pairing.rounds_of(self.plan, people)

    def need(self, number: int, current: int) -> tuple[pairing.Need | None, bool]:
        """Return what this entrant needs, and whether it is for the first place: in the last round, or to go on."""
        now = [table for round_, table in self.running if round_ == current]
        now += [result.table for result in self.results if result.round == current]
        final = not self.is_staged or len({frozenset(table) for table in now}) == 1
        if not self.is_staged and current != self.rounds:
            return None, final
        return pairing.need(self.plan, self.known, self.results, number, self.running), final

    @cached_property
    def columns(self) -> dict[str, bool]:
        """Which columns say anything yet."""
        return {
            "stage": self.is_staged,
            "direct": any(line.direct for line in self.lines),
            "share": any(line.share for line in self.lines),
            "byes": any(line.byes for line in self.lines),
        }

    def rows(self, lines: Sequence[pairing.Line]) -> list[dict[str, Any]]:
        """Return these lines of the standings as the page shows them."""
        return [self._row(line) for line in lines]

    def _row(self, line: pairing.Line) -> dict[str, Any]:
        counts = [*line.counts[:PLACES_SHOWN], *[0] * (PLACES_SHOWN - len(line.counts))]
        return who(self.entrants[line.number], self.reader) | {
            "place": line.place,
            "points": points(line.points),
            "stage": line.stage,
            "stage_points": points(line.stage_points),
            "counts": counts,
            "direct": signed(line.direct),
            "opponents": points(line.opponents),
            "share": percent(float(line.share)),
            "tables": line.tables,
            "byes": line.byes,
        }

    def people(self) -> list[dict[str, Any]]:
        """Return who takes part, by number of sign-up."""
        return [who(one, self.reader) for one in self.entrants.values() if not one.left]

    def tables(self, found: Iterable[Table]) -> list[dict[str, Any]]:
        """Return tables (`queries.tables_of`) as the page shows them."""
        tables = list(found)
        legs = Counter(self._group(table) for table in tables)
        return [self._table(table, legs[self._group(table)] > 1) for table in tables]

    def _group(self, table: Table) -> tuple[int, frozenset[int]]:
        return table.round_id, frozenset(place.entrant_id for place in table.places.all())

    def _table(self, table: Table, has_legs: bool) -> dict[str, Any]:
        places = list(table.places.all())
        people = [self.by_id[place.entrant_id] for place in places]
        mine = any(one.user_id is not None and one.user_id == self.reader for one in people)
        is_over = table.state in queries.COUNTED
        ranks = tuple(
            (one.number, place.rank or len(places), place.score) for one, place in zip(people, places, strict=True)
        )
        away = frozenset(one.number for one, place in zip(people, places, strict=True) if place.away)
        result = pairing.Result(table.round.number, ranks, table.state == STATE.VOID, away)
        came, gained = (pairing.places(result), pairing.points(result)) if is_over else ({}, {})
        seats = [
            who(one, self.reader)
            | {
                "place": came.get(one.number),
                "score": number(place.score) if place.score is not None else "",
                "gained": points(gained[one.number]) if one.number in gained else "",
                "away": place.away,
            }
            for one, place in zip(people, places, strict=True)
        ]
        if is_over:
            seats.sort(key=lambda seat: seat["place"])
        return {
            "number": table.number,
            "round": table.round.number,
            "leg": table.leg if has_legs else 0,
            "bye": len(places) == 1,
            "state": table.state,
            "state_words": table.get_state_display(),
            "badge": BADGES.get(STATE(table.state), ""),
            "moves": table.match.turns if table.match is not None and table.state == STATE.RUNNING else 0,
            "match": table.match_id if table.match is not None and (mine or table.match.is_public) else None,
            "mine": mine,
            "seats": seats,
        }


def points(value: Fraction) -> str:
    """Return points of a tournament: whole, or with one decimal."""
    return number(int(value)) if value.denominator == 1 else number(float(value), 1)


def round_of(rounds: Sequence[Round], wanted: str) -> Round | None:
    """Return the round that the address names, or the last; None before the first."""
    named = [one for one in rounds if str(one.number) == wanted]
    return named[0] if named else rounds[-1] if rounds else None
