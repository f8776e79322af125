"""What is read of people: whom somebody follows, from whom they are kept apart, who has a name."""

from django.db.models import Q, QuerySet

from accounts.models import Block, Follow, User
from accounts.names import skeleton


def followed_ids(user: User) -> QuerySet[Follow, int]:
    """Return the numbers of the members whom this one follows."""
    return Follow.objects.filter(follower=user).values_list("followed_id", flat=True)


def kept_apart(user_id: int, field: str) -> Q:
    """Return the condition that `field` names somebody who blocked this person, or whom they blocked."""
    blocked = Block.objects.filter(blocker_id=user_id).values("blocked_id")
    blockers = Block.objects.filter(blocked_id=user_id).values("blocker_id")
    return Q(**{f"{field}__in": blocked}) | Q(**{f"{field}__in": blockers})


def member_named(name: str) -> User | None:
    """Return the member of that name, without regard to case; None for guests, closed accounts, nobody."""
    if "\0" in name:
        return None
    found = User.objects.filter(skeleton=skeleton(name), is_active=True, is_guest=False).first()
    return found if found and found.username.casefold() == name.casefold() else None


def followed_by(user: User) -> QuerySet[Follow]:
    """Return whom this member follows, by name."""
    return Follow.objects.filter(follower=user).select_related("followed").order_by("followed__username")


def blocked_by(user: User) -> QuerySet[Block]:
    """Return whom this member has blocked, by name."""
    return Block.objects.filter(blocker=user).select_related("blocked").order_by("blocked__username")
