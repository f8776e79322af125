"""A guest's matches become a member's, when the guest logs in."""

from accounts.guests import GuestStays
from accounts.models import User
from games.models import Match, Seat


def adopt(guest: User, member: User) -> None:
    """Give the matches of a guest who logged in to the member; a hook of accounts (ON_GUEST_JOINS).

    GuestStays where both sit in one match.
    """
    theirs = Match.objects.filter(pk__in=Seat.objects.filter(user=guest).values("match_id"))
    list(theirs.select_for_update().order_by("pk").values_list("pk"))  # matches before seats, as moves do
    if Seat.objects.filter(user=guest, match__seats__user=member).exists():
        raise GuestStays
    Seat.objects.filter(user=guest).update(user=member)
    Match.objects.filter(creator=guest).update(creator=member)
