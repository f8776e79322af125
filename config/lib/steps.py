"""Deletes in bounded steps, so that no statement holds up those who play."""

from typing import Any

from django.db.models import QuerySet

STEP = 500  # rows in one statement
MOST = 100_000  # rows in one run: what is left goes with the next


def delete_in_steps(rows: QuerySet[Any], *, step: int = STEP, most: int = MOST) -> int:
    """Delete these rows, and what hangs on them, a step at a time; return how many rows, at most `most`."""
    gone = 0
    while gone < most and (ids := list(rows.order_by().values_list("pk", flat=True)[: min(step, most - gone)])):
        rows.model._base_manager.filter(pk__in=ids).delete()
        gone += len(ids)
    return gone
