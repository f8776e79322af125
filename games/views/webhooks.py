"""The pages on which webhooks are kept: a member's, and those of a club or tournament for who organises it."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.access import member_of, members_only
from config.lib import rate_limits
from games.forms.webhooks import WebhookForm
from games.services.refusals import Invalid, TooOften
from games.services.webhooks import groups, keeping
from games.services.webhooks.groups import Group


@members_only
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HttpRequest) -> HttpResponse:
    """Show a member's webhooks; add one, try it, turn it on again, remove it. A new secret is on this answer alone."""
    act = request.POST.get("act", "")
    form = WebhookForm(request.POST if act == "add" else None)
    if request.method == "POST" and act != "remove" and not rate_limits.allows(request, "webhook"):
        form = WebhookForm(request.POST)
        form.add_error(None, str(TooOften()))
        return _page(request, form, status=429)
    if act == "add":
        return _added(request, form)
    if request.method == "POST":
        _done(request, act)
        return redirect("webhooks")
    return _page(request, form)


def _added(request: HttpRequest, form: WebhookForm) -> HttpResponse:
    if form.is_valid():
        try:
            secret = keeping.add(user_id=member_of(request).pk, **form.cleaned_data)
        except Invalid as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Added. Send a test to see whether it works."))
            return _page(request, WebhookForm(), secret=secret) if secret else redirect("webhooks")
    return _page(request, form, status=422)


def _done(request: HttpRequest, act: str) -> None:
    """Do something with one of the member's webhooks; with another's nothing happens."""
    hook = {"user_id": member_of(request).pk, "hook_id": _hook_id(request)}
    if act == "remove":
        keeping.remove(**hook)
        messages.success(request, _("Removed."))
    elif act == "on":
        keeping.turn_on(**hook)
        messages.success(request, _("Turned on again."))
    elif act == "test" and keeping.try_out(**hook):
        messages.success(request, _("A test is on its way. Reload this page in a moment to see what became of it."))


def _page(request: HttpRequest, form: WebhookForm, *, status: int = 200, secret: str = "") -> HttpResponse:
    hooks = member_of(request).webhooks.order_by("pk")
    context: dict[str, Any] = {"form": form, "hooks": hooks, "secret": secret, "is_on": settings.WEBHOOKS}
    return render(request, "games/webhooks/settings.html", context, status=status)


def _hook_id(request: HttpRequest) -> int:
    number = request.POST.get("hook", "")
    return int(number) if number.isascii() and number.isdecimal() and len(number) < 19 else 0


Guard = Callable[[], None]
"""Locks a club or tournament, and raises a refusal unless the person may keep its webhooks."""


def of_group(request: HttpRequest, group: Group, guard: Guard, *, name: str, back: str) -> HttpResponse:
    """Show the webhooks of a club or tournament, called `name`; add one, try it, turn it on again, remove it.

    The caller has made sure that the person may see the page; each change asks `guard` once more, under its lock.
    """
    act, about = request.POST.get("act", ""), {"group": group, "name": name, "back": back}
    form = WebhookForm(request.POST if act == "add" else None)
    if request.method != "POST":
        return _group_page(request, form, about)
    if act != "remove" and not rate_limits.allows(request, "webhook"):
        return _group_page(request, WebhookForm(), about | {"refusal": TooOften()}, status=429)
    with transaction.atomic():
        guard()
        if act == "add":
            return _group_added(request, form, about)
        _group_done(request, act, group)
    return redirect(request.path)


def _group_added(request: HttpRequest, form: WebhookForm, about: dict[str, Any]) -> HttpResponse:
    if form.is_valid():
        try:
            secret = groups.add(about["group"], by=member_of(request), **form.cleaned_data)
        except Invalid as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Added. Send a test to see whether it works."))
            return _group_page(request, WebhookForm(), about | {"secret": secret}) if secret else redirect(request.path)
    return _group_page(request, form, about, status=422)


def _group_done(request: HttpRequest, act: str, group: Group) -> None:
    """Do something with one of the group's webhooks; with another's nothing happens."""
    user, hook_id = member_of(request), _hook_id(request)
    if act == "remove" and groups.remove(group, by=user, hook_id=hook_id):
        messages.success(request, _("Removed."))
    elif act == "on" and groups.turn_on(group, by=user, hook_id=hook_id):
        messages.success(request, _("Turned on again."))
    elif act == "test" and groups.try_out(group, hook_id=hook_id):
        messages.success(request, _("A test is on its way. Reload this page in a moment to see what became of it."))


def _group_page(request: HttpRequest, form: WebhookForm, about: dict[str, Any], *, status: int = 200) -> HttpResponse:
    group: Group = about["group"]
    context = {"form": form, "hooks": groups.of_group(group), "is_on": settings.WEBHOOKS, "of": group.of}
    return render(request, "games/webhooks/group.html", context | about | {"action": request.path}, status=status)
