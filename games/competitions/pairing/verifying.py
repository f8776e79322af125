"""Whether a tournament that is over went as its record says: all that follows from its secret and its results."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from games.competitions.pairing.plan import ARENA, GROUPS, Entrant, Plan, Result, with_lots
from games.competitions.pairing.rounds import draw
from games.competitions.pairing.seats import Seats, rotated
from games.competitions.pairing.standing import Line, standings
from games.engine import SeededChance, mix

FORMAT, VERSION = "club-y-tournament", 1
MOST_DRAWS = 200  # of chance before the seats of a round, as many as the search for its tables may take


class Verdict(NamedTuple):
    """What was found about one thing: `well` is None where it cannot be checked, and `words` say why."""

    about: str
    well: bool | None
    words: str


@dataclass(frozen=True)
class Seated:
    """A table of a record: who sat in which order, how they came out, since when it is void."""

    round: int
    number: int
    result: Result
    voided_at: str | None


class Unreadable(ValueError):
    """The record is not one of a tournament, or lacks something."""


def verify(record: Mapping[str, Any]) -> list[Verdict]:
    """Return what was checked of a record, and what could not be. Unreadable."""
    try:
        if record["format"] != FORMAT or record["version"] != VERSION:
            raise Unreadable("this is no record of a tournament that this version reads")
        return Record(record).verdicts()
    except (KeyError, TypeError, AttributeError, IndexError, ZeroDivisionError) as error:
        raise Unreadable(f"the record lacks something, or is damaged: {error!r}") from error


class Record:
    """A record as it is read."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.seed, self.commitment = bytes.fromhex(record["seed"]), str(record["commitment"])
        self.plan = Plan(**record["plan"])
        self.began_at = record["began_at"]
        self.entrants: list[Mapping[str, Any]] = sorted(record["entrants"], key=lambda one: int(one["number"]))
        self.rounds: list[Mapping[str, Any]] = sorted(record["rounds"], key=lambda one: int(one["number"]))
        self.tables = [_seated(one["number"], table) for one in self.rounds for table in one["tables"]]
        self.standings: list[Mapping[str, Any]] = record["standings"]

    def verdicts(self) -> list[Verdict]:
        """Return everything that is checked, in the order in which it happened."""
        return [self._promise(), self._lots(), *self._draws(), *self._seats_once(), self._final()]

    def _promise(self) -> Verdict:
        well = hashlib.sha256(self.seed).hexdigest() == self.commitment
        return Verdict(
            "the secret", well, "it has the fingerprint that was published" if well else "another fingerprint"
        )

    def _lots(self) -> Verdict:
        """Check the lots of those who were there when it began, which follow from the secret alone."""
        first = [one for one in self.entrants if self._was_in(one, self.began_at)]
        drawn = with_lots([Entrant(int(one["number"])) for one in first], self._chance(0))
        wrong = [one.number for one, told in zip(drawn, first, strict=True) if one.lot != told["lot"]]
        words = f"not as drawn, of number {_listed(wrong)}" if wrong else f"as drawn, of {len(first)}"
        return Verdict("the lots", not wrong, words)

    def _draws(self) -> list[Verdict]:
        if self.plan.format == ARENA:
            return [Verdict("the draws", None, "who waited since when is not recorded of an evening")]
        return [self._draw(one) for one in self.rounds]

    def _draw(self, one: Mapping[str, Any]) -> Verdict:
        """Draw a round again from what was known then; failing that, look at the order of seats of its tables."""
        number, at = int(one["number"]), one["drawn_at"]
        about = f"the draw of round {number}"
        field = [_entrant(known) for known in self.entrants if self._was_in(known, at)]
        before = [self._as_of(table, at) for table in self.tables if table.round < number]
        there = [table.result.table for table in self.tables if table.round == number]
        if draw(self.plan, field, before, (), self._chance(number)) == there:
            return Verdict(about, True, f"tables and seats as drawn, of {len(there)}")
        if not self._have_seats_in_order(there, before, number):
            return Verdict(about, False, "the order of seats does not follow from the secret")
        why = "the seats do, who sits with whom does not follow: only blocks, which are not told, explain it"
        return Verdict(about, False, why)

    def _have_seats_in_order(self, there: Sequence[tuple[int, ...]], before: list[Result], number: int) -> bool:
        """Return whether the seats of these tables are given in turn, with lots from the round's chance."""
        matches = self.plan.matches if self.plan.format == GROUPS else 1
        tables = [table for table in there if len(table) > 1][::matches]
        for drawn in range(MOST_DRAWS):
            chance = self._chance(number, drawn)
            ordered = Seats(before).ordered([tuple(sorted(table)) for table in tables], chance, matches)
            if [turn for table in ordered for turn in rotated(table, matches)] == [t for t in there if len(t) > 1]:
                return True
        return False

    def _seats_once(self) -> list[Verdict]:
        """Check that nobody sits twice in a round, and that all who sat are known."""
        known = {int(one["number"]) for one in self.entrants}
        legs = self.plan.matches if self.plan.format == GROUPS else 1
        for one in self.rounds:
            seated = [n for table in self.tables if table.round == one["number"] for n in table.result.table]
            if set(seated) - known or any(seated.count(number) > legs for number in set(seated)):
                return [
                    Verdict("who sat where", False, f"in round {one['number']} somebody sat twice, or is not known")
                ]
        return [Verdict("who sat where", True, f"each once a round, in {len(self.rounds)} rounds")]

    def _final(self) -> Verdict:
        """Reckon the final standings from the results once more."""
        seated = {number for table in self.tables for number in table.result.table}
        people = [_entrant(one) for one in self.entrants if not one["left_at"] or int(one["number"]) in seated]
        lines = standings(self.plan, people, [table.result for table in self.tables])
        found, told = [line_told(line) for line in lines], [dict(line) for line in self.standings]
        if found == told:
            return Verdict("the standings", True, f"as they follow from the results, of {len(found)}")
        pairs = [(one, other) for one, other in zip(found, told, strict=False) if one != other]
        at = pairs[0][0]["place"] if pairs else 1 + min(len(found), len(told))
        return Verdict("the standings", False, f"place {at} does not follow from the results")

    def _chance(self, number: int, drawn: int = 0) -> SeededChance:
        return SeededChance(mix(self.seed, [f"round {number}"]), drawn)

    def _was_in(self, one: Mapping[str, Any], at: str) -> bool:
        """Return whether somebody took part at this moment; moments compare as they are written."""
        return one["signed_at"] <= at and not (one["left_at"] and one["left_at"] <= at)

    def _as_of(self, table: Seated, at: str) -> Result:
        """Return the result of a table as it stood at a moment: one that was voided later counted then."""
        counted = table.voided_at is not None and table.voided_at > at
        result = table.result
        return Result(result.round, result.places, result.void and not counted, result.away)


def _seated(round_: int, table: Mapping[str, Any]) -> Seated:
    seats = table["seats"]
    places = tuple((int(one["number"]), int(one["rank"] or len(seats)), one["score"]) for one in seats)
    away = frozenset(int(one["number"]) for one in seats if one["away"])
    result = Result(int(round_), places, table["state"] == "void", away)
    return Seated(int(round_), int(table["number"]), result, table["voided_at"])


def _entrant(one: Mapping[str, Any]) -> Entrant:
    return Entrant(int(one["number"]), int(one["strength"]), int(one["lot"]))


def line_told(line: Line) -> dict[str, Any]:
    """Return a line of the standings as a record has it: exact fractions as text."""
    return {
        "place": line.place,
        "number": line.number,
        "stage": line.stage,
        "points": _exact(line.points),
        "stage_points": _exact(line.stage_points),
        "counts": list(line.counts),
        "direct": line.direct,
        "opponents": _exact(line.opponents),
        "share": _exact(line.share),
        "lot": line.lot,
    }


def _exact(value: Fraction) -> str:
    return str(value)


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers[:10]))
