"""Reads of clubs that tables need: who belongs to which."""

from django.contrib.auth.models import AnonymousUser
from django.db.models import OuterRef, QuerySet

from accounts.models import User
from games.models import Club, Membership

Person = User | AnonymousUser
IN = Membership.State.IN


def membership(club_id: int | None, person: Person) -> Membership | None:
    """Return what the person is to a club, also one who asked, is invited or kept out; None: nothing."""
    if club_id is None or person.pk is None:
        return None
    return Membership.objects.filter(club=club_id, user=person.pk).first()


def belongs(club_id: int | None, person: Person) -> bool:
    """Return whether the person belongs to the club."""
    if club_id is None or person.pk is None:
        return False
    return Membership.objects.filter(club=club_id, user=person.pk, state=IN).exists()


def clubs_of(person: Person) -> QuerySet[Club]:
    """Return the clubs to which the person belongs, by name."""
    if person.pk is None:
        return Club.objects.none()
    return Club.objects.filter(pk__in=club_ids_of(person)).order_by("name")


def club_ids_of(person: Person) -> QuerySet[Membership]:
    """Return the numbers of the clubs to which the person belongs, as a subquery."""
    return Membership.objects.filter(user=person.pk, state=IN).order_by().values("club")


def members_of(club: Club | OuterRef | int) -> QuerySet[Membership]:
    """Return who belongs to a club."""
    return Membership.objects.filter(club=club, state=IN)
