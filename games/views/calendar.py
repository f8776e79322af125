"""The calendar feed at its secret address, and the page on which a member has one."""

from hashlib import sha256
from urllib.parse import urljoin

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import member_of, members_only
from config.lib import rate_limits
from games.services.calendar import addresses, composing


@require_safe
def calendar_feed(request: HttpRequest, token: str) -> HttpResponse:
    """Return the calendar that this token opens: for a program, which has no session and gets none.

    One answer (404) for a token that never was, was renewed or taken back, and of who is banned or gone.
    """
    user = addresses.read(token)
    if user is None:
        return HttpResponse("There is no calendar here.\n", status=404, content_type="text/plain")
    if not rate_limits.allows_reader(request, "calendar", str(user.pk)):
        answer = HttpResponse("Too often.\n", status=429, content_type="text/plain")
        answer["Retry-After"] = "3600"
        return answer
    content = composing.calendar_of(user)
    answer = HttpResponse(content, content_type="text/calendar; charset=utf-8")
    answer["Content-Disposition"] = 'inline; filename="club-y.ics"'
    answer["ETag"] = etag = f'"{sha256(content).hexdigest()[:32]}"'
    answer["Cache-Control"] = "private, no-store"
    return get_conditional_response(request, etag=etag, response=answer) or answer


@members_only
@require_http_methods(["GET", "HEAD", "POST"])
def calendar_settings(request: HttpRequest) -> HttpResponse:
    """Show the member's address; make one, make it anew, or take it back."""
    user = member_of(request)
    if request.method == "POST":
        if request.POST.get("wish") == "off":
            addresses.turn_off(user_id=user.pk)
            messages.success(request, _("The address no longer works."))
        else:
            addresses.turn_on(user_id=user.pk)
            messages.success(request, _("This is your new address."))
        return redirect("calendar-settings")
    token = addresses.token_of(user)
    address = urljoin(settings.SITE_URL, reverse("calendar", args=[token])) if token else ""
    context = {"address": address, "subscribe": address.replace(address.partition(":")[0], "webcal", 1)}
    return render(request, "games/calendar/settings.html", context)
