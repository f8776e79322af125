"""Gets two people who are kept apart from then on up from the tables that have not begun with both."""

from contextlib import suppress

from accounts.models import User
from games.models import Match, Seat
from games.services import lobby
from games.services.refusals import NotOpen, NotYourSeat


def part_tables(blocker: User, blocked: User) -> None:
    """Take one of the two out of each open table where both sit; a hook of accounts (ON_BLOCK).

    The blocker keeps their own table, and leaves anybody else's. Matches that have begun go on.
    """
    theirs = Seat.objects.filter(user=blocked, match__status=Match.Status.OPEN).values("match")
    both = Seat.objects.filter(user=blocker, match__in=theirs).select_related("match").order_by("match_id")
    for seat in both:
        goes = blocked if seat.match.creator_id == blocker.pk else blocker
        with suppress(NotOpen, NotYourSeat):  # it began, or they left, in this instant
            lobby.leave(match_id=seat.match_id, user=goes)
