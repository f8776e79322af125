"""A guest's link, by which they go on as the same guest on another device: shown, mailed, opened."""

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.access import member_of
from accounts.models import User
from accounts.services import guests
from config.lib import rate_limits

MOST_TYPED = 254


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def guest_link(request: HttpRequest) -> HttpResponse:
    """Show a guest the link that opens their session elsewhere; mail it once to the address that is posted."""
    guest = member_of(request)
    if not guest.is_guest:
        return redirect("settings")
    link = f"{settings.SITE_URL}{reverse('guest', args=[guests.token_of(guest)])}"
    typed, error = request.POST.get("email", "")[:MOST_TYPED], ""
    if request.method == "POST":
        if not rate_limits.allows(request, "guest_link"):
            return render(request, "429.html", status=429)
        try:
            address = get_adapter(request).clean_email(typed)
        except ValidationError as refusal:
            error = " ".join(refusal.messages)
        else:
            words = {"guest": guest.username, "link": link}
            get_adapter(request).send_mail("account/email/guest_link", address, words)
            messages.success(request, _("The mail is on its way."))
            return redirect("guest-link")
    context = {"link": link, "typed": typed, "error": error}
    return render(request, "accounts/guest_link.html", context, status=400 if error else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def guest_page(request: HttpRequest, token: str) -> HttpResponse:
    """Show whose link this is; a post goes on as that guest, and what a guest here has played comes along."""
    guest = guests.guest_behind(token)
    here = request.user if request.user.is_authenticated else None
    is_member = here is not None and not here.is_guest
    if guest is None or is_member:
        context = {"state": "member" if guest else "over"}
        return render(request, "accounts/guest_page.html", context, status=403 if guest else 404)
    if request.method == "POST":
        try:
            guests.go_on_as(request, guest)
        except guests.TooManyGuests:
            return render(request, "429.html", status=429)
        except User.DoesNotExist:
            return render(request, "accounts/guest_page.html", {"state": "over"}, status=404)
        return redirect("my-matches")
    return render(request, "accounts/guest_page.html", {"state": "ask", "guest": guest, "here": here})
