"""Games' own clocks: when one runs out, the site makes the move, of nobody's seat, that follows."""

from datetime import timedelta

import structlog
from django.db import OperationalError, transaction

from config.lib import clock
from games import broadcast
from games.models import Match, Turn
from games.queries.readable import known
from games.services.clocks.time_outs import ASIDE, set_aside
from games.services.play.locking import lock_match
from games.services.play.match_transaction import MatchTransaction

log = structlog.get_logger(__name__)

GRACE = timedelta(milliseconds=300)  # for a move in time that waits for the match's lock
SEEN_AHEAD = timedelta(seconds=7)  # a little more than a sweep's interval
TIME_UP = {"type": "time_up"}


def time_up(*, match_id: int) -> bool:
    """Make the clock's move if the match's own clock ran out; return whether. Failing ones are set aside."""
    try:
        return _time_up(match_id)
    except (Match.DoesNotExist, OperationalError):  # the database's trouble is not the match's
        log.exception("game's clock put off", match=match_id)
    except Exception as error:
        log.exception("game's clock failed", match=match_id)
        set_aside(match_id, error)
    return False


def _time_up(match_id: int) -> bool:
    with transaction.atomic():
        match, seats = lock_match(match_id)
        if match.status != Match.Status.RUNNING or match.ends_at is None:
            return False
        left = match.ends_at + GRACE - clock.now()
        if left > timedelta():
            broadcast.end_awaited(match_id, after=left.total_seconds())
            return False
        playing = MatchTransaction(match, seats)
        playing.make(None, TIME_UP, by=Turn.By.CLOCK, at=clock.now_ms())
        playing.save()
    return True


def due_soon() -> list[tuple[int, float]]:
    """Return the running matches whose own clock ran out or soon will, with the seconds until then."""
    due = Match.objects.filter(ends_at__lte=clock.now() + SEEN_AHEAD, status=Match.Status.RUNNING)
    due = due.filter(known()).exclude(troubled_at__gt=clock.now() - ASIDE).order_by("ends_at")
    return [
        (match_id, max(0.0, (ends_at + GRACE - clock.now()).total_seconds()))
        for match_id, ends_at in due.values_list("pk", "ends_at")
        if ends_at is not None
    ]
