"""The site's URLs."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from games.views.health import healthz

handler500 = "config.errors.server_error"

urlpatterns = [
    path("", include("games.urls")),
    path("", include("accounts.urls")),
    path("", include("leaderboards.urls")),
    path("", include("games.moderation.urls")),
    path("healthz", healthz, name="healthz"),
    path("i18n/", include("django.conf.urls.i18n")),
    # Where password managers look.
    path(".well-known/change-password", RedirectView.as_view(pattern_name="account_change_password")),
    # The admin's own page leaves sockets of other sessions open, and asks for no second factor.
    path("admin/password_change/", RedirectView.as_view(pattern_name="account_change_password")),
    path("admin/", admin.site.urls),
]
