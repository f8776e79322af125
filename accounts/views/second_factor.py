"""Second factors are for members whose address is confirmed: before that, the account may be another's."""

from functools import wraps
from typing import Any

from allauth.account.internal.stagekit import get_pending_stage
from allauth.core.internal import ratelimit as limits
from allauth.mfa.base import views as base
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as totp
from allauth.mfa.webauthn import views as webauthn
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
    """Have what one person posts at the same moment come one after the other, also while they log in.

    So a factor is not set up twice, and none is removed while its code is looked at.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        stage = None if request.method != "POST" or request.user.is_authenticated else get_pending_stage(request)
        person = stage.login.user if stage is not None else person_of(request)
        if request.method != "POST" or person is None:
            return view(request, *args, **kwargs)
        with transaction.atomic():
            if User.objects.select_for_update(no_key=True).filter(pk=person.pk).first() is None:  # closed meanwhile
                return redirect("account_login")
            return view(request, *args, **kwargs)

    return wrapped


activate_totp = _confirmed_first(_one_at_a_time(totp.activate_totp))
deactivate_totp = _one_at_a_time(totp.deactivate_totp)
add_webauthn = _confirmed_first(_one_at_a_time(webauthn.add_webauthn))
edit_webauthn = _one_at_a_time(webauthn.edit_webauthn)
remove_webauthn = _one_at_a_time(webauthn.remove_webauthn)
generate_recovery_codes = _one_at_a_time(recovery_codes.generate_recovery_codes)
authenticate = _one_at_a_time(base.authenticate)
reauthenticate = _one_at_a_time(base.reauthenticate)
reauthenticate_webauthn = _one_at_a_time(webauthn.reauthenticate_webauthn)


def login_webauthn(request: HttpRequest) -> HttpResponse:
    """Log in by a passkey. Each challenge, and each refusal, is kept in a session: so of one address they are few."""
    if not limits.consume(request, app="allauth.account", action="passkey", limit_get=True):
        return render(request, "429.html", status=429)
    with transaction.atomic():  # in which the key stays (accounts.mfa_forms)
        answer: HttpResponse = webauthn.login_webauthn(request)
    return answer
