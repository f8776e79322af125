"""Account pages beside allauth's or in their place: sign-up, log-out, settings, language, mail."""

from typing import Any

from allauth.account import views as allauth
from allauth.account.decorators import reauthentication_required
from allauth.account.internal.flows.email_verification import send_verification_email_to_address
from allauth.account.internal.stagekit import LOGIN_SESSION_KEY, clear_login
from allauth.account.models import EmailAddress
from allauth.usersessions.views import ListUserSessionsView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.access import forget_pages, member_of, person_of, redirect_back
from accounts.forms import SettingsForm
from accounts.models import User
from accounts.services import bounces, mail_links, membership
from accounts.services.membership import GuestGone, NameTaken


class SignupView(allauth.SignupView):
    """Sign-up, for visitors and for guests who want to keep their matches."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Sign up; show NameTaken and GuestGone as errors of the form."""
        try:
            return super().form_valid(form)
        except NameTaken:
            form.add_error("username", _("This name is taken, or too similar to one that is."))
        except GuestGone:
            form.add_error(None, _("You have signed up or logged in since this page was opened. Reload it."))
        return self.form_invalid(form)


class LogoutView(allauth.LogoutView):
    """Log-out; a guest is asked first, because they would lose their matches."""

    def post(self, *args: Any, **kwargs: Any) -> HttpResponse:
        person = person_of(self.request)
        if person is None or not person.is_guest or "lose_all" in self.request.POST:
            return forget_pages(super().post(*args, **kwargs))
        if LOGIN_SESSION_KEY in self.request.session:  # "Cancel" half-way through a log-in
            clear_login(self.request)
            return redirect(self.get_redirect_url())
        return self.render_to_response(self.get_context_data())


class EmailView(allauth.EmailView):
    """The page of one's address."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Keep an address that an admin entered."""
        if (person := person_of(request)) is not None:
            membership.keep_address(person)
        return super().dispatch(request, *args, **kwargs)

    def _action_primary(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        """Do nothing: of a member without a confirmed address allauth would take one that nobody confirmed for theirs.

        There is one address for each member, which the link in the mail makes theirs.
        """


_log_ins = ListUserSessionsView.as_view()


@reauthentication_required
def _end_others(request: HttpRequest) -> HttpResponse:
    """End the other sessions, the links in mails and the tokens of programs, even if there is no other session."""
    user = member_of(request)
    mail_links.end_links([user.pk])
    for path in settings.ON_LOGGED_OUT:
        import_string(path)(user)
    ended: HttpResponse = _log_ins(request)
    return ended


def sessions_page(request: HttpRequest) -> HttpResponse:
    """Show where somebody is logged in; who ends the other sessions first shows that it is them."""
    answer: HttpResponse = (_end_others if request.method == "POST" else _log_ins)(request)
    return answer


class ConfirmEmailView(allauth.ConfirmEmailView):
    """The page behind the link in the mail; who is logged in stays logged in."""

    def logout_other_user(self, confirmation: object) -> None:
        """Do nothing: the page logs nobody in, and a GET changes nothing."""


@require_safe
def present_page(request: HttpRequest) -> HttpResponse:
    """Answer nothing but what every answer says: an open page learns whether it is stale (accounts.middleware)."""
    return HttpResponse(status=204, headers={"Cache-Control": "no-store"})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings_page(request: HttpRequest) -> HttpResponse:
    """Show and store language, time zone, colours, motion and keys."""
    form = SettingsForm(request.POST or None, instance=_fresh(request))
    if request.method == "POST" and form.is_valid():
        user = form.instance
        membership.change_times(user_id=user.pk, **form.cleaned_data)
        with translation.override(user.language):
            messages.success(request, _("Saved."))
        return redirect("settings")
    return render(request, "accounts/settings.html", {"form": form}, status=422 if form.errors else 200)


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    """Store the language with the person and in the cookie, and go back."""
    language = request.POST.get("language", "")
    if language not in dict(settings.LANGUAGES):
        return HttpResponseBadRequest(_("This language is not available."), content_type="text/plain")
    if (person := person_of(request)) is not None:
        User.objects.filter(pk=person.pk).update(language=language)
    response = redirect_back(request, "home")
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
    )
    return response


@login_required
@require_POST
def send_confirmation(request: HttpRequest) -> HttpResponse:
    """Mail the confirmation link again, at most once in three minutes, and as often as the mailbox may get it."""
    address = EmailAddress.objects.filter(user=_fresh(request), verified=False).order_by("-pk").first()
    sent = address is not None and send_verification_email_to_address(request, address)
    if getattr(request, "mail_withheld", False):  # the adapter has said so
        pass
    elif sent:
        messages.success(request, _("The mail is on its way."))
    elif address is not None:
        messages.info(request, _("We sent you a mail a moment ago. Please check for it first."))
    return redirect("account_email")


def _fresh(request: HttpRequest) -> User:
    """Return a fresh copy of the person, as the page's frame shows `request.user`."""
    return User.objects.get(pk=request.user.pk or 0)


@login_required
@require_POST
def mail_again(request: HttpRequest) -> HttpResponse:
    """Turn mail to this member's address on again after a bounce."""
    bounces.try_again(_fresh(request).pk)
    messages.success(request, _("We will send you mail again. If it does not arrive, this notice comes back."))
    return redirect_back(request, "settings")
