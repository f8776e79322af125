"""Signs that two members may be one person: hints for moderators, never acted on automatically."""

import ipaddress
from collections import Counter
from collections.abc import Collection
from contextlib import suppress
from datetime import timedelta
from typing import Any

from allauth.account.adapter import get_adapter
from django.core.cache import cache
from django.db import IntegrityError
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from accounts.models import User
from config.lib import clock
from games.models import Match, Seat
from games.moderation.models import Sanction, Trace
from games.moderation.sanctions import SILENCING, mark_of

KEPT = timedelta(days=7)
A_DAY = 24 * 60 * 60
LAST_MATCHES = 50
ENOUGH_MATCHES = 5
ALWAYS = 0.8  # share of the matches from which on an opponent counts as always the same
MOST_SHOWN = 10
RARE = 5  # members at most who share a kind of device for it to be a hint: a usual browser is none


def address_range(address: str) -> str:
    """Return the /24 or /48 network of an IP address; empty for anything else."""
    try:
        one = ipaddress.ip_address(address)
    except ValueError:
        return ""
    if isinstance(one, ipaddress.IPv6Address) and one.ipv4_mapped:
        one = one.ipv4_mapped
    return str(ipaddress.ip_network(f"{one}/{24 if one.version == 4 else 48}", strict=False))


def remember(member: User, request: HttpRequest) -> None:
    """Store the hashed address range and device of this request, once a day each."""
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
        with suppress(IntegrityError):  # the account was closed in the meantime
            Trace.objects.bulk_create(fresh, ignore_conflicts=True)


def forget() -> int:
    """Delete traces older than a week; return how many."""
    return Trace.objects.filter(on__lt=clock.now().date() - KEPT).delete()[0]


def sharing(member: User, kind: str) -> list[User]:
    """Return the members who share marks with this one within the week, most in common first.

    A kind of device counts only where it is rare.
    """
    own = _recent(kind).filter(member=member).values("mark")
    if kind == Trace.Kind.DEVICE:
        held = _recent(kind).filter(mark__in=list(own.values_list("mark", flat=True))).order_by().values("mark")
        own = held.annotate(n=Count("member", distinct=True)).filter(n__lte=RARE).values("mark")
    others = _recent(kind).filter(mark__in=own).exclude(member=member)
    counted = Counter(others.values_list("member_id", flat=True))
    often = [number for number, _times in counted.most_common(MOST_SHOWN)]
    people = User.objects.in_bulk(often)
    return [people[number] for number in often if number in people]


def _recent(kind: str) -> QuerySet[Trace]:
    return Trace.objects.filter(kind=kind, on__gte=clock.now().date() - KEPT)


def inseparable(member: User) -> list[tuple[User, int, int]]:
    """Return who sat in most of this member's last matches: (person, how many, of how many)."""
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


def shown(member: User) -> dict[str, list[dict[str, Any]]]:
    """Return the hints for a page: each person with their sanctions in force, in words."""
    lists: dict[str, list[tuple[User, int, int]]] = {
        "range": [(person, 0, 0) for person in sharing(member, Trace.Kind.RANGE)],
        "device": [(person, 0, 0) for person in sharing(member, Trace.Kind.DEVICE)],
        "inseparable": inseparable(member),
    }
    standing = standings([person for rows in lists.values() for person, _times, _of in rows])
    return {
        name: [
            {"member": person, "standing": standing[person.pk], "times": times, "of": of} for person, times, of in rows
        ]
        for name, rows in lists.items()
    }


def standings(people: Collection[User]) -> dict[int, tuple[str, ...]]:
    """Return the sanctions in force, and a closed account, in words for each of these members."""
    told: dict[int, list[str]] = {person.pk: [] for person in people}
    lasting = Q(until__isnull=True) | Q(until__gt=clock.now())
    rows = Sanction.objects.filter(lasting, member__in=told, kind__in=SILENCING, ended_at__isnull=True)
    for row in rows.order_by("-pk"):
        if row.member_id is not None:
            told[row.member_id].append(_words(row))
    for person in {one.pk: one for one in people}.values():
        told[person.pk] += [] if person.is_active else [gettext("account closed")]
    return {number: tuple(words) for number, words in told.items()}


def _words(row: Sanction) -> str:
    if row.until is None:
        return str(row.get_kind_display())
    until = date_format(timezone.localtime(row.until), "SHORT_DATETIME_FORMAT")
    return gettext("%(sanction)s until %(time)s") % {"sanction": row.get_kind_display(), "time": until}
