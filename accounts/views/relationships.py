"""Following and blocking: the buttons on a profile, and the page that lists what is between people."""

from collections.abc import Callable

from django.conf import settings
from django.contrib import messages
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts import queries
from accounts.access import member_of, members_only, redirect_back
from accounts.models import User
from accounts.services import relationships
from config.lib import rate_limits


@members_only
@require_safe
def circle(request: HttpRequest) -> HttpResponse:
    """Those whom one follows, those whom one has blocked, and what other apps keep between people."""
    user = member_of(request)
    context = {
        "followed": [follow.followed for follow in queries.followed_by(user)],
        "blocked": [block.blocked for block in queries.blocked_by(user)],
        "panels": [import_string(path)(request, user) for path in settings.CIRCLE_PANELS],
    }
    return render(request, "accounts/circle.html", context)


@members_only
@require_POST
def follow(request: HttpRequest, name: str) -> HttpResponse:
    """Follow a member, or (`wish` 0) no longer."""
    if request.POST.get("wish") == "0":
        return _done(request, name, _("You no longer follow %(name)s."), _unfollow)
    return _done(request, name, _("You follow %(name)s."), _follow)


@members_only
@require_POST
def block(request: HttpRequest, name: str) -> HttpResponse:
    """Block a member, or (`wish` 0) no longer."""
    if request.POST.get("wish") == "0":
        return _done(request, name, _("%(name)s is no longer blocked."), _unblock)
    return _done(request, name, _("%(name)s is blocked."), _block)


def _done(request: HttpRequest, name: str, said: str, act: Callable[[User, User], None]) -> HttpResponse:
    """Do it, say so, and go back to where the button was."""
    user = member_of(request)
    if not rate_limits.allows_post(request):
        return render(request, "429.html", status=429)
    other = User.objects.filter(username=name.replace("\0", ""), is_guest=False).first()
    if other is None:
        raise Http404
    try:
        act(user, other)
    except relationships.NotRelated as refusal:
        messages.warning(request, str(refusal))
    except IntegrityError as error:
        if User.objects.filter(pk=other.pk).exists():
            raise
        raise Http404 from error  # their account was closed in this instant
    else:
        messages.success(request, said % {"name": other.username})
    return redirect_back(request, "circle")


def _follow(user: User, other: User) -> None:
    relationships.follow(follower=user, followed=other)


def _unfollow(user: User, other: User) -> None:
    relationships.unfollow(follower=user, followed=other)


def _block(user: User, other: User) -> None:
    relationships.block(blocker=user, blocked=other)


def _unblock(user: User, other: User) -> None:
    relationships.unblock(blocker=user, blocked=other)
