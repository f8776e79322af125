"""System checks: whether the rules of all matches are here, and whether replies by mail can be taken."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register
from django.db import DatabaseError

from games.queries.readable import unknown_matches

MOST_NAMED = 10


@register(Tags.database)
def rules_are_here(*, databases: Sequence[str] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """Return a warning that names matches, open or running, of which game, rules or pace is not known here."""
    if not databases:
        return []
    try:
        found = list(unknown_matches().values_list("pk", "game_slug", "rules_version", "pace_slug"))
    except DatabaseError:  # not migrated yet
        return []
    if not found:
        return []
    kinds = sorted({f"{slug} by rules {version}, {pace}" for _pk, slug, version, pace in found})
    named = ", ".join(str(pk) for pk, *_kind in found[:MOST_NAMED]) + (" …" if len(found) > MOST_NAMED else "")
    return [
        Warning(
            f"{len(found)} matches cannot be shown or played, as this code does not know them: {'; '.join(kinds)}. "
            f"Their numbers: {named}. All others are served.",
            hint="Put the rules back (CONTRIBUTING.md, Change the rules of a game), or the package into EXTRA_GAMES.",
            id="games.W001",
        )
    ]


@register(Tags.security, deploy=True)
def senders_are_proven(**kwargs: Any) -> list[CheckMessage]:
    """Return a warning if nobody's replies by mail could be taken."""
    if not settings.REPLY_DOMAIN or settings.REPLY_AUTHSERV_ID or settings.REPLY_SENDERS_CHECKED:
        return []
    return [
        Warning(
            "REPLY_DOMAIN is named, but nobody says who a mail is from: all replies are refused.",
            hint="Set REPLY_AUTHSERV_ID or REPLY_SENDERS_CHECKED (docs/operation.md, Replies by mail).",
            id="games.W002",
        )
    ]
