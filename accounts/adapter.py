"""The site's rules in allauth's adapters: names, guests who log in, sessions, second factors, mails."""

import logging
from collections.abc import Iterable
from contextlib import nullcontext
from datetime import timedelta
from typing import Any
from urllib.parse import urljoin, urlsplit, urlunsplit

import qrcode
import structlog
from allauth.account.authentication import get_authentication_records
from allauth.account.internal.stagekit import clear_login
from allauth.account.models import EmailAddress
from allauth.core import ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal import ratelimit as limits
from allauth.core.internal.adapter import BaseAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.module_loading import import_string
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from qrcode.image.svg import SvgPathFillImage

from accounts import addresses, devices, names, queries
from accounts.access import guest_of
from accounts.models import User
from accounts.notices import DiscreetAdapter
from accounts.passwords import composed
from accounts.services import bounces, guests, mail, mail_links, membership, sealing, sessions
from config.lib import mail_rendering, time_zones
from config.lib.crowds import sent_from
from config.lib.sockets import close_sockets

log = logging.getLogger(__name__)
door = structlog.get_logger(__name__)  # who came in, and who did not, by the member's number alone

WAYS = {
    "reauthenticate": _("Enter your password"),
    "reauthenticate_by_code": _("Get a code by mail"),
    "mfa_reauthenticate": _("Enter a code from your authenticator app"),
    "mfa_reauthenticate:webauthn": _("Use a key"),
}
MAILBOX_FULL = _(
    "Several mails have gone to this address within a short time. Please look for them there, also among unwanted "
    "mail, or try again in an hour, and tomorrow if that is too soon."
)
ASKED_MUCH = _(
    "Mails to many addresses have been asked for, by you or from where you are. Please try again in an hour, and "
    "tomorrow if that is too soon."
)
# Templates of mails that whoever knows an address can have sent there.
ASKED_FOR = tuple(
    f"account/email/{name}" for name in ("login_code", "password_reset_code", "unknown_account", "guest_link")
)
# Templates of mails to addresses that are, or are not, a member's; a closed account gets a third one.
FOR_MEMBERS = ("account/email/unknown_account", "account/email/account_already_exists")


def _at_home(value: Any) -> Any:
    """Return an address of the site under SITE_URL, whatever host the request named."""
    if not isinstance(value, str) or not value.startswith(("http://", "https://")):
        return value
    return urljoin(settings.SITE_URL, urlunsplit(urlsplit(value)._replace(scheme="", netloc="")))


def _account(credentials: dict[str, Any]) -> tuple[User | None, str]:
    """Return who is named, and what attempts at this account count under, whether there is one or not.

    Attempts by name, in any spelling, and by address count apart: together they would tell whose an address is.
    """
    typed = credentials.get("username") or credentials.get("email") or ""
    person = queries.who_logs_in(typed)
    return person, f"#{person.pk}" if person and "@" not in typed else addresses.normalise(typed)


class RefusedCodes(BaseAdapter):
    """An adapter that logs each code or key that is refused."""

    def validation_error(self, code: str, *args: Any) -> ValidationError:
        if code == "incorrect_code":
            door.warning("code refused")
        return super().validation_error(code, *args)  # type: ignore[no-any-return]


class AccountAdapter(RefusedCodes, DiscreetAdapter):
    """The site's rules for names, log-in, addresses and account mails."""

    error_messages = DiscreetAdapter.error_messages | {
        "username_taken": _("This name is taken, or too similar to one that is."),
        "username_password_mismatch": _("The name and the password do not match."),
        "email_password_mismatch": _(
            "The e-mail address and the password do not match. Until your address is confirmed, log in with your "
            "user name."
        ),
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

    def get_client_ip(self, request: HttpRequest) -> str:
        return sent_from(request)

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        return [way | {"description": WAYS[way["id"]]} for way in super().get_reauthentication_methods(user)]

    def is_safe_url(self, url: str | None) -> bool:
        """Return whether an address to go on to is one of this site; what is no address ("http://[") is none."""
        try:
            return bool(super().is_safe_url(url))
        except ValueError:
            return False

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count the attempt: for the account from one address, from all of them, or from its owner's device.

        So a stranger locks the account for nobody but the addresses that they come from: devices on which the
        owner has logged in count by themselves.
        """
        person, account = _account(credentials)
        action, key = "login_failed", self._get_login_attempts_cache_key(request, **credentials)
        if device := devices.known(request, person.pk if person else None):
            action, key = "login_known", f"{account}:{device}"
        usage = self._login_failed_rl_usage = limits.consume(request, app="allauth.account", action=action, key=key)
        self.named = person.pk if person else None
        if not usage or not (device or ratelimit.consume(request, action="login_all", key=account)):
            door.warning("log-in refused: too many", member=self.named)
            raise self.validation_error("too_many_login_attempts")

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        door.warning("log-in failed", member=self.named)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        return f"{_account(credentials)[1]}:{limits.get_ip(request)}"

    def pre_login(self, request: HttpRequest, user: Any, *, email: str | None, **more: Any) -> HttpResponse | None:
        """Refuse a code that was mailed to an address which is no longer the member's."""
        if email and user.email != addresses.normalise(email):
            clear_login(request)
            self.add_message(request, messages.ERROR, message=str(self.error_messages["incorrect_code"]))
            return redirect("account_login")
        membership.keep_address(user)
        return super().pre_login(request, user, email=email, **more)

    def post_login(self, request: HttpRequest, user: AbstractBaseUser, **more: Any) -> HttpResponse:
        """Return where log-in leads, and remember the device."""
        response = super().post_login(request, user, **more)
        devices.remember(request, response, user.pk)
        door.info("log-in", member=user.pk, by=[one["method"] for one in get_authentication_records(request, user)])
        return response

    def login(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        """Log in; a guest's matches move to the account, unless it was closed meanwhile."""
        guest = guest_of(request)
        if guest is not None:
            if guest.pk != user.pk and isinstance(user, User):
                try:
                    guests.join(guest=guest, member=user)
                except User.DoesNotExist:
                    raise ImmediateHttpResponse(render(request, "accounts/meanwhile.html", status=410)) from None
            close_sockets(request.session.session_key or "")
            guests.leave_session(request.session)
        super().login(request, user)
        sessions.begin(request.session)

    def respond_user_inactive(self, request: HttpRequest, user: AbstractBaseUser) -> HttpResponse:
        """Return the page that says why the account is closed, to its authenticated owner."""
        why = import_string(settings.WHY_CLOSED)(user)
        return render(request, "account/account_inactive.html", why, status=403)

    def clean_email(self, email: str) -> str:
        """Refuse addresses of a banned domain; that a single address is banned is told to nobody."""
        email = addresses.clean(email)
        if import_string(settings.ADDRESS_DOMAIN_BARRED)(email):
            raise ValidationError(_("Addresses of this provider cannot be used here."), code="barred")
        return str(super().clean_email(email))

    def logout(self, request: HttpRequest) -> None:
        key, person = request.session.session_key or "", request.user
        super().logout(request)
        door.info("log-out", member=person.pk)
        close_sockets(key)

    def clean_password(self, password: str, user: AbstractBaseUser | None = None) -> str:
        """Return the password as typed; refuse it by what will be hashed."""
        super().clean_password(composed(password), user)
        return password

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
                with transaction.atomic():
                    return self._confirm(request, email_address)
        except IntegrityError:  # confirmed by another member at this moment
            log.info("address confirmed twice")
        self.add_message(request, messages.ERROR, "account/messages/email_confirmation_failed.txt")
        return False

    def _confirm(self, request: HttpRequest, address: EmailAddress) -> bool:
        """Confirm the address; what opened an account that nobody had confirmed goes with the first (decision 0023)."""
        before = User.objects.values_list("email", flat=True).get(pk=address.user_id)
        if not super().confirm_email(request, address):
            return False
        bounces.try_again(address.user_id)
        if not before and Authenticator.objects.filter(user_id=address.user_id).delete()[0]:
            self.send_notification_mail("account/email/authenticators_removed", address.user, email=address.email)
        if before:  # that one hears of it by allauth
            words = {"from_email": before, "to_email": address.email}
            self.send_notification_mail("account/email/email_changed", address.user, words, email=address.email)
            mail_links.end_links([address.user_id])  # those in the mailbox that is left
        for path in settings.ON_ADDRESS_CONFIRMED:
            import_string(path)(address.user, address.email)
        return True

    def send_confirmation_mail(self, request: HttpRequest, emailconfirmation: Any, signup: bool) -> None:
        """Send the link, or to another member's address a notice; the page is the same in both cases.

        Once a mailbox has had enough, whoever asked and however they spelt it, or a member has asked for many, none;
        then the page says so.
        """
        address: EmailAddress = emailconfirmation.email_address
        mailbox = addresses.canonical(address.email)
        is_few = ratelimit.consume(request, action="confirm_asked", user=address.user)
        if not is_few or not ratelimit.consume(request, action="confirm_mailbox", key=mailbox):
            request.mail_withheld = True  # type: ignore[attr-defined]
            self.add_message(request, messages.WARNING, message=MAILBOX_FULL if is_few else ASKED_MUCH)
            return
        if import_string(settings.ADDRESS_BARRED)(address.email):
            return
        owned = EmailAddress.objects.filter(email=address.email, verified=True)
        if owned.exclude(user_id=address.user_id).exists():
            self.send_account_already_exists_mail(address.email)
        else:
            super().send_confirmation_mail(request, emailconfirmation, signup)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Post the mail in the reader's language and time zone; one with a code only while it is valid.

        Who asks for more mails to one address than anybody needs gets a page that says so.
        """
        if template_prefix in ASKED_FOR:
            self.count_asked_mail(email)
            if queries.confirmed_owner(email) is None and import_string(settings.ADDRESS_BARRED)(email):
                return
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

    def count_asked_mail(self, email: str) -> None:
        """Count a mail that anybody can ask for, by the mailbox it goes to; its owner's devices count apart.

        ImmediateHttpResponse when they are too many.
        """
        owner = queries.confirmed_owner(email)
        key = f"{addresses.canonical(email)}:{devices.known(self.request, owner.pk if owner else None)}"
        if not ratelimit.consume(self.request, action="asked_mail", key=key):
            raise ImmediateHttpResponse(render(self.request, "429.html", {"words": MAILBOX_FULL}, status=429))


class SessionsAdapter(DefaultUserSessionsAdapter):
    """Sessions whose end closes their sockets."""

    def end_sessions(self, sessions: Iterable[UserSession]) -> None:
        ended = list(sessions)
        super().end_sessions(ended)
        mail_links.end_links({session.user_id for session in ended})
        for session in ended:
            close_sockets(session.session_key)


class SecondFactorAdapter(RefusedCodes, DefaultMFAAdapter):
    """The second factor under the site's own name, its secrets encrypted."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": _("This code is wrong."),
        "cannot_generate_recovery_codes": _("Recovery codes need an authenticator app or a security key first."),
    }

    def encrypt(self, text: str) -> str:
        return sealing.encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        return sealing.decrypt(encrypted_text)

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
