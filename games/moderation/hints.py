"""Signs that two members may be one person: hints for moderators, never acted on automatically."""

import ipaddress
from collections import Counter
from collections.abc import Collection, Iterable
from contextlib import suppress
from datetime import timedelta
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError
from django.db.models import Count, F, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.module_loading import import_string
from django.utils.translation import gettext

from accounts.addresses import canonical
from accounts.models import User
from config.lib import clock
from config.lib.crowds import unmapped
from config.lib.steps import delete_in_steps
from games.models import Match, Seat
from games.moderation.models import Sanction, Trace
from games.moderation.sanctions import address_marks, all_in_force, mark_of, typed_mark

KEPT = timedelta(days=7)
A_DAY = 24 * 60 * 60
LAST_MATCHES = 50
ENOUGH_MATCHES = 5
ALWAYS = 0.8  # share of the matches from which on an opponent counts as always the same
MOST_SHOWN = 10
LOOKED_BACK = timedelta(days=90)
ENOUGH_LOST = 3  # rated matches lost to one member
RARE = 5  # members at most who share a kind of device for it to be a hint: a usual browser is none


def address_range(address: str) -> str:
    """Return the /24 or /48 network of an IP address; empty for anything else."""
    try:
        one = ipaddress.ip_address(unmapped(address))
    except ValueError:
        return ""
    return str(ipaddress.ip_network(f"{one}/{24 if one.version == 4 else 48}", strict=False))


def remember(member: User, request: HttpRequest) -> None:
    """Store the hashed address range and device of this request, once a day each; what was done stands in any case."""
    today, address = clock.now().date(), ""
    with suppress(PermissionDenied):  # a proxy names nobody
        address = get_adapter().get_client_ip(request)
    found = {
        Trace.Kind.RANGE: address_range(address),
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
    """Delete traces older than a week, but of members under a sanction; return how many."""
    old = Trace.objects.filter(on__lt=clock.now().date() - KEPT)
    return delete_in_steps(old.exclude(member__in=_sanctioned()))


def _sanctioned() -> QuerySet[Sanction, int | None]:
    return all_in_force().filter(member__isnull=False).order_by().values_list("member_id", flat=True)


def sharing(member: User, kind: str) -> list[User]:
    """Return the members who share marks with this one within the week, most in common first.

    Of members under a sanction the last marks stay, however old. A kind of device counts only where it is rare.
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
    recent = Q(on__gte=clock.now().date() - KEPT) | Q(member__in=_sanctioned())
    return Trace.objects.filter(recent, kind=kind)


def same_mailbox(member: User) -> list[User]:
    """Return the members under a sanction who confirmed or typed an address that this one confirmed or typed too."""
    own = _addresses([member.pk]).get(member.pk, set())
    held = _addresses(pk for pk in _sanctioned().exclude(member=member) if pk)
    found = sorted(number for number, theirs in held.items() if theirs & own)
    return list(User.objects.filter(pk__in=found).order_by("pk")[:MOST_SHOWN])


def _addresses(user_ids: Iterable[int]) -> dict[int, set[str]]:
    """Return by member, in their canonical form, the addresses that they confirmed or only typed."""
    rows = EmailAddress.objects.filter(user__in=set(user_ids)).values_list("user_id", "email")
    found: dict[int, set[str]] = {}
    for number, address in rows:
        found.setdefault(number, set()).add(canonical(address))
    return found


def closed_accounts(marks: Iterable[str]) -> list[Sanction]:
    """Return the sanctions in force of closed accounts that are kept beside one of these marks, each once."""
    kept = all_in_force().filter(member=None, mark__in=set(marks)).order_by("-at")
    return list({(one.kind, one.at): one for one in kept}.values())[:MOST_SHOWN]


def _marks(member: User) -> dict[str, set[str]]:
    """Return by kind of hint the marks of this member: of addresses, confirmed or typed, and of traces."""
    addresses = {*EmailAddress.objects.filter(user=member).values_list("email", flat=True), member.email} - {""}
    found = {"closed_mailbox": {one for address in addresses for one in (*address_marks(address), typed_mark(address))}}
    for kind in Trace.Kind:
        traces = Trace.objects.filter(member=member, kind=kind)
        found[f"closed_{kind}"] = set(traces.values_list("mark", flat=True))
    return found


def inseparable(member: User) -> list[tuple[User, int, int]]:
    """Return who sat in most of this member's last matches: (person, how many, of how many)."""
    ended = Match.objects.filter(status=Match.Status.ENDED, seats__user=member, sandbox="").order_by("-ended_at")
    last = list(ended.values_list("pk", flat=True)[:LAST_MATCHES])
    if len(last) < ENOUGH_MATCHES:
        return []
    others = Seat.objects.filter(match_id__in=last, user__isnull=False).exclude(user=member)
    counted = Counter(others.values_list("user_id", flat=True))
    often = {number: times for number, times in counted.items() if number and times >= ALWAYS * len(last)}
    people = User.objects.in_bulk(often)
    found = [(person, often[person.pk], len(last)) for person in people.values()]
    return sorted(found, key=lambda one: -one[1])[:MOST_SHOWN]


def givers(member: User) -> list[tuple[User, int, int]]:
    """Return who loses nearly all of their rated matches to this member: (person, how many, of how many).

    Several who do so, or one whose account serves nothing else, may be playing for this member's rating.
    """
    since = clock.now() - LOOKED_BACK
    rated = Seat.objects.filter(match__rated=True, match__ended_at__gt=since, user__isnull=False, rank__isnull=False)
    lost = rated.filter(match__seats__user=member, rank__gt=F("match__seats__rank")).exclude(user=member)
    times = Counter(lost.order_by().values_list("user_id", flat=True))
    often = [number for number, count in times.items() if count >= ENOUGH_LOST]
    played = Counter(rated.filter(user__in=often).order_by().values_list("user_id", flat=True))
    given = {number: times[number] for number in often if times[number] >= ALWAYS * played[number]}
    people = User.objects.in_bulk(given)
    found = [(person, given[person.pk], played[person.pk]) for person in people.values()]
    return sorted(found, key=lambda one: -one[1])[:MOST_SHOWN]


def against_rating(member: User) -> list[tuple[User, int, int]]:
    """Return who, much stronger, nearly always comes out behind this member in tournaments; see `givers`."""
    found: list[tuple[int, int, int]] = import_string(settings.HINTS_OF_RESULTS)(member, clock.now() - LOOKED_BACK)
    return _most_first(found)


def fellows(member: User) -> list[tuple[User, int, int]]:
    """Return who shares marks with this member and enters the same tournaments: (person, how many, of how many)."""
    alike = {person.pk for kind in Trace.Kind for person in sharing(member, kind)}
    found: dict[int, tuple[int, int]] = import_string(settings.FELLOWS)(member, alike, clock.now() - LOOKED_BACK)
    return _most_first((number, *times) for number, times in found.items())


def _most_first(found: Iterable[tuple[int, int, int]]) -> list[tuple[User, int, int]]:
    rows = sorted(found, key=lambda one: (-one[1], one[0]))[:MOST_SHOWN]
    people = User.objects.in_bulk([number for number, _times, _of in rows])
    return [(people[number], times, of) for number, times, of in rows if number in people]


def won_of(member: User) -> tuple[int, int, int]:
    """Return how many rated matches this member has won lately, in how many of them the others gave up, and in how
    many somebody's account was closed since.

    Accounts that lose twice each, or are closed afterwards, are no givers.
    """
    since = clock.now() - LOOKED_BACK
    won = Match.objects.filter(seats__user=member, seats__rank=1, rated=True, ended_at__gt=since, voided_at=None)
    given_up = won.filter(ending__in=(Match.Ending.RESIGNED, Match.Ending.TIMED_OUT))
    gone = Seat.objects.filter(match__in=won.values("pk"), former=True).values("match").distinct()
    return won.count(), given_up.count(), gone.count()


def shown(member: User) -> dict[str, list[dict[str, Any]]]:
    """Return the hints for a page: each person with their sanctions in force, in words."""
    lists: dict[str, list[tuple[User, int, int]]] = {
        "mailbox": [(person, 0, 0) for person in same_mailbox(member)],
        "range": [(person, 0, 0) for person in sharing(member, Trace.Kind.RANGE)],
        "device": [(person, 0, 0) for person in sharing(member, Trace.Kind.DEVICE)],
        "inseparable": inseparable(member),
        "givers": givers(member),
        "against_rating": against_rating(member),
        "fellows": fellows(member),
    }
    standing = standings([person for rows in lists.values() for person, _times, _of in rows])
    return (
        {
            name: [
                {"member": person, "standing": standing[person.pk], "times": times, "of": of}
                for person, times, of in rows
            ]
            for name, rows in lists.items()
        }
        | {
            "won": [dict(zip(("of", "times", "closed"), won, strict=True))] if (won := won_of(member))[0] else [],
        }
        | {
            name: [{"standing": (_words(one),)} for one in closed_accounts(marks)]
            for name, marks in _marks(member).items()
        }
    )


def standings(people: Collection[User]) -> dict[int, tuple[str, ...]]:
    """Return the sanctions in force, and a closed account, in words for each of these members."""
    told: dict[int, list[str]] = {person.pk: [] for person in people}
    for row in all_in_force().filter(member__in=told).order_by("-pk"):
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
