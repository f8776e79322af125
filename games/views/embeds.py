"""A public match on other people's pages: in a frame, and as a picture of its table. Both show what strangers see.

No cookie comes this far (config.embeds), so that every answer is everybody's.
"""

import re
from collections.abc import Callable
from hashlib import blake2b
from typing import Any
from urllib.parse import urljoin

from django.conf import settings
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.html import strip_tags
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.access import Hidden, View
from config.lib import rate_limits, sql
from games.catalogue import colours_of
from games.models import Match
from games.table import Table, headline, log_words
from games.views.card_drawing import can_say
from games.views.responses import ViewedMatch, find
from games.views.table_drawing import Picture, Place, draw_table, headline_size, shapes

KEPT = 3600  # seconds that a drawn picture is kept, by what it says
FOR_ALL = "public, max-age=15"  # seconds for which others may keep what was true
LONGEST_TALLY = 24
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
    said = picture_of(_public(request, match_id))
    context = {"picture": said, "shapes": shapes(said), "headline_size": headline_size(said)}
    return _picture(said, "svg", "image/svg+xml", lambda: _svg(context))


def _svg(context: dict[str, Any]) -> bytes:
    return " ".join(render_to_string("games/embeds/table.svg", context).split()).encode()


@require_safe
@as_strangers
@sql.snapshot()
def table_png(request: HttpRequest, match_id: int) -> HttpResponse:
    """Return the same picture as PNG."""
    said = picture_of(_public(request, match_id))
    return _picture(said, "png", "image/png", lambda: draw_table(said))


def _picture(said: Picture, kind: str, content_type: str, drawn: Callable[[], bytes]) -> HttpResponse:
    mark = blake2b(repr(said).encode(), digest_size=16).hexdigest()
    body = cache.get_or_set(f"card:{kind}:{mark}", drawn, KEPT) or drawn()
    return HttpResponse(body, content_type=content_type, headers={"Cache-Control": FOR_ALL})


def picture_of(shown: ViewedMatch) -> Picture:
    """Return what the picture says, in the language of who asks: of the watchers' table, nothing else."""
    match, table = shown.match, shown.table()
    colours: Any = colours_of(match.game_slug)
    names = [seat["name"] if can_say(seat["name"]) else _("Seat %(number)d") % {"number": seat["number"] + 1}
             for seat in table["seats"]]  # fmt: skip
    words = headline(table)
    return Picture(
        "Club Y",
        match.game.name,
        words if can_say(words) else "",
        tuple(
            Place(seat["number"], name, _tally(table, seat["number"]), to_move=seat["to_move"])
            for name, seat in zip(names, table["seats"], strict=True)
        ),
        ground=colours["fill"][0],
        ink=colours["on"][0],
    )


def _tally(table: Table, number: int) -> str:
    """Return what stands at a seat, in a few letters; empty if the font has none of them."""
    told = " ".join(strip_tags(str(log_words(table).tally(table, number))).split())
    return told if len(told) <= LONGEST_TALLY and can_say(told) else ""
