"""Signs in tournaments that somebody loses for somebody else, or plays for two: hints for moderators."""

from collections import Counter
from collections.abc import Collection
from datetime import datetime

from django.db.models import F

from accounts.models import User
from games.competitions.models import Entrant, Place, Table

STRONGER = 150  # rating points from which on one is expected to come out ahead
ENOUGH_UPSETS = 3  # tables at which somebody so much stronger came out behind the same person
MOSTLY = 0.8  # share of the tables at which they met


def against_rating(member: User, since: datetime) -> list[tuple[int, int, int]]:
    """Return who nearly always comes out behind this much weaker member: (id, at how many tables, of how many).

    A hook of moderation (HINTS_OF_RESULTS). Of rated tournaments alone, by the ratings with which both came; a table
    that was voided counts for nothing.
    """
    lost = _met(member, since, rank__gt=F("table__places__rank"))
    often = [number for number, times in lost.items() if times >= ENOUGH_UPSETS]
    met = _met(member, since, entrant__user__in=often) if often else {}
    return [(number, lost[number], met[number]) for number in often if lost[number] >= MOSTLY * met[number]]


def _met(member: User, since: datetime, **more: object) -> Counter[int]:
    """Return by id at how many tables that count somebody much stronger sat with this member."""
    found = Place.objects.filter(
        table__state__in=(Table.State.OVER, Table.State.JUDGED),
        round__tournament__rated=True,
        round__drawn_at__gt=since,
        rank__isnull=False,
        entrant__user__isnull=False,
        table__places__entrant__user=member,
        table__places__rank__isnull=False,
        entrant__strength__gte=F("table__places__entrant__strength") + STRONGER,
        **more,
    )
    return Counter(number for number in found.order_by().values_list("entrant__user_id", flat=True) if number)


def fellows(member: User, others: Collection[int], since: datetime) -> dict[int, tuple[int, int]]:
    """Return of these people who entered the same tournaments: by id in how many, of how many of the member's.

    A hook of moderation (FELLOWS): of two who share a network or a device it says that one may play for the other.
    """
    own = list(Entrant.objects.filter(user=member, signed_at__gt=since).values_list("tournament", flat=True))
    shared = Entrant.objects.filter(tournament__in=own, user__in=others).order_by()
    counted = Counter(shared.values_list("user_id", flat=True))
    return {number: (times, len(own)) for number, times in counted.items() if number}
