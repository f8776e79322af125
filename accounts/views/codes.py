"""Codes by mail: guesses at once count each, another code like the first; a reset confirms the address at its end."""

from typing import Any

from allauth.account import views as allauth
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.core import ratelimit
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts import queries
from accounts.models import User
from config.lib import clock


class CountedGuesses:
    """A page that asks for a code, and looks at as many guesses as there are attempts.

    allauth counts in the session, which guesses at once read before any of them is written.
    """

    request: HttpRequest
    _process: Any
    _action: str

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Count the guess at once for all, and refuse one too many, right or wrong."""
        asks_again = getattr(self, "_action", "verify") == "resend"
        begun = f"{request.session.session_key}:{self._process.state['at']}"
        if not asks_again and not ratelimit.consume(request, action="code_guessed", key=begun):
            self._process.abort()
            words = get_adapter().error_messages["too_many_login_attempts"]
            return render(request, "429.html", {"words": words}, status=429)
        return super().post(request, *args, **kwargs)  # type: ignore[misc,no-any-return]


class ConfirmLoginCodeView(CountedGuesses, allauth.ConfirmLoginCodeView):
    """The page that asks for the code to log in, and sends another."""

    def _resend_form_valid(self, form: Any) -> HttpResponse:
        """Count another mail to an unknown address too, though none is sent: limits must not tell who is known."""
        if self._process.user is None:
            get_adapter(self.request).count_asked_mail(self._process.state["email"])
        return super()._resend_form_valid(form)


class ConfirmReauthenticationCodeView(CountedGuesses, allauth.ConfirmReauthenticationCodeView):
    """The page that asks who is logged in for a code."""


class ConfirmPasswordResetCodeView(CountedGuesses, allauth.ConfirmPasswordResetCodeView):
    """The page that asks for the code."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Note that the code was right; allauth would confirm the address here, with the old password still good."""
        self._process.state |= {"code_confirmed": True, "at": clock.now().timestamp()}
        self._process.persist()
        return HttpResponseRedirect(self.passthrough_next_url(reverse("account_complete_password_reset")))


class CompletePasswordResetView(allauth.CompletePasswordResetView):
    """The page that asks for the new password."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Confirm the address and set the password, or neither."""
        user, email = self._process.user, self._process.state["email"]
        if user is None or not _reset(self.request, user, email, form):
            self._process.abort()
            messages.error(self.request, _("This code has run out. Please ask for a new one."))
            return redirect("account_reset_password")
        return self._process.finish() or HttpResponseRedirect(self.get_success_url())


@transaction.atomic
def _reset(request: HttpRequest, user: User, email: str, form: Any) -> bool:
    """Return whether the address is still this person's; then their password is the form's."""
    if not queries.may_reset(user, email):
        return False
    waiting = EmailAddress.objects.filter(user=user, email=email, verified=False).first()
    if waiting is not None and not get_adapter().confirm_email(request, waiting):
        return False
    form.user.refresh_from_db()  # confirming has stored the address
    form.save()
    return True
