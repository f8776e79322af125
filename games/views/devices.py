"""The devices on which a member is called: the page in the settings, and what their browsers tell of themselves."""

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import member_of, members_only
from accounts.models import User
from accounts.templatetags.browsers import browser
from config.lib import rate_limits, web_push
from games.models import Device
from games.queries.play import waiting_ids
from games.services.push import delivery, devices
from games.views.responses import posted

KEPT_FROM = {"Cache-Control": "no-store"}


@members_only
@require_http_methods(["GET", "HEAD", "POST"])
def devices_page(request: HttpRequest) -> HttpResponse:
    """Show the member's devices, and save how they are called."""
    member = member_of(request)
    if request.method == "POST":
        devices.choose(member, discreet="discreet" in request.POST)
        messages.success(request, _("Saved."))
        return redirect("devices")
    found = devices.of(member)
    here = next((device for device in found if device.session_key == request.session.session_key), None)
    context = {
        "devices": found,
        "here": here,
        "is_called_here": here is not None and here.gone_at is None,
        "choice": devices.choice_of(member),
        "site_key": web_push.site_key(),
    }
    return render(request, "games/devices/page.html", context)


@posted
@members_only
def add(request: HttpRequest) -> HttpResponse:
    """Let the site call the browser that posts this; 204, or 404 for one that is not known any more."""
    if not settings.PUSH:
        raise Http404
    if not rate_limits.allows(request, "device"):
        return HttpResponse(status=429)
    sent = {name: request.POST.get(name, "") for name in ("endpoint", "public_key", "secret")}
    try:
        device = devices.add(
            user=member_of(request),
            session_key=request.session.session_key or "",
            name=browser(request.headers.get("User-Agent", "")),
            again="again" in request.POST,
            **sent,
        )
    except devices.NoSubscription:
        return HttpResponse(_("This browser cannot be called."), status=400, content_type="text/plain")
    return HttpResponse(status=204 if device else 404)


@posted
@members_only
def change(request: HttpRequest, device_id: int) -> HttpResponse:
    """Try, mute, rename or remove one of the member's devices."""
    member = member_of(request)
    device = get_object_or_404(Device, pk=device_id, user_id=member.pk)
    wish = request.POST.get("do", "")
    if wish == "test":
        _try(request, device)
    elif wish in ("mute", "unmute"):
        devices.change(user=member, device_id=device_id, muted=wish == "mute")
    elif wish == "remove":
        delivery.remove(user=member, device_id=device_id)
        messages.success(request, _("You are not called on this device any more."))
    elif wish == "rename":
        devices.change(user=member, device_id=device_id, name=request.POST.get("name", ""))
        messages.success(request, _("Saved."))
    return redirect("devices")


def _try(request: HttpRequest, device: Device) -> None:
    if not settings.PUSH or device.gone_at:
        messages.error(request, _("This device cannot be called."))
    elif not rate_limits.allows(request, "device_test"):
        messages.error(request, _("That is too often. Please wait a while."))
    else:
        delivery.test(device)
        messages.success(request, _("A message is on its way to this device. It comes within a minute."))


@members_only
@require_http_methods(["GET", "HEAD", "POST"])
def offer(request: HttpRequest) -> HttpResponse:
    """Return the panel that asks whether to call here; nothing (204) where that is so, or was declined for good.

    A post declines.
    """
    member = member_of(request)
    if request.method == "POST":
        devices.choose(member, not_asked=True)
        return HttpResponse(status=204)
    if not _is_to_be_asked(request, member):
        return HttpResponse(status=204, headers=KEPT_FROM)
    context = {"site_key": web_push.site_key()}
    answer = render(request, "games/devices/offer.html", context)
    answer["Cache-Control"] = "no-store"
    return answer


def _is_to_be_asked(request: HttpRequest, member: User) -> bool:
    here = Device.objects.filter(user_id=member.pk, session_key=request.session.session_key or "")
    return settings.PUSH and not devices.choice_of(member).not_asked and not here.exists()


@members_only
@require_safe
def waiting(request: HttpRequest) -> HttpResponse:
    """Return which matches wait for the member, so that a device puts away what is over."""
    return JsonResponse({"waiting": waiting_ids(member_of(request))}, headers=KEPT_FROM)
