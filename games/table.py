"""The only way from a match's state to anything that a person or a program sees of it."""

import re
import secrets
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import accumulate, count
from typing import Any
from urllib.parse import quote

from django.template import engines
from django.utils.html import strip_tags
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.names import is_guests
from config.lib import clock
from games.clocks import ago, at_ms, span, time_left, to_ms, until, when, whens
from games.engine import Entry, Move
from games.models import Match, Seat, Turn
from games.partners import badge_of, hand_of, kind_of, partner_in
from games.queries.turns import of_match
from games.rules import get_game, template_of
from games.undoable import undoable

Table = dict[str, Any]

FRESH_MS = 3000  # how long a turn is animated
SOON = timedelta(days=3)  # when a match against bots alone begins to tell its deadline: at a quarter of it at most
NAMED = re.compile(r'<(b|span) translate="no">(.*?)</\1>', re.DOTALL)
_PROCESS, _keys = secrets.token_urlsafe(9), count()


def fresh_key() -> str:
    """Return an idempotency key for the forms of one rendered table: no secret, but never the same twice."""
    return f"{_PROCESS}{next(_keys):x}"


def seat_of_viewer(seats: Sequence[Seat], user_id: int | None) -> Seat | None:
    """Return the seat in which this person sits or sat; None for a watcher."""
    return next((seat for seat in seats if user_id is not None and seat.user_id == user_id), None)


def table_for(
    match: Match,
    seats: Sequence[Seat],
    viewer: Seat | None,
    turns: Sequence[Turn] = (),
    *,
    state: Any = None,
    step: int | None = None,
    since: int | None = None,
) -> Table:
    """Return all that `viewer` (None: a watcher) may see of a match, as JSON-able data.

    `turns` are for the log, those after `since` marked new; `state` and `step` select an earlier moment.
    """
    if state is None and match.state:
        state = match.game.load(bytes(match.state))
    playing = viewer is not None and viewer.is_in and match.status == Match.Status.RUNNING and step is None
    view = _view(match, viewer, state) if state is not None else None
    told = match.turns - unsettled(match, state if step is None else None)
    told += match.status != Match.Status.RUNNING  # there is no coming turn
    if view is not None and not playing:
        view["prompt"] = None
    clocks = _clocks(match, seats, viewer, view) if step is None else {}
    log = _log(match, turns, since, told, viewer, is_now=step is None)
    gains, first = _gains(match, state) if step is None else {}, viewer.number if viewer else 0
    return {
        "id": match.pk,
        "game": match.game_slug,
        "rules": match.rules_version,
        "name": match.title,
        "options": match.options,
        "version": match.version,
        "history": match.history,
        "status": match.status,
        "ending": match.ending,
        "voided": match.voided_at is not None,
        "turns": match.turns,
        "step": step,
        "you": viewer.number if viewer else None,
        "playing": playing,
        "ask": viewer.ask if playing and viewer else None,
        "undo": undoable(match, viewer, turns) if playing and viewer else None,
        "orders": match.game.kept_orders(viewer.orders) if playing and viewer else {},
        "seats": [
            _seat(seat, viewer, told, view["to_move"] if view else ())
            | clocks.get(seat.number, NO_CLOCK)
            | {"gain": gains.get(seat.number, 0)}
            for seat in seats
        ],
        "order": [*range(first, len(seats)), *range(first)],  # around the table, from the viewer's seat on
        "bots": any(partner_in(seat) for seat in seats),
        "free": sum(seat.is_free for seat in seats),
        "first": [seat.number for seat in seats if seat.rank == 1],
        "ready_by": to_ms(viewer.ready_by) if viewer and viewer.ready_by else None,
        "cooperative": match.game.is_cooperative(match.options),
        "pace": match.pace_slug,
        "paused": match.paused_at is not None,
        "proposed": match.status == Match.Status.RUNNING and any(s.wants_call_off or s.wants_pause for s in seats),
        "can_pause": match.paused_at is None and match.ends_at is None,
        "solo": is_solo(match, seats),
        "view": view,
        "hints": {**match.game.hints(view), **match.game.traces(log), "made": {}} if view is not None else {},
        "log": log,
        "unveiled": _unveiled(match) if turns else {},
        "since": since,
        "refused": None,
        "coach": None,
    }


def _view(match: Match, viewer: Seat | None, state: Any) -> dict[str, Any]:
    """Return the game's view for the viewer; who has left a running match sees what watchers see."""
    is_over = match.status == Match.Status.ENDED
    seen = viewer.number if viewer and (is_over or viewer.is_in) else None
    return match.game.opened(state, seen) if is_over else match.game.view(state, seen)


def _gains(match: Match, state: Any) -> dict[int, int]:
    """Return by how much the last turn that changed any seat's figure changed each; {} when the match does not run."""
    if match.status != Match.Status.RUNNING or not match.figures_before:
        return {}
    pairs = zip(match.game.figures(state), match.figures_before["figures"], strict=True)
    return {number: now - was for number, (now, was) in enumerate(pairs)}


def unsettled(match: Match, state: Any = None) -> int:
    """Return for how many of the last turns it is hidden whether a person, orders or a bot made them."""
    if not match.game.secret or match.status != Match.Status.RUNNING:
        return 0
    return match.game.unsettled(state or match.game.load(bytes(match.state or b"")))


def _unveiled(match: Match) -> dict[int, Any]:
    if not match.game.secret or match.status != Match.Status.ENDED:
        return {}
    return match.game.unveiled([(turn.number, turn.move, turn.draws, turn.events) for turn in of_match(match.pk)])


def _seat(seat: Seat, viewer: Seat | None, told: int, to_move: Sequence[int]) -> dict[str, Any]:
    is_own = viewer is not None and viewer.number == seat.number
    left = seat.left is not None and (is_own or seat.left_at is None or seat.left_at <= told)
    partner = partner_in(seat)
    return {
        "number": seat.number,
        "name": seat_name(seat),
        "profile": profile_of(seat),
        "badge": badge_of(seat),
        "face": partner.face if partner else "",
        "line": str(partner.line) if partner else "",
        "you": is_own,
        "kind": kind_of(seat),
        "to_move": seat.number in to_move,
        "left": left,
        "absent": left and seat.absent,
        **{f"wants_{name}": bool(getattr(seat, f"wants_{name}")) and not left for name in ("call_off", "pause")},
        "declines": [name for name in ("call_off", "pause") if getattr(seat, f"wants_{name}") is False and not left],
        "substitute": seat.substituted,
        "ready_by": to_ms(seat.ready_by) if seat.ready_by else None,
        "rank": seat.rank,
        "score": seat.score,
    }


NO_CLOCK: dict[str, int | None] = {"deadline": None, "bank": None, "away": None, "reached": None, "waits": False}


def is_solo(match: Match, seats: Sequence[Seat]) -> bool:
    """Return whether this is a match of one person against bots alone, from its start on."""
    people = sum(seat.user_id is not None or seat.former or seat.left is not None for seat in seats)
    return match.status != Match.Status.OPEN and people == 1


def deadline_told(match: Match, seats: Sequence[Seat], seat: Seat) -> datetime | None:
    """Return when this seat's clock runs out, if that is told: against bots alone only when it is near."""
    if seat.deadline is None:
        return None
    is_far = seat.deadline - clock.now() > min(SOON, match.pace.cap / 4)
    return None if is_far and not match.pace.is_live and is_solo(match, seats) else seat.deadline


def _clocks(
    match: Match, seats: Sequence[Seat], viewer: Seat | None, view: dict[str, Any] | None
) -> dict[int, dict[str, int | None]]:
    """Return each seat's clock: when it runs out, else its bank; until when its person is off; when they were reached.

    Each viewer sees their own alone while several seats are asked, as a stopped clock would tell who has answered,
    and in games with secrets, where a time-out tells dice or an answer. No bank while the game's own clock runs.
    """
    if match.status != Match.Status.RUNNING or view is None:
        return {}
    own = viewer.number if viewer else None
    is_open = len(view["to_move"]) < 2 and not match.game.secret
    shown = [seat for seat in seats if seat.is_in and (is_open or seat.number == own)]
    return {
        seat.number: {
            "deadline": to_ms(at) if (at := deadline_told(match, seats, seat)) else None,
            "bank": seat.bank if seat.deadline is None and match.ends_at is None else None,
            "away": None if match.pace.is_live else seat.times.away_until(clock.now_ms()),
            "reached": _reached(match, seat, own),
            "waits": own is not None and seat.ask is not None and seat.ask == seat.waited_ask,
        }
        for seat in shown
    }


def _reached(match: Match, seat: Seat, own: int | None) -> int | None:
    """Return when a call about its question reached another seat's person (ms), as those who sit there are told."""
    asked, reached, is_told = seat.asked_at, seat.reached_at, not match.pace.is_live and own not in (None, seat.number)
    return to_ms(reached) if is_told and asked and reached and reached >= asked else None


def seat_name(seat: Seat) -> str:
    """Return the name under which the seat is shown."""
    if seat.username is not None:
        return seat.username
    if seat.former or seat.left is not None:
        return _("former member")
    partner = partner_in(seat)
    return partner.name if partner else hand_of(seat) or _("free seat")


def name_and_badge(seat: Seat) -> str:
    """Return the name as plain text has it, with what a bot is; that of a member's says so (`names.BOT_SUFFIX`)."""
    name = seat_name(seat)
    return f"{name} ({badge_of(seat)})" if kind_of(seat) == "bot" else name


def profile_of(seat: Seat) -> str:
    return profile_address(seat.username or "")


def seat_label(seat: Seat) -> dict[str, Any]:
    """Return number, name and profile of a seat, as lists of matches show it."""
    known = {"number": seat.number, "name": seat_name(seat), "profile": profile_of(seat)}
    partner = partner_in(seat)
    return known | {"badge": badge_of(seat), "face": partner.face if partner else ""}


def match_line(match: Match, seats: Sequence[Seat], own: Seat | None) -> dict[str, Any]:
    """Return what every list shows of a match in a line; `own` is no opponent."""
    at = match.ended_at or match.moved_at or match.created_at
    return {
        "url": f"/matches/{match.pk}/",
        "game": match.game_slug,
        "name": match.title,
        "voided": match.voided_at is not None,
        "opponents": [seat_label(seat) for seat in seats if seat is not own],
        "when": when(at),
        "iso": at.isoformat(timespec="seconds"),
    }


def profile_address(name: str) -> str:
    """Return the address of a member's profile; empty for guests, who have none, and for no name."""
    return f"/people/{quote(name)}/" if name and not is_guests(name) else ""


def _log(
    match: Match, turns: Sequence[Turn], since: int | None, told: int, viewer: Seat | None, *, is_now: bool
) -> list[Entry]:
    """Return what is told of these turns; `paragraph` numbers those that are told together."""
    paragraphs = accumulate(match.game.opens_paragraph(turn.events) for turn in turns)
    is_over, now, tell = match.status == Match.Status.ENDED, clock.now_ms(), whens()
    return [
        {
            **_entry(turn, since, now, tell, is_now=is_now, is_over=is_over),
            "by": turn.by if is_over else _by(turn, told, viewer),
            "paragraph": number,
            "latest": turn.number == match.turns,
        }
        for turn, number in zip(turns, paragraphs, strict=True)
    ]


def _by(turn: Turn, told: int, viewer: Seat | None) -> str:
    """Return how a turn of a running match came about; that nobody's hand made it, only its owner is told."""
    by_itself = turn.by in (Turn.By.ORDERS, Turn.By.NEEDLESS)
    if by_itself and viewer is not None and viewer.number == turn.seat:
        return turn.by
    return "" if turn.number > told else Turn.By.PERSON if by_itself else turn.by


def _entry(
    turn: Turn, since: int | None, now: int, tell: Callable[[int], str], *, is_now: bool, is_over: bool
) -> Entry:
    second = turn.at // 1000
    return {
        "n": turn.number,
        "seat": turn.seat,
        "events": turn.events,
        # Seconds would tell the moves of orders and clocks from a person's.
        "iso": _iso(second if is_over else second // 60 * 60),
        "when": tell(second // 60),
        "fresh": is_now and now - second * 1000 < FRESH_MS,
        "new": since is not None and turn.number > since,
    }


@lru_cache(20_000)  # a log's turns are told again with each that follows
def _iso(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).isoformat()


def render_table(table: Table, *, csrf_token: str = "", refusal: str = "") -> SafeString:
    """Return a table as the HTML fragment that pages show and fetch, with the sentence of a refusal."""
    key = fresh_key() if table["playing"] else ""
    words = {"until": until, "time_left": time_left, "span": span, "ago": lambda ms: ago(at_ms(ms))}
    context = {"t": table, "key": key, "csrf_token": csrf_token, "refusal": refusal, **words}
    return SafeString(_jinja("games/play/table.jinja").render(context))


def render_orders(table: Table) -> SafeString:
    """Return the fields of the viewer’s standing orders as HTML; empty if the match has none."""
    if not (table["playing"] and get_game(table["game"], table["rules"]).orders):
        return SafeString()
    fields = _jinja(template_of(table["game"], table["rules"], "orders.jinja"))
    return SafeString(fields.render({"t": table, "orders": table["orders"]}).strip())


def ordered_words(table: Table, move: Move) -> str:
    """Return in words the answer that orders would give."""
    return " ".join(strip_tags(log_words(table).ordered(table, move)).split())


def headline(table: Table) -> str:
    """Return in a few words what the viewer is asked, or whom the match waits for."""
    words = " ".join(strip_tags(log_words(table).headline(table)).split())  # without shapes
    return SafeString(f"{_('Voided')} · {words}" if table["voided"] else words)


def headline_named(table: Table) -> SafeString:
    """Return the headline as HTML in which people's names are marked as such."""
    words = str(log_words(table).headline(table))
    marked = strip_tags(NAMED.sub(r"[[\2]]", words.replace("[[", "").replace("]]", "")))
    named = " ".join(marked.split()).replace("[[", '<span translate="no">').replace("]]", "</span>")
    return SafeString(f"{_('Voided')} · {named}" if table["voided"] else named)


def log_words(table: Table) -> Any:
    """Return the macros of the game's log template."""
    return _jinja(template_of(table["game"], table["rules"], "log.jinja")).template.module


def _jinja(name: str) -> Any:
    return engines["jinja"].get_template(name)
