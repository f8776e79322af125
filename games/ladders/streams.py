"""What streams tell of ladders: the challenges that are open to somebody, or of them (spec: streams.md)."""

from typing import Any

from django.db.models import Q

from accounts.models import User
from games.api.services.concerns import Concern
from games.ladders import queries
from games.ladders.models import Challenge

_CHALLENGES = """
    SELECT own.user_id AS user_id, asked.id AS subject, CASE WHEN asked.challenged_id = own.id THEN 1 ELSE 2 END AS mark
    FROM ladders_climber own JOIN ladders_challenge asked
        ON asked.state = 'open' AND (asked.challenged_id = own.id OR asked.challenger_id = own.id)"""


def _challenges(user: User, numbers: list[int]) -> dict[int, dict[str, Any]]:
    """Return how these challenges stand, of those between the member and another."""
    own = Q(challenger__user=user) | Q(challenged__user=user)
    rows = Challenge.objects.filter(own, pk__in=numbers)
    return {
        one.pk: {
            "game": one.ladder.game_slug,
            "by": queries.called(one.challenger),
            "to": queries.called(one.challenged),
            "mine": one.challenger.user_id == user.pk,
            "state": one.state,
            "answer_by": one.answer_by.isoformat(timespec="seconds"),
        }
        for one in rows.select_related("ladder", "challenger__user", "challenged__user")
    }


CONCERNS = (Concern("challenge", _CHALLENGES, _challenges),)
