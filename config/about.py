"""What the site tells of itself: version and source in the foot, imprint, security.txt, robots.txt, the site map."""

from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.encoding import escape_uri_path
from django.views.decorators.http import require_safe

from config.lib import clock
from config.lib.version import VERSION
from games.rules import games

TOLD_FOR = timedelta(days=180)  # for how long security.txt says that it holds
ROBOTS = Path(__file__).with_name("robots.txt")


def foot(request: HttpRequest) -> dict[str, object]:
    """Return what the foot of every page and its description for other sites need."""
    return {
        "version": VERSION,
        "source_url": settings.SOURCE_URL,
        "has_imprint": bool(settings.IMPRINT_FILE),
        "site_url": settings.SITE_URL,
        "page_url": f"{settings.SITE_URL}{escape_uri_path(request.path)}",
        "can_push": settings.PUSH,
    }


def imprint_text() -> str:
    """Return the operator's imprint, plain text; Http404 where there is none."""
    try:
        return Path(settings.IMPRINT_FILE).read_text("utf-8", "replace") if settings.IMPRINT_FILE else ""
    except OSError as error:
        raise Http404 from error


@require_safe
def imprint(request: HttpRequest) -> HttpResponse:
    """Return who runs this site, in the operator's words."""
    if not (text := imprint_text()):
        raise Http404
    return render(request, "imprint.html", {"text": text})


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """Return whom to tell of a weakness (RFC 9116); Http404 unless the operator says."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    until = (clock.now() + TOLD_FOR).replace(hour=0, minute=0, second=0, microsecond=0)
    lines = [
        *(f"Contact: {contact}" for contact in settings.SECURITY_CONTACT),
        f"Expires: {until.isoformat().replace('+00:00', 'Z')}",
        "Preferred-Languages: en, fr",
        f"Canonical: {settings.SITE_URL}{reverse('security-txt')}",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
def robots_txt(request: HttpRequest) -> HttpResponse:
    """Return what search engines need not read, and where the map of the site is."""
    told = f"{ROBOTS.read_text()}Sitemap: {settings.SITE_URL}{reverse('sitemap')}\n"
    return HttpResponse(told, content_type="text/plain; charset=utf-8")


class Pages(Sitemap):
    """The pages that a stranger may want to find: not those of people or of matches."""

    protocol = "https" if settings.IS_HTTPS else "http"

    def items(self) -> list[str]:
        """Return the addresses of the pages."""
        named = [
            reverse(name)
            for name in (
                "home",
                "lobby",
                "tournaments",
                "tournament-rules",
                "ladders",
                "clubs",
                "puzzle",
                "records",
                "privacy",
                "figures",
            )
        ]
        for slug in games():
            named += [reverse(name, args=[slug]) for name in ("game", "statistics", "leaderboard")]
        return named

    def get_domain(self, site: object = None) -> str:
        """Return the site's own host, whatever host the request named."""
        return urlsplit(settings.SITE_URL).netloc

    def location(self, item: str) -> str:
        """Return the path of a page."""
        return item


SITE_MAPS = {"pages": Pages}
