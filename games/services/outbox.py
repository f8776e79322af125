"""What is sent as rows (mails, pushes, calls of webhooks): each is claimed by one sender, handed over once, settled.

A sender that dies before it has handed the row over loses nothing; after that nobody knows, and it is not sent again
by itself.
"""

from datetime import timedelta
from typing import Any

from django.db.models import F, Model, Q, QuerySet

from config.lib import clock
from games.models import Mail

State = Mail.State
RECLAIM_AFTER = timedelta(seconds=60)  # for a sender that died before handing over
UNKNOWN_AFTER = timedelta(minutes=2)  # for one that died before the answer
FIRST_PAUSE = timedelta(minutes=1)
UNSETTLED = (State.SENDING, State.HANDED, State.UNKNOWN)


class TakenOver(Exception):
    """Another sender has claimed this row: nothing is handed over."""


class OutOfDate(Exception):
    """What it says changed meanwhile: it is composed again."""


def claim(rows: QuerySet[Any]) -> bool:
    """Claim these rows, that wait, for this sender; return whether they were still waiting."""
    waiting = rows.filter(state=State.WAITING)
    return bool(waiting.update(state=State.SENDING, state_at=clock.now(), attempts=F("attempts") + 1))


def hand_over(row: Any) -> None:
    """Note that the receiver may have it from now on. TakenOver."""
    if not _own(row).filter(state=State.SENDING).update(state=State.HANDED, state_at=clock.now()):
        raise TakenOver


def settle(row: Any, state: State, **fields: Any) -> bool:
    """Record the result of this attempt, even if late; return False, and record nothing, if another has begun."""
    return bool(_own(row).filter(state__in=UNSETTLED).update(state=state, state_at=clock.now(), **fields))


def put_off(row: Any, by: timedelta) -> None:
    """Give a claimed row back unsent, for the time being: it was no attempt."""
    settle(row, State.WAITING, next_try_at=clock.now() + by, attempts=F("attempts") - 1)


def recover(model: type[Model], **why: str) -> list[Any]:
    """Reclaim rows whose sender died; return those that the receiver may have, which are in doubt now.

    What lies ahead was written before the clock was set back: it waits no longer than it was to.
    """
    now, rows = clock.now(), model._default_manager
    rows.filter(state=State.WAITING, state_at__gt=now + RECLAIM_AFTER).update(state_at=now, next_try_at=now)
    abandoned = rows.filter(_not_within(RECLAIM_AFTER), state=State.SENDING)
    abandoned.update(state=State.WAITING, state_at=now, next_try_at=now)
    silent = list(rows.filter(_not_within(UNKNOWN_AFTER), state=State.HANDED))
    return [row for row in silent if settle(row, State.UNKNOWN, **why)]


def pause(attempts: int, longest: timedelta) -> timedelta:
    """Return how long to wait after so many attempts: a minute, then twice as long each time."""
    return min(FIRST_PAUSE * 2 ** min(attempts - 1, 12), longest)


def _own(row: Any) -> QuerySet[Any]:
    return type(row)._default_manager.filter(pk=row.pk, attempts=row.attempts)


def _not_within(span: timedelta) -> Q:
    now = clock.now()
    return Q(state_at__lt=now - span) | Q(state_at__gt=now + span)
