"""Moves of bots: chosen without a lock, then made if the question is still open."""

from datetime import timedelta
from random import SystemRandom

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from config.lib import clock
from games.clocks import to_ms
from games.models import Seat, Turn
from games.services.play.locking import lock_match
from games.services.play.match_transaction import MatchTransaction

log = structlog.get_logger(__name__)

BATCH = 50


def play_bots(*, match_id: int) -> bool:
    """Make the move of each bot of the match that owes one; return whether anything was played."""
    asked = Seat.objects.filter(match_id=match_id, ask__isnull=False).exclude(bot="").order_by("number")
    numbers = list(asked.values_list("number", flat=True))
    return sum(_play(asked, number) for number in numbers) > 0


def _play(asked: QuerySet[Seat], number: int) -> bool:
    """Make one bot's move if it is still asked, from the state that the previous bot left."""
    seat = asked.filter(number=number).select_related("match").first()  # one read: question and state match
    if seat is None or not seat.match.state:
        return False
    match, state = seat.match, bytes(seat.match.state)
    view = match.game.view(match.game.load(state), number)
    if match.game.waits(view):
        return False
    move = match.game.bot(seat.bot).choose(view, SystemRandom())
    with transaction.atomic():
        locked, seats = lock_match(match.pk)
        playing, at = MatchTransaction(locked, seats), clock.now()
        is_asked = seats[number].ask == seat.ask and seats[number].bot
        if not is_asked or (locked.ends_at is not None and at >= locked.ends_at):
            return False
        playing.make(number, move, by=Turn.By.BOT, at=to_ms(at))
        playing.save()
    return True


def sweep_bots() -> int:
    """Play for bots whose task was lost; return how many matches moved. One failure stops no other."""
    late = clock.now() - timedelta(seconds=settings.BOT_THINKS + 3)
    due = Seat.objects.filter(ask__isnull=False, asked_at__lt=late).exclude(bot="").order_by("?")
    played = 0  # in random order, so that matches that fail do not always come first
    for match_id in dict.fromkeys(due.values_list("match_id", flat=True)[:BATCH]):
        try:
            played += play_bots(match_id=match_id)
        except Exception:
            log.exception("bot failed", match=match_id)
    return played
