"""The one door from a match's state to anything that a person or a program sees of it."""

import secrets
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.template import engines
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import strip_tags
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from accounts.names import GUEST_PREFIX
from config.lib import clock
from games.clocks import at_ms, to_ms
from games.engine import FORMAT, Entry, commit, replay
from games.models import Match, Seat, Turn
from games.rules import get_game

Table = dict[str, Any]

FRESH = timedelta(seconds=3)  # how long a turn is shown as happening now: dice tumble, cups lift


def fresh_key() -> str:
    """Return an idempotency key for the forms of one showing of a table."""
    return secrets.token_urlsafe(12)


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
    """Return all that `viewer` (None: a watcher) may see of a match, JSON-able but for nothing.

    `turns` are those to tell in the log; `state` and `step` show an earlier moment; what happened after
    turn `since` is marked as new.
    """
    if state is None and match.state:
        state = match.game.load(bytes(match.state))
    playing = viewer is not None and viewer.is_in and match.status == Match.Status.RUNNING and step is None
    view = _view(match, viewer, state) if state is not None else None
    told = match.turns - unsettled(match, state if step is None else None)
    if match.status != Match.Status.RUNNING:
        told += 1  # there is nothing left to come
    if view is not None and not playing:
        view["prompt"] = None
    clocks = _clocks(match, seats, viewer, view) if step is None else {}
    log = _log(match, turns, since, told, is_now=step is None)
    first = viewer.number if viewer else 0
    return {
        "id": match.pk,
        "game": match.game_slug,
        "name": match.game.name,
        "options": match.options,
        "version": match.version,
        "status": match.status,
        "ending": match.ending,
        "voided": match.voided_at is not None,
        "turns": match.turns,
        "step": step,
        "you": viewer.number if viewer else None,
        "playing": playing,
        "ask": viewer.ask if playing and viewer else None,
        "orders": viewer.orders if playing and viewer else {},
        "seats": [
            _seat(seat, viewer, told, view["to_move"] if view else ()) | clocks.get(seat.number, NO_CLOCK)
            for seat in seats
        ],
        "order": [*range(first, len(seats)), *range(first)],  # around the table, from the viewer's seat on
        "free": sum(seat.is_free for seat in seats),
        "first": [seat.number for seat in seats if seat.rank == 1],
        "cooperative": match.game.is_cooperative(match.options),
        "pace": match.pace_slug,
        "paused": match.paused_at is not None,
        "view": view,
        "hints": {**match.game.hints(view), **match.game.traces(log)} if view is not None else {},
        "log": log,
        "unveiled": _unveiled(match) if turns else {},
        "since": since,
        "refused": None,
    }


def _view(match: Match, viewer: Seat | None, state: Any) -> dict[str, Any]:
    """Return the game's view for the viewer; who has left a running match sees what watchers see."""
    if match.status == Match.Status.ENDED:
        return match.game.opened(state, viewer.number if viewer else None)
    return match.game.view(state, viewer.number if viewer and viewer.is_in else None)


def unsettled(match: Match, state: Any = None) -> int:
    """Return of how many last turns it is not told yet whether a person, orders or a bot made them."""
    if not match.game.secret or match.status != Match.Status.RUNNING:
        return 0
    return match.game.unsettled(state or match.game.load(bytes(match.state or b"")))


def _unveiled(match: Match) -> dict[int, Any]:
    """Return what the log of an ended match did not tell while it ran, by turn."""
    if not match.game.secret or match.status != Match.Status.ENDED:
        return {}
    rows = match.log.order_by("number").values_list("number", "move", "draws", "events")
    return match.game.unveiled(list(rows))


def _seat(seat: Seat, viewer: Seat | None, told: int, to_move: Sequence[int]) -> dict[str, Any]:
    is_own = viewer is not None and viewer.number == seat.number
    left = seat.left is not None and (is_own or seat.left_at is None or seat.left_at <= told)
    return {
        "number": seat.number,
        "name": seat_name(seat),
        "profile": profile_of(seat),
        "you": is_own,
        "kind": _kind(seat),
        "to_move": seat.number in to_move,
        "left": left,
        "absent": left and seat.absent,
        "wants_call_off": seat.wants_call_off and not left,
        "wants_pause": seat.wants_pause and not left,
        "rank": seat.rank,
        "score": seat.score,
    }


BOTS = {"easy": gettext_lazy("Easy bot"), "strong": gettext_lazy("Strong bot")}
NO_CLOCK: dict[str, int | None] = {"deadline": None, "bank": None, "away": None}


def _clocks(
    match: Match, seats: Sequence[Seat], viewer: Seat | None, view: dict[str, Any] | None
) -> dict[int, dict[str, int | None]]:
    """Return each seat's clock: when it runs out, else what it has in hand, and until when its person is off.

    While several seats are asked at once a clock that stands would tell who has answered, and in a game with
    secrets one that ran out tells dice or an answer: each sees its own.
    """
    if match.status != Match.Status.RUNNING or view is None:
        return {}
    own = viewer.number if viewer else None
    is_open = len(view["to_move"]) < 2 and not match.game.secret
    shown = [seat for seat in seats if seat.is_in and (is_open or seat.number == own)]
    return {
        seat.number: {
            "deadline": to_ms(seat.deadline) if seat.deadline else None,
            "bank": seat.bank if seat.deadline is None else None,
            "away": None if match.pace.is_live else seat.times.away_until(clock.now_ms()),
        }
        for seat in shown
    }


def _kind(seat: Seat) -> str:
    """Return who sits here: "free", "person" (also one who left: a bot plays on), "former" or "bot"."""
    if seat.is_free:
        return "free"
    if seat.user_id is not None:
        return "person"
    return "former" if seat.former or seat.left is not None else "bot"


def seat_name(seat: Seat) -> str:
    """Return the name by which the reader knows who sits here."""
    if seat.username is not None:
        return seat.username
    if seat.former or seat.left is not None:
        return _("former member")
    if seat.bot:
        return str(BOTS[seat.bot])
    return _("free seat")


def profile_of(seat: Seat) -> str:
    """Return the address of the profile of the member who sits or sat here; empty for all others."""
    return profile_address(seat.username or "")


def profile_address(name: str) -> str:
    """Return the address of a member's profile; empty for a guest, who has none, and for no name."""
    return f"/people/{quote(name)}/" if name and not name.startswith(GUEST_PREFIX) else ""


def rating_range(match: Match) -> str:
    """Return with which ratings one may sit down, in words; empty for everybody."""
    lowest, highest = match.lowest_rating, match.highest_rating
    if lowest is not None and highest is not None:
        return f"{lowest}–{highest}"
    if lowest is not None:
        return _("from %(rating)d") % {"rating": lowest}
    return _("up to %(rating)d") % {"rating": highest} if highest is not None else ""


def _log(match: Match, turns: Sequence[Turn], since: int | None, told: int, *, is_now: bool) -> list[Entry]:
    """Return what is told of these turns; `paragraph` numbers those that are told together."""
    paragraphs = accumulate(match.game.opens_paragraph(turn.events) for turn in turns)
    return [
        _entry(turn, since, told, is_now=is_now) | {"paragraph": number, "latest": turn.number == match.turns}
        for turn, number in zip(turns, paragraphs, strict=True)
    ]


def _entry(turn: Turn, since: int | None, told: int, *, is_now: bool) -> Entry:
    at = datetime.fromtimestamp(turn.at // 1000, UTC)
    is_fresh = is_now and clock.now() - at < FRESH
    if turn.number > told:  # to the second, it would tell a clock's move from a person's
        at = at.replace(second=0)
    return {
        "n": turn.number,
        "seat": turn.seat,
        "by": turn.by if turn.number <= told else "",
        "events": turn.events,
        "iso": at.isoformat(),
        "when": when(at),
        "fresh": is_fresh,
        "new": since is not None and turn.number > since,
    }


def when(at: datetime) -> str:
    """Return an instant as people say it, in the active zone: "18:40", "Tue 18:40", "12 March 18:40"."""
    zone = timezone.get_current_timezone()
    local, today = at.astimezone(zone), clock.now().astimezone(zone)
    if local.date() == today.date():
        return f"{local:%H:%M}"
    return date_format(local, "D H:i" if today - local < timedelta(days=6) else "j F H:i")


def until(ms: int) -> str:
    """Return until when, in words and in the active zone: "until 18:00", "until Tuesday 5 May at 18:00"."""
    local = timezone.localtime(at_ms(ms))
    days = (local.date() - timezone.localdate(clock.now())).days
    told = {"time": date_format(local, pgettext("a time of day, as Django's format", "H:i"))}
    if days == 0:
        return _("until %(time)s") % told
    if 0 < days < 7:
        return _("until %(weekday)s at %(time)s") % (told | {"weekday": date_format(local, "l")})
    is_this_year = local.year == timezone.localdate(clock.now()).year
    date = date_format(local, "l j F" if is_this_year else "l j F Y")
    return _("until %(date)s at %(time)s") % (told | {"date": date})


SECONDS_SHOWN = 3600 - 60  # below which a clock shows them


def time_left(ms: int, *, exact: bool = True) -> str:
    """Return how long it is until an instant: "2 days 4 h", "4 h 12 min", "12:05"; never less than "0:00"."""
    return span(ms - clock.now_ms(), exact=exact)


def span(ms: int, *, exact: bool = True) -> str:
    """Return a span of time in words, its two largest parts; the seconds only where they are exact."""
    seconds = max(0, ms) // 1000
    if seconds > SECONDS_SHOWN:
        seconds += 59  # what has just begun is whole: "3 days", not "2 days 23 h"
    days, hours, minutes = seconds // 86400, seconds // 3600 % 24, seconds // 60 % 60
    if days:
        said = ngettext("%(num)d day", "%(num)d days", days) % {"num": days}
        return f"{said} {hours} h" if hours else said
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes}:{seconds % 60:02d}" if exact else f"{minutes} min"


def render_table(table: Table, *, csrf_token: str = "", refusal: str = "") -> SafeString:
    """Return a table as the HTML fragment that pages show and fetch, with a refusal's sentence if any."""
    key = fresh_key() if table["playing"] else ""
    words = {"until": until, "time_left": time_left, "span": span}
    context = {"t": table, "key": key, "csrf_token": csrf_token, "refusal": refusal, **words}
    return SafeString(_jinja("games/play/table.jinja").render(context))


def headline(table: Table) -> str:
    """Return what is asked of the viewer now, or whom the match waits for, in a few words."""
    words: Callable[[Table], str] = _jinja(f"games/{table['game']}/log.jinja").template.module.headline
    said = " ".join(strip_tags(words(table)).split())  # the page's own shows shapes as well
    return SafeString(
        f"{_('Voided')} · {said}" if table["voided"] and table["ending"] != "called_off" else said
    )


def _jinja(name: str) -> Any:
    return engines["jinja"].get_template(name)


_MOVE = ("seat", "move", "draws", "at")


def record_of(match: Match, seats: Sequence[Seat]) -> dict[str, Any]:
    """Return the record of a match (spec: engine.md, The record).

    Seed and outcome only after its end, and so the moves of a game that keeps secrets.
    """
    ended = match.status == Match.Status.ENDED
    whole = _whole_record(match, seats)
    if ended:
        return whole
    closed = [reseed | {"seed": None} for reseed in whole["reseeds"]]
    secret: dict[str, Any] = {"moves": [], "setup_draws": []} if match.game.secret else {}
    return whole | {"seed": None, "nonces": [], "reseeds": closed} | secret


def _whole_record(match: Match, seats: Sequence[Seat]) -> dict[str, Any]:
    rows = match.log.order_by("number").values_list("number", *_MOVE)
    first, *later = match.seeds
    return {
        "format": FORMAT,
        "game": match.game_slug,
        "rules_version": match.rules_version,
        "seats": match.size,
        "options": match.options,
        "commitment": commit(first[1]),
        "seed": first[1].hex(),
        "nonces": [seat.nonce for seat in seats],
        "setup_draws": match.setup_draws,
        "moves": [{"n": number, **dict(zip(_MOVE, rest, strict=True))} for number, *rest in rows],
        "outcome": match.outcome,
        "match": f"{settings.SITE_URL}/matches/{match.pk}/",
        "reseeds": [
            {"after": after, "commitment": commit(seed), "seed": seed.hex()} for after, seed in later
        ],
    }


def state_at(match: Match, seats: Sequence[Seat], step: int) -> Any:
    """Return the state after turn `step` (0: after the setup), rebuilt from the recorded draws."""
    record = _whole_record(match, seats)
    record["moves"] = record["moves"][:step]
    return replay(record | {"outcome": None}, get_game)
