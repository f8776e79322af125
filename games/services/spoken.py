"""What a person said and whom they muted: for the file of their data, and gone with their account."""

from typing import Any

from django.db.models import QuerySet

from accounts.models import User
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
    for line in ChatLine.objects.filter(text__icontains=f"@{user.username}").order_by("pk"):
        text = MENTION.sub(lambda found: _without(found.group(), user.username), line.text)
        if text != line.text:
            ChatLine.objects.filter(pk=line.pk).update(text=text)
            matches.add(line.match_id)
    for match_id in sorted(matches):
        broadcast.chat_changed(match_id)


def _without(mention: str, name: str) -> str:
    return "@…" if mention.removeprefix("@").casefold() == name.casefold() else mention
