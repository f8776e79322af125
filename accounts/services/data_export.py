"""The data export of a person as one file; other apps add their parts by the setting DATA_EXPORTS."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.utils.module_loading import import_string

from accounts import queries
from accounts.models import User
from config.lib import clock

FORMAT = "club-y-person/1"

Data = dict[str, Any]

# Keys and internals, not facts about the person; the days off have a list of their own.
NOT_EXPORTED = {"password", "skeleton", "id", "vacation", "mail_links"}


def file_of(user: User) -> Iterator[str]:
    """Yield all that the site stores about this person as JSON, in pieces, instants in ISO 8601 (UTC).

    Of an app's iterator only one entry at a time is in memory.
    """
    opening = "{"
    for name, value in data_of(user).items():
        yield f"{opening}\n{json.dumps(name)}: "
        yield from _list(value) if isinstance(value, Iterator) else [_json(value)]
        opening = ","
    yield "\n}\n"


def data_of(user: User) -> Data:
    """Return what accounts and the other apps store about this person, by section."""
    made_at = clock.now().isoformat(timespec="seconds")
    found: Data = {"format": FORMAT, "made_at": made_at, **own_data(user)}
    for path in settings.DATA_EXPORTS:
        found |= import_string(path)(user)
    return found


def _list(entries: Iterator[Any]) -> Iterator[str]:
    opening = "["
    for entry in entries:
        yield f"{opening}\n{_json(entry)}"
        opening = ","
    yield "[]" if opening == "[" else "]"


def _json(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False)


def own_data(user: User) -> Data:
    """Return account, days off, addresses, sessions, follows and blocks; no secrets."""
    return {
        "account": {
            field.name: _plain(getattr(user, field.attname))
            for field in User._meta.concrete_fields
            if field.name not in NOT_EXPORTED
        },
        "days_off": [
            {"day": day["day"], "from": _instant(day["from"]), "until": _instant(day["until"])}
            | {"by_itself": day["by_itself"]}
            for day in user.vacation
        ],
        "email_addresses": list(
            EmailAddress.objects.filter(user=user).order_by("pk").values("email", "verified", "primary")
        ),
        "second_factors": [
            {"type": row["type"], "created": _plain(row["created_at"]), "used": _plain(row["last_used_at"])}
            for row in Authenticator.objects.filter(user=user).values("type", "created_at", "last_used_at")
        ],
        "sessions": [
            {"address": row["ip"], "browser": row["user_agent"]}
            | {"since": _plain(row["created_at"]), "last_seen": _plain(row["last_seen_at"])}
            for row in UserSession.objects.filter(user=user).order_by("pk").values()
        ],
        "follows": [{"name": row.followed.username, "since": _plain(row.at)} for row in queries.followed_by(user)],
        "has_blocked": [{"name": row.blocked.username, "since": _plain(row.at)} for row in queries.blocked_by(user)],
    }


def _instant(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="seconds")


def _plain(value: Any) -> Any:
    return value.isoformat(timespec="seconds") if hasattr(value, "isoformat") else value
