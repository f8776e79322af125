"""Lessons: matches against friendly bots in which a coach speaks."""

from typing import Any

from accounts.models import User
from games.models import Match
from games.rules import lesson
from games.services.lobby.member_bots import refuse_bots
from games.services.lobby.opening import create_match


def start_lesson(
    *,
    user: User,
    game_slug: str,
    pace: str,
    options: dict[str, Any] | None = None,
    nonce: str = "",
    seal: str = "",
    promise: str = "",
) -> Match:
    """Start the lesson of a game, which must have one: casual, seen by nobody else, against its friendly bots.

    `options` are those that it leaves open, as the language. BotsCannot.
    """
    refuse_bots(user)
    found = lesson(game_slug)
    assert found is not None
    return create_match(
        creator=user,
        game_slug=game_slug,
        size=found.seats,
        options={**(options or {}), **found.options},
        bots=[found.bot] * (found.seats - 1),
        access=Match.Access.INVITATION,
        pace=pace,
        nonce=nonce,
        seal=seal,
        promise=promise,
        coached=True,
    )
