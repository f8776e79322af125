"""The context processor of every page."""

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games.queries.play import waiting_count


def waiting(request: HttpRequest) -> dict[str, object]:
    """Return the number of matches that wait for this person, counted only if the page shows it."""
    return {"waiting": SimpleLazyObject(lambda: waiting_count(request.user))}
