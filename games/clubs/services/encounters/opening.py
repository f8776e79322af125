"""Opens the match of each planned table of an encounter: once, each in a transaction of its own."""

import structlog
from django.db import transaction

from accounts.models import User
from config.lib import clock, sql
from games.clubs import encounters
from games.clubs.models import Board, BoardSeat, Encounter
from games.clubs.services.encounters.beginning import ASIDE, put_aside, release
from games.models import Match
from games.services.hooks import barred_among
from games.services.lobby.seating import seat_together

log = structlog.get_logger(__name__)
BATCH = 50  # tables in a run


def open_boards() -> int:
    """Open the matches of planned tables; return how many. An encounter of which one fails is set aside."""
    planned = Board.objects.filter(state=Board.State.PLANNED)
    planned = planned.exclude(encounter__troubled_at__gt=clock.now() - ASIDE).order_by("pk")
    opened, well, failed = 0, set(), set()
    for board_id, whose in list(planned.values_list("pk", "encounter")[:BATCH]):
        if whose in failed:
            continue
        try:
            opened += _open(board_id)
            well.add(whose)
        except Exception as error:
            log.exception("table of clubs not opened", board=board_id)
            failed.add(whose)
            put_aside(whose, error)
    for whose in well - failed:
        release(whose)
    return opened


def _open(board_id: int) -> bool:
    """Open a table's match, or settle the table if somebody cannot sit down any more; return whether it was opened."""
    with transaction.atomic():
        rows = Board.objects.select_for_update(skip_locked=True, of=("self",), no_key=True)
        board = (
            rows.select_related("encounter__challenger", "encounter__challenged")
            .filter(pk=board_id, state=Board.State.PLANNED)
            .first()
        )
        if board is None:
            return False
        places = _places(board)
        members = [place.player.user for place in places]
        here = [member for member in members if member is not None and member.is_active]
        barred = barred_among([member.pk for member in here])
        if len(here) < len(places) or barred:
            _seat_who_is_left(board, places, {member.pk for member in here} - barred)
            return False
        encounter = board.encounter
        board.match = seat_together(
            members=here,
            game_slug=encounter.game_slug,
            options=encounter.options,
            pace=encounter.pace_slug,
            rated=encounter.rated,
            access=access(encounter),
        )
        board.state = Board.State.RUNNING
        board.save(update_fields=["match", "state"])
    return True


def access(encounter: Encounter) -> str:
    """Return who may watch the matches of an encounter: everybody, or where a club is hidden, who sits there."""
    return Match.Access.OPEN if encounters.is_public(encounter) else Match.Access.INVITATION


def _places(board: Board) -> list[BoardSeat]:
    rows = BoardSeat.objects.filter(board=board).select_related("player__user").order_by("seat")
    sql.kept(User, [place.player.user_id for place in rows if place.player.user_id])  # they are not closed now
    return list(rows.all())


def _seat_who_is_left(board: Board, places: list[BoardSeat], here: set[int]) -> None:
    """Settle a table that cannot begin: whoever is there shares the places before whoever is gone; nobody: void."""
    for place in places:
        place.away = place.player.user_id not in here
        place.rank = 1 + len(here) if place.away else 1
    BoardSeat.objects.bulk_update(places, ["rank", "away"])
    board.state, board.changed = Board.State.OVER if here else Board.State.VOID, True
    board.save(update_fields=["state", "changed"])
