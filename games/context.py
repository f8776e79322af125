"""What every page's frame shows of games."""

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games.queries.play import waiting_count


def waiting(request: HttpRequest) -> dict[str, object]:
    """Return the number of matches that wait for this person, counted if the page shows it."""
    return {"waiting": SimpleLazyObject(lambda: waiting_count(request.user))}
