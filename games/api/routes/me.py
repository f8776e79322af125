"""The member whose token it is."""

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext_noop as _

from accounts.access import member_of
from games.api.gate import token_of
from games.api.kit import Routes
from games.api.shapes.me import Me
from games.queries import play

routes = Routes("me")


@routes.reads("/me", Me, page="settings", words=_("You, and the token by which you ask"))
def me(request: HttpRequest) -> dict[str, Any]:
    """You, and the token by which you ask."""
    user, token = member_of(request), token_of(request)
    return {
        "id": user.pk,
        "name": user.username,
        "is_confirmed": user.is_confirmed,
        "language": user.language,
        "time_zone": user.time_zone,
        "asks_before_final": user.asks_before_final,
        "waiting": play.waiting_count(user),
        "token": {
            "name": token.name,
            "scopes": token.scopes,
            "ends_at": token.ends_at.isoformat(timespec="seconds") if token.ends_at else None,
        },
    }
