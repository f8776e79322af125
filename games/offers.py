"""To whom the free seats of an open table are offered, as far as a person may know it."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Prefetch, prefetch_related_objects
from django.utils.translation import gettext as _

from games.models import Invitation, Match, Seat
from games.queries.play import Person

_STANDING = Invitation.objects.filter(declined=False).select_related("user").order_by("pk")
AWAITED = Prefetch("invitations", _STANDING, to_attr="awaited")
"""What lists of open tables read besides, for all their tables at once."""


def offered(match: Match, seats: Sequence[Seat], user: Person) -> dict[int, str]:
    """Return by number to whom free seats are offered, in words; not those that anybody may take.

    Who sits there is told who was invited; who is invited, of themselves alone.
    """
    is_kept = match.access == Match.Access.INVITATION or match.rematch_of_id is not None
    if match.status != Match.Status.OPEN or not is_kept or user.pk is None:
        return {}
    free = [seat.number for seat in seats if seat.is_free]
    awaited = {one.user_id: one.user.username for one in _awaited(match)}
    if user.pk in awaited:
        return dict.fromkeys(free[:1], _("offered to you"))
    if not awaited or all(seat.user_id != user.pk for seat in seats):
        return {}
    if len(awaited) > len(free):
        return dict.fromkeys(free, _("for those who are invited"))
    return {seat: _("offered to %(name)s") % {"name": name} for seat, name in zip(free, awaited.values(), strict=False)}


def _awaited(match: Match) -> list[Invitation]:
    prefetch_related_objects([match], AWAITED)  # nothing is asked again of a match from a list
    found: list[Invitation] = vars(match)["awaited"]
    return found


def named(labels: Sequence[dict[str, Any]], offers: dict[int, str]) -> list[dict[str, Any]]:
    """Return what is shown of seats (`number`, `name`), the free ones named by whom they are offered to."""
    return [label | {"name": offers.get(label["number"], label["name"])} for label in labels]
