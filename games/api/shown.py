"""Matches as the API shows them: what `games.table` says to who asks, chosen for programs."""

from collections.abc import Callable
from hashlib import blake2b
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language

from accounts.access import Hidden, member_of
from config.lib import sql
from games.api.coding import encoded
from games.api.gate import JSON
from games.clocks import to_ms
from games.models import Match, Seat
from games.offers import named, offered
from games.queries import play
from games.queries.play import Person
from games.queries.readable import each
from games.services.chat import mentions
from games.services.lobby import joining
from games.table import Table, deadline_told, headline, seat_label, seat_of_viewer, table_for
from games.viewing import Viewing
from games.views.dice_shown import opens
from games.views.links import link_of
from games.views.waiting import proposals

KEPT = (
    *("id", "game", "rules", "name", "options", "version", "history", "status", "ending", "voided", "turns", "step"),
    *("you", "playing", "ask", "undo", "orders", "free", "ready_by", "cooperative", "pace", "paused", "can_pause"),
    *("view", "unveiled"),
)
OF_SEAT = (
    *("number", "name", "kind", "badge", "profile", "you", "to_move", "left", "absent", "substitute", "wants_pause"),
    *("wants_call_off", "declines", "deadline", "bank", "away", "reached", "ready_by", "rank", "score"),
)
REVALIDATED = "private, no-cache"


def find(request: HttpRequest, match_id: int) -> Viewing:
    """Return the match for a person who may see it; Hidden for others, moderators too: they look on their pages."""
    try:
        shown = Viewing(request.user, *play.match_and_seats(match_id))
    except Match.DoesNotExist:
        raise Hidden from None
    if not shown.is_shown:
        raise Hidden
    return shown


def tag_of(shown: Viewing, *more: object) -> str:
    """Return the tag of what this person sees: it is another whenever the table is, in whatever language.

    It is made of what they are told alone: a tag that changed with another's clock would tell that it stopped. Until
    when others are away, and when they were reached, changes without it.
    """
    match, seats, viewer = shown.match, shown.seats, shown.viewer
    people = [(seat.username, str(seat.badge)) for seat in seats]
    kept = (viewer.number, viewer.notices, viewer.orders_mark, _has_opened(shown)) if viewer else ()
    own = (kept, deadline_told(match, seats, viewer)) if viewer else ()
    invited = sorted(match.invitations.values_list("pk", "declined")) if match.status == Match.Status.OPEN else ()
    about = (match.history, match.status, match.voided_at, get_language(), own, invited, _following(shown), more)
    return f'"{blake2b(repr((about, people)).encode(), digest_size=12).hexdigest()}"'


def table_of(shown: Viewing, since: int | None = None) -> dict[str, Any]:
    """Return the table that this person sees now."""
    table = shown.table(since)
    match, viewer = shown.match, shown.viewer
    is_host = match.status == Match.Status.OPEN and viewer is not None
    return told(table) | {
        "rated": match.rated,
        "takes_bots": match.takes_bots,
        "access": match.access,
        "dice": dice_of(shown),
        "orders_mark": viewer.orders_mark if viewer is not None and table["playing"] else "",
        "notices": viewer.notices if viewer is not None else "",
        "coach": str(table["coach"]["says"]) if table["coach"] else "",
        "invited": play.invited_names(match) if is_host else [],
        "declined": play.invited_names(match, declined=True) if is_host else [],
        "link": link_of(match) if is_host else "",
        "rematch": _following(shown),
    }


def dice_of(shown: Viewing) -> dict[str, Any]:
    """Return what the match's page says of its dice to this person: of nobody's part but their own."""
    match, viewer = shown.match, shown.viewer
    own = viewer if match.chain_root is not None and match.started_at else None
    return {
        "commitment": match.commitment,
        "entry": match.entry(shown.seats),
        "nonce": own.nonce if own is not None else "",
        "seal": own.seal if own is not None else "",
        "opens": opens(match, shown.seats, viewer),
        "opened": _has_opened(shown),
    }


def _has_opened(shown: Viewing) -> bool:
    return shown.viewer is not None and any(one.seat == shown.viewer.number for one in shown.match.opened)


def _following(shown: Viewing) -> int | None:
    """Return the number of the rematch of a match that has ended, for who played in it and may see that."""
    if shown.match.status != Match.Status.ENDED or shown.viewer is None:
        return None
    number = Match.objects.filter(rematch_of=shown.match).values_list("pk", flat=True).first()
    if number is None:
        return None
    following, seats = play.match_and_seats(number)
    is_known = not following.is_of_club or play.sees(following, seat_of_viewer(seats, shown.user.pk), shown.user)
    return number if is_known else None


def told(table: Table) -> dict[str, Any]:
    """Return what programs are told of a table: not what only a page needs."""
    return {
        **{name: table[name] for name in KEPT},
        "seats": [{name: seat[name] for name in OF_SEAT} | {"badge": str(seat["badge"])} for seat in table["seats"]],
        "log": entries(table),
    }


def entries(table: Table) -> list[dict[str, Any]]:
    """Return the turns of a table's log."""
    names = ("n", "seat", "by", "events", "paragraph", "new")
    return [{name: entry[name] for name in names} | {"at": entry["iso"]} for entry in table["log"]]


def as_json(data: Any, *, status: int = 200, headers: dict[str, str] | None = None) -> HttpResponse:
    """Return data as an answer, as it is: what it is made of is the engine's."""
    return HttpResponse(encoded(data), status=status, content_type=JSON, headers=headers)


@sql.snapshot()
def table_answer(request: HttpRequest, match_id: int) -> HttpResponse:
    """Return the table after a deed, for who still sees it; nothing (204) for others."""
    try:
        shown = find(request, match_id)
    except Hidden:
        return HttpResponse(status=204)
    return as_json(table_of(shown), headers={"ETag": tag_of(shown), "Location": f"/api/v1/matches/{match_id}"})


def tagged(request: HttpRequest, tag: str, make: Callable[[], Any]) -> HttpResponse:
    """Return what `make` gives, or that nothing has changed (304) for who has it already."""
    headers = {"ETag": tag, "Cache-Control": REVALIDATED}
    known = [one.strip().removeprefix("W/") for one in request.headers.get("If-None-Match", "").split(",")]
    if tag in known or known == ["*"]:
        return HttpResponse(status=304, headers=headers)
    return as_json(make(), headers=headers)


def lines(request: HttpRequest, matches: list[Match]) -> list[dict[str, Any]]:
    """Return the lines of these matches that can be read."""
    user = member_of(request)
    why_not = joining.why_not_each(user)
    found = each(matches, lambda match: line(match, user, why_not))
    fresh = mentions.with_news(user, [one["id"] for one in found])
    for one in found:
        one["talk"] = one["id"] in fresh
    return found


def line(match: Match, user: Person, why_not: joining.WhyNot) -> dict[str, Any]:
    """Return what a list says of a match to this person."""
    seats = list(match.seats.all())
    mine = seat_of_viewer(seats, user.pk)
    is_open, is_over = match.status == Match.Status.OPEN, match.status == Match.Status.ENDED
    labels = [seat_label(seat) | {"free": seat.is_free} for seat in seats]
    at = match.ended_at or match.moved_at or match.created_at
    return {
        "id": match.pk,
        "game": match.game_slug,
        "name": match.game.name,
        "status": match.status,
        "ending": match.ending,
        "voided": match.voided_at is not None,
        "rated": match.rated,
        "takes_bots": match.takes_bots,
        "pace": match.pace_slug,
        "options": match.options,
        "version": match.version,
        "commitment": match.commitment,
        "turns": match.turns,
        "seats": [one | {"badge": str(one["badge"])} for one in named(labels, offered(match, seats, user))],
        "at": at.isoformat(timespec="seconds"),
        "headline": "" if is_open else str(headline(table_for(match, seats, mine))),
        "you": mine.number if mine else None,
        "asked": mine is not None and mine.is_in and mine.ask is not None,
        "deadline": _deadline(match, seats, mine),
        "proposals": [one["address"] for one in proposals(match, seats, mine)],
        "invited": is_open and mine is None and play.is_invited(match, user),
        "why_not": why_not(match, seats) if is_open and mine is None else "",
        "rank": mine.rank if mine and is_over else None,
        "score": mine.score if mine and is_over else None,
        "talk": False,
    }


def _deadline(match: Match, seats: list[Seat], mine: Seat | None) -> int | None:
    """Return when this person's clock runs out, or that of the game (ms)."""
    at = deadline_told(match, seats, mine) if mine is not None else None
    if at is None and mine is not None and mine.ask is not None:
        at = match.ends_at
    return to_ms(at) if at else None
