"""Transactions that give way: they hold what others wait for, so they wait for nothing that others hold."""

import random
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import OperationalError, transaction
from django.db.models import QuerySet

LOCK_NOT_AVAILABLE = "55P03"  # PostgreSQL's state


class GiveWay(Exception):
    """Another transaction holds a row that is needed: let go of everything, and begin again."""


def lock_at_once(rows: QuerySet[Any], *, to_delete: bool = False) -> None:
    """Lock these rows in their order, against new references to them only `to_delete` them. GiveWay if one is held.

    The transaction is of no more use then.
    """
    try:
        list(rows.select_for_update(no_key=not to_delete, nowait=True).values_list("pk"))
    except OperationalError as error:
        if getattr(error.__cause__, "sqlstate", None) == LOCK_NOT_AVAILABLE:
            raise GiveWay from error
        raise


def until_free(act: Callable[[], None]) -> None:
    """Call it in a transaction of its own, again after each GiveWay; OperationalError after LOCK_SECONDS."""
    end = time.monotonic() + settings.LOCK_SECONDS
    while True:
        try:
            with transaction.atomic():
                act()
                return
        except GiveWay as error:
            if time.monotonic() > end:
                raise OperationalError("lock timeout") from error
            time.sleep(random.uniform(0.005, 0.05))
