"""What the matches of a tournament say of its tables: hooks of games, under the lock of the match.

They write the table and its places alone and wait for no tournament; the sweep finds what follows.
"""

from collections.abc import Sequence

from config.lib import clock
from games.competitions.models import Entrant, Place, Table, Tournament
from games.competitions.services import calls
from games.competitions.services.locking import changed
from games.models import Match, Seat

DECIDED = (Table.State.JUDGED, Table.State.VOID)  # whatever its match does


def match_ended(match: Match, seats: Sequence[Seat]) -> None:
    """Note how everybody came out, unless the table was decided before; one called off counts for nothing."""
    table = _table_of(match)
    if table is None or table.state in DECIDED:
        return
    table.state = Table.State.VOID if match.ending == Match.Ending.CALLED_OFF else Table.State.OVER
    table.save(update_fields=["state"])
    ranks = ranks_of(seats, [seat.rank or 0 for seat in seats])
    _note(table, [(rank, seat.score, is_away(seat)) for rank, seat in zip(ranks, seats, strict=True)])
    _wait_again(table)
    changed(table.round.tournament_id)
    if table.state == Table.State.OVER:
        calls.tell(table.round.tournament_id, "table", table.pk, again=match.version)


def is_away(seat: Seat) -> bool:
    """Return whether whoever was seated here has left the match."""
    return seat.left is not None or seat.substituted


def ranks_of(seats: Sequence[Seat], values: Sequence[int]) -> list[int]:
    """Return how those who were seated came out: by these values, the smallest first, all who left behind them.

    Of those who left the first is last, as in the match itself; last of all is whose seat somebody else took over,
    as what a substitute makes of it is not theirs.
    """
    keys = [
        (1 + seat.substituted, 0 if seat.substituted else -(seat.left or 0)) if is_away(seat) else (0, value)
        for seat, value in zip(seats, values, strict=True)
    ]
    return [1 + sum(other < key for other in keys) for key in keys]


def match_voided(match: Match) -> None:
    """Let a table whose match a moderator voided count for nothing."""
    table = _table_of(match)
    if table is not None:
        table.state = Table.State.VOID
        table.save(update_fields=["state"])
        changed(table.round.tournament_id)


def match_reopened(match: Match) -> None:
    """Take back how everybody came out: the match goes on."""
    table = _table_of(match)
    if table is not None and table.state not in DECIDED:
        table.state = Table.State.RUNNING
        table.save(update_fields=["state"])
        _note(table, [(None, None, False)] * match.size)
        changed(table.round.tournament_id)


def _table_of(match: Match) -> Table | None:
    """Return the locked table of a match; its order is named, as by the usual one its round would be locked as well."""
    return Table.objects.select_for_update(no_key=True).filter(match=match).order_by("pk").first()


def _wait_again(table: Table) -> None:
    """Let those who played an arena's table to its end wait for another."""
    there = Place.objects.filter(table=table, away=False).values("entrant")
    waiting = Entrant.objects.filter(pk__in=there, left="", tournament__format=Tournament.Format.ARENA)
    waiting.update(ready_at=clock.now())


def _note(table: Table, found: Sequence[tuple[int | None, int | None, bool]]) -> None:
    places = list(Place.objects.filter(table=table).order_by("seat"))
    for place, (rank, score, away) in zip(places, found, strict=True):
        place.rank, place.score, place.away = rank, score, away
    Place.objects.bulk_update(places, ["rank", "score", "away"])
