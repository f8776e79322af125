"""What is done in a match: moves, orders, notes, proposals, resigning."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext_noop as _

from accounts.access import member_of
from config.lib import clock, rate_limits
from games.api.kit import Routes
from games.api.shapes.given import Foreseen, Moving, Noticing, Noting, Opened, Ordering, Undoing, Wishing
from games.api.shapes.parts import MatchId
from games.api.shapes.table import NotesShape, TableShape
from games.api.shown import as_json, find, table_answer, table_of, tag_of
from games.forms.play import MOST_NOTES, NotesForm
from games.models import Wish
from games.services.play import dice, moves, returning
from games.services.play import undo as taking_back
from games.services.refusals import Invalid, Refused, TooOften
from games.table import ordered_words
from games.viewing import Viewing

routes = Routes("playing")
assert MOST_NOTES <= 40_000


@routes.posts(
    "/matches/{match_id}/moves",
    TableShape,
    page="move",
    words=_("Move"),
    more=_(
        "Answers the question that you are asked. The answer is the table after it. Sent again with the same key, "
        "nothing more is played."
    ),
)
def move(request: HttpRequest, match_id: MatchId, given: Moving) -> HttpResponse:
    """Make a move; it counts from when the request arrived."""
    try:
        playing = moves.submit_move(
            match_id=match_id,
            user=member_of(request),
            ask=given.ask,
            key=given.key,
            move=given.move,
            received=received(request),
            advised=given.advised or given.confirmed,
            confirmed=given.confirmed,
        )
    except Refused:
        find(request, match_id)  # whoever may not see the match is not told why, nor that there is one
        raise
    shown = Viewing(request.user, playing.match, playing.seats)
    return as_json(table_of(shown), headers={"ETag": tag_of(shown)})


def received(request: HttpRequest) -> int:
    """Return when the request arrived (ms), as the web server says, which decides whether a move is in time."""
    at: int | None = getattr(request, "scope", {}).get("received")
    return at or clock.now_ms()


@routes.acts(
    "/matches/{match_id}/dice",
    TableShape,
    page="open-dice",
    words=_("Open your part of the dice"),
    then=table_answer,
    more=_("The number that you had sealed, before your first move: all later draws follow from it, too."),
)
def open_dice(request: HttpRequest, match_id: MatchId, given: Opened) -> int:
    """Open the number that one had sealed when one sat down."""
    find(request, match_id)
    dice.open_nonce(match_id=match_id, user=member_of(request), nonce=given.nonce)
    return match_id


@routes.acts(
    "/matches/{match_id}/undo",
    TableShape,
    page="undo",
    words=_("Take back a move"),
    then=table_answer,
    more=_("Your last, as long as it has revealed nothing."),
)
def undo(request: HttpRequest, match_id: MatchId, given: Undoing) -> int:
    """Take back one's last move."""
    find(request, match_id)
    taking_back.undo(match_id=match_id, user=member_of(request), turn=given.turn)
    return match_id


@routes.posts(
    "/matches/{match_id}/orders",
    Foreseen,
    page="orders",
    method="PUT",
    words=_("Standing orders"),
    more=_("Replaces your standing orders. If they would answer the open question, say whether they may."),
)
def orders(request: HttpRequest, match_id: MatchId, given: Ordering) -> dict[str, Any]:
    """Replace the seat's standing orders."""
    shown = find(request, match_id)
    shall: dict[str, Any] = {given.then: given.ask} if given.then is not None else {}
    user = member_of(request)
    foreseen = moves.give_orders(match_id=match_id, user=user, orders=given.orders, before=given.before, **shall)
    if foreseen is None:
        return {"ask": None, "move": None, "words": ""}
    words = ordered_words(shown.table(), foreseen.move)
    return {"ask": foreseen.ask, "move": foreseen.move, "words": words}


@routes.reads(
    "/matches/{match_id}/notes",
    NotesShape,
    page="match",
    words=_("My notes"),
    more=_("Your private notes on a match."),
)
def notes(request: HttpRequest, match_id: MatchId) -> dict[str, Any]:
    """One's private notes."""
    return _notes(find(request, match_id))


def _notes(shown: Viewing) -> dict[str, Any]:
    if shown.viewer is None:
        raise Http404
    return {"notes": shown.viewer.notes, "mark": shown.viewer.notes_mark}


@routes.posts(
    "/matches/{match_id}/notes",
    NotesShape,
    page="notes",
    method="PUT",
    words=_("Write notes"),
    more=_("Replaces your private notes on a match."),
)
def write_notes(request: HttpRequest, match_id: MatchId, given: Noting) -> dict[str, Any]:
    """Save one's private notes."""
    find(request, match_id)
    form = NotesForm({"notes": given.notes, "before": given.before})
    if not form.is_valid():
        raise Invalid(form.errors.get_json_data()["notes"][0]["message"])
    moves.write_notes(match_id=match_id, user=member_of(request), **form.cleaned_data)
    return _notes(find(request, match_id))


@routes.acts("/matches/{match_id}/resign", TableShape, page="resign", words=_("Resign"), then=table_answer)
def resign(request: HttpRequest, match_id: MatchId) -> int:
    """Resign; a bot plays on in the seat."""
    find(request, match_id)
    moves.resign(match_id=match_id, user=member_of(request))
    return match_id


@routes.acts(
    "/matches/{match_id}/call-off",
    TableShape,
    page="call-off",
    words=_("Propose to call it off"),
    then=table_answer,
    more=_("Or agree, decline, take it back: it ends once all agree."),
)
def call_off(request: HttpRequest, match_id: MatchId, given: Wishing) -> int:
    """Agree, or no longer agree, to call the match off."""
    find(request, match_id)
    _proposing(request, given)
    moves.wish_call_off(match_id=match_id, user=member_of(request), wish=given.wish, answers=given.answers)
    return match_id


@routes.acts(
    "/matches/{match_id}/pause",
    TableShape,
    page="pause",
    words=_("Propose a pause"),
    then=table_answer,
    more=_("Or agree, decline, go on: clocks stop while all agree."),
)
def pause(request: HttpRequest, match_id: MatchId, given: Wishing) -> int:
    """Agree, or no longer agree, to pause the match."""
    find(request, match_id)
    _proposing(request, given)
    moves.wish_pause(match_id=match_id, user=member_of(request), wish=given.wish, answers=given.answers)
    return match_id


def _proposing(request: HttpRequest, given: Wishing) -> None:
    if given.wish and not rate_limits.allows(request, "propose"):
        raise TooOften


@routes.acts(
    "/matches/{match_id}/return",
    TableShape,
    page="take-back",
    words=_("Take your seat back"),
    then=table_answer,
    more=_("From the bot that has it since you ran out of time."),
)
def take_back(request: HttpRequest, match_id: MatchId) -> int:
    """Take one's seat back from the bot."""
    find(request, match_id)
    returning.take_back(match_id=match_id, user=member_of(request))
    return match_id


@routes.acts(
    "/matches/{match_id}/lesson/skip",
    TableShape,
    page="skip-lesson",
    words=_("Go on without the coach"),
    then=table_answer,
)
def skip_lesson(request: HttpRequest, match_id: MatchId) -> int:
    """Go on without the coach of a first match."""
    find(request, match_id)
    moves.skip_lesson(match_id=match_id, user=member_of(request))
    return match_id


@routes.acts(
    "/matches/{match_id}/notices",
    TableShape,
    page="notices",
    method="PUT",
    words=_("What you are told of a match"),
    then=table_answer,
)
def notices(request: HttpRequest, match_id: MatchId, given: Noticing) -> int:
    """Set what one is told of this match."""
    find(request, match_id)
    moves.wish_notices(match_id=match_id, user=member_of(request), wish=Wish(given.notices))
    return match_id


@routes.acts(
    "/matches/{match_id}/seen",
    TableShape,
    page="read-calls",
    words=_("Say that you have seen all"),
    more=_("As an open page does: later turns are new to you, and you are not called for what you have seen."),
)
def seen(request: HttpRequest, match_id: MatchId) -> None:
    """Note that one has seen all turns."""
    find(request, match_id)
    moves.mark_seen(match_id=match_id, user_id=member_of(request).pk)
