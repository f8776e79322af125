"""Forms of the second factor and of passkeys, in our words, and wary of what they are sent."""

from collections.abc import Callable
from typing import Any

from allauth.mfa.base import forms as base
from allauth.mfa.totp import forms as totp
from allauth.mfa.webauthn import forms as webauthn
from django import forms
from django.utils.translation import gettext_lazy as _
from fido2.webauthn import AuthenticationResponse, RegistrationResponse

from accounts.forms import Labelled
from config.lib.texts import one_line

LONGEST_KEY_NAME = 60


class CredentialField(forms.JSONField):
    """What a browser's key answered; refused when fido2 cannot read it, which allauth lets become a 500."""

    widget = forms.HiddenInput

    def __init__(self, read: Callable[[Any], object]) -> None:
        self.read = read
        super().__init__(error_messages={"required": _("The key did not answer."), "invalid": UNREADABLE})

    def clean(self, value: Any) -> Any:
        """Return the answer as it came; raise ValidationError when it is not one."""
        answer = super().clean(value)
        try:
            self.read(answer)
        except (
            Exception
        ) as error:  # fido2 names no errors, and this is anything that a stranger likes to send
            raise forms.ValidationError(UNREADABLE, code="invalid") from error
        return answer


UNREADABLE = _("This key's answer cannot be read.")


class AuthenticateForm(Labelled, base.AuthenticateForm):
    pass


class ReauthenticateForm(Labelled, base.ReauthenticateForm):
    pass


class ActivateTOTPForm(Labelled, totp.ActivateTOTPForm):
    pass


class Named(Labelled):
    """A form with the name that a member gives a key: one line, and not a long one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs["maxlength"] = LONGEST_KEY_NAME

    def seen(self) -> str:
        """Return the name as it is kept; empty when nothing of it can be seen."""
        return one_line(self.cleaned_data["name"])[:LONGEST_KEY_NAME]


class AddWebAuthnForm(Named, webauthn.AddWebAuthnForm):
    credential = CredentialField(RegistrationResponse.from_dict)

    def clean_name(self) -> str:
        """Return the name as it is kept; a key that has answered is not refused for want of one."""
        self.cleaned_data["name"] = self.seen()
        return str(super().clean_name())


class EditWebAuthnForm(Named, webauthn.EditWebAuthnForm):
    def clean_name(self) -> str:
        """Return the name as it is kept; raise ValidationError when nothing of it can be seen."""
        if not self.seen():
            raise forms.ValidationError(self.fields["name"].error_messages["required"], code="required")
        return self.seen()


class AuthenticateWebAuthnForm(webauthn.AuthenticateWebAuthnForm):
    credential = CredentialField(AuthenticationResponse.from_dict)


class LoginWebAuthnForm(webauthn.LoginWebAuthnForm):
    credential = CredentialField(AuthenticationResponse.from_dict)


class ReauthenticateWebAuthnForm(webauthn.ReauthenticateWebAuthnForm):
    credential = CredentialField(AuthenticationResponse.from_dict)
