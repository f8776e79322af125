"""What a program is told of a match that cannot be read now."""

from collections.abc import Mapping
from typing import Any

from django.db import DatabaseError
from django.utils.translation import gettext as _

from games.api.problems import Problem, not_found
from games.models import Match
from games.queries import play
from games.queries.readable import IN_WORDS, report, why_unreadable

RETRY_SECONDS = "600"


def explained(error: Exception, named: Mapping[str, Any], user: Any) -> Problem | None:
    """Return what is said when an error is that of the match which the address names; None for another error."""
    if isinstance(error, DatabaseError):
        return None
    number = named.get("match_id")
    is_number = isinstance(number, int) or (isinstance(number, str) and number.isdecimal() and len(number) < 19)
    match = Match.objects.filter(pk=int(number or 0)).first() if is_number else None
    if match is None or not why_unreadable(match):
        return _problem() if isinstance(error, IN_WORDS) else None
    report(match.pk, error)
    return _problem() if play.visible_to(user).filter(pk=match.pk).exists() else not_found()


def _problem() -> Problem:
    words = _("This match cannot be shown at the moment; those who run the site are told. Nothing of it is lost.")
    return Problem(503, "unreadable_match", words, headers={"Retry-After": RETRY_SECONDS})
