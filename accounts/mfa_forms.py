"""Forms of the second factor and of passkeys, in our words."""

from allauth.mfa.base import forms as base
from allauth.mfa.totp import forms as totp
from allauth.mfa.webauthn import forms as webauthn

from accounts.worded import Worded


class AuthenticateForm(Worded, base.AuthenticateForm):
    pass


class ReauthenticateForm(Worded, base.ReauthenticateForm):
    pass


class ActivateTOTPForm(Worded, totp.ActivateTOTPForm):
    pass


class AddWebAuthnForm(Worded, webauthn.AddWebAuthnForm):
    pass


class EditWebAuthnForm(Worded, webauthn.EditWebAuthnForm):
    pass
