"""Following and blocking: the buttons on a profile, and the page with the lists of both."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts import bonds, queries
from accounts.models import User


@login_required
@require_safe
def circle(request: HttpRequest) -> HttpResponse:
    """Those whom one follows, and those whom one has blocked."""
    user = member_of(request)
    if user is None:
        return redirect("account_signup")
    context = {
        "followed": [follow.followed for follow in queries.followed_by(user)],
        "blocked": [block.blocked for block in queries.blocked_by(user)],
    }
    return render(request, "accounts/circle.html", context)


@login_required
@require_POST
def follow(request: HttpRequest, name: str) -> HttpResponse:
    """Follow a member, or (`wish` 0) no longer."""
    if request.POST.get("wish") == "0":
        return _done(request, name, _("You no longer follow %(name)s."), _unfollow)
    return _done(request, name, _("You follow %(name)s."), _follow)


@login_required
@require_POST
def block(request: HttpRequest, name: str) -> HttpResponse:
    """Block a member, or (`wish` 0) no longer."""
    if request.POST.get("wish") == "0":
        return _done(request, name, _("%(name)s is no longer blocked."), _unblock)
    return _done(request, name, _("%(name)s is blocked."), _block)


def member_of(request: HttpRequest) -> User | None:
    """Return the member who asks; None for a guest, who has to sign up first."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return None if request.user.is_guest else request.user


def _done(request: HttpRequest, name: str, said: str, act: Callable[[User, User], None]) -> HttpResponse:
    """Do it, say so, and go back to where the button was."""
    user = member_of(request)
    if user is None:
        return redirect("account_signup")
    other = User.objects.filter(username=name.replace("\0", ""), is_guest=False).first()
    if other is None:
        raise Http404
    try:
        act(user, other)
    except bonds.NotBound as refusal:
        messages.warning(request, str(refusal))
    else:
        messages.success(request, said % {"name": other.username})
    target = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    return redirect(target if safe else reverse("circle"))


def _follow(user: User, other: User) -> None:
    bonds.follow(follower=user, followed=other)


def _unfollow(user: User, other: User) -> None:
    bonds.unfollow(follower=user, followed=other)


def _block(user: User, other: User) -> None:
    bonds.block(blocker=user, blocked=other)


def _unblock(user: User, other: User) -> None:
    bonds.unblock(blocker=user, blocked=other)
