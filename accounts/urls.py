"""URLs of accounts: sign-up, log-in, settings, follows and blocks."""

from django.urls import include, path

from accounts.services import bounces
from accounts.views import account, codes, days_off, guests, personal_data, relationships, second_factor

urlpatterns = [
    path("settings/", account.settings_page, name="settings"),
    path("settings/days-off/", days_off.days_off, name="days-off"),
    path("settings/people/", relationships.circle, name="circle"),
    path("settings/data/", personal_data.data, name="my-data"),
    path("settings/data/club-y.json", personal_data.download, name="my-data-file"),
    path("settings/close/", personal_data.close, name="close-account"),
    path("goodbye/", personal_data.goodbye, name="goodbye"),
    path("privacy/", personal_data.privacy, name="privacy"),
    path("people/<str:name>/follow/", relationships.follow, name="follow"),
    path("people/<str:name>/block/", relationships.block, name="block"),
    path("guests/link/", guests.guest_link, name="guest-link"),
    path("guests/<str:token>/", guests.guest_page, name="guest"),
    path("language/", account.set_language, name="set-language"),
    path("settings/mail-again/", account.mail_again, name="mail-again"),
    path("mail/events/<str:provider>/tracking/", bounces.mail_events, name="mail-events"),
    path("mail/events/<str:provider>/inbound/", bounces.mail_events, {"kind": "inbound"}, name="mail-received"),
    path("accounts/signup/", account.SignupView.as_view(), name="account_signup"),
    path("present/", account.present_page, name="present"),
    path("accounts/logout/", account.LogoutView.as_view(), name="account_logout"),
    path("accounts/sessions/", account.sessions_page, name="usersessions_list"),
    path("accounts/email/", account.EmailView.as_view(), name="account_email"),
    path("accounts/confirm-email/send/", account.send_confirmation, name="send-confirmation"),
    path("accounts/confirm-email/<str:key>/", account.ConfirmEmailView.as_view(), name="account_confirm_email"),
    path("accounts/login/code/confirm/", codes.ConfirmLoginCodeView.as_view(), name="account_confirm_login_code"),
    path(
        "accounts/reauthenticate/code/confirm/",
        codes.ConfirmReauthenticationCodeView.as_view(),
        name="account_confirm_reauthentication_code",
    ),
    path(
        "accounts/password/reset/confirm/",
        codes.ConfirmPasswordResetCodeView.as_view(),
        name="account_confirm_password_reset_code",
    ),
    path(
        "accounts/password/reset/complete/",
        codes.CompletePasswordResetView.as_view(),
        name="account_complete_password_reset",
    ),
    path("accounts/2fa/totp/activate/", second_factor.activate_totp, name="mfa_activate_totp"),
    path("accounts/2fa/totp/deactivate/", second_factor.deactivate_totp, name="mfa_deactivate_totp"),
    path("accounts/2fa/authenticate/", second_factor.authenticate, name="mfa_authenticate"),
    path("accounts/2fa/reauthenticate/", second_factor.reauthenticate, name="mfa_reauthenticate"),
    path(
        "accounts/2fa/recovery-codes/generate/",
        second_factor.generate_recovery_codes,
        name="mfa_generate_recovery_codes",
    ),
    path("accounts/2fa/webauthn/add/", second_factor.add_webauthn, name="mfa_add_webauthn"),
    path(
        "accounts/2fa/webauthn/reauthenticate/",
        second_factor.reauthenticate_webauthn,
        name="mfa_reauthenticate_webauthn",
    ),
    path("accounts/2fa/webauthn/keys/<int:pk>/remove/", second_factor.remove_webauthn, name="mfa_remove_webauthn"),
    path("accounts/2fa/webauthn/keys/<int:pk>/edit/", second_factor.edit_webauthn, name="mfa_edit_webauthn"),
    path("accounts/2fa/webauthn/login/", second_factor.login_webauthn, name="mfa_login_webauthn"),
    path("accounts/", include("allauth.urls")),
]
