"""The site's addresses."""

from django.contrib import admin
from django.urls import include, path

handler500 = "config.errors.server_error"

urlpatterns = [
    path("", include("games.urls")),
    path("", include("accounts.urls")),
    path("", include("leaderboards.urls")),
    path("", include("moderation.urls")),
    path("", include("config.health")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("admin/", admin.site.urls),
]
