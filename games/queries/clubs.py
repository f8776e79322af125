"""Reads of clubs that tables, chats and moderation need: who belongs to which, and what was said there."""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import Block, User
from accounts.queries import blocked_ids
from games.models import ChatLine, Club, Membership, Muted

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


def club_ids_of(person: Person) -> QuerySet[Membership, Any]:
    """Return the numbers of the clubs to which the person belongs, as a subquery."""
    return Membership.objects.filter(user=person.pk, state=IN).order_by().values("club")


def members_of(club: Club | OuterRef | int) -> QuerySet[Membership]:
    """Return who belongs to a club."""
    return Membership.objects.filter(club=club, state=IN)


def visible_club(club_id: int, person: Person) -> Club | None:
    """Return a club that this person may see: a listed one, their own, or one that invites them; else None."""
    club = Club.objects.filter(pk=club_id).first()
    return club if club is not None and may_see(club, membership(club_id, person)) else None


def may_see(club: Club, found: Membership | None) -> bool:
    """Return whether who is this to a club may see its page; its chat and tables are for members alone."""
    return club.is_listed or (found is not None and found.state in (IN, Membership.State.INVITED))


def lines_of(person: Person) -> QuerySet[ChatLine]:
    """Return the lines in the chats of a person's clubs, as they stand there: none after the writer's block."""
    found = ChatLine.objects.filter(club__in=club_ids_of(person))
    if person.pk is None:
        return found.none()
    apart = Block.objects.filter(blocker=OuterRef("user"), blocked_id=person.pk, at__lt=OuterRef("at"))
    return found.exclude(Exists(apart))


def lines_open_to(person: Person) -> QuerySet[ChatLine]:
    """Return the lines in the chats of their clubs that this person may and wants to read.

    Not hidden ones, nor those of people they muted or a block separates from them.
    """
    if person.pk is None:
        return ChatLine.objects.none()
    muted = Muted.objects.filter(user_id=person.pk, person=OuterRef("user"))
    said = ChatLine.objects.filter(club__in=club_ids_of(person), hidden=False, user__isnull=False)
    return said.filter(~Exists(muted)).exclude(blocked_ids(person.pk, "user_id"))


def with_news(person: Person) -> QuerySet[Membership]:
    """Return a person's clubs in whose chats they have lines to read, by name."""
    if person.pk is None:
        return Membership.objects.none()
    fresh = lines_open_to(person).filter(club=OuterRef("club"), pk__gt=OuterRef("seen")).exclude(user_id=person.pk)
    found = Membership.objects.filter(Exists(fresh), user=person.pk, state=IN)
    return found.select_related("club").order_by("club__name")
