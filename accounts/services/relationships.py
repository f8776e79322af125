"""Following and blocking members."""

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils.functional import Promise
from django.utils.module_loading import import_string
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
    """Block a member and end follows between the two; matches that have begun go on. Oneself, TooMany.

    Other apps cancel open business between the two by ON_BLOCK. User.DoesNotExist when one of them is gone.
    """
    if blocker.pk == blocked.pk:
        raise Oneself
    if Block.objects.filter(blocker=blocker).count() >= MOST:
        raise TooMany
    with transaction.atomic():
        if len(sql.kept(User, [blocker.pk, blocked.pk])) < 2:  # before all else, as who closes an account has them
            raise User.DoesNotExist
        for path in settings.ON_BLOCK:
            import_string(path)(blocker, blocked)
        Block.objects.get_or_create(blocker=blocker, blocked=blocked)
        both = Q(follower=blocker, followed=blocked) | Q(follower=blocked, followed=blocker)
        Follow.objects.filter(both).delete()  # by one statement: the other may block, too


def unblock(*, blocker: User, blocked: User) -> None:
    """Remove the block of one member by the other."""
    Block.objects.filter(blocker=blocker, blocked=blocked).delete()
