"""The page on which a member keeps webhooks."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.access import member_of, members_only
from config.lib import rate_limits
from games.forms.webhooks import WebhookForm
from games.services.refusals import Invalid, TooOften
from games.services.webhooks import keeping


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
    number = request.POST.get("hook", "")
    hook = {"user_id": member_of(request).pk, "hook_id": int(number) if number.isdecimal() and len(number) < 19 else 0}
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
