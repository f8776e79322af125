"""What other apps have streams tell: clubs, ladders, tournaments; named by the setting STREAM_CONCERNS."""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, NamedTuple

import structlog
from django.conf import settings
from django.db import DatabaseError
from django.utils.module_loading import import_string

from accounts.models import User

log = structlog.get_logger(__name__)

Draw = Callable[[User, list[int]], dict[int, dict[str, Any]]]
"""Returns by number what is told of these subjects now to a member, of those alone that they may see."""


class Concern(NamedTuple):
    """One kind of subject that concerns members.

    `current` is a SELECT of user_id, subject and mark: what there is to tell to whom, and a number above 0 that is
    another one when something about it has changed. What it no longer names is over.
    """

    kind: str
    current: str
    draw: Draw


@cache
def concerns() -> dict[str, Concern]:
    """Return what is told besides matches, invitations and lines, by kind."""
    found: list[Concern] = [one for path in settings.STREAM_CONCERNS for one in import_string(path)]
    return {one.kind: one for one in found}


def changed(one: Concern) -> str:
    """Return the statement that finds what was not told yet as it is."""
    return f"""
        SELECT stream.token_id, now.subject, now.mark, FALSE
        FROM api_stream stream JOIN api_apitoken token ON token.id = stream.token_id
        JOIN ({one.current}) now ON now.user_id = token.user_id
        LEFT JOIN api_streamevent told
            ON told.stream_id = stream.token_id AND told.kind = '{one.kind}' AND told.subject = now.subject
        WHERE {{of}} AND (told.id IS NULL OR told.mark <> now.mark)"""  # noqa: S608 (nothing of it is given)


def over(one: Concern) -> str:
    """Return the statement that finds what was told and is over."""
    return f"""
        SELECT stream.token_id, told.subject, 0, TRUE
        FROM api_stream stream JOIN api_apitoken token ON token.id = stream.token_id
        JOIN api_streamevent told
            ON told.stream_id = stream.token_id AND told.kind = '{one.kind}' AND told.mark <> 0
        WHERE {{of}} AND NOT EXISTS (
            SELECT 1 FROM ({one.current}) now WHERE now.user_id = token.user_id AND now.subject = told.subject)"""  # noqa: S608 (likewise)


def drawn(user: User, subjects: Iterable[tuple[str, int]]) -> dict[tuple[str, int], dict[str, Any]]:
    """Return what is told of these subjects now, by kind and number; nothing of what the member may not see."""
    by_kind: dict[str, list[int]] = {}
    for kind, subject in subjects:
        if kind in concerns():
            by_kind.setdefault(kind, []).append(subject)
    return {
        (kind, number): told
        for kind, numbers in by_kind.items()
        for number, told in _drawn(concerns()[kind], user, numbers).items()
    }


def _drawn(one: Concern, user: User, numbers: list[int]) -> dict[int, dict[str, Any]]:
    try:
        return one.draw(user, numbers)
    except DatabaseError:
        raise
    except Exception:  # of one kind: the others are told
        log.exception("a concern could not be told", kind=one.kind)
        return {}
