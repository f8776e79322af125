"""Forms about oneself: allauth's in our words, and the settings."""

from typing import Any

from allauth.account import forms as allauth
from django import forms
from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts import services, zones
from accounts.models import User
from accounts.names import LONGEST, normalise, skeleton
from accounts.people import guest_of
from accounts.worded import Worded

LONGEST_ADDRESS = 254


class LoginForm(Worded, allauth.LoginForm):
    """Log-in by user name or e-mail, with the password."""

    def clean_login(self) -> str:
        """Return the name as it is spelt in its account, whatever the case it was typed in."""
        if len(self.cleaned_data.get("login", "")) > LONGEST_ADDRESS:  # SQLite would not look for it
            raise forms.ValidationError(_("This is too long to be a name or an address."))
        login: str = super().clean_login()
        if "@" in login or len(login) > LONGEST:
            return login
        person = User.objects.filter(skeleton=skeleton(login)).only("username").first()
        same = person is not None and person.username.casefold() == normalise(login).casefold()
        return person.username if person and same else login


class SignupForm(Worded, allauth.SignupForm):
    """User name, e-mail and password; the page's script adds the time zone."""

    time_zone = forms.CharField(required=False, widget=forms.HiddenInput(attrs={"data-time-zone": ""}))

    def save(self, request: HttpRequest) -> User:
        """Make the member, or make one of the guest who signs up. Raise NameTaken or GuestGone."""
        return services.sign_up(
            name=self.cleaned_data["username"],
            email=self.cleaned_data["email"],
            password=self.cleaned_data["password1"],
            language=(get_language() or settings.LANGUAGE_CODE)[:2],
            time_zone=zones.zone_of_request(request),
            guest=guest_of(request),
        )


class AddEmailForm(Worded, allauth.AddEmailForm):
    words = {"email": _("New address")}


class ChangePasswordForm(Worded, allauth.ChangePasswordForm):
    words = {"password1": _("New password")}


class SetPasswordForm(Worded, allauth.SetPasswordForm):
    pass


class ResetPasswordForm(Worded, allauth.ResetPasswordForm):
    pass


class ResetPasswordKeyForm(Worded, allauth.ResetPasswordKeyForm):
    words = {"password1": _("New password")}


class ConfirmPasswordResetCodeForm(Worded, allauth.ConfirmPasswordResetCodeForm):
    pass


class RequestLoginCodeForm(Worded, allauth.RequestLoginCodeForm):
    pass


class ConfirmLoginCodeForm(Worded, allauth.ConfirmLoginCodeForm):
    pass


class ReauthenticateForm(Worded, allauth.ReauthenticateForm):
    pass


class SettingsForm(forms.ModelForm):
    """How the site speaks to this person and looks to them."""

    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES)
    time_zone = forms.ChoiceField(label=_("Time zone"), help_text=_("Deadlines and mails are told in it."))
    colours = forms.ChoiceField(label=_("Colours"), choices=User.Colours.choices, widget=forms.RadioSelect)
    reduced_motion = forms.BooleanField(
        label=_("Reduced motion"), required=False, help_text=_("Dice and cards are simply where they are.")
    )

    class Meta:
        model = User
        fields = ("language", "time_zone", "colours", "reduced_motion")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zone = self.fields["time_zone"]
        assert isinstance(zone, forms.ChoiceField)
        zone.choices = zones.choices(self.instance.time_zone)
