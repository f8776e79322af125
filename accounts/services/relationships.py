"""Following and blocking members."""

from itertools import product

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils.functional import Promise
from django.utils.module_loading import import_string
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import Block, Follow, User
from accounts.queries import blocks_between
from config.lib import sql

MOST = 1_000  # follows, and blocks, of one member


class NotRelated(Exception):
    """Nothing was changed; the sentence says why."""

    sentence: str | Promise = ""

    def __str__(self) -> str:
        return str(self.sentence)


class Oneself(NotRelated):
    sentence = _("That is you.")


class TooMany(NotRelated):
    sentence = _("That list already has a thousand people. Remove some first.")


class Blocked(NotRelated):
    sentence = _("You have blocked this member. Unblock them to follow them.")


class OwnBot(NotRelated):
    sentence = _("That is a bot of yours.")


class OwnerBlocked(NotRelated):
    """Who blocks a member is kept apart from that member's bots, too."""

    def __init__(self, owner: User) -> None:
        super().__init__()
        self.sentence = gettext("%(name)s, whose bot this is, is blocked: unblock them instead.") % {
            "name": owner.username
        }


class Unwilling(NotRelated):
    sentence = _("You cannot follow this member.")


def follow(*, follower: User, followed: User) -> None:
    """Follow a member, who then comes first on leaderboards. Oneself, Blocked, Unwilling, TooMany."""
    if follower.pk == followed.pk:
        raise Oneself
    between = blocks_between(follower.pk, [followed.pk])
    if (follower.pk, followed.pk) in between:
        raise Blocked
    if between:
        raise Unwilling
    if Follow.objects.filter(follower=follower).count() >= MOST:
        raise TooMany
    Follow.objects.get_or_create(follower=follower, followed=followed)


def unfollow(*, follower: User, followed: User) -> None:
    """Stop following a member."""
    Follow.objects.filter(follower=follower, followed=followed).delete()


def block(*, blocker: User, blocked: User) -> None:
    """Block a member and end follows between the two; matches that have begun go on. Oneself, OwnBot, TooMany.

    It holds for the bots of both, those that they make later included; a block of a bot, for that bot alone. Other apps
    cancel open business between the two by ON_BLOCK. User.DoesNotExist when one of them is gone.
    """
    if blocker.pk == blocked.pk:
        raise Oneself
    if blocked.owner_id == blocker.pk:
        raise OwnBot
    if Block.objects.filter(blocker=blocker, blocked__owner=None).count() >= MOST:
        raise TooMany
    with transaction.atomic():
        if len(sql.kept(User, [blocker.pk, blocked.pk])) < 2:  # before all else, as who closes an account has them
            raise User.DoesNotExist
        for one, other in product(with_bots(blocker), with_bots(blocked)):
            for path in settings.ON_BLOCK:
                import_string(path)(one, other)
            Block.objects.get_or_create(blocker=one, blocked=other)
        both = Q(follower=blocker, followed=blocked) | Q(follower=blocked, followed=blocker)
        Follow.objects.filter(both).delete()  # by one statement: the other may block, too


def unblock(*, blocker: User, blocked: User) -> None:
    """Remove the block of one member by the other, and that of all bots of the two. OwnerBlocked for a bot alone."""
    if blocked.owner is not None and Block.objects.filter(blocker=blocker, blocked=blocked.owner).exists():
        raise OwnerBlocked(blocked.owner)
    with transaction.atomic():
        sql.kept(User, [blocker.pk, blocked.pk])  # so that no bot is being made that takes the block over
        Block.objects.filter(blocker__in=with_bots(blocker), blocked__in=with_bots(blocked)).delete()


def with_bots(user: User) -> list[User]:
    """Return a member and their bots, by id after them: what a block of the member is a block of."""
    return [user, *user.bots.order_by("pk")]


def take_over_blocks(bot: User, owner: User) -> None:
    """Have a new bot kept apart from whom its owner is, in the transaction that locked the owner's row and made it."""
    rows = Block.objects.filter(Q(blocker=owner) | Q(blocked=owner))
    made = [
        Block(blocker_id=bot.pk, blocked_id=row.blocked_id, at=row.at)
        if row.blocker_id == owner.pk
        else Block(blocker_id=row.blocker_id, blocked_id=bot.pk, at=row.at)
        for row in rows
    ]
    Block.objects.bulk_create(made, ignore_conflicts=True)
