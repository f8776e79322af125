"""The replay of a match: every step as its reader may see it, by moves and by turns."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from config.lib import sql
from games.engine import Game
from games.models import Match, Turn
from games.queries.turns import all_turns
from games.record import state_at
from games.services.refusals import Invalid
from games.story import links_of
from games.table import table_for
from games.views.responses import ViewedMatch, find, with_refusals


def ends_of_turns(game: Game, turns: Sequence[Turn]) -> list[int]:
    """Return after which moves a turn of the match ends: the next move opens another, or there is none yet."""
    opening = [turn.number for turn in turns if game.opens_paragraph(turn.events)]
    return [number - 1 for number in opening if number > 1] + ([turns[-1].number] if turns else [])


def around(step: int, ends: Sequence[int], last: int) -> dict[str, int | None]:
    """Return to which steps the ways by turns lead from `step`; none where every move is a turn."""
    if len(ends) == last:
        return {"turn_before": None, "turn_after": None}
    before, after = bisect_left(ends, step), bisect_right(ends, step)
    return {
        "turn_before": (ends[before - 1] if before else 0) if step else None,
        "turn_after": ends[after] if after < len(ends) else None,
    }


def _found(request: HttpRequest, match_id: int) -> ViewedMatch:
    shown = find(request, match_id)
    if shown.match.status == Match.Status.OPEN or not shown.match.state:
        raise Http404
    return shown


@require_safe
@sql.snapshot()
def replay(request: HttpRequest, match_id: int, step: int) -> HttpResponse:
    """Show the board after move `step`, as this person may see it."""
    shown = _found(request, match_id)
    match = shown.match
    if step > match.turns:
        raise Http404
    turns, state = all_turns(match), state_at(match, shown.seats, step)
    told = [turn for turn in turns if turn.number == step]
    table = table_for(match, shown.seats, shown.viewer, told, state=state, step=step)
    if match.status == Match.Status.ENDED:
        table["hints"]["made"] = links_of(match, shown.seats, state, step)
    context = {"match": match, "table": table, "table_html": shown.shown(table), "step": step}
    return render(
        request, "games/play/replay.html", context | around(step, ends_of_turns(match.game, turns), match.turns)
    )


@require_safe
@with_refusals
def replay_to(request: HttpRequest, match_id: int) -> HttpResponse:
    """Lead to the step that the slider names: without one to the start, beyond the last to the last."""
    match = _found(request, match_id).match
    asked = request.GET.get("step", "0")
    if not (asked.isascii() and asked.isdecimal()):
        raise Invalid(_("Moves are counted from 0."))
    step = match.turns if len(asked) > len(str(match.turns)) else min(int(asked), match.turns)
    return redirect("replay", match_id=match_id, step=step)
