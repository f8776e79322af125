"""Settings that put our forms in the place of allauth’s."""

ACCOUNT_FORMS = {
    "login": "accounts.forms.LoginForm",
    "signup": "accounts.forms.SignupForm",
    "add_email": "accounts.forms.AddEmailForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "set_password": "accounts.forms.SetPasswordForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
    "reset_password_from_key": "accounts.forms.ResetPasswordKeyForm",
    "confirm_password_reset_code": "accounts.forms.ConfirmPasswordResetCodeForm",
    "request_login_code": "accounts.forms.RequestLoginCodeForm",
    "confirm_login_code": "accounts.forms.ConfirmLoginCodeForm",
    "reauthenticate": "accounts.forms.ReauthenticateForm",
}
MFA_FORMS = {
    "authenticate": "accounts.mfa_forms.AuthenticateForm",
    "reauthenticate": "accounts.mfa_forms.ReauthenticateForm",
    "activate_totp": "accounts.mfa_forms.ActivateTOTPForm",
    "add_webauthn": "accounts.mfa_forms.AddWebAuthnForm",
    "edit_webauthn": "accounts.mfa_forms.EditWebAuthnForm",
    "authenticate_webauthn": "accounts.mfa_forms.AuthenticateWebAuthnForm",
    "login_webauthn": "accounts.mfa_forms.LoginWebAuthnForm",
    "reauthenticate_webauthn": "accounts.mfa_forms.ReauthenticateWebAuthnForm",
}
