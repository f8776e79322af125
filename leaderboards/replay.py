"""Replay of all settlements from the matches, in the order in which they were applied.

Members and ranks are read from the seats; from the stored rows only for ends that were undone since and for
closed accounts, of which rows keep the id. Memory holds one chunk of settlements and all standings.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from config.lib import clock
from games.models import Match, Seat
from leaderboards import rating
from leaderboards.models import RatingChange, Settlement
from leaderboards.seasons import ALL_TIME, season_of, seasons_between
from leaderboards.services import departed_from, ghost

CHUNK = 500
LOOKED_AT = ("user_id", "player", "rank", "matches", "before", "delta", "after")


@dataclass(slots=True)
class State:
    """A member's standing at some point of the replay."""

    rating: int = rating.START
    matches: int = 0
    wins: int = 0
    last_active: datetime | None = None


States = dict[tuple[int, str, str], State]  # by member, game and season
Rows = dict[int, RatingChange]  # of one settlement, by seat


@dataclass
class Differences:
    """Differences in words, and the rows that correct them."""

    words: list[str] = field(default_factory=list)
    changed: list[RatingChange] = field(default_factory=list)
    missing: list[RatingChange] = field(default_factory=list)
    surplus: list[RatingChange] = field(default_factory=list)

    def write(self) -> None:
        RatingChange.objects.filter(pk__in=[row.pk for row in self.surplus]).delete()
        RatingChange.objects.bulk_update(self.changed, [name.removesuffix("_id") for name in LOOKED_AT])
        RatingChange.objects.bulk_create(self.missing)


class Replay:
    """The settlements so far, replayed."""

    def __init__(self) -> None:
        self.states: States = {}
        self._counted: dict[int, list[RatingChange]] = {}  # rows that will be taken back later, by match
        self._doubtful: set[str] = set()  # games in which a closed account may have lost a row

    def run(self, *, write: bool) -> list[str]:
        """Replay everything; return in words which rows differ, and with `write`, correct them."""
        found: list[str] = []
        last = 0
        while chunk := list(Settlement.objects.filter(pk__gt=last).order_by("pk")[:CHUNK]):
            differences = self._replay(chunk)
            found += differences.words
            if write:
                differences.write()
            last = chunk[-1].pk
        return found

    def _replay(self, chunk: Sequence[Settlement]) -> Differences:
        numbers = {settlement.match_id for settlement in chunk}
        stored = rows_of(chunk)
        seats, gone = seats_by_match(numbers), departed_from(numbers)
        ends = dict(Match.objects.filter(pk__in=numbers).values_list("pk", "ended_at"))
        voids = Settlement.objects.filter(match__in=numbers, kind=Settlement.Kind.VOID)
        taken_back = set(voids.values_list("match_id", flat=True))
        differences = Differences()
        for settlement in chunk:
            rows, number = stored.get(settlement.pk, {}), settlement.match_id
            if settlement.kind == Settlement.Kind.VOID:
                fresh = self._taken_back(settlement, rows)
            else:
                is_last = settlement.at == ends[number]
                sat, left = seats.get(number, []), gone.get(number, {})
                fresh, doubt = self._counted_anew(settlement, rows, sat, left, is_last=is_last)
                differences.words += [doubt] if doubt else []
                if number in taken_back:
                    self._counted[number] = fresh
            for row in fresh:
                self._apply(settlement, row)
            _compare(settlement, rows, fresh, differences)
        return differences

    def _state(self, player: int, settlement: Settlement) -> State:
        return self.states.setdefault((player, settlement.game_slug, ALL_TIME), State())

    def _counted_anew(
        self, settlement: Settlement, rows: Rows, seats: Sequence[Seat], gone: dict[int, int], *, is_last: bool
    ) -> tuple[list[RatingChange], str]:
        """Return the rows of a counted match, and in words what is no longer known.

        `gone` are the ratings of those who closed their account in it, who have no row.
        """
        ghosts = [ghost(gone[one.number], one) for one in seats if is_last and is_ghost(one, rows, gone)]
        fresh, lost = [], False
        for seat in seats:
            row = rows.get(seat.number)
            rank = (seat.rank if is_last else None) or (row.rank if row else None)
            player = seat.user_id or (row.player if row else None)
            if player is None or rank is None:
                if is_last and is_ghost(seat, rows, gone):
                    continue
                lost = lost or player is not None or seat.left is None
                continue
            own = self._state(player, settlement)
            if seat.user_id is None and row and settlement.game_slug in self._doubtful:
                own.rating, own.matches = row.before, row.matches
            user = seat.user_id or (row.user_id if row else None)
            fresh.append(_row(settlement, own, seat=seat.number, user_id=user, player=player, rank=rank))
        if fresh and len(fresh) + len(ghosts) > 1:
            players = [rating.Player(row.before, row.matches, row.rank) for row in fresh]
            moves = rating.changes([*players, *ghosts])[: len(fresh)]
            alike = [rows[row.seat].delta == move for row, move in zip(fresh, moves, strict=True) if row.seat in rows]
            if len(fresh) + len(ghosts) == len(seats) or (not lost and any(alike)):
                return [_moved(row, move) for row, move in zip(fresh, moves, strict=True)], ""
        # A player is no longer known, so the others keep their stored changes. (One who left before closing
        # the account may not have been rated: then at least one change agrees.)
        self._doubtful.add(settlement.game_slug)
        kept = [row for row in fresh if row.seat in rows]
        for row in kept:
            _moved(row, rating.moved(row.before, rows[row.seat].delta))
        return kept, f"settlement {settlement.pk}: who took part cannot be told any more"

    def _taken_back(self, settlement: Settlement, rows: Rows) -> list[RatingChange]:
        """Return the rows that take the match's last count back; accounts closed by then have none."""
        fresh = []
        for counted in self._counted.pop(settlement.match_id, []):
            if counted.user_id is None and counted.seat not in rows:
                continue
            own = self._state(counted.player, settlement)
            facts = {name: getattr(counted, name) for name in ("seat", "user_id", "player", "rank")}
            row = _row(settlement, own, **facts)
            fresh.append(_moved(row, rating.moved(own.rating, -counted.delta)))
        return fresh

    def _apply(self, settlement: Settlement, row: RatingChange) -> None:
        game, season = settlement.game_slug, settlement.season
        if settlement.kind == Settlement.Kind.MATCH:
            for name in (ALL_TIME, season):
                state = self.states.setdefault((row.player, game, name), State())
                state.rating = row.after
                state.matches += 1
                state.wins += row.rank == 1
                state.last_active = settlement.at
            return
        for name in (ALL_TIME, *seasons_between(season, season_of(clock.now()))):
            later = self.states.get((row.player, game, name))
            if later is not None:
                later.rating += rating.moved(later.rating, row.delta)
                if name in (ALL_TIME, season):
                    later.matches -= 1
                    later.wins -= row.rank == 1


def is_ghost(seat: Seat, rows: Rows, gone: dict[int, int]) -> bool:
    """Return whether the seat's person closed the account before the end: one who did so later has a row."""
    return seat.user_id is None and seat.number not in rows and seat.number in gone


def rows_of(settlements: Iterable[Settlement]) -> dict[int, Rows]:
    """Return the stored changes of settlements, by settlement and seat."""
    found: dict[int, Rows] = {}
    numbers = [settlement.pk for settlement in settlements]
    for row in RatingChange.objects.filter(settlement__in=numbers):
        found.setdefault(row.settlement_id, {})[row.seat] = row
    return found


def seats_by_match(matches: Iterable[int]) -> dict[int, list[Seat]]:
    """Return the seats of these matches that count, in order, with what ratings need."""
    found: dict[int, list[Seat]] = {}
    seats = Seat.objects.filter(match__in=matches, substituted=False).only(
        "match_id", "number", "user_id", "rank", "left"
    )
    for seat in seats.order_by("match_id", "number"):
        found.setdefault(seat.match_id, []).append(seat)
    return found


def _row(settlement: Settlement, own: State, **facts: int | None) -> RatingChange:
    return RatingChange(settlement=settlement, matches=own.matches, before=own.rating, **facts)


def _moved(row: RatingChange, delta: int) -> RatingChange:
    row.delta, row.after = delta, row.before + delta
    return row


def _compare(settlement: Settlement, rows: Rows, fresh: Sequence[RatingChange], differences: Differences) -> None:
    where = f"settlement {settlement.pk}, seat"
    for row in fresh:
        stored = rows.get(row.seat)
        if stored is None:
            differences.words.append(f"{where} {row.seat}: missing")
            differences.missing.append(row)
            continue
        wrong = [name for name in LOOKED_AT if getattr(stored, name) != getattr(row, name)]
        if wrong:
            words = [f"{name} is {getattr(stored, name)}, not {getattr(row, name)}" for name in wrong]
            differences.words.append(f"{where} {row.seat}: {', '.join(words)}")
            row.pk = stored.pk
            differences.changed.append(row)
    wanted = {row.seat for row in fresh}
    for number in sorted(rows.keys() - wanted):
        differences.words.append(f"{where} {number}: nobody rated sat there")
        differences.surplus.append(rows[number])
