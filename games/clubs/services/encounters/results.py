"""What the matches of an encounter say of its tables: hooks of games, under the lock of the match.

They write the table and its seats alone and wait for no encounter; the sweep finds what follows.
"""

from collections.abc import Sequence

from games import broadcast
from games.clubs.models import Board, BoardSeat
from games.models import Match, Seat

STATE = Board.State


def match_ended(match: Match, seats: Sequence[Seat]) -> None:
    """Note how everybody came out; one called off or voided counts for nothing. A hook (ON_MATCH_END)."""
    board = _board_of(match)
    if board is None:
        return
    is_void = match.ending == Match.Ending.CALLED_OFF or match.voided_at is not None
    _note(board, [(seat.rank, seat.score, seat.left is not None or seat.substituted) for seat in seats])
    _change(board, STATE.VOID if is_void else STATE.OVER)


def match_voided(match: Match) -> None:
    """Let a table whose match a moderator voided count for nothing. A hook (ON_MATCH_VOIDED)."""
    if (board := _board_of(match)) is not None:
        _change(board, STATE.VOID)


def match_reopened(match: Match) -> None:
    """Take back how everybody came out: the match goes on. A hook (ON_MATCH_REOPENED)."""
    board = _board_of(match)
    if board is not None and match.voided_at is None:
        _note(board, [(None, None, False)] * match.size)
        _change(board, STATE.RUNNING)


def _board_of(match: Match) -> Board | None:
    return Board.objects.select_for_update(no_key=True).filter(match=match).first()


def _change(board: Board, state: Board.State) -> None:
    board.state, board.changed = state, True
    board.save(update_fields=["state", "changed"])
    broadcast.clubs_waiting()


def _note(board: Board, found: Sequence[tuple[int | None, int | None, bool]]) -> None:
    places = list(BoardSeat.objects.filter(board=board).order_by("seat"))
    for place, (rank, score, away) in zip(places, found, strict=True):
        place.rank, place.score, place.away = rank, score, away
    BoardSeat.objects.bulk_update(places, ["rank", "score", "away"])
