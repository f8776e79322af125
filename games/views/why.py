"""Why the reader of a match is asked what they are asked, worked out when they ask."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from config.lib import sql
from games.questions import is_explained, reasons_of
from games.table import headline_named
from games.views.responses import find


@require_safe
@sql.snapshot()
def why(request: HttpRequest, match_id: int) -> HttpResponse:
    """Show the reasons on a page, for a script (`X-Live`) alone; who is not asked is led to the match, or gets 204."""
    shown, is_part = find(request, match_id), bool(request.headers.get("X-Live"))
    table = shown.table(turns=[])
    if not is_explained(table):
        return HttpResponse(status=204) if is_part else redirect("match", match_id=match_id)
    reasons = reasons_of(table, is_part=is_part)
    if is_part:
        return HttpResponse(reasons, headers={"Cache-Control": "no-store"})
    context = {"match": shown.match, "headline": headline_named(table), "reasons_html": reasons}
    return render(request, "games/play/why.html", context)
