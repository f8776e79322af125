"""Rounds: begins a tournament at its hour, draws each round once, and ends it after the last (spec: tournaments.md)."""

from collections import Counter
from collections.abc import Iterable

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from accounts.models import User
from config.lib import clock
from games import broadcast
from games.competitions import queries
from games.competitions.models import Correction, Entrant, Offer, Place, Round, Table, Tournament
from games.competitions.pairing import draw, with_lots
from games.competitions.services import calls, notices
from games.competitions.services.locking import changed, current, lock
from games.engine import SeededChance, mix
from games.services.clocks import outages
from games.services.hooks import barred_among, check_taking_part, ratings_of, seeds_of
from games.services.refusals import Refused

STATE = Tournament.State


def due() -> QuerySet[Tournament]:
    """Return the tournaments that are to begin, or whose running round is over, or was never drawn."""
    unended = Round.objects.filter(tournament=OuterRef("pk"), ended_at=None)
    waiting = unended.filter(Exists(Table.objects.filter(round=OuterRef("pk"), state__in=queries.UNSETTLED)))
    to_begin = Q(state=STATE.OPEN, begins_at__lte=clock.now())
    to_go_on = Q(~Exists(waiting), state=STATE.RUNNING) & ~Q(format=Tournament.Format.ARENA)
    return Tournament.objects.filter(to_begin | to_go_on)


def tend(tournament_id: int) -> None:
    """Begin the tournament if it is time, or end its round and draw the next; twice at once is once."""
    with transaction.atomic():
        found = Tournament.objects.filter(pk=tournament_id).first()
        if found is None:
            return
        tournament = lock(tournament_id)
        until = outages.decided_until()  # nobody could sign up while the site was away, or its clock is in doubt
        if tournament.state == STATE.OPEN and until is not None and tournament.begins_at <= until:
            begin(tournament)
        elif tournament.state == STATE.RUNNING and not tournament.is_arena:
            _go_on(tournament)


def begin(tournament: Tournament) -> None:
    """Begin a locked tournament, or cancel it if too few have come."""
    entrants = leave_who_may_not(tournament)
    if len(entrants) < tournament.least:
        cancel(tournament, by=None, reason="")
        return
    members = [entrant.user_id or 0 for entrant in entrants]
    points = ratings_of(tournament.game_slug, members) | seeds_of(tournament, members)
    lots = {one.number: one.lot for one in with_lots(queries.field_of(tournament), chance_of(tournament, 0))}
    for entrant in entrants:
        entrant.strength, entrant.lot = points.get(entrant.user_id or 0, 0), lots[entrant.number]
    Entrant.objects.bulk_update(entrants, ["strength", "lot"])
    tournament.state, tournament.began_at = STATE.RUNNING, clock.now()
    tournament.save(update_fields=["state", "began_at"])
    changed(tournament.pk)
    if not tournament.is_arena:
        _draw(tournament, 1)


def _go_on(tournament: Tournament) -> None:
    last = current(tournament)
    if last is not None:
        if last.ended_at is None and Table.objects.filter(round=last, state__in=queries.UNSETTLED).exists():
            return
        if last.ended_at is None:
            last.ended_at = clock.now()
            last.save(update_fields=["ended_at"])
    leave_who_ran_out(tournament)
    leave_who_may_not(tournament)
    _draw(tournament, last.number + 1 if last else 1)


def _draw(tournament: Tournament, number: int) -> None:
    """Draw the round of this number, or end the tournament if there is none, and no match was reopened meanwhile.

    Who is asked to take a place, and has not answered yet, comes late.
    """
    lapse_offers(tournament)
    tables = draw(
        queries.plan_of(tournament),
        queries.field_of(tournament),
        queries.results_of(tournament),
        queries.apart(tournament),
        chance_of(tournament, number),
    )
    if tables is None:
        if not Table.objects.filter(round__tournament=tournament, state__in=queries.UNSETTLED).exists():
            end(tournament)
        return
    add_round(tournament, number, tables)


def lapse_offers(tournament: Tournament) -> None:
    """Ask nobody any more to take a place in a locked tournament."""
    offers = Offer.objects.filter(tournament=tournament, state=Offer.State.OPEN)
    people = list(offers.values_list("user", flat=True))
    offers.update(state=Offer.State.LAPSED, to_tell=False)
    broadcast.questions_changed(people)


def chance_of(tournament: Tournament, number: int) -> SeededChance:
    """Return the chance by which this round is drawn, 0 for the lots: it follows from the seed committed to."""
    return SeededChance(mix(bytes(tournament.server_seed), [f"round {number}"]))


def lot_of(tournament: Tournament, number: int) -> int:
    """Return the lot of whoever comes after it has begun, by their number: of the same chance, among all numbers."""
    return 1 + SeededChance(mix(bytes(tournament.server_seed), [f"lot {number}"])).shuffle(number)[0]


def add_round(tournament: Tournament, number: int, tables: Iterable[tuple[int, ...]]) -> Round:
    """Add a round with these tables, whose matches are opened next; who sits alone has a bye."""
    now = clock.now()
    ends_at = now + tournament.round_span
    if tournament.is_arena and tournament.began_at:
        ends_at = tournament.began_at + tournament.round_span
    added = Round.objects.create(tournament=tournament, number=number, drawn_at=now, ends_at=ends_at)
    by_number = {one.number: one for one in Entrant.objects.filter(tournament=tournament)}
    rows, places, seen = [], [], Counter[frozenset[int]]()
    for number_of_table, table in enumerate(tables, 1):
        seen[frozenset(table)] += 1  # a group plays several matches
        bye = len(table) == 1
        state = Table.State.OVER if bye else Table.State.PLANNED
        row = Table(round=added, number=number_of_table, leg=seen[frozenset(table)], state=state)
        rows.append(row)
        places += [
            Place(table=row, round=added, leg=row.leg, seat=seat, entrant=by_number[entrant], rank=1 if bye else None)
            for seat, entrant in enumerate(table)
        ]
    Table.objects.bulk_create(rows)
    Place.objects.bulk_create(places)
    changed(tournament.pk)
    calls.tell(tournament.pk, "round", number)
    broadcast.tournaments_waiting()
    return added


def leave_who_ran_out(tournament: Tournament) -> None:
    """Note who ran out of time for good at a table of the last round: they are not seated again."""
    last = current(tournament)
    theirs = {"table__match__seats__number": F("seat"), "entrant__left": ""}
    absent = Q(table__match__seats__absent=True) | Q(table__match__seats__substituted=True)
    for place in Place.objects.filter(absent, round=last, **theirs).select_related("entrant"):
        leave(place.entrant, Entrant.Left.TIMED_OUT)


def leave_who_may_not(tournament: Tournament) -> list[Entrant]:
    """Note who closed their account, or may not join tables any more; return who takes part."""
    entrants = Entrant.objects.filter(tournament=tournament, left="").select_related("user").order_by("number")
    barred, staying = barred_among([entrant.user_id for entrant in entrants if entrant.user_id]), []
    for entrant in entrants:
        entrant.tournament = tournament
        if entrant.user is None:
            leave(entrant, Entrant.Left.CLOSED)
        elif not entrant.user.is_active or entrant.user_id in barred:
            leave(entrant, Entrant.Left.BARRED)
        else:
            staying.append(entrant)
    return staying


def leave(entrant: Entrant, why: Entrant.Left, *, by: User | None = None, reason: str = "") -> None:
    """Seat an entrant of a locked tournament no more; what they have reached stands, and everybody reads it."""
    entrant.left, entrant.left_at, entrant.ready_at = why, clock.now(), None
    entrant.save(update_fields=["left", "left_at", "ready_at"])
    changed(entrant.tournament_id)
    if entrant.tournament.state == STATE.RUNNING:
        kind = Correction.Kind.LEFT
        Correction.objects.create(tournament=entrant.tournament, kind=kind, by=by, entrant=entrant, reason=reason)


def is_barred(member: User) -> bool:
    """Return whether a sanction keeps the member from new tables."""
    try:
        check_taking_part(member)
    except Refused:
        return True
    return False


def end(tournament: Tournament) -> None:
    """End a locked tournament that has had its last round."""
    tournament.state, tournament.ended_at = STATE.OVER, clock.now()
    tournament.save(update_fields=["state", "ended_at"])
    lapse_offers(tournament)
    changed(tournament.pk)
    notices.tell_over(tournament)
    calls.tell(tournament.pk, "over")


def cancel(tournament: Tournament, *, by: User | None, reason: str) -> None:
    """Cancel a locked tournament; its running matches go on as matches of their own."""
    tournament.state, tournament.ended_at = STATE.CANCELLED, clock.now()
    tournament.save(update_fields=["state", "ended_at"])
    kind = Correction.Kind.CANCELLED
    Correction.objects.create(tournament=tournament, kind=kind, by=by, reason=reason)
    lapse_offers(tournament)
    changed(tournament.pk)
    notices.tell_cancelled(tournament, by)
    calls.tell(tournament.pk, "cancelled")
