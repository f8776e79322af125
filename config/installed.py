"""The site as it is installed: its manifest, its service worker, and the page for when there is no network."""

import json
import re
from functools import cache
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from config.lib import present

TOKENS = Path(__file__).parent / "static" / "site" / "tokens.css"
OF_THE_OFFLINE_PAGE = (
    *("site/tokens.css", "site/site.css", "site/pieces.css", "site/favicon.svg"),
    "site/fonts/bricolage-grotesque-latin-700-5.3.0.woff2",
)
A_DAY = "public, max-age=86400"


@cache
def colour(name: str) -> str:
    """Return the colour of the day of a token."""
    return re.findall(rf"--{name}: light-dark\((#[0-9a-f]{{6}}),", TOKENS.read_text())[0]


def _icon(name: str, size: int, purpose: str) -> dict[str, str]:
    address = static(f"site/icons/{name}-{size}.png")
    return {"src": address, "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}


@require_safe
def manifest(request: HttpRequest, language: str) -> HttpResponse:
    """Return what a system needs to install the site, in a language of ours; Http404 for another."""
    if language not in dict(settings.LANGUAGES):
        raise Http404
    with translation.override(language):
        told = {
            "id": "/",
            "name": settings.SITE_NAME,
            "short_name": settings.SITE_NAME,
            "description": _("Five table games, a move at a time"),
            "lang": language,
            "dir": "ltr",
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "background_color": colour("bg"),
            "theme_color": colour("surface"),
            "categories": ["games"],
            "icons": [
                *(_icon("icon", size, "any") for size in (192, 512)),
                *(_icon("maskable", size, "maskable") for size in (192, 512)),
            ],
            "shortcuts": [
                {"name": _("Next match that waits for you"), "url": reverse("next-match")},
                {"name": _("My matches"), "url": reverse("my-matches")},
            ],
        }
    return JsonResponse(told, content_type="application/manifest+json", headers={"Cache-Control": A_DAY})


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker of this release, which clears away what the one before has kept."""
    context = {
        "build": present.build(),
        "offline": reverse("offline"),
        "files": json.dumps([static(name) for name in OF_THE_OFFLINE_PAGE]),
        "icon": static("site/icons/icon-192.png"),
        "badge": static("site/icons/badge-96.png"),
    }
    answer = render(request, "sw.js", context, content_type="text/javascript; charset=utf-8")
    answer["Cache-Control"] = "no-cache"
    answer["Service-Worker-Allowed"] = "/"
    return answer


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Return the page that the service worker shows without a network: nobody's, in both languages."""
    answer = render(request, "offline.html")
    answer["Cache-Control"] = "no-cache"
    return answer
