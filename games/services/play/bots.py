"""Moves of bots: chosen without a lock, then made if the question is still open and the time has come."""

from datetime import timedelta
from random import SystemRandom
from typing import Any

import structlog
from django.db import OperationalError, transaction
from django.db.models import F, Q, QuerySet

from config.lib import clock
from games import coaching
from games.clocks import to_ms
from games.models import Seat, Turn
from games.queries.readable import known
from games.services.clocks.time_outs import ASIDE, set_aside
from games.services.play.locking import lock_match
from games.services.play.match_transaction import MatchTransaction
from games.services.play.pacing import LONGEST, due
from games.services.refusals import Illegal

log = structlog.get_logger(__name__)

BATCH = 50
LOST_AFTER = timedelta(seconds=3)  # beyond its time, a bot's ring was lost
EARLY = timedelta(milliseconds=20)  # that a ring may come before its time
TRIES = 3  # moves that a bot may have refused before the default move is made


def play_bots(*, match_id: int) -> bool:
    """Make the move of the first bot whose time has come; return whether one was made.

    One bot, one move: the save rings for the next. A ring that comes early, late or twice does no harm.
    """
    for seat in _asked(match_id):
        match = seat.match
        if match.state and _is_due(seat) and not match.game.waits(_view(seat)):
            return _play(seat)
    return False


def _asked(match_id: int) -> QuerySet[Seat]:
    """Return the bots that owe a move, in the order of their times. One read: question and state match."""
    asked = Seat.objects.filter(match_id=match_id, ask__isnull=False).exclude(bot="").select_related("match")
    return asked.order_by(F("bot_at").asc(nulls_first=True), "number")


def _is_due(seat: Seat) -> bool:
    return due(seat.match, seat) <= clock.now() + EARLY


def _view(seat: Seat) -> dict[str, Any]:
    return seat.match.game.view(seat.match.game.load(bytes(seat.match.state or b"")), seat.number)


def _play(seat: Seat) -> bool:
    """Make one bot's move. It is asked again when the table has changed under it, at last plays the default."""
    asked: Seat | None = seat
    for _number in range(TRIES):
        if asked is None:
            return False
        try:
            return _make(asked, _choice(asked))
        except Illegal as refusal:
            log.warning("bot refused", match=seat.match_id, seat=seat.number, code=refusal.code)
        asked = _asked(seat.match_id).filter(number=seat.number).first()
    return asked is not None and _make(asked, None)


def _choice(seat: Seat) -> Any:
    """Return the bot's move, in a lesson the prepared one; None when it fails to find one."""
    if (move := coaching.bots_move(seat.match, _view(seat))) is not None:
        return move
    try:
        return seat.match.game.bot(seat.bot).choose(_view(seat), SystemRandom())
    except Exception:
        log.exception("bot failed", match=seat.match_id, seat=seat.number)
        return None


def _make(seat: Seat, move: Any) -> bool:
    """Make this move, or without one the default, if the question is open and its time still has come."""
    with transaction.atomic():
        match, seats = lock_match(seat.match_id)
        asked, playing, at = seats[seat.number], MatchTransaction(match, seats), clock.now()
        asked.match = match
        is_asked = asked.ask == seat.ask and asked.bot and _is_due(asked)
        if not is_asked or (match.ends_at is not None and at >= match.ends_at):
            return False
        move = match.game.default_move(playing.state, seat.number) if move is None else move
        if move is None:
            return False
        playing.make(seat.number, move, by=Turn.By.BOT, at=to_ms(at))
        playing.save()
    return True


def sweep_bots() -> int:
    """Play for bots whose task was lost; return how many matches moved. One failure stops no other."""
    late = clock.now() - LOST_AFTER
    due = Q(bot_at__lt=late) | Q(bot_at__isnull=True, asked_at__lt=late) | Q(bot_at__gt=clock.now() + LONGEST)
    waiting = Seat.objects.filter(due, known("match__"), ask__isnull=False).exclude(bot="")
    waiting = waiting.exclude(match__troubled_at__gt=clock.now() - ASIDE).order_by("?")
    played = 0  # in random order, so that matches that fail do not always come first
    for match_id in dict.fromkeys(waiting.values_list("match_id", flat=True)[:BATCH]):
        try:
            played += play_bots(match_id=match_id)
        except OperationalError:  # the database's trouble is not the match's
            log.exception("bots put off", match=match_id)
        except Exception as error:
            log.exception("bots failed", match=match_id)
            set_aside(match_id, error)
    return played
