"""Seats that bots hold for so long that a substitute may take them over."""

from datetime import timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import Follow
from accounts.queries import blocked_ids
from config.lib import clock
from games.models import Match, Seat, TimeOut
from games.queries.play import Person, listed
from games.queries.secrecy import looked_at
from games.time_controls import TIME_CONTROLS

OFFERED_AFTER, OFFERED_AFTER_LIVE = timedelta(days=1), timedelta(minutes=1)  # of absence
MOST_OFFERED = 20
_LIVE = [slug for slug, pace in TIME_CONTROLS.items() if pace.is_live]


def deserted_seats() -> QuerySet[Seat]:
    """Return the seats in public matches that a bot has held for so long that a substitute may take them over.

    None of rated matches: a loss could be left to a friend, or a match decided by one.
    """
    own = {"match": OuterRef("match"), "seat": OuterRef("number"), "undone__isnull": True}
    left, now = TimeOut.objects.filter(kind=TimeOut.Kind.ABSENT, **own), clock.now()
    live = Q(Exists(left.filter(at__lte=now - OFFERED_AFTER_LIVE)), match__pace_slug__in=_LIVE)
    long = Q(Exists(left.filter(at__lte=now - OFFERED_AFTER)))
    running = Seat.objects.filter(absent=True, user__isnull=False, match__status=Match.Status.RUNNING).exclude(bot="")
    return running.filter(live | long, match__access=Match.Access.OPEN, match__rated=False, match__voided_at=None)


def matches_to_take_over(user: Person, game_slug: str = "", *, followed: bool = False) -> list[Match]:
    """Return the matches with a seat for a substitute, for a member who does not sit there, newest first.

    `followed`: only seats of people whom the member follows.
    """
    seats = deserted_seats()
    if followed:
        seats = seats.filter(user__in=Follow.objects.filter(follower_id=user.pk).values("followed"))
    wanted = Match.objects.filter(pk__in=seats.values("match_id")).exclude(pk__in=looked_at(user.pk))
    if user.pk is not None:
        apart = Q(user_id=user.pk) | Q(absentee_id=user.pk) | blocked_ids(user.pk, "user_id")
        wanted = wanted.exclude(Exists(Seat.objects.filter(apart, match=OuterRef("pk"))))
    if game_slug:
        wanted = wanted.filter(game_slug=game_slug)
    return list(listed(wanted).order_by("-moved_at")[:MOST_OFFERED])
