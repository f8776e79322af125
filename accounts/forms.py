"""allauth's forms with the site's labels, help texts and attributes; the settings form."""

from typing import Any

from allauth.account import forms as allauth
from allauth.account.adapter import get_adapter
from allauth.core import context, ratelimit
from django import forms
from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts import addresses, queries
from accounts.access import guest_of
from accounts.models import User
from accounts.services import membership
from config.lib import time_zones

LONGEST_ADDRESS = 254
LABELS: dict[str, Any] = {
    "login": _("User name or e-mail"),
    "username": _("User name"),
    "email": _("E-mail"),
    "password": _("Password"),
    "password1": _("Password"),
    "oldpassword": _("Current password"),
    "password2": _("Password again"),
    "code": _("Code"),
    "name": _("Name of this key"),
    "passwordless": _("Log in with this key alone"),
}
HELPS: dict[str, Any] = {
    "username": _("3 to 24 letters, digits, “_” or “-”. Others see it."),
    "email": "",
    "password": "",
    "password1": _("At least 8 characters, and not a common one."),
    "passwordless": _("The key then asks for your finger, face or PIN, and no password is needed."),
}
ATTRIBUTES: dict[str, dict[str, object]] = {
    "login": {"autocomplete": "username webauthn", "autocapitalize": "none", "spellcheck": "false"},
    "username": {"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"},
    "code": {"autocomplete": "one-time-code", "inputmode": "numeric", "spellcheck": "false"},
}


class Labelled(forms.Form):
    """A form with the site's labels and help texts, and hints for keyboards and password managers."""

    words: dict[str, Any] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.widget.attrs.pop("placeholder", None)
            field.widget.attrs.update(ATTRIBUTES.get(name, {}))
            field.label = self.words.get(name) or LABELS.get(name, field.label)
            field.help_text = HELPS.get(name, "")


class LoginForm(Labelled, allauth.LoginForm):
    """Log-in by user name or e-mail, with the password."""

    def clean_login(self) -> str:
        """Return the name or address without spaces around it; refuse what is too long to be one."""
        if len(self.cleaned_data.get("login", "")) > LONGEST_ADDRESS:  # SQLite would not look for it
            raise forms.ValidationError(_("This is too long to be a name or an address."))
        return str(super().clean_login())


class SignupForm(Labelled, allauth.SignupForm):
    """User name, e-mail and password; the page's script adds the time zone."""

    time_zone = forms.CharField(required=False, widget=forms.HiddenInput(attrs={"data-time-zone": ""}))

    def save(self, request: HttpRequest) -> User:
        """Create the member, from the guest who signs up if there is one. NameTaken, GuestGone."""
        guest = guest_of(request)
        known = guest.time_zone if guest else time_zones.zone_of_request(request)
        return membership.sign_up(
            name=self.cleaned_data["username"],
            email=self.cleaned_data["email"],
            password=self.cleaned_data["password1"],
            language=(get_language() or settings.LANGUAGE_CODE)[:2],
            time_zone=time_zones.posted_zone(request) or known,
            guest=guest,
        )


class AddEmailForm(Labelled, allauth.AddEmailForm):
    words = {"email": _("New address")}


class ChangePasswordForm(Labelled, allauth.ChangePasswordForm):
    words = {"password1": _("New password")}


class SetPasswordForm(Labelled, allauth.SetPasswordForm): ...


class ResetPasswordForm(Labelled, allauth.ResetPasswordForm):
    def clean_email(self) -> str:
        """Return the address; `users` are those whose password may be changed by it, one at most."""
        email = addresses.normalise(self.cleaned_data["email"])
        person = queries.who_may_reset(email)
        self.users = [person] if person else []
        return email


class ResetPasswordKeyForm(Labelled, allauth.ResetPasswordKeyForm):
    words = {"password1": _("New password")}


class ConfirmPasswordResetCodeForm(Labelled, allauth.ConfirmPasswordResetCodeForm): ...


class RequestLoginCodeForm(Labelled, allauth.RequestLoginCodeForm):
    def clean_email(self) -> str:
        """Return the address; only its confirmed owner gets a code."""
        email = addresses.normalise(self.cleaned_data["email"])
        if not ratelimit.consume(context.request, action="request_login_code", key=email):
            raise get_adapter().validation_error("too_many_login_attempts")
        owner = queries.confirmed_owner(email)
        self._user = owner if owner and owner.is_active else None
        return email


class ConfirmLoginCodeForm(Labelled, allauth.ConfirmLoginCodeForm): ...


class ReauthenticateForm(Labelled, allauth.ReauthenticateForm): ...


class SettingsForm(forms.ModelForm):
    """Language, time zone, colours, motion and keys of one person, and who may invite a member."""

    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES)
    time_zone = forms.ChoiceField(label=_("Time zone"), help_text=_("Deadlines and mails use it."))
    colours = forms.ChoiceField(label=_("Colours"), choices=User.Colours.choices, widget=forms.RadioSelect)
    reduced_motion = forms.BooleanField(
        label=_("Reduced motion"), required=False, help_text=_("Dice and cards appear without animation.")
    )
    single_keys = forms.BooleanField(
        label=_("Single keys"),
        required=False,
        help_text=_("Letters and digits play on the pages of matches. Turn them off if you dictate or mistype."),
    )
    asks_before_final = forms.BooleanField(
        label=_("Ask me before final moves"),
        required=False,
        help_text=_(
            "What cannot be taken back is played once you have confirmed it; rolling goes on at once. "
            "Not in live matches."
        ),
    )
    invitations_from = forms.ChoiceField(
        label=_("Who may invite you to a table"),
        choices=User.Invitations.choices,
        required=False,  # a page of before has no such field
        widget=forms.RadioSelect,
        help_text=_("This holds for rematches too. Whoever may not is told so."),
    )

    named_in_records = forms.ChoiceField(
        label=_("Your name in published records"),
        choices=[("true", _("My name")), ("false", _("A pseudonym, another one each month"))],
        required=False,  # likewise
        widget=forms.RadioSelect,
        help_text=_(
            "Each month the records of public matches are published as a file. Files that name you are replaced."
        ),
    )

    class Meta:
        model = User
        fields = (
            *("language", "time_zone", "colours", "reduced_motion", "single_keys"),
            *("asks_before_final", "invitations_from", "named_in_records"),
        )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zone = self.fields["time_zone"]
        assert isinstance(zone, forms.ChoiceField)
        zone.choices = time_zones.choices(self.instance.time_zone)
        if self.instance.is_guest:  # nobody can invite a guest, and no file names one
            del self.fields["invitations_from"], self.fields["named_in_records"]
        else:
            self.initial["named_in_records"] = "true" if self.instance.named_in_records else "false"

    def clean_invitations_from(self) -> str:
        return self.cleaned_data["invitations_from"] or self.initial["invitations_from"]

    def clean_named_in_records(self) -> bool:
        return (self.cleaned_data["named_in_records"] or self.initial["named_in_records"]) == "true"
