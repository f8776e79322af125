"""Sealed nonces: opened by their players' browsers while a match runs, which waits for none of them."""

from collections.abc import Sequence

from django.db import connection, transaction

from accounts.models import User
from config.lib import sql
from games.engine import seal
from games.models import Match, Seat
from games.services.play.locking import lock_match, seat_of
from games.services.refusals import NonceNotTaken


def open_nonce(*, match_id: int, user: User, nonce: str) -> None:
    """Open a nonce of a seat that has not moved yet: all later draws follow from it, too. Twice is harmless.

    It is the one that the seat had sealed; a seat without a seal may add one where nobody sealed any, as where the site
    itself seated everybody. NotYourSeat, NonceNotTaken.
    """
    with transaction.atomic():
        match, seats = lock_match(match_id)
        seat = seat_of(seats, user)
        if any((one.seat, one.nonce) == (seat.number, nonce) for one in match.opened):
            return
        if not nonce or not may_open(match, seats, seat) or seat.seal not in ("", seal(nonce)):
            raise NonceNotTaken
        match.openings = [*(match.openings or ()), [match.turns, seat.number, nonce]]
        match.draws = 0
        sql.update(match, ["openings", "draws"])


def may_open(match: Match, seats: Sequence[Seat], seat: Seat) -> bool:
    """Return whether this seat may open a nonce now: it can once, until its first move.

    Later, whoever knew what the dice would be with it and without might choose.
    """
    if match.chain_root is None or match.status != Match.Status.RUNNING or not seat.is_in:
        return False
    if any(one.seat == seat.number for one in match.opened):
        return False
    if not seat.seal and any(one.seal for one in seats):
        return False
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM games_turn WHERE match_id = %s AND seat = %s LIMIT 1", [match.pk, seat.number])
        return cursor.fetchone() is None
