"""Addresses about oneself: sign-up, log-in, settings."""

from django.urls import include, path

from accounts import bounces, days_off, views

urlpatterns = [
    path("settings/", views.settings_page, name="settings"),
    path("settings/days-off/", days_off.days_off, name="days-off"),
    path("language/", views.set_language, name="set-language"),
    path("settings/mail-again/", views.mail_again, name="mail-again"),
    path("mail/events/<str:provider>/tracking/", bounces.mail_events, name="mail-events"),
    path("accounts/signup/", views.SignupView.as_view(), name="account_signup"),
    path("accounts/logout/", views.LogoutView.as_view(), name="account_logout"),
    path("accounts/confirm-email/send/", views.send_confirmation, name="send-confirmation"),
    path("accounts/confirm-email/<str:key>/", views.ConfirmEmailView.as_view(), name="account_confirm_email"),
    path("accounts/", include("allauth.urls")),
]
