"""An open table elsewhere: the picture of its link, and the QR code that its players show."""

from hashlib import blake2b
from io import BytesIO
from typing import Any

import segno
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from config.lib import sql
from games.catalogue import colours_of
from games.models import Match, Seat
from games.queries import play
from games.views.card_drawing import Card, draw
from games.views.links import link_of, told
from games.views.responses import find

KEPT = 3600  # seconds that a drawn card is kept, by what it says


@require_safe
@sql.snapshot()
def card(request: HttpRequest, match_id: int) -> HttpResponse:
    """Return the picture of a public open table."""
    shown = find(request, match_id)
    if not shown.match.is_public:
        raise Http404
    return _card(shown.match, shown.seats)


@require_safe
@sql.snapshot()
def link_card(request: HttpRequest, token: str) -> HttpResponse:
    """Return the picture of an open table by link, for whoever has the link."""
    match = get_object_or_404(Match, token=token.replace("\0", ""), access=Match.Access.LINK)
    return _card(*play.match_and_seats(match.pk))


def _card(match: Match, seats: list[Seat]) -> HttpResponse:
    if match.status != Match.Status.OPEN:
        raise Http404
    colours: dict[str, Any] = colours_of(match.game_slug)
    taken = tuple(not seat.is_free for seat in seats)
    said = Card("Club Y", match.game.name, **told(match, seats), taken=taken, **_inks(colours))
    name = f"card:{blake2b(repr(said).encode(), digest_size=16).hexdigest()}"
    return HttpResponse(cache.get_or_set(name, lambda: draw(said), KEPT) or draw(said), content_type="image/png")


def _inks(colours: Any) -> dict[str, str]:
    return {"ground": colours["fill"][0], "ink": colours["on"][0]}


@require_safe
@sql.snapshot()
def qr_code(request: HttpRequest, match_id: int) -> HttpResponse:
    """Return the QR code of an open table's link as SVG, for who sits there."""
    shown = find(request, match_id)
    link = link_of(shown.match)
    if shown.viewer is None or shown.match.status != Match.Status.OPEN or not link:
        raise Http404
    drawn = BytesIO()
    segno.make(link, micro=False, error="m").save(drawn, kind="svg", scale=6, light="#ffffff", xmldecl=False)
    return HttpResponse(drawn.getvalue(), content_type="image/svg+xml")
