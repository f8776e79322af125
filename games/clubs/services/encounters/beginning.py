"""The sweep of encounters: what lapses, who is reminded, what begins at its hour, once (spec: clubs.md)."""

from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import User
from accounts.queries import blocks_among
from config.lib import clock, sql
from games.clubs import encounters
from games.clubs.models import Board, BoardSeat, Encounter, EncounterNews, Lineup
from games.clubs.seating import tables
from games.clubs.services.encounters import notices, summing
from games.clubs.services.encounters.challenging import call_off
from games.clubs.services.encounters.lining_up import lineup
from games.clubs.services.encounters.locking import lock
from games.engine import SeededChance, mix

STATE, NEWS = Encounter.State, EncounterNews.Kind
LAST_DAY = timedelta(days=1)
ASIDE = timedelta(minutes=10)  # for which one that failed is left alone


def due() -> QuerySet[Encounter]:
    """Return the encounters at which something is to be done, but those set aside; found without a lock."""
    now = clock.now()
    alone = Q(challenger=None) | Q(challenged=None)
    early = Q(state=STATE.OFFERED) & (Q(answer_by__lte=now) | alone)
    later = Q(begins_at__lte=now) | alone | Q(reminded=False, begins_at__lte=now + LAST_DAY)
    boards = Board.objects.filter(encounter=OuterRef("pk"))
    over = Q(~Exists(boards.filter(state__in=encounters.UNSETTLED)), state=STATE.RUNNING)
    changed = Q(Exists(boards.filter(changed=True)), state__in=(STATE.RUNNING, STATE.OVER))
    found = Encounter.objects.filter(early | Q(later, state=STATE.ACCEPTED) | over | changed)
    return found.exclude(troubled_at__gt=now - ASIDE)


def tend(encounter_id: int) -> None:
    """Do what is due at an encounter; twice at once is once, as whoever comes second finds nothing left."""
    with transaction.atomic():
        encounter = lock(encounter_id)
        now = clock.now()
        if encounter.state == STATE.OFFERED:
            if None in encounter.sides or encounter.answer_by <= now:
                _lapse(encounter)
        elif encounter.state == STATE.ACCEPTED:
            _look_at_accepted(encounter)
        elif encounter.state in (STATE.RUNNING, STATE.OVER):
            summing.sum_up(encounter)


def _lapse(encounter: Encounter) -> None:
    """End a challenge that was not answered in time, or of which a club is gone; the challengers are told."""
    encounter.state, encounter.ended_at = STATE.LAPSED, clock.now()
    encounter.save(update_fields=["state", "ended_at"])
    notices.forget(encounter, NEWS.CHALLENGED)
    notices.tell(encounter, NEWS.LAPSED, encounters.organisers([encounter.challenger_id]))


def _look_at_accepted(encounter: Encounter) -> None:
    now = clock.now()
    if None in encounter.sides:
        call_off(encounter)
    elif encounter.begins_at <= now:
        begin(encounter)
    elif not encounter.reminded and encounter.begins_at - LAST_DAY <= now:
        encounter.reminded = True
        encounter.save(update_fields=["reminded"])
        notices.tell(encounter, NEWS.LAST_DAY, encounters.organisers(encounter.sides))


def begin(encounter: Encounter) -> None:
    """Plan all tables of a locked encounter out of both line-ups, or call it off if there is not even one."""
    asked = Lineup.objects.filter(encounter=encounter, plays=True, user__isnull=False).values_list("user", flat=True)
    there = sql.kept(User, [pk for pk in asked if pk])  # first: who closes an account now is waited for
    sides = [[row for row in lineup(encounter, side) if row.user_id in there] for side in encounters.SIDES]
    rows = {row.user_id or 0: row for side in sides for row in side}
    people = ([row.user_id or 0 for row in sides[0]], [row.user_id or 0 for row in sides[1]])
    first = first_side(encounter)
    planned = tables(people, encounter.a_side, encounter.most_tables, first, blocks_among(rows))
    if not planned:
        call_off(encounter)
        return
    boards = [Board(encounter=encounter, number=number) for number in range(1, len(planned) + 1)]
    Board.objects.bulk_create(boards)
    seats = [
        BoardSeat(board=board, player=rows[who], seat=seat)
        for board, table in zip(boards, planned, strict=True)
        for seat, who in enumerate(table)
    ]
    BoardSeat.objects.bulk_create(seats)
    encounter.state, encounter.began_at, encounter.first = STATE.RUNNING, clock.now(), first
    encounter.save(update_fields=["state", "began_at", "first"])
    EncounterNews.objects.filter(encounter=encounter).delete()


def first_side(encounter: Encounter) -> int:
    """Return which side has the first seat at table 1: by lot, which follows from the secret committed to."""
    return SeededChance(mix(bytes(encounter.server_seed), ["first seat"])).roll(1, 2)[0] - 1


def put_aside(encounter_id: int, error: Exception) -> None:
    """Leave an encounter alone for a while, shown to the admins, so that it stops no other."""
    trouble = type(error).__name__  # the message may reveal secrets
    Encounter.objects.filter(pk=encounter_id).update(troubled_at=clock.now(), trouble=trouble)


def release(encounter_id: int) -> None:
    """Note that no sweep fails at it any more."""
    Encounter.objects.filter(pk=encounter_id, troubled_at__isnull=False).update(troubled_at=None, trouble="")
