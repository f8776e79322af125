"""Reads of circles of friends: whose they are, who is of one, and the table of one that is open."""

from collections.abc import Sequence

from django.db.models import QuerySet

from accounts.models import User
from games.clubs.models import Circle, CircleMember, CircleTable
from games.models import Match


def of(person: User) -> QuerySet[Circle]:
    """Return the circles to which a member belongs, by name."""
    mine = CircleMember.objects.filter(user=person, accepted=True)
    return Circle.objects.filter(pk__in=mine.values("circle")).select_related("maker").order_by("name", "pk")


def asking(person: User) -> list[Circle]:
    """Return the circles into which a member is asked, the latest first."""
    mine = CircleMember.objects.filter(user=person, accepted=False)
    return list(Circle.objects.filter(pk__in=mine.values("circle")).select_related("maker").order_by("-pk"))


def row_of(circle: Circle, person: User) -> CircleMember | None:
    """Return the person's row of a circle, also of one who is only asked."""
    return CircleMember.objects.filter(circle=circle, user=person).first()


def members(circle: Circle) -> list[CircleMember]:
    """Return who belongs to a circle or is asked, those who accepted first."""
    rows = CircleMember.objects.filter(circle=circle).select_related("user")
    return list(rows.order_by("-accepted", "since", "pk"))


def names_of(found: Sequence[Circle]) -> dict[int, list[str]]:
    """Return the names of who belongs to each of these circles, by the circle's id; who came first stands first."""
    names: dict[int, list[str]] = {circle.pk: [] for circle in found}
    rows = CircleMember.objects.filter(circle__in=names, accepted=True).order_by("since", "pk")
    for circle_id, name in rows.values_list("circle", "user__username"):
        names[circle_id].append(name)
    return names


def open_tables(found: Sequence[Circle]) -> dict[int, int]:
    """Return the ids of the tables of these circles that wait for players, by the circle's id."""
    rows = CircleTable.objects.filter(circle__in=[one.pk for one in found], match__status=Match.Status.OPEN)
    return dict(rows.order_by("match").values_list("circle", "match"))


def open_table(circle: Circle) -> Match | None:
    """Return the table of a circle that waits for players."""
    return Match.objects.filter(circle_table__circle=circle, status=Match.Status.OPEN).order_by("-pk").first()


def last_weekly(circle: Circle) -> CircleTable | None:
    """Return the last table that opened because it was the hour."""
    rows = CircleTable.objects.filter(circle=circle, day__isnull=False).select_related("match")
    return rows.order_by("-pk").first()


def of_match(match: Match) -> Circle | None:
    """Return the circle that opened a table; None of any other."""
    return Circle.objects.filter(tables__match=match).first()
