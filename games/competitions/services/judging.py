"""The limit of a round: bots finish for whoever holds a table up, or the points count as they stand."""

from datetime import datetime, timedelta

import structlog
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import User
from config.lib import clock
from games.competitions.models import Correction, Place, Round, Table, Tournament
from games.competitions.services import calls, notices
from games.competitions.services.aside import left_alone, put_aside
from games.competitions.services.locking import changed, lock
from games.competitions.services.results import is_away, ranks_of
from games.models import Match, Seat
from games.services.clocks import outages
from games.services.play.forfeit import BOT_AFTER_TIME_OUT, forfeit
from games.services.play.locking import lock_match
from games.services.play.moves import resume

log = structlog.get_logger(__name__)
GRACE, GRACE_LIVE = timedelta(hours=1), timedelta(minutes=2)  # for a move that is asked for about the limit
LAST_DAY = timedelta(days=1)
BATCH = 100  # tables in a run


def judge_due() -> None:
    """Decide tables whose round is past its limit; none while it is open how long the site was down, or the fuse holds.

    What an outage took is given to the limits first.
    """
    until = outages.judged_until()
    if until is None:
        return
    for tournament_id in Round.objects.filter(ended_at=None, ends_at__lte=until).values_list("tournament", flat=True):
        with transaction.atomic():
            lock(tournament_id)
    if outages.stopped_sweep() is not None:
        return
    failed = set()
    for table in late(until).select_related("round__tournament").order_by("round__ends_at", "pk")[:BATCH]:
        tournament = table.round.tournament_id
        try:
            if tournament not in failed:
                judge(table, until)
        except Exception as error:
            log.exception("table not decided", table=table.pk)
            failed.add(tournament)
            put_aside(tournament, error)


def late(until: datetime) -> QuerySet[Table]:
    """Return the running tables past their limit about which something is to be done.

    Others are none of a run's: where bots finish, one may go on for days, and would keep those behind it waiting.
    """
    asked = Seat.objects.filter(match=OuterRef("match"), ask__isnull=False, bot="")
    held_up = asked.filter(asked_at__lte=until - GRACE)
    found = Table.objects.filter(round__ended_at=None, round__ends_at__lte=until, state=Table.State.RUNNING)
    found = found.exclude(round__tournament__format=Tournament.Format.ARENA)  # live clocks end these
    found = found.exclude(left_alone("round__tournament__"))
    return found.filter(Q(round__tournament__judge=Tournament.Judge.STANDING) | Exists(held_up))


def judge(table: Table, until: datetime, *, by: User | None = None, reason: str = "") -> None:
    """Decide a running table by the rule that was announced; `by` somebody before the limit, or the site at it."""
    tournament = table.round.tournament
    if tournament.judge == Tournament.Judge.STANDING:
        _count_as_it_stands(table, by, reason)
    else:
        _let_bots_finish(table, until, tournament, by, reason)


def _count_as_it_stands(table: Table, by: User | None, reason: str) -> None:
    with transaction.atomic():
        match, seats = lock_match(table.match_id or 0)
        now = Table.objects.select_for_update(no_key=True).get(pk=table.pk)
        if now.state != Table.State.RUNNING:
            return
        places = list(Place.objects.filter(table=table).order_by("seat"))
        points = match.game.progress(match.game.load(bytes(match.state or b""))) or [0] * len(places)
        ranks = ranks_of(seats, [-point for point in points])
        for place, seat in zip(places, seats, strict=True):
            place.rank, place.score = ranks[seat.number], points[seat.number]
            place.away = is_away(seat)
        Place.objects.bulk_update(places, ["rank", "score", "away"])
        now.state = Table.State.JUDGED
        now.save(update_fields=["state"])
        calls.tell(table.round.tournament_id, "table", table.pk)
        _note(table, by, reason)


def _let_bots_finish(table: Table, until: datetime, tournament: Tournament, by: User | None, reason: str) -> None:
    """Replace whoever has been to move for an hour, past the limit, by a bot; a pause ends.

    Else whoever moved in the last minute before it had the other lose the match.
    """
    with transaction.atomic():
        match, seats = lock_match(table.match_id or 0)
        if match.status != Match.Status.RUNNING:
            return
        if match.paused_at is not None:
            resume(match, [seat for seat in seats if seat.is_in])
        grace = GRACE_LIVE if match.pace.is_live else GRACE
        slow = [seat for seat in seats if seat.is_in and _is_late(seat, until, grace, at_once=by is not None)]
        for seat in slow:
            if match.status == Match.Status.RUNNING:
                seat.absent, seat.left_at = True, match.turns + match.game.secret
                forfeit(match, seats, seat, bot=BOT_AFTER_TIME_OUT, ending=Match.Ending.TIMED_OUT)
        if slow:
            _note(table, by, reason)


def _is_late(seat: Seat, until: datetime, grace: timedelta, *, at_once: bool) -> bool:
    if seat.asked_at is None:
        return False
    return at_once or seat.asked_at + grace <= until


def _note(table: Table, by: User | None, reason: str) -> None:
    about = {"tournament": table.round.tournament, "kind": Correction.Kind.JUDGED, "table": table}
    if by is not None or not Correction.objects.filter(**about).exists():
        Correction.objects.create(**about, by=by, reason=reason)
        changed(table.round.tournament_id)


def tell_of_last_day() -> None:
    """Tell who is to move at a running table that its round ends within a day, once a round."""
    if outages.stopped_sweep() is not None:
        return
    soon = Round.objects.filter(ended_at=None, last_day_told=False, ends_at__lte=clock.now() + LAST_DAY)
    for round_id in soon.exclude(tournament__format=Tournament.Format.ARENA).values_list("pk", flat=True)[:BATCH]:
        with transaction.atomic():
            if Round.objects.filter(pk=round_id, last_day_told=False).update(last_day_told=True):
                notices.tell_last_day(Round.objects.select_related("tournament").get(pk=round_id))
