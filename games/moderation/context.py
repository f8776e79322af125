"""What every page tells a member who was warned, muted or suspended."""

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.people import person_of
from games.moderation.sanctions import READ, in_force, sentence


def sanctions(request: HttpRequest) -> dict[str, object]:
    """Return the sentences for the person who looks, found if the page shows them."""
    return {"sanctions": SimpleLazyObject(lambda: _told(request))}


def _told(request: HttpRequest) -> list[dict[str, object]]:
    person = person_of(request)
    if person is None or person.is_guest:
        return []
    return [
        {"id": one.pk, "warning": one.kind in READ, "sentence": sentence(one)} for one in in_force(person)
    ]
