"""Reads of clubs: those that are listed, who belongs to one, and what waits for a member."""

from django.db.models import Case, Count, IntegerField, Q, QuerySet, Value, When

from accounts.models import User
from accounts.names import skeleton
from games.models import Club, Membership

State, Role = Membership.State, Membership.Role
RANK = Case(
    When(role=Role.OWNER, then=Value(0)),
    When(role=Role.ORGANISER, then=Value(1)),
    default=2,
    output_field=IntegerField(),
)


def listed(search: str = "") -> QuerySet[Club]:
    """Return the clubs that everybody may find, the largest first; of a search, those whose names hold it."""
    found = Club.objects.filter(~Q(access=Club.Access.INVITATION))
    wanted = skeleton("".join(one for one in search if one.isalnum()))
    if search.strip():
        found = found.filter(skeleton__contains=wanted) if wanted else found.none()
    return found.order_by("-size", "id")


def own(user: User) -> QuerySet[Membership]:
    """Return the clubs to which a member belongs, by name."""
    found = Membership.objects.filter(user=user, state=State.IN)
    return found.select_related("club").order_by("club__name", "pk")


def shown_on_profile(user: User) -> QuerySet[Membership]:
    """Return those of a member's clubs that everybody may see."""
    return own(user).exclude(club__access=Club.Access.INVITATION)


def invitations(user: User) -> QuerySet[Membership]:
    """Return the clubs that invite a member, the oldest invitation first."""
    found = Membership.objects.filter(user=user, state=State.INVITED)
    return found.select_related("club").order_by("since", "pk")


def asked(user: User) -> QuerySet[Membership]:
    """Return the clubs that a member has asked to join."""
    return Membership.objects.filter(user=user, state=State.ASKED).select_related("club").order_by("since", "pk")


def to_answer(user: User) -> QuerySet[Club]:
    """Return the clubs that a member organises and that people ask to join, with how many (`waiting`)."""
    mine = Membership.objects.filter(user=user, state=State.IN, role__in=(Role.OWNER, Role.ORGANISER))
    waiting = Count("memberships", filter=Q(memberships__state=State.ASKED))
    found = Club.objects.filter(pk__in=mine.order_by().values("club")).annotate(waiting=waiting)
    return found.filter(waiting__gt=0).order_by("name")


def members(club: Club) -> QuerySet[Membership]:
    """Return who belongs to a club: its owner, its organisers, then those who came first."""
    rows = Membership.objects.filter(club=club, state=State.IN).annotate(rank=RANK)
    return rows.select_related("user").order_by("rank", "since", "pk")


def in_state(club: Club, state: str) -> QuerySet[Membership]:
    """Return who asks to join a club, is invited to it, or is kept out of it, the longest so first."""
    return Membership.objects.filter(club=club, state=state).select_related("user").order_by("since", "pk")
