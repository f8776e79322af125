"""The page of a match, its fragment, its log and replay, and the actions of its players."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.access import Hidden, member_of
from config.lib import clock, rate_limits, sql
from games.engine import permits
from games.forms.play import NotesForm, Unreadable, read_move, read_orders, read_turn
from games.models import Wish
from games.queries import play
from games.queries.turns import all_turns
from games.questions import answer_in_words
from games.services.play import moves, returning
from games.services.play import undo as taking_back
from games.services.refusals import Invalid, OrdersChanged, TooOften
from games.table import headline, ordered_words, table_for
from games.views.dice_shown import dice_shown
from games.views.once import once
from games.views.refusals import refused_page, too_late
from games.views.responses import (
    ViewedMatch,
    back,
    find,
    match_response,
    player_action,
    posted,
    with_refusals,
)

ANEW = ("csrfmiddlewaretoken", "key", "ask", "then")
"""What a form of standing orders says anew when it is sent on."""


@require_safe
@sql.snapshot()
def match_page(request: HttpRequest, match_id: int) -> HttpResponse:
    """Show the match as this person may see it."""
    try:
        return match_response(find(request, match_id))
    except Hidden:
        late = play.late_invitation(match_id, request.user)
        if late is None:
            raise
        return refused_page(request, too_late(late))


@require_safe
@sql.snapshot()
def table_fragment(request: HttpRequest, match_id: int) -> HttpResponse:
    """Return the table alone; nothing (204) when the page has this version already.

    `history` is what the page's table says of its own: after a restore the same version may be another.
    """
    shown = find(request, match_id)
    headers = {"Cache-Control": "no-store"}
    is_same = request.GET.get("history", shown.match.history) == shown.match.history
    if is_same and read_turn(request.GET.get("have")) == shown.match.version:
        return HttpResponse(status=204, headers=headers)
    table = shown.table(read_turn(request.GET.get("since")))
    return HttpResponse(shown.shown(table), headers=headers)


@posted
@with_refusals
def move(request: HttpRequest, match_id: int) -> HttpResponse:
    """Make the posted move; the answer is the mover's new table."""
    received = getattr(request, "scope", {}).get("received") or clock.now_ms()
    try:
        post = read_move(request.POST)
    except Unreadable as refusal:
        raise refusal.in_words_of(find(request, match_id).match.game) from None
    is_listed = "listed" in request.POST  # by a button of a list of matches, to which one goes back
    said = _answer_of(request, match_id, post.move) if is_listed else ""
    playing = moves.submit_move(
        match_id=match_id,
        user=request.user,
        ask=post.ask,
        key=post.key,
        move=post.move,
        received=received,
        advised=post.advised,
        confirmed=post.confirmed,
    )
    if is_listed:
        messages.success(request, said or _("Your answer has arrived"))
        return back(request, match_id, reverse("home"))
    if not request.headers.get("X-Live"):
        return redirect("match", match_id=match_id)
    shown = ViewedMatch(request, playing.match, playing.seats)
    return HttpResponse(shown.shown(shown.table(post.since)), headers={"Cache-Control": "no-store"})


def _answer_of(request: HttpRequest, match_id: int, move: Any) -> str:
    """Return in words which answer a button of a list gives at which match; empty if it is none that is asked."""
    shown = find(request, match_id)
    table = shown.table()
    if table["ask"] is None or not permits(table["view"]["prompt"], move):
        return ""
    about = {"game": shown.match.game.name, "answer": answer_in_words(table, move).words}
    return _("%(game)s: %(answer)s") % about


@player_action
@once
def skip_lesson(request: HttpRequest, match_id: int) -> HttpResponse:
    """Go on without the coach of a first match."""
    find(request, match_id)
    moves.skip_lesson(match_id=match_id, user=member_of(request))
    return redirect("match", match_id=match_id)


@player_action
@once
def resign(request: HttpRequest, match_id: int) -> HttpResponse:
    find(request, match_id)
    moves.resign(match_id=match_id, user=member_of(request))
    return redirect("match", match_id=match_id)


@player_action
@once
def undo(request: HttpRequest, match_id: int) -> HttpResponse:
    """Take back one's last move, which has revealed nothing yet."""
    find(request, match_id)
    taking_back.undo(match_id=match_id, user=member_of(request), turn=read_turn(request.POST.get("turn")))
    return redirect("match", match_id=match_id)


@player_action
@once
def take_back(request: HttpRequest, match_id: int) -> HttpResponse:
    """Take one's seat back from the bot that has it since one ran out of time."""
    find(request, match_id)
    returning.take_back(match_id=match_id, user=member_of(request))
    return redirect("match", match_id=match_id)


@player_action
@once
def take_over(request: HttpRequest, match_id: int) -> HttpResponse:
    """Take over the seat of somebody who is gone, as a substitute."""
    find(request, match_id)
    if not rate_limits.allows(request, "join"):
        raise TooOften
    returning.take_over(match_id=match_id, user=member_of(request))
    return redirect("match", match_id=match_id)


@player_action
@once
def call_off(request: HttpRequest, match_id: int) -> HttpResponse:
    """Agree, or no longer agree, to call the match off."""
    find(request, match_id)
    moves.wish_call_off(match_id=match_id, user=member_of(request), **_wish(request))
    return back(request, match_id, f"/matches/{match_id}/")


@player_action
@once
def pause(request: HttpRequest, match_id: int) -> HttpResponse:
    """Agree, or no longer agree, to pause the match."""
    find(request, match_id)
    moves.wish_pause(match_id=match_id, user=member_of(request), **_wish(request))
    return back(request, match_id, f"/matches/{match_id}/")


def _wish(request: HttpRequest) -> dict[str, bool]:
    """Return whether the person proposes or agrees, and whether that is an answer; TooOften when too often lately."""
    wish = request.POST.get("wish") == "1"
    if wish and not rate_limits.allows(request, "propose"):
        raise TooOften
    return {"wish": wish, "answers": "answers" in request.POST}


@player_action
def notices(request: HttpRequest, match_id: int) -> HttpResponse:
    """Set what the person is told of this match."""
    wish = request.POST.get("notices", "")
    if wish not in Wish:
        raise Invalid(_("Choose one of these."))
    moves.wish_notices(match_id=match_id, user=member_of(request), wish=Wish(wish))
    messages.success(request, _("Saved."))
    return redirect("match", match_id=match_id)


@player_action
@once
def notes(request: HttpRequest, match_id: int) -> HttpResponse:
    """Save the person's private notes."""
    find(request, match_id)
    form = NotesForm(request.POST)
    if not form.is_valid():
        raise Invalid(form.errors.get_json_data()["notes"][0]["message"])
    moves.write_notes(match_id=match_id, user=member_of(request), **form.cleaned_data)
    return redirect("match", match_id=match_id)


@player_action
@once
def orders(request: HttpRequest, match_id: int) -> HttpResponse:
    """Replace the seat's standing orders, or first ask whether they shall answer the open question."""
    shown, post = find(request, match_id), request.POST
    wishes = {} if "clear" in post else read_orders(post, shown.match.game)
    shall: dict[str, Any] = (
        {post["then"]: read_turn(post.get("ask"))} if post.get("then") in ("answer", "leave") else {}
    )
    shall |= {"before": post.get("before", "")}
    try:
        foreseen = moves.give_orders(match_id=match_id, user=member_of(request), orders=wishes, **shall)
    except OrdersChanged as refusal:
        return _orders_changed(shown, refusal)
    if foreseen is not None:
        return _would_answer(shown, foreseen)
    messages.success(request, _("Orders saved.") if wishes else _("Orders cleared: you have none."))
    return redirect("match", match_id=match_id)


def _orders_changed(shown: ViewedMatch, refusal: OrdersChanged) -> HttpResponse:
    """Show that others were saved meanwhile, with the way to replace them by those that were sent."""
    assert shown.viewer is not None
    context = {"match": shown.match, "refusal": refusal, "before": shown.viewer.orders_mark}
    context["fields"] = _sent(shown, *ANEW, "before")
    return render(shown.request, "games/play/orders_changed.html", context, status=refusal.status)


def _sent(shown: ViewedMatch, *but: str) -> list[tuple[str, str]]:
    return [(name, value) for name, values in shown.request.POST.lists() for value in values if name not in but]


def _would_answer(shown: ViewedMatch, foreseen: moves.Foreseen) -> HttpResponse:
    """Show what the orders that were sent would answer now, with the two ways to save them."""
    table = shown.table()
    context = {
        "match": shown.match,
        "question": headline(table),
        "answer": ordered_words(table, foreseen.move),
        "ask": foreseen.ask,
        "fields": _sent(shown, *ANEW),
    }
    return render(shown.request, "games/play/orders_answer.html", context)


@require_safe
@sql.snapshot()
def match_log(request: HttpRequest, match_id: int) -> HttpResponse:
    shown = find(request, match_id)
    turns = all_turns(shown.match)
    table = table_for(shown.match, shown.seats, shown.viewer, turns)
    context = {"match": shown.match, "table": table, "viewer": shown.viewer}
    context |= dice_shown(shown.match, shown.seats, shown.viewer)
    return render(request, "games/play/log.html", context)
