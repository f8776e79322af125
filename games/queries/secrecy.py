"""Which matches keep secrets while they run."""

from typing import Any

from django.db.models import Q, QuerySet

from games.models import Audit, Match
from games.rules import games, get_game, versions


def is_secret_game(slug: str, version: int) -> bool:
    """Return whether running matches by these rules keep secrets; where nobody knows the rules, they may."""
    return (slug, version) not in _open_games()


def is_secret(match: Match) -> bool:
    """Return whether a match is running and keeps secrets, such as who has still to answer."""
    return match.status == Match.Status.RUNNING and is_secret_game(match.game_slug, match.rules_version)


def secret_matches(path: str = "") -> Q:
    """Return the condition of `is_secret`, for rows that lead to a match by this path."""
    secret = Q(**{f"{path}status": Match.Status.RUNNING})
    for slug, version in sorted(_open_games()):
        secret &= ~Q(**{f"{path}game_slug": slug, f"{path}rules_version": version})
    return secret


def looked_at(user_id: int | None) -> QuerySet[Any]:
    """Return the ids of the matches at whose hidden state this person, an admin, has looked."""
    return Audit.objects.filter(moderator=user_id or 0, deed=Audit.Deed.LOOK, match__isnull=False).values("match")


def _open_games() -> set[tuple[str, int]]:
    known = ((slug, version) for slug in games() for version in versions(slug))
    return {(slug, version) for slug, version in known if not get_game(slug, version).secret}
