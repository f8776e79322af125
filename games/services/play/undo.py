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
from games.table import unsettled
from games.undoable import undoable


def undo(*, match_id: int, user: User, turn: int | None) -> None:
    """Take back `turn`, which must be the person's own and the last. NotYourSeat, NotRunning, NotUndoable.

    It draws nothing (games.undoable), so the dice to come stay as they are, and the record is that of a match in which
    it was never made. No time is won by it: the clock goes on with what it had left when the move came.
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
    _refer_back(match, last)
    match.state = match.game.dump(state_at(match, seats, last))
    match.log.filter(number__gt=last).delete()
    PlayedKey.objects.filter(match=match, number__gt=last).delete()
    match.seats.filter(seen__gt=last).update(seen=last)
    match.turns = last
    return MatchTransaction(match, seats)


def _refer_back(match: Match, last: int) -> None:
    """Have what seats, time-outs and fresh seeds say of the turn that goes say it of the one before.

    That somebody left stays told, or hidden until the coming turn is.
    """
    match.seats.filter(left_at__gt=last, left_at__lte=match.turns - unsettled(match)).update(left_at=last)
    match.seats.filter(left_at__gt=last + 1).update(left_at=last + 1)
    match.seats.filter(wished__gt=last).update(wished=last)  # it lapses with their next move
    for row in match.time_outs.filter(undone__isnull=True):
        if row.before["turns"] > last:
            row.before["turns"] = last
            row.save(update_fields=["before"])
    if match.openings:  # the turn that goes drew nothing
        match.openings = [[min(after, last), seat, nonce] for after, seat, nonce in match.openings]
        sql.update(match, ["openings"])
    if match.earlier_seeds:
        ends = [min(spent["until"], last) for spent in match.earlier_seeds]
        spent = zip(match.earlier_seeds, ends, [-1, *ends], strict=False)
        match.earlier_seeds = [one | {"until": end} for one, end, before in spent if end > before]  # that drew anything
        sql.update(match, ["earlier_seeds"])


def _ask_again(playing: MatchTransaction, seat: Seat) -> None:
    """Ask the person themselves, whatever their orders say; a clock that stopped runs again, with what it had left."""
    match = playing.match
    if seat.ask is None:
        seat.bank -= seat.gained
    match.asks += 1
    seat.ask = seat.own_ask = match.asks
    seat.asked_at = clock.now()
    if seat.runs_from is None and not clocks_stopped(match):
        seat.start_clock(match.pace, clock.now())
