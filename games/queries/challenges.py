"""Reads of standing challenges: those that somebody may accept, and a member's own."""

from typing import Any

from django.db.models import Count, F, Q, QuerySet

from accounts.models import User
from accounts.queries import blocked_ids
from games.models import Match, StandingChallenge
from games.queries.play import Person
from games.rules import games

UNDER_WAY = Q(matches__status__in=[Match.Status.OPEN, Match.Status.RUNNING])
SHOWN = 30


def _counted() -> QuerySet[Any]:
    known = StandingChallenge.objects.filter(game_slug__in=games()).select_related("member")
    return known.annotate(under_way=Count("matches", filter=UNDER_WAY)).order_by("-at", "-pk")


def own(member: Person) -> QuerySet[Any]:
    """Return the member's own challenges, the newest first, each with how many matches are `under_way`."""
    return _counted().filter(member_id=member.pk) if member.pk is not None else _counted().none()


def standing(user: Person, *, game_slug: str = "", pace: str = "", of: User | None = None) -> list[StandingChallenge]:
    """Return challenges of others, or of one member, that take a further match, as far as no block is between."""
    found = _counted().filter(paused=False, member__is_active=True, under_way__lt=F("most"))
    if of is not None:
        found = found.filter(member=of)
    if user.pk is not None:
        found = found.exclude(member_id=user.pk).exclude(blocked_ids(user.pk, "member_id"))
    if game_slug:
        found = found.filter(game_slug=game_slug)
    if pace:
        found = found.filter(pace_slug=pace)
    wish = User.Invitations.NONE
    return list(found.exclude(member__invitations_from=wish)[:SHOWN])
