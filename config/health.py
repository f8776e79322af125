"""Is the site well? `/healthz` says so."""

from django.http import HttpRequest, JsonResponse
from django.urls import path


def healthz(request: HttpRequest) -> JsonResponse:
    """Return what works."""
    return JsonResponse({"ok": True})


urlpatterns = [path("healthz", healthz, name="healthz")]
