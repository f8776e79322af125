"""The site's URLs."""

from django.contrib import admin
from django.contrib.sitemaps.views import sitemap
from django.urls import include, path
from django.views.decorators.http import require_safe
from django.views.generic import RedirectView

from accounts.views.account import LogoutView
from config import about, installed
from games.views import metrics
from games.views.health import healthz, livez, readyz

handler400 = "config.errors.bad_request"
handler403 = "config.errors.permission_denied"
handler404 = "config.errors.page_not_found"
handler500 = "config.errors.server_error"

urlpatterns = [
    path("", include("games.urls")),
    path("", include("accounts.urls")),
    path("", include("leaderboards.urls")),
    path("", include("games.competitions.urls")),
    path("", include("games.moderation.urls")),
    path("", include("games.ladders.urls")),
    path("", include("games.clubs.urls")),
    path("", include("games.api.urls")),
    path("healthz", healthz, name="healthz"),
    path("metrics", metrics.page, name="metrics"),
    path("livez", livez, name="livez"),
    path("readyz", readyz, name="readyz"),
    path("manifest.<str:language>.webmanifest", installed.manifest, name="manifest"),
    path("sw.js", installed.service_worker, name="service-worker"),
    path("offline/", installed.offline, name="offline"),
    path("imprint/", about.imprint, name="imprint"),
    path("robots.txt", about.robots_txt, name="robots"),
    path("sitemap.xml", require_safe(sitemap), {"sitemaps": about.SITE_MAPS}, name="sitemap"),
    path(".well-known/security.txt", about.security_txt, name="security-txt"),
    path("i18n/", include("django.conf.urls.i18n")),
    # Where password managers look.
    path(".well-known/change-password", RedirectView.as_view(pattern_name="account_change_password")),
    # The admin's own pages leave sockets open, and browsers remember what they showed; they ask for no second factor.
    path("admin/logout/", LogoutView.as_view()),
    path("admin/password_change/", RedirectView.as_view(pattern_name="account_change_password")),
    path("admin/", admin.site.urls),
]
