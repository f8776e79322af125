"""The context processor of every page."""

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games.queries.play import waiting_count
from games.services.push import devices


def waiting(request: HttpRequest) -> dict[str, object]:
    """Return the number of matches that wait for this person, and the names of devices that are lost to them.

    Both are looked up only if the page shows them.
    """
    return {
        "waiting": SimpleLazyObject(lambda: waiting_count(request.user)),
        "lost_devices": SimpleLazyObject(lambda: devices.lost_by(request.user)),
    }
