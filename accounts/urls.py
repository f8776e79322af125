"""Addresses about oneself: sign-up, log-in, settings."""

from django.urls import include, path

from accounts import bounces, circle, days_off, farewell, views

urlpatterns = [
    path("settings/", views.settings_page, name="settings"),
    path("settings/days-off/", days_off.days_off, name="days-off"),
    path("settings/people/", circle.circle, name="circle"),
    path("settings/data/", farewell.data, name="my-data"),
    path("settings/data/club-y.json", farewell.download, name="my-data-file"),
    path("settings/close/", farewell.close, name="close-account"),
    path("goodbye/", farewell.goodbye, name="goodbye"),
    path("privacy/", farewell.privacy, name="privacy"),
    path("people/<str:name>/follow/", circle.follow, name="follow"),
    path("people/<str:name>/block/", circle.block, name="block"),
    path("language/", views.set_language, name="set-language"),
    path("settings/mail-again/", views.mail_again, name="mail-again"),
    path("mail/events/<str:provider>/tracking/", bounces.mail_events, name="mail-events"),
    path("accounts/signup/", views.SignupView.as_view(), name="account_signup"),
    path("accounts/logout/", views.LogoutView.as_view(), name="account_logout"),
    path("accounts/confirm-email/send/", views.send_confirmation, name="send-confirmation"),
    path("accounts/confirm-email/<str:key>/", views.ConfirmEmailView.as_view(), name="account_confirm_email"),
    path("accounts/", include("allauth.urls")),
]
