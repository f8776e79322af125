"""Reads of standing challenges: those that somebody may accept, and a member's own."""

from datetime import timedelta
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.models import User
from accounts.queries import blocked_ids
from config.lib import clock
from games.models import Match, StandingChallenge
from games.queries.play import Person
from games.rules import games

SHOWN = 30
WAIT = timedelta(days=1)  # for who has accepted a challenge, until they may again: others have their turn
UNDER_WAY = (Match.Status.OPEN, Match.Status.RUNNING)


def accepted_by(user: Person) -> QuerySet[Match]:
    """Return the matches by challenges that this member sits or sat in and that are under way, or of the last day."""
    lately = Q(status__in=UNDER_WAY) | Q(created_at__gt=clock.now() - WAIT)
    return Match.objects.filter(lately, challenge__isnull=False, seats__user=user.pk)


def _counted() -> QuerySet[Any]:
    known = StandingChallenge.objects.filter(game_slug__in=games()).prefetch_related("member")
    matches = Match.objects.filter(challenge=OuterRef("pk"), status__in=UNDER_WAY)
    counted = matches.order_by().values("challenge").annotate(n=Count("pk")).values("n")
    return known.annotate(under_way=Coalesce(Subquery(counted), 0)).order_by("-at", "-pk")


def own(member: Person) -> QuerySet[Any]:
    """Return the member's own challenges, the newest first, each with how many matches are `under_way`."""
    return _counted().filter(member_id=member.pk) if member.pk is not None else _counted().none()


def standing(user: Person, *, game_slug: str = "", pace: str = "", of: User | None = None) -> list[StandingChallenge]:
    """Return challenges of others, or of one member, that this reader may accept now, as far as no block is between."""
    # Not by a join, for which the databases would look through all members first.
    willing = User.objects.filter(pk=OuterRef("member"), is_active=True).exclude(invitations_from="none")
    found = _counted().filter(Exists(willing), paused=False, under_way__lt=F("most"))
    if of is not None:
        found = found.filter(member=of)
    if isinstance(user, User) and user.is_bot:
        found = found.filter(takes_bots=True)
    if user.pk is not None:
        found = found.exclude(member_id=user.pk).exclude(blocked_ids(user.pk, "member_id"))
        found = found.exclude(pk__in=accepted_by(user).values("challenge"))
    if game_slug:
        found = found.filter(game_slug=game_slug)
    if pace:
        found = found.filter(pace_slug=pace)
    return list(found[:SHOWN])
