"""What every page's frame shows of the person who looks at it."""

from django.http import HttpRequest

from accounts.models import User
from accounts.people import person_of


def preferences(request: HttpRequest) -> dict[str, dict[str, object]]:
    """Return how the page is to look, whether a guest looks, and whether an address waits to be confirmed."""
    person = person_of(request)
    reduced = person is not None and person.reduced_motion
    return {
        "preferences": {
            "colours": person.colours if person else User.Colours.SYSTEM.value,
            "reduced_motion": reduced,
            "motion": "reduced" if reduced else "",
            "is_guest": person is not None and person.is_guest,
            "unconfirmed": person is not None and not person.is_guest and not person.email,
            "mail_broken": person.email if person is not None and person.mail_broken_at else "",
        }
    }
