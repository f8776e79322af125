"""The standings and the tables of a tournament as lines of its page."""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from hashlib import blake2b
from typing import Any

from django.core.cache import cache
from django.utils.translation import get_language

from config.lib.formats import number, percent, signed
from games.competitions import pairing, queries, rows
from games.competitions.models import Round, Table, Tournament
from games.competitions.telling import outside_words, who

STATE = Table.State
STAGED = (Tournament.Format.GROUPS, Tournament.Format.KNOCKOUT)
BADGES = {STATE.RUNNING: "good", STATE.JUDGED: "warn", STATE.VOID: "bad"}
KEPT = 600  # seconds
PLACES_SHOWN = 3  # of which one counts how often somebody had them


class Standing:
    """Who stands where in a tournament, who takes part, and how many rounds it has.

    `sees_tables`: the reader may look at the matches of all tables, which are not public.
    """

    def __init__(self, tournament: Tournament, reader: int | None, *, sees_tables: bool = False) -> None:
        self.tournament, self.reader, self.sees_tables = tournament, reader, sees_tables
        self.plan = queries.plan_of(tournament)
        self.players = {one.number: one for one in rows.players(tournament)}
        self.by_id = {one.pk: one for one in self.players.values()}
        self.is_staged = tournament.format in STAGED

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
        found = [one for one in self.players.values() if one.is_in or one.number in seated]
        return [pairing.Entrant(one.number, one.strength, one.lot) for one in found]

    @cached_property
    def entered(self) -> int:
        """How many take part."""
        return sum(not one.left for one in self.players.values())

    @cached_property
    def _results_as_they_are(self) -> str:
        return rows.fingerprint(self.tournament)

    def mark(self, corrections: int) -> str:
        """Return what is another as soon as the page shows something else: a result, a seat, who takes part."""
        people = [(one.number, one.left, one.username) for one in self.players.values()]
        told = repr((self.tournament.state, people, corrections, self._results_as_they_are))
        return blake2b(told.encode(), digest_size=8).hexdigest()

    @cached_property
    def _kept(self) -> dict[str, Any]:
        """The standings in the reader's language, which are calculated anew when a result or a seat changes."""
        there = sum(one.is_in for one in self.players.values())
        about = (self.tournament.pk, there, len(self.players), get_language(), self._results_as_they_are)
        found: dict[str, Any] = (
            cache.get_or_set("standings:{}:{}:{}:{}:{}".format(*about), self._calculated, KEPT) or self._calculated()
        )
        return found

    def _calculated(self) -> dict[str, Any]:
        lines = pairing.standings(self.plan, self.known, self.results, self.running)
        first = {number for result in self.results if result.round == 1 for number in result.table}
        first |= {number for round_, table in self.running if round_ == 1 for number in table}
        return {
            "lines": [_told(line) for line in lines],
            "first": len(first),
            "counted": any(not result.void and len(result.places) > 1 for result in self.results),
            "columns": {
                "stage": self.is_staged,
                "direct": any(line.direct for line in lines),
                "share": any(line.share for line in lines),
                "byes": any(line.byes for line in lines),
            },
        }

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The standings, the best first: figures as they are shown, by `number`."""
        lines: list[dict[str, Any]] = self._kept["lines"]
        return lines

    @property
    def columns(self) -> dict[str, bool]:
        """Which columns say anything yet."""
        columns: dict[str, bool] = self._kept["columns"]
        return columns

    @property
    def counted(self) -> bool:
        """Whether a table is over that counts."""
        return bool(self._kept["counted"])

    @property
    def rounds(self) -> int | None:
        """How many rounds are announced for so many; None for an arena."""
        began = 0 if self.tournament.state == Tournament.State.OPEN else self._kept["first"]
        return pairing.rounds_of(self.plan, began or max(self.entered, self.tournament.least))

    def need(self, number: int, current: int) -> tuple[pairing.Need | None, bool]:
        """Return what this entrant needs, and whether it is for the first place: in the last round, or to go on."""
        if not self.is_staged and current != self.rounds:
            return None, True
        now = [table for round_, table in self.running if round_ == current]
        now += [result.table for result in self.results if result.round == current]
        final = not self.is_staged or len({frozenset(table) for table in now}) == 1
        return pairing.need(self.plan, self.known, self.results, number, self.running), final

    def shown(self, lines: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return these lines of the standings with the people."""
        return [line | who(self.players[line["number"]], self.reader) for line in lines]

    def people(self) -> list[dict[str, Any]]:
        """Return who takes part, by number of sign-up."""
        return [who(one, self.reader) for one in self.players.values() if not one.left]

    def tables(self, found: Iterable[tuple[Any, ...]]) -> list[dict[str, Any]]:
        """Return tables (`rows.tables_of`) as the page shows them."""
        tables = [rows.TableRow(*row) for row in found]
        places = rows.places_at(tables)
        groups = {one.pk: (one.round, frozenset(place.entrant_id for place in places[one.pk])) for one in tables}
        legs = Counter(groups.values())
        return [self._table(one, places[one.pk], legs[groups[one.pk]] > 1) for one in tables]

    def _table(self, table: rows.TableRow, places: list[rows.PlaceRow], has_legs: bool) -> dict[str, Any]:
        seats = [self._seat(place) for place in places]
        mine = any(seat["you"] for seat in seats)
        if table.state in queries.COUNTED and not _is_without_places(table, places):
            result = _result(table, places, [seat["number"] for seat in seats])
            came, gained = pairing.places(result), pairing.points(result)
            for seat in seats:
                seat["place"] = came[seat["number"]]
                seat["gained"] = points(gained[seat["number"]]) if gained else ""
            seats.sort(key=lambda seat: seat["place"])
        return {
            "id": table.pk,
            "number": table.number,
            "round": table.round,
            "leg": table.leg if has_legs else 0,
            "bye": len(places) == 1,
            "state": table.state,
            "state_words": STATE(table.state).label,
            "badge": BADGES.get(STATE(table.state), ""),
            "outside": outside_words(table.state) if table.goes_on else "",
            "goes_on": table.goes_on,
            "moves": (table.turns or 0) if table.goes_on else 0,
            "match": table.match_id if mine or table.is_public or self.sees_tables else None,
            "mine": mine,
            "seats": seats,
        }

    def _seat(self, place: rows.PlaceRow) -> dict[str, Any]:
        said = {
            "place": None,
            "score": number(place.score) if place.score is not None else "",
            "gained": "",
            "away": bool(place.away),
        }
        return who(self.by_id[place.entrant_id], self.reader) | said


def _is_without_places(table: rows.TableRow, places: list[rows.PlaceRow]) -> bool:
    """Return whether nobody came out anyhow at a voided table, or nobody has yet."""
    return table.state == STATE.VOID and (table.goes_on or all(place.rank is None for place in places))


def _result(table: rows.TableRow, places: list[rows.PlaceRow], numbers: list[int]) -> pairing.Result:
    seats = list(zip(numbers, places, strict=True))
    return pairing.Result(
        table.round,
        tuple((one, place.rank or len(places), place.score) for one, place in seats),
        table.state == STATE.VOID,
        frozenset(one for one, place in seats if place.away),
    )


def _told(line: pairing.Line) -> dict[str, Any]:
    """Return a line's figures as they are shown in the active language."""
    return {
        "number": line.number,
        "place": line.place,
        "points": points(line.points),
        "stage": line.stage,
        "stage_points": points(line.stage_points),
        "counts": [*line.counts[:PLACES_SHOWN], *[0] * (PLACES_SHOWN - len(line.counts))],
        "direct": signed(line.direct),
        "opponents": points(line.opponents),
        "share": percent(float(line.share)),
        "tables": line.tables,
        "byes": line.byes,
    }


def points(value: Fraction) -> str:
    """Return points of a tournament: whole, or with one decimal."""
    return number(int(value)) if value.denominator == 1 else number(float(value), 1)


def round_of(rounds: Sequence[Round], wanted: str) -> Round | None:
    """Return the round that the address names, or the last; None before the first."""
    named = [one for one in rounds if str(one.number) == wanted]
    return named[0] if named else rounds[-1] if rounds else None
