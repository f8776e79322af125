"""Signs that two members may be one person: hints for moderators, never acted on by themselves."""

import ipaddress
from collections import Counter
from contextlib import suppress
from datetime import timedelta

from allauth.account.adapter import get_adapter
from django.core.cache import cache
from django.db import IntegrityError
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.models import User
from config import clock
from games.models import Match, Seat
from games.moderation.marks import mark_of
from games.moderation.models import Trace

KEPT = timedelta(days=7)
A_DAY = 24 * 60 * 60
LAST_MATCHES = 50
ENOUGH_MATCHES = 5
ALWAYS = 0.8  # the share of one's matches from which on an opponent counts as "always the same"
MOST_SHOWN = 10


def address_range(address: str) -> str:
    """Return the /24 or the /48 in which an address lies; empty for what is no address."""
    try:
        one = ipaddress.ip_address(address)
    except ValueError:
        return ""
    if isinstance(one, ipaddress.IPv6Address) and one.ipv4_mapped:
        one = one.ipv4_mapped
    return str(ipaddress.ip_network(f"{one}/{24 if one.version == 4 else 48}", strict=False))


def remember(member: User, request: HttpRequest) -> None:
    """Keep the hashed range and device of this request, once a day for each."""
    today = clock.now().date()
    found = {
        Trace.Kind.RANGE: address_range(get_adapter().get_client_ip(request)),
        Trace.Kind.DEVICE: request.headers.get("User-Agent", "")[:500],
    }
    marks = {kind: mark_of(kind, text) for kind, text in found.items() if text}
    fresh = [
        Trace(member=member, kind=kind, mark=mark, on=today)
        for kind, mark in marks.items()
        if cache.add(f"trace:{member.pk}:{mark}:{today}", 1, A_DAY)
    ]
    if fresh:
        with suppress(IntegrityError):  # an account that closed meanwhile leaves no trace
            Trace.objects.bulk_create(fresh, ignore_conflicts=True)


def forget() -> int:
    """Delete the traces that are older than a week; return how many."""
    return Trace.objects.filter(on__lt=clock.now().date() - KEPT).delete()[0]


def sharing(member: User, kind: str) -> list[User]:
    """Return the members who left the same mark as this one within the week, most marks in common first."""
    own = _recent(kind).filter(member=member).values("mark")
    others = _recent(kind).filter(mark__in=own).exclude(member=member)
    counted = Counter(others.values_list("member_id", flat=True))
    people = User.objects.in_bulk(number for number, _times in counted.most_common(MOST_SHOWN))
    return list(people.values())


def _recent(kind: str) -> QuerySet[Trace]:
    return Trace.objects.filter(kind=kind, on__gte=clock.now().date() - KEPT)


def inseparable(member: User) -> list[tuple[User, int, int]]:
    """Return who sat in most of this member's last matches, in how many, and of how many."""
    ended = Match.objects.filter(status=Match.Status.ENDED, seats__user=member).order_by("-ended_at")
    last = list(ended.values_list("pk", flat=True)[:LAST_MATCHES])
    if len(last) < ENOUGH_MATCHES:
        return []
    others = Seat.objects.filter(match_id__in=last, user__isnull=False).exclude(user=member)
    counted = Counter(others.values_list("user_id", flat=True))
    often = {number: times for number, times in counted.items() if number and times >= ALWAYS * len(last)}
    people = User.objects.in_bulk(often)
    found = [(person, often[person.pk], len(last)) for person in people.values()]
    return sorted(found, key=lambda one: -one[1])[:MOST_SHOWN]
