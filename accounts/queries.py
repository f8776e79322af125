"""Reads about people: blocks, follows, addresses, names and local times."""

from collections.abc import Iterable
from datetime import UTC, datetime

from allauth.account.models import EmailAddress
from django.db.models import Q, QuerySet
from django.db.models.functions import Lower

from accounts import names
from accounts.addresses import normalise
from accounts.models import Block, Follow, User
from accounts.names import skeleton
from config.lib import sql, time_zones

DAY = 24 * 60  # minutes
LONGEST = 12 * 60  # minutes of quiet hours


def blocks_between(user_id: int, others: Iterable[int | None]) -> set[tuple[int, int]]:
    """Return the blocks between a person and these others, as pairs (blocker, blocked)."""
    numbers = [other for other in others if other is not None and other != user_id]
    if not numbers:
        return set()
    either = Q(blocker_id=user_id, blocked_id__in=numbers) | Q(blocker_id__in=numbers, blocked_id=user_id)
    return set(Block.objects.filter(either).values_list("blocker_id", "blocked_id"))


def blocked_among(user_id: int, others: Iterable[int | None]) -> set[int]:
    """Return those of the others who blocked this person or were blocked by them."""
    return {number for pair in blocks_between(user_id, others) for number in pair} - {user_id}


def blocks_among(people: Iterable[int]) -> set[frozenset[int]]:
    """Return the pairs of these people whom a block keeps apart, whoever of the two set it."""
    numbers = set(people)
    rows = Block.objects.filter(blocker_id__in=numbers).values_list("blocker_id", "blocked_id")
    return {frozenset(pair) for pair in rows if pair[1] in numbers}


def reader_of(email: str, user: object = None) -> User | None:
    """Return the person who reads mail at an address, or None."""
    if isinstance(user, User):
        return user
    address = EmailAddress.objects.filter(email=email.lower()).order_by("-verified", "pk").first()
    return address.user if address else confirmed_owner(email)


def who_logs_in(typed: str) -> User | None:
    """Return whose name or confirmed address this is, in any case, guests and closed accounts too; or None."""
    if "\0" in typed:
        return None
    if "@" in typed:
        return confirmed_owner(typed)
    name = names.normalise(typed)
    return _named(User.objects.all(), name) if len(name) <= names.LONGEST else None


def _named(people: QuerySet[User], name: str) -> User | None:
    """Return who of these people has the name, in any case; some of before have theirs with `~` and an id."""
    alike = people.filter(Q(skeleton=skeleton(name)) | sql.begins("skeleton", f"{skeleton(name)}~"))
    return next((person for person in alike if person.username.casefold() == name.casefold()), None)


def confirmed_owner(address: str) -> User | None:
    """Return the member whose confirmed address this is, or None."""
    known = User.objects.alias(lowered=Lower("email")).exclude(email="")  # as their index has them
    return next(iter(known.filter(lowered=normalise(address))), None)  # `first` would order by another index


def who_may_reset(address: str) -> User | None:
    """Return whose password a code mailed to this address may change: its owner, else who last signed up with it.

    An address that somebody with a confirmed one merely wants to change to opens nothing.
    """
    if (owner := confirmed_owner(address)) is not None:
        return owner if owner.is_active else None
    waiting = EmailAddress.objects.filter(email=normalise(address), user__email="", user__is_active=True)
    last = waiting.select_related("user").order_by("-user_id").first()
    return last.user if last else None


def may_reset(user: User, address: str) -> bool:
    """Return whether a code mailed to this address may change this person's password, now."""
    if (owner := confirmed_owner(address)) is not None:
        return owner.pk == user.pk
    return user.email == "" and EmailAddress.objects.filter(user=user, email=address).exists()


def followed_ids(user: User) -> QuerySet[Follow, int]:
    """Return the ids of the members whom this one follows."""
    return Follow.objects.filter(follower=user).values_list("followed_id", flat=True)


def blocked_ids(user_id: int, field: str) -> Q:
    """Return the condition that `field` names somebody who blocked this person, or whom they blocked."""
    blocked = Block.objects.filter(blocker_id=user_id).values("blocked_id")
    blockers = Block.objects.filter(blocked_id=user_id).values("blocker_id")
    return Q(**{f"{field}__in": blocked}) | Q(**{f"{field}__in": blockers})


def member_named(name: str) -> User | None:
    """Return the member of that name, without regard to case; None for guests, closed accounts, nobody."""
    if "\0" in name:
        return None
    return _named(User.objects.filter(is_active=True, is_guest=False), name)


def member_like(name: str) -> User | None:
    """Return the member whose name is this or looks like it; None for guests, closed accounts, nobody."""
    name = name.replace("\0", "")
    alike = User.objects.filter(skeleton=skeleton(name), is_active=True, is_guest=False).first()
    return member_named(name) or alike


def followed_by(user: User) -> QuerySet[Follow]:
    """Return whom this member follows, by name."""
    return Follow.objects.filter(follower=user).select_related("followed").order_by("followed__username")


def blocked_by(user: User) -> QuerySet[Block]:
    """Return whom this member has blocked, by name; a bot only if its owner is not."""
    own = Block.objects.filter(blocker=user)
    by_owner = Q(blocked__owner__in=own.values("blocked"))
    rows = own.filter(Q(blocked__owner=None) | ~by_owner)
    return rows.select_related("blocked__owner").order_by("blocked__username")


def local(user: User, at: datetime) -> datetime:
    """Return the instant in the member's time zone; in UTC when the zone is unknown."""
    return at.astimezone(time_zones.zone(user.time_zone) or UTC)


def length(quiet_from: int, quiet_until: int) -> int:
    """Return how many minutes lie between two times of day."""
    return (quiet_until - quiet_from) % DAY
