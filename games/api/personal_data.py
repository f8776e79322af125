"""What the API stores about a member, for the file of their data; a closed account takes it along."""

from typing import Any

from accounts.models import User
from games.api.models import ApiToken


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
    }
