"""Whether matches go on under this code: each is loaded, replayed, asked and shown, and left as it is."""

from collections.abc import Iterator

from django.db.models import QuerySet

from config.lib import sql
from games.models import Match, Seat
from games.queries import play
from games.queries.readable import why_unreadable
from games.queries.turns import last_turns
from games.record import state_at
from games.table import headline, render_orders, render_table, table_for

BATCH = 500  # numbers read at a time


def numbers(matches: QuerySet[Match]) -> Iterator[int]:
    """Yield the numbers of these matches, few at a time, with no transaction between."""
    last = 0
    ordered = matches.order_by("pk").values_list("pk", flat=True)
    while batch := list(ordered.filter(pk__gt=last)[:BATCH]):
        yield from batch
        last = batch[-1]


@sql.snapshot()
def what_breaks(match_id: int) -> list[str]:
    """Return in words what would break of a match; nothing when all is well, or it is gone."""
    try:
        match, seats = play.match_and_seats(match_id)
    except Match.DoesNotExist:
        return []
    if why := why_unreadable(match):
        return [why]
    found = []
    for what in (_replay, _questions, _pages):
        try:
            found += what(match, seats)
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
            found.append(f"{what.__name__.strip('_')}: {' '.join(text.split())[:200]}")
    return found


def _replay(match: Match, seats: list[Seat]) -> list[str]:
    if not match.state:
        return []
    replayed = match.game.dump(state_at(match, seats, match.turns))
    return [] if replayed == bytes(match.state) else ["replay: the recorded draws lead to another state"]


def _questions(match: Match, seats: list[Seat]) -> list[str]:
    if match.status != Match.Status.RUNNING:
        return []
    state = match.game.load(bytes(match.state or b""))
    owing, found = match.game.to_move(state), []
    for seat in seats:
        prompt = match.game.prompt(state, seat.number)
        if (prompt is not None) != (seat.number in owing) or (seat.ask is not None) != (seat.number in owing):
            found.append(f"questions: seat {seat.number} is asked otherwise than it was")
    return found


def _pages(match: Match, seats: list[Seat]) -> list[str]:
    """Draw the table of each seat and of a watcher, with all that a page's log has."""
    turns = last_turns(match, most=match.game.log_length(match.options))
    for viewer in (*(seat for seat in seats if not seat.is_free), None):
        table = table_for(match, seats, viewer, turns)
        headline(table)
        render_table(table)
        render_orders(table)
    return []
