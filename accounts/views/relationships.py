"""Following and blocking: the buttons on a profile, and the page that lists them."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.db import IntegrityError
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts import queries
from accounts.access import member_of, members_only, redirect_back
from accounts.models import User
from accounts.services import relationships
from config.lib.formats import about_people

PER_PAGE = 50


@members_only
@require_safe
def circle(request: HttpRequest) -> HttpResponse:
    """Members followed and blocked, and the panels of other apps."""
    user = member_of(request)
    context = {
        "followed": page_of(request, "followed", queries.followed_by(user)),
        "blocked": page_of(request, "blocked", queries.blocked_by(user)),
        "panels": [import_string(path)(request, user) for path in settings.CIRCLE_PANELS],
    }
    return render(request, "accounts/circle.html", context)


def page_of(request: HttpRequest, name: str, rows: QuerySet[Any]) -> Page[Any]:
    """Return the page of a list of people that the address asks for under this name."""
    return Paginator(rows, PER_PAGE).get_page(request.GET.get(name))


@members_only
@require_POST
def follow(request: HttpRequest, name: str) -> HttpResponse:
    """Follow a member; with `wish` 0, stop following."""
    wish = request.POST.get("wish") != "0"
    message = _("You follow %(name)s.") if wish else _("You no longer follow %(name)s.")
    act = relationships.follow if wish else relationships.unfollow
    return _act(request, name, message, lambda user, other: act(follower=user, followed=other))


@members_only
@require_POST
def block(request: HttpRequest, name: str) -> HttpResponse:
    """Block a member or guest; with `wish` 0, unblock."""
    wish = request.POST.get("wish") != "0"
    message = _("%(name)s is blocked.") if wish else _("%(name)s is no longer blocked.")
    act = relationships.block if wish else relationships.unblock
    return _act(request, name, message, lambda user, other: act(blocker=user, blocked=other), with_guests=True)


def _act(
    request: HttpRequest, name: str, message: str, act: Callable[[User, User], None], *, with_guests: bool = False
) -> HttpResponse:
    """Call `act` with the member of this name, show the message, and go back."""
    user = member_of(request)
    other = User.objects.filter(username=name.replace("\0", "")).first()
    if other is None or (other.is_guest and not with_guests):
        raise Http404
    try:
        act(user, other)
    except relationships.NotRelated as refusal:
        messages.warning(request, str(refusal))
    except (IntegrityError, User.DoesNotExist) as error:
        if User.objects.filter(pk=other.pk).exists():
            raise
        raise Http404 from error  # their account was closed at this moment
    else:
        messages.success(request, about_people(message, [other.username]))
    return redirect_back(request, "circle")
