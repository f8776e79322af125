"""What the API stores about a member, for the file of their data; a closed account takes it along."""

from typing import Any

from accounts.models import User
from games.api.models import ApiToken, Stream


def token_data(user: User) -> dict[str, Any]:
    """Return the member's tokens, without what opens anything; a hook (DATA_EXPORTS)."""
    return {"tokens": [_token(token) for token in ApiToken.objects.filter(user=user).order_by("pk")]}


def _token(token: ApiToken) -> dict[str, Any]:
    return {
        "name": token.name,
        "scopes": token.scopes,
        "made_at": token.created_at.isoformat(),
        "used_at": token.used_at and token.used_at.isoformat(),
        "ends_at": token.ends_at and token.ends_at.isoformat(),
        "stream": _stream(token),
    }


def _stream(token: ApiToken) -> dict[str, Any] | None:
    """Return how far the token's program has been told, and of what; None if it never asked."""
    stream = Stream.objects.filter(token=token).first()
    if stream is None:
        return None
    events = stream.events.order_by("number").values_list("number", "kind", "subject", "at")
    return {
        "last": stream.number,
        "connected_at": stream.seen_at.isoformat(),
        "told": [
            {"number": number, "of": kind, "its_number": subject, "at": at.isoformat()}
            for number, kind, subject, at in events
        ],
    }
