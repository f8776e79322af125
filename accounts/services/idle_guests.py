"""Guests who have not come back for long are forgotten, a few at a time."""

import logging
import time
from collections.abc import Iterator
from datetime import timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Coalesce
from django.utils.module_loading import import_string

from accounts.models import User
from accounts.services.closing import close_account
from config.lib import clock

log = logging.getLogger(__name__)

IDLE = timedelta(days=30)
IDLE_WITH_MATCH = timedelta(days=60)  # while a match of theirs runs
AT_ONCE = 200
SECONDS = 30.0  # of one run: a name is looked for in all chats


def forget() -> int:
    """Close the accounts of guests who were away for 30 days, or for 60 with a running match; return how many.

    Nobody whom other people play with: the clock judges them, and once a bot plays in the seat they are forgotten.
    """
    now = clock.now()
    guests = User.objects.filter(is_guest=True, is_staff=False).annotate(last=Coalesce("seen_at", "date_joined"))
    playing, awaited = import_string(settings.WHO_PLAYS)(), import_string(settings.WHO_IS_AWAITED)()
    gone = guests.filter(Q(last__lt=now - IDLE_WITH_MATCH) | Q(last__lt=now - IDLE) & ~Q(pk__in=playing))
    gone = gone.exclude(Exists(awaited.filter(user=OuterRef("pk"))))  # asked of each of the few that are left
    return sum(map(_forget, _in_time(list(gone.order_by("last").values_list("pk", flat=True)[:AT_ONCE]))))


def _in_time(numbers: list[int]) -> Iterator[int]:
    """Yield the first of these, and others until the time is up: the rest comes in the next hour."""
    end = time.monotonic() + SECONDS
    for place, number in enumerate(numbers):
        if place and time.monotonic() > end:
            return
        yield number


def _forget(user_id: int) -> bool:
    try:
        close_account(user_id=user_id)
    except Exception:
        log.exception("guest not forgotten", extra={"user": user_id})
        return False
    return True
