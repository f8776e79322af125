"""Second factors are for members whose address is confirmed: before that, the account may be another's."""

from functools import wraps
from typing import Any

from allauth.core.internal import ratelimit as limits
from allauth.mfa.totp.views import ActivateTOTPView
from allauth.mfa.webauthn.views import AddWebAuthnView, LoginWebAuthnView
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from accounts.access import View, person_of
from accounts.models import User


def _confirmed_first(view: View) -> View:
    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        person = person_of(request)
        if person is None or person.is_confirmed:
            return view(request, *args, **kwargs)
        words = _("Confirm your e-mail address first. Until then no app and no key can be set up.")
        messages.error(request, words)
        return redirect("mfa_index")

    return wrapped


def _one_at_a_time(view: View) -> View:
    """Have what one person posts at the same moment come one after the other, so that the second sees the first's."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        person = person_of(request)
        if request.method != "POST" or person is None:
            return view(request, *args, **kwargs)
        with transaction.atomic():
            if User.objects.select_for_update().filter(pk=person.pk).first() is None:  # closed meanwhile
                return redirect("account_login")
            return view(request, *args, **kwargs)

    return wrapped


activate_totp = _confirmed_first(_one_at_a_time(ActivateTOTPView.as_view()))
add_webauthn = _confirmed_first(_one_at_a_time(AddWebAuthnView.as_view()))


def login_webauthn(request: HttpRequest) -> HttpResponse:
    """Log in by a passkey. Each challenge, and each refusal, is kept in a session: so of one address they are few."""
    if not limits.consume(request, app="allauth.account", action="passkey", limit_get=True):
        return render(request, "429.html", status=429)
    answer: HttpResponse = LoginWebAuthnView.as_view()(request)
    return answer
