"""When bots move: each has a time before which it does not, and moves follow each other so that eyes can follow."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from random import SystemRandom
from typing import Any

from django.conf import settings

from config.lib import clock
from games.models import Match, Seat

LONGEST = timedelta(minutes=10)  # more than any pause: a time beyond it was set by a clock that was put back since
THINKING = 3  # pauses before a bot begins its turn in correspondence, and after a reveal
_rng = SystemRandom()


def thinking() -> float:
    """Return the seconds that a bot takes before its turn, and everybody to look at what was revealed."""
    return float(settings.BOT_PAUSE) * THINKING * _rng.uniform(0.8, 1.1)


def owes_move(seat: Seat) -> bool:
    """Whether a bot is asked here."""
    return bool(seat.bot) and seat.ask is not None


def due(match: Match, seat: Seat) -> datetime:
    """Return from when on the bot that is asked may move: at its time, and a pause after anybody's last move.

    While the game's own clock runs, all act at once and the bot's time alone counts.
    """
    own: datetime = seat.bot_at or seat.asked_at or clock.now()
    if match.ends_at is None and match.moved_at is not None:
        own = max(own, match.moved_at + timedelta(seconds=settings.BOT_PAUSE))
    return own if own < clock.now() + LONGEST else clock.now()


def next_due(match: Match, seats: Sequence[Seat]) -> datetime | None:
    """Return when the next bot of a match is due; None when no bot is asked."""
    return min((due(match, seat) for seat in seats if owes_move(seat)), default=None)


def set_times(
    match: Match, seats: Sequence[Seat], state: Any, *, asked_anew: Collection[Seat], after: float, reveal: bool
) -> list[Seat]:
    """Give each bot that is asked its time; return the seats whose time changed.

    Whoever is asked anew moves in `after` seconds, or when the game says. One that could only wait for others
    may now have something to do: it is given a new time too. After a reveal nobody moves for a while.
    """
    now, changed = clock.now(), []
    rest = now + timedelta(seconds=thinking() if reveal else 0)
    for seat in filter(owes_move, seats):
        before = seat.bot_at
        if seat in asked_anew or before is None or before <= now:
            seat.bot_at = _own_time(match, seat, state, now, after, is_new=seat in asked_anew)
        if reveal:
            seat.bot_at = max(seat.bot_at or rest, rest)
        if seat.bot_at != before:
            changed.append(seat)
    return changed


def _own_time(match: Match, seat: Seat, state: Any, now: datetime, after: float, *, is_new: bool) -> datetime | None:
    if not settings.BOT_PAUSE:
        return now
    view = match.game.view(state, seat.number)
    if not is_new and match.game.waits(view):
        return seat.bot_at
    delay = match.game.bot_delay(view, seat.bot, _rng)
    return now + timedelta(seconds=after if delay is None else delay)
