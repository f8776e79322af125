"""Forms of the second factor and of passkeys, in the site's words, which refuse unreadable answers."""

from collections.abc import Callable
from typing import Any

from allauth.mfa.adapter import get_adapter
from allauth.mfa.base import forms as base
from allauth.mfa.models import Authenticator
from allauth.mfa.totp import forms as totp
from allauth.mfa.webauthn import forms as webauthn
from django import forms
from django.utils.translation import gettext_lazy as _
from fido2.webauthn import AuthenticationResponse, RegistrationResponse

from accounts.forms import Labelled
from accounts.models import User
from config.lib.texts import one_line

LONGEST_KEY_NAME = 60
UNREADABLE = _("The key’s answer could not be read.")


class CredentialField(forms.JSONField):
    """The answer of a key; refused when fido2 cannot read it, which in allauth is an error 500."""

    widget = forms.HiddenInput

    def __init__(self, read: Callable[[Any], object]) -> None:
        self.read = read
        super().__init__(error_messages={"required": _("The key did not answer."), "invalid": UNREADABLE})

    def clean(self, value: Any) -> Any:
        """Return the answer unchanged; raise ValidationError when it cannot be read."""
        try:
            answer = super().clean(value)
            self.read(answer)
        except forms.ValidationError:
            raise
        except Exception as error:  # JSON too deep, or fido2, which documents none: the input may be anything
            raise forms.ValidationError(UNREADABLE, code="invalid") from error
        return answer

    def bound_data(self, data: Any, initial: Any) -> None:
        """Return nothing: a refused answer is of no use on the page that says so, and may be such that it has none."""

    def prepare_value(self, value: Any) -> str:
        """Return what the page's field holds until the key answers."""
        return ""


class AuthenticateForm(Labelled, base.AuthenticateForm): ...


class ReauthenticateForm(Labelled, base.ReauthenticateForm): ...


class ActivateTOTPForm(Labelled, totp.ActivateTOTPForm): ...


class Named(Labelled):
    """A form with a key's name, in one short line."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs["maxlength"] = LONGEST_KEY_NAME

    def seen(self) -> str:
        """Return the name as it is stored; empty when nothing of it is visible."""
        return one_line(self.cleaned_data["name"])[:LONGEST_KEY_NAME]


class AddWebAuthnForm(Named, webauthn.AddWebAuthnForm):
    credential = CredentialField(RegistrationResponse.from_dict)

    def clean_name(self) -> str:
        self.cleaned_data["name"] = self.seen()
        return str(super().clean_name())


class EditWebAuthnForm(Named, webauthn.EditWebAuthnForm):
    def clean_name(self) -> str:
        if not self.seen():
            raise forms.ValidationError(self.fields["name"].error_messages["required"], code="required")
        return self.seen()


class AuthenticateWebAuthnForm(webauthn.AuthenticateWebAuthnForm):
    credential = CredentialField(AuthenticationResponse.from_dict)


class LoginWebAuthnForm(webauthn.LoginWebAuthnForm):
    credential = CredentialField(AuthenticationResponse.from_dict)

    def clean_credential(self) -> Authenticator:
        """Return the key, which nobody removes until the transaction of the log-in ends; refuse one that just was."""
        key = super().clean_credential()
        list(User.objects.select_for_update(no_key=True).filter(pk=key.user_id).values_list("pk"))
        if not Authenticator.objects.filter(pk=key.pk).exists():
            raise get_adapter().validation_error("incorrect_code")
        return key


class ReauthenticateWebAuthnForm(webauthn.ReauthenticateWebAuthnForm):
    credential = CredentialField(AuthenticationResponse.from_dict)
