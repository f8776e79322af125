"""What a person said and whom they muted: for the file of their data, and gone with their account."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from accounts.models import User
from accounts.names import normalise
from accounts.naming import may_name
from games import broadcast
from games.chat import ChatLine, Muted
from games.services.chat import MENTION


def chat_data(user: User) -> dict[str, Any]:
    """Return what the person said and whom they muted; a hook of accounts (DATA_EXPORTS)."""
    lines = ChatLine.objects.filter(user=user).order_by("pk")
    return {
        "chat": (_line(line) for line in lines.iterator(500)),
        "muted": [row.person.username for row in muted_by(user)],
    }


def muted_by(user: User) -> QuerySet[Muted]:
    """Return whom this member has muted, by name."""
    return Muted.objects.filter(user=user).select_related("person").order_by("person__username")


def hear(*, user: User, name: str) -> bool:
    """Let this member read again what somebody of that name writes; return whether they were muted."""
    return bool(Muted.objects.filter(user=user, person__username=name.replace("\0", "")).delete()[0])


def _line(line: ChatLine) -> dict[str, Any]:
    return {
        "match": line.match_id,
        "channel": line.channel,
        "at": line.at.isoformat(),
        "text": line.text,
        "hidden": line.hidden,
    }


def forget_lines(user: User) -> None:
    """Delete what the person said, and their name where others called it; a hook (ON_ACCOUNT_CLOSING)."""
    said = ChatLine.objects.filter(user=user)
    matches = set(said.values_list("match_id", flat=True))
    said.delete()
    _ring(matches)
    forget_mentions(user.username, since=user.date_joined)


def forget_mentions(name: str, *, since: datetime, until: datetime | None = None) -> None:
    """Take out a name by which others called somebody in what they said in this time."""
    lines = ChatLine.objects.filter(may_name("text", name), text__contains="@", at__gte=since)
    matches = set()
    for line in (lines.filter(at__lt=until) if until else lines).order_by("pk"):
        text = MENTION.sub(lambda found: _without(found.group(), name), line.text)
        if text != line.text:
            ChatLine.objects.filter(pk=line.pk).update(text=text)
            matches.add(line.match_id)
    _ring(matches)


def _ring(matches: Iterable[int]) -> None:
    for match_id in sorted(matches):
        broadcast.chat_changed(match_id)


def _without(mention: str, name: str) -> str:
    return "@…" if normalise(mention).removeprefix("@").casefold() == name.casefold() else mention
