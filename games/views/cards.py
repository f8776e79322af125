"""A match elsewhere: the pictures of an open table and of a result, and the QR code that a table's players show."""

from collections.abc import Callable
from hashlib import blake2b
from io import BytesIO
from typing import Any

import segno
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from config.lib import sql
from config.lib.formats import number
from games.catalogue import colours_of
from games.curve import curve_of
from games.models import Match, Seat
from games.queries import play
from games.story import story_of
from games.table import seat_name
from games.views.card_drawing import Card, can_say, draw
from games.views.links import has_result_card, link_of, told
from games.views.responses import find
from games.views.result_drawing import Place, ResultCard, draw_result

KEPT = 3600  # seconds that a drawn card is kept, by what it says


@require_safe
@sql.snapshot()
def card(request: HttpRequest, match_id: int) -> HttpResponse:
    """Return the picture of a public open table; of a result, for whoever may see the match."""
    shown = find(request, match_id)
    if has_result_card(shown.match):
        said = result_card(shown.match, shown.seats)
        return _picture(said, lambda: draw_result(said))
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
    return _picture(said, lambda: draw(said))


def _picture(said: Card | ResultCard, drawn: Callable[[], bytes]) -> HttpResponse:
    name = f"card:{blake2b(repr(said).encode(), digest_size=16).hexdigest()}"
    return HttpResponse(cache.get_or_set(name, drawn, KEPT) or drawn(), content_type="image/png")


def _inks(colours: Any) -> dict[str, str]:
    return {"ground": colours["fill"][0], "ink": colours["on"][0]}


def result_card(match: Match, seats: list[Seat]) -> ResultCard:
    """Return what the picture of a result says, in the language of who asks."""
    together = match.game.is_cooperative(match.options)
    points = story_of(match, seats).points
    curve = curve_of(points, together=together) if len(points) > 1 else None
    ranked = sorted(seats, key=lambda seat: (seat.rank or len(seats), seat.number))
    return ResultCard(
        "Club Y",
        match.game.name,
        _won(ranked, together=together),
        tuple(
            Place(
                "" if together else str(seat.rank or ""),
                seat.number,
                name if can_say(name := seat_name(seat)) else "",
                "" if together or seat.score is None else number(seat.score),
            )
            for seat in ranked
        ),
        tuple(_parts(line["path"], curve) for line in curve["lines"]) if curve else (),
        **_inks(colours_of(match.game_slug)),
    )


def _won(ranked: list[Seat], *, together: bool) -> str:
    first = [seat for seat in ranked if seat.rank == 1]
    if together:
        score = ranked[0].score or 0
        return ngettext("%(score)s point together", "%(score)s points together", abs(score)) % {"score": number(score)}
    if len(first) > 1:
        return _("A shared first place")
    name = seat_name(first[0]) if first else ""
    return _("%(name)s won") % {"name": name} if name and can_say(name) else _("Result")


def _parts(path: str, curve: dict[str, Any]) -> tuple[tuple[float, float], ...]:
    """Return a line of a curve in parts of the room between its scales."""
    across, down = curve["right"] - curve["left"], curve["bottom"] - curve["top"]
    spots = [spot.split(",") for spot in path.split()]
    return tuple(
        (round((float(x) - curve["left"]) / across, 3), round((float(y) - curve["top"]) / down, 3)) for x, y in spots
    )


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
