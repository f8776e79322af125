"""The site's rules in allauth's adapters: names, guests who log in, sessions, second factors, mails."""

import logging
from collections.abc import Iterable
from contextlib import nullcontext
from datetime import timedelta
from typing import Any
from urllib.parse import urljoin, urlsplit, urlunsplit

import qrcode
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone, translation
from django.utils.module_loading import import_string
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from qrcode.image.svg import SvgPathFillImage

from accounts import names, queries
from accounts.access import guest_of
from accounts.models import User
from accounts.services import bounces, guests, mail, membership
from config.lib import mail_rendering, time_zones
from config.lib.sockets import close_sockets

log = logging.getLogger(__name__)

WAYS = {
    "reauthenticate": _("Enter your password"),
    "reauthenticate_by_code": _("Get a code by mail"),
    "mfa_reauthenticate": _("Enter a code from your authenticator app"),
    "mfa_reauthenticate:webauthn": _("Use a key"),
}
# Templates of mails to addresses that are, or are not, a member's; a closed account gets a third one.
FOR_MEMBERS = ("account/email/unknown_account", "account/email/account_already_exists")


def _at_home(value: Any) -> Any:
    """Return an address of the site under SITE_URL, whatever host the request named."""
    if not isinstance(value, str) or not value.startswith(("http://", "https://")):
        return value
    return urljoin(settings.SITE_URL, urlunsplit(urlsplit(value)._replace(scheme="", netloc="")))


class AccountAdapter(DefaultAccountAdapter):
    """The site's rules for names, log-in, addresses and account mails."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "username_taken": _("This name is taken, or too similar to one that is."),
        "username_password_mismatch": _("The name and the password do not match."),
        "email_password_mismatch": _("The e-mail address and the password do not match."),
        "incorrect_code": _("This code is wrong."),
        "incorrect_password": _("This password is wrong."),
        "enter_current_password": _("This is not your current password."),
        "too_many_login_attempts": _("Too many attempts. Please wait a few minutes."),
        "rate_limited": _("That was a little fast. Please wait a moment."),
        "same_as_current": _("This is already your address."),
        "duplicate_email": _("This is already your address."),
        "account_inactive": _("This account is closed."),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the name as it is stored; refuse reserved names and look-alikes of taken ones."""
        name = names.normalise(username)
        names.validate_name(name)
        names.refuse_reserved(name)
        if not shallow and membership.name_is_taken(name):
            raise self.validation_error("username_taken")
        return name

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        return [way | {"description": WAYS[way["id"]]} for way in super().get_reauthentication_methods(user)]

    def login(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        """Log in; a guest's matches move to the account."""
        guest = guest_of(request)
        if guest is not None:
            if guest.pk != user.pk and isinstance(user, User):
                guests.join(guest=guest, member=user)
            close_sockets(request.session.session_key or "")
            guests.leave_session(request.session)
        super().login(request, user)

    def respond_user_inactive(self, request: HttpRequest, user: AbstractBaseUser) -> HttpResponse:
        """Return the page that says why the account is closed, to its authenticated owner."""
        why = import_string(settings.WHY_CLOSED)(user)
        return render(request, "account/account_inactive.html", why, status=403)

    def clean_email(self, email: str) -> str:
        """Refuse addresses of a banned domain; that a single address is banned is told to nobody."""
        if import_string(settings.ADDRESS_DOMAIN_BARRED)(email):
            raise ValidationError(_("Addresses of this provider cannot be used here."), code="barred")
        return str(super().clean_email(email))

    def logout(self, request: HttpRequest) -> None:
        key = request.session.session_key or ""
        super().logout(request)
        close_sockets(key)

    def set_password(self, user: AbstractBaseUser, password: str) -> None:
        """Set the password and close the sockets of all sessions, which this ends."""
        super().set_password(user, password)
        for key in UserSession.objects.filter(user_id=user.pk).values_list("session_key", flat=True):
            close_sockets(key)

    def can_delete_email(self, email_address: EmailAddress) -> bool:
        """Allow deleting an unconfirmed address; the primary one can only be changed."""
        return not email_address.primary and super().can_delete_email(email_address)

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Confirm the address, unless another member was first; the member's other unconfirmed ones go."""
        waiting = EmailAddress.objects.filter(user_id=email_address.user_id, verified=False)
        waiting.exclude(pk=email_address.pk).delete()
        others = User.objects.filter(email__iexact=email_address.email).exclude(pk=email_address.user_id)
        try:
            if not (others.exists() or import_string(settings.ADDRESS_BARRED)(email_address.email)):
                confirmed = super().confirm_email(request, email_address)
                bounces.try_again(email_address.user_id)
                for path in settings.ON_ADDRESS_CONFIRMED if confirmed else ():
                    import_string(path)(email_address.user, email_address.email)
                return confirmed
        except IntegrityError:  # confirmed by another member at this moment
            log.info("address confirmed twice")
        self.add_message(request, messages.ERROR, "account/messages/email_confirmation_failed.txt")
        return False

    def send_confirmation_mail(self, request: HttpRequest, emailconfirmation: Any, signup: bool) -> None:
        """Send the link, or to another member's address a notice; the page is the same in both cases."""
        address: EmailAddress = emailconfirmation.email_address
        if import_string(settings.ADDRESS_BARRED)(address.email):
            return
        owned = EmailAddress.objects.filter(email=address.email, verified=True)
        if owned.exclude(user_id=address.user_id).exists():
            self.send_account_already_exists_mail(address.email)
        else:
            super().send_confirmation_mail(request, emailconfirmation, signup)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Post the mail in the reader's language and time zone; one with a code only while it is valid."""
        closed = User.objects.filter(email__iexact=email, is_active=False)
        if template_prefix in FOR_MEMBERS and closed.exists():
            template_prefix = "account/email/closed_account"
        context = {name: _at_home(value) for name, value in context.items()}
        reader = queries.reader_of(email, context.get("user"))
        language = translation.override(reader.language) if reader else nullcontext()
        words = {"email": email, "reader": reader, "site_url": settings.SITE_URL, **context}
        code = str(context.get("code") or "")
        with language, timezone.override(time_zones.zone(reader.time_zone) if reader else None):
            message = self.render_mail(template_prefix, email, words)
            subject, text = str(message.subject), str(message.body)
            html = mail_rendering.render_html(subject, text, code)
        life = timedelta(seconds=settings.ACCOUNT_LOGIN_BY_CODE_TIMEOUT) if code else None
        mail.post(to=email, subject=subject, text=text, html=html, kind="account", user=reader, life=life)


class SessionsAdapter(DefaultUserSessionsAdapter):
    """Sessions whose end closes their sockets."""

    def end_sessions(self, sessions: Iterable[UserSession]) -> None:
        ended = list(sessions)
        super().end_sessions(ended)
        for session in ended:
            close_sockets(session.session_key)


class SecondFactorAdapter(DefaultMFAAdapter):
    """The second factor under the site's own name."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": _("This code is wrong."),
        "cannot_generate_recovery_codes": _("Recovery codes need an authenticator app or a security key first."),
    }

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        return super().get_public_key_credential_rp_entity() | {"name": self.get_totp_issuer()}

    def generate_authenticator_name(self, user: AbstractBaseUser, type: Authenticator.Type) -> str:
        number = 1 + Authenticator.objects.filter(user_id=user.pk, type=type).count()
        return gettext("Key %(number)s") % {"number": number} if number > 1 else gettext("First key")

    def build_totp_svg(self, url: str) -> str:
        """Return the QR code for authenticator apps, on white for the dark theme."""
        return qrcode.make(url, image_factory=SvgPathFillImage).to_string(encoding="unicode")

    def get_totp_label(self, user: AbstractBaseUser) -> str:
        """Return the user name; the address may change, and is private."""
        return user.get_username()
