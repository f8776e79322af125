"""Live tables: before the start each says that they are here; whoever has gone makes room, or the table closes."""

from collections.abc import Callable
from datetime import timedelta

import structlog
from django.db import transaction

from config.lib import clock
from games import broadcast
from games.models import Heartbeat, Kind, Match, Seat
from games.queries.readable import known
from games.services.clocks import outages
from games.services.lobby.closing import SAY_WITHIN, end_open_match, get_up, save_open_match
from games.services.mail.notices import note
from games.services.play import presence
from games.services.play.locking import Person, lock_match, seat_of
from games.services.refusals import NotOpen
from games.time_controls import TIME_CONTROLS

log = structlog.get_logger(__name__)
GONE_AFTER = timedelta(minutes=10)  # without an open page, at a live table that has not begun
LIVE = [slug for slug, pace in TIME_CONTROLS.items() if pace.is_live]
BATCH = 100


def say_here(*, match_id: int, user: Person) -> None:
    """Say that one is here; the last to do so starts the match. Twice is harmless. NotOpen, NotYourSeat."""
    with transaction.atomic():
        match, seats = lock_match(match_id)
        seat = seat_of(seats, user)
        if match.status == Match.Status.ENDED:
            raise NotOpen
        if seat.ready_by is None:
            return
        seat.ready_by = None
        seat.save(update_fields=["ready_by"])
        save_open_match(match, seats)


def free_silent_seats(*, match_id: int) -> bool:
    """Take whoever has not said in time that they are here off the seat; return whether somebody was.

    Whom the web server did not answer within the minute has another.
    """
    with transaction.atomic():
        match, seats = lock_match(match_id)
        now = clock.now()
        silent = [seat for seat in seats if seat.ready_by is not None and seat.ready_by <= now]
        if match.status != Match.Status.OPEN or not silent:
            return False
        if _was_away_within(SAY_WITHIN):
            _ask_again(match, seats)
            return False
        get_up(match, seats, silent)
    return True


def _ask_again(match: Match, seats: list[Seat]) -> None:
    for seat in seats:
        if seat.ready_by is not None:
            seat.ready_by = clock.now() + SAY_WITHIN
            seat.save(update_fields=["ready_by"])
    save_open_match(match, seats)
    broadcast.here_asked(match.pk, after=SAY_WITHIN.total_seconds())


def tend_live_tables() -> int:
    """Do what time has made due at live tables that have not begun; return at how many. One failure stops none."""
    overdue = Seat.objects.filter(known("match__"), ready_by__lte=clock.now()).values_list("match_id", flat=True)
    done = sum(_tended(free_silent_seats, match_id) for match_id in list(dict.fromkeys(overdue))[:BATCH])
    if not _was_away_within(GONE_AFTER) and presence.has_watched(clock.now() - GONE_AFTER):
        live = Match.objects.filter(known(), status=Match.Status.OPEN, pace_slug__in=LIVE)
        old = live.filter(joined_at__lt=clock.now() - GONE_AFTER).order_by("joined_at")
        done += sum(_tended(clear_deserted, match_id) for match_id in old.values_list("pk", flat=True)[:BATCH])
    return done


def _tended(what: Callable[..., bool], match_id: int) -> bool:
    try:
        return what(match_id=match_id)
    except Exception:
        log.exception("live table not tended", match=match_id)
        return False


def _was_away_within(span: timedelta) -> bool:
    """Return whether the web server has been away within this last span: then whoever is silent may be here."""
    web = Heartbeat.objects.filter(name=outages.WEB).first()
    now = clock.now()
    return web is None or now - web.at >= outages.GAP_AFTER or now - web.since <= span


def clear_deserted(*, match_id: int) -> bool:
    """Let whoever has gone from a live table make room; it closes when nobody is here. Return whether it changed."""
    with transaction.atomic():
        match, seats = lock_match(match_id)
        people = [seat for seat in seats if seat.is_in]
        members = [seat.user_id for seat in people if seat.user_id is not None]
        here = presence.lately_here(members, clock.now() - GONE_AFTER)
        gone = [seat for seat in people if seat.user_id not in here]
        if match.status != Match.Status.OPEN or not gone:
            return False
        if here:
            get_up(match, seats, gone)
        else:
            end_open_match(match, Match.Ending.LAPSED)
            save_open_match(match, seats)
            note(match, Kind.LAPSED, members)
    return True
