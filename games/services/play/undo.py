"""Takes back a person's last move that has revealed nothing: the turn goes, and the question is open again."""

from django.db import transaction

from accounts.models import User
from config.lib import clock, sql
from games.models import Match, PlayedKey, Seat
from games.queries.turns import last_turns
from games.record import state_at
from games.services.play.locking import lock_match, seat_of
from games.services.play.match_transaction import MatchTransaction, clocks_stopped
from games.services.refusals import NotRunning, NotUndoable
from games.undoable import undoable


def undo(*, match_id: int, user: User, turn: int | None) -> None:
    """Take back `turn`, which must be the person's own and the last. NotYourSeat, NotRunning, NotUndoable.

    It draws nothing (games.undoable), so the dice to come stay as they are, and the record is that of a match in which
    it was never made.
    """
    with transaction.atomic():
        match, seats = lock_match(match_id)
        if match.status != Match.Status.RUNNING:
            raise NotRunning
        seat = seat_of(seats, user)
        if turn is None or undoable(match, seat, last_turns(match, most=1)) != turn:
            raise NotUndoable
        playing = _without_last_turn(match, seats)
        _ask_again(playing, seat)
        seat.undid = turn
        sql.update(seat, ["undid"])
        playing.save()


def _without_last_turn(match: Match, seats: list[Seat]) -> MatchTransaction:
    last = match.turns - 1
    match.state = match.game.dump(state_at(match, seats, last))
    match.log.filter(number__gt=last).delete()
    PlayedKey.objects.filter(match=match, number__gt=last).delete()
    match.seats.filter(seen__gt=last).update(seen=last)
    match.seats.filter(left_at__gt=last).update(left_at=last)  # what was told of them stays told
    match.turns = last
    return MatchTransaction(match, seats)


def _ask_again(playing: MatchTransaction, seat: Seat) -> None:
    """Ask the person themselves, whatever their orders say; a clock that stopped runs again."""
    match = playing.match
    match.asks += 1
    seat.ask = seat.own_ask = match.asks
    seat.asked_at = clock.now()
    if seat.runs_from is None and not clocks_stopped(match):
        seat.start_clock(match.pace, clock.now())
