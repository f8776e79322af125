"""Tournaments in one evening: whoever waits is seated, until the time is up (spec: tournaments.md)."""

from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet

from accounts.queries import blocks_among
from config.lib import clock
from games.competitions import queries
from games.competitions.models import Entrant, Round, Table, Tournament
from games.competitions.pairing import sit
from games.competitions.services.locking import current, lock
from games.competitions.services.rounds import add_round, chance_of, end
from games.services.clocks import outages

READY_FOR = timedelta(minutes=15)  # after which one says again that one is there


def running() -> QuerySet[Tournament]:
    """Return the arenas that run."""
    return Tournament.objects.filter(state=Tournament.State.RUNNING, format=Tournament.Format.ARENA)


def seat_waiting(tournament_id: int) -> int:
    """Seat those who wait, if a table can be filled; end the arena once it is over. Return how many tables began."""
    with transaction.atomic():
        tournament = lock(tournament_id)
        if tournament.state != Tournament.State.RUNNING or not tournament.is_arena or tournament.began_at is None:
            return 0
        if clock.now() >= tournament.began_at + tournament.round_span:
            until = outages.decided_until()
            if until is not None and until >= tournament.began_at + tournament.round_span:
                _end_if_over(tournament)
            return 0
        _pause_who_waited_long(tournament)
        waiting = list(
            Entrant.objects.filter(tournament=tournament, ready_at__isnull=False, left="", user__isnull=False)
            .exclude(places__table__state__in=queries.UNSETTLED)
            .order_by("ready_at", "number")
        )
        last = current(tournament)
        number = last.number + 1 if last else 1
        tables = sit(
            queries.plan_of(tournament),
            [entrant.number for entrant in waiting],
            queries.results_of(tournament),
            _apart(waiting),
            chance_of(tournament, number),
        )
        if not tables:
            return 0
        seated = [entrant for table in tables for entrant in table]
        Entrant.objects.filter(tournament=tournament, number__in=seated).update(ready_at=None)
        Round.objects.filter(tournament=tournament, ended_at=None).exclude(tables__state__in=queries.UNSETTLED).update(
            ended_at=clock.now()
        )
        add_round(tournament, number, tables)
    return len(tables)


def _pause_who_waited_long(tournament: Tournament) -> None:
    """Let those pause who have not said for a while that they are ready: their clocks would run without them."""
    long_ago = clock.now() - READY_FOR
    Entrant.objects.filter(tournament=tournament, ready_at__lt=long_ago).update(ready_at=None)


def _apart(waiting: list[Entrant]) -> set[frozenset[int]]:
    numbers = {entrant.user_id or 0: entrant.number for entrant in waiting}
    return {frozenset(numbers[person] for person in pair) for pair in blocks_among(numbers)}


def _end_if_over(tournament: Tournament) -> None:
    """End an arena whose time is up once its last table is over."""
    if Table.objects.filter(round__tournament=tournament, state__in=queries.UNSETTLED).exists():
        return
    Round.objects.filter(tournament=tournament, ended_at=None).update(ended_at=clock.now())
    end(tournament)
