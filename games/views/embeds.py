"""A public match on other people's pages: in a frame, and as a picture of its table. Both show what strangers see.

No cookie comes this far (config.embeds), so that every answer is everybody's.
"""

import json
import re
from collections.abc import Callable
from hashlib import blake2b
from typing import Any
from urllib.parse import urljoin

from django.conf import settings
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from accounts.access import Hidden, View
from config.lib import rate_limits, sql
from games.models import Match
from games.table import headline
from games.views.responses import ViewedMatch, find
from games.views.svg_drawing import png_of
from games.views.table_drawing import draw_svg, said_of

KEPT = 3600  # seconds that a drawn picture is kept, by what it says
FOR_ALL = "public, max-age=15"  # seconds for which others may keep what was true
FORM = re.compile(r"<form\b[^>]*>")


def as_strangers(view: View) -> View:
    """Let a view show a public match that has begun, in the language asked for (`?lang=`); Http404 for any other."""

    def wrapped(request: HttpRequest, match_id: int) -> HttpResponse:
        if not rate_limits.allows_from(request, "embed"):
            return HttpResponse(status=429, headers={"Retry-After": "60"})
        asked = request.GET.get("lang", "")
        with translation.override(asked if asked in dict(settings.LANGUAGES) else get_language()):
            answer = view(request, match_id)
            answer["Content-Language"] = get_language() or ""
            return answer

    wrapped.__name__ = view.__name__
    return wrapped


def _public(request: HttpRequest, match_id: int) -> ViewedMatch:
    try:
        shown = find(request, match_id)
    except Hidden:
        raise Http404 from None
    if not shown.match.is_public or shown.match.status == Match.Status.OPEN or not shown.match.state:
        raise Http404
    return shown


@require_safe
@as_strangers
@sql.snapshot()
def embed(request: HttpRequest, match_id: int) -> HttpResponse:
    """Show the table alone, for a frame: without forms, and as long as the match is public."""
    shown = _public(request, match_id)
    table = shown.table()
    context = {
        "match": shown.match,
        "table": table,
        "headline": headline(table),
        "table_html": without_forms(shown.shown(table)),
        "socket": f"/ws/watch/?match={match_id}",
        "page": urljoin(settings.SITE_URL, reverse("match", args=[match_id])),
    }
    answer: Any = render(request, "games/embeds/embed.html", context)
    answer["Cache-Control"] = "no-cache"  # asked for again at each ring
    answer.may_be_framed = answer.xframe_options_exempt = True
    return answer  # type: ignore[no-any-return]


def without_forms(html: str) -> SafeString:
    """Return a watcher's table, whose board stands in a form that has nothing to send, without it."""
    return SafeString(FORM.sub('<div id="board">', html).replace("</form>", "</div>"))


@require_safe
@as_strangers
@sql.snapshot()
def table_svg(request: HttpRequest, match_id: int) -> HttpResponse:
    """Return the picture of a public match's table as SVG."""
    return _picture(_svg(_public(request, match_id))[1], "image/svg+xml")


@require_safe
@as_strangers
@sql.snapshot()
def table_png(request: HttpRequest, match_id: int) -> HttpResponse:
    """Return the same picture as PNG."""
    mark, svg = _svg(_public(request, match_id))
    return _picture(_drawn(f"card:png:{mark}", lambda: png_of(svg)), "image/png")


def _svg(shown: ViewedMatch) -> tuple[str, bytes]:
    """Return the picture in the language of who asks, and the mark of what it says."""
    said = said_of(shown.match, shown.table())
    mark = blake2b(json.dumps(said).encode() + get_language().encode(), digest_size=16).hexdigest()
    return mark, _drawn(f"card:svg:{mark}", lambda: draw_svg(said))


def _drawn(name: str, draw: Callable[[], bytes]) -> bytes:
    """Return what is kept under a name, drawn now if it is not there."""
    return cache.get_or_set(name, draw, KEPT) or draw()


def _picture(body: bytes, content_type: str) -> HttpResponse:
    return HttpResponse(body, content_type=content_type, headers={"Cache-Control": FOR_ALL})
