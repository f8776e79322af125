"""The sweep of a ladder: results, challenges that were not answered, who falls, who is off (spec: ladders.md)."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.module_loading import import_string

from config.lib import clock
from games.ladders import queries
from games.ladders.models import Challenge, Change, Climber, Ladder, News
from games.ladders.services import places
from games.ladders.services.challenging import give_place, is_apart, part
from games.ladders.services.locking import lock
from games.ladders.services.standing import IDLE_FROM, end_pause, take_off, told
from games.models import Outage
from games.services.clocks import outages

STATE = Challenge.State
A_WEEK, GONE_AFTER = timedelta(days=7), timedelta(days=90)
LAST_DAY = timedelta(days=1)
BATCH = 100  # of each kind in a run, so that one ladder holds up no other


def due() -> list[int]:
    """Return the ladders at which something is to be done, found without a lock."""
    now = clock.now()
    found = {
        *_over().values_list("ladder", flat=True),
        *_to_answer(now).values_list("ladder", flat=True),
        *queries.apart().values_list("ladder", flat=True),
        *_to_fall(now).values_list("ladder", flat=True),
        *_paused_until(now).values_list("ladder", flat=True),
        *_gone().values_list("ladder", flat=True),
    }
    if last := Outage.objects.order_by("-pk").values_list("pk", flat=True).first():
        found.update(Ladder.objects.filter(outage__lt=last).values_list("pk", flat=True))
    return sorted(found)


def tend(ladder_id: int) -> None:
    """Do what is due at a ladder; twice at once is once, as whoever comes second finds nothing left."""
    until = outages.decided_until()
    with transaction.atomic():
        ladder = lock(ladder_id)
        _each(_over().filter(ladder=ladder), _settle)
        _each(_gone().filter(ladder=ladder).order_by("-place"), partial(take_off, why=Change.Kind.LEFT))
        _each(queries.apart().filter(ladder=ladder), _part)
        _each(_paused_until(clock.now()).filter(ladder=ladder), end_pause)
        if until is not None:
            answers, falls = _to_answer(until).filter(ladder=ladder), _to_fall(until).filter(ladder=ladder)
            _each(answers.order_by("answer_by"), partial(_look_at_answer, until=until))
            _each(falls.order_by("place"), partial(_look_at_idle, until=until))


def count_due(until: datetime) -> int:
    """Return how many challenges would lapse by the clock, and members fall; a hook of games (ALSO_DUE)."""
    rows = Challenge.objects.filter(answer_by__lte=until, state=STATE.OPEN).select_related("challenged__user")
    lapsing = sum(queries.lapses_at(row) <= until for row in rows)
    idle = _to_fall(until).select_related("user")
    return lapsing + sum(_falls_at(row) <= until and not queries.is_playing(row) for row in idle)


def _falls_at(climber: Climber) -> datetime:
    return queries.idle_until(climber, IDLE_FROM + climber.falls * A_WEEK)


def _each(rows: QuerySet[Any], act: Callable[[Any], object]) -> None:
    """Act for each of these, as it stands then; a challenge that the end of its match just writes is passed over."""
    done = 0
    for pk in list(rows.values_list("pk", flat=True)):
        found = rows.model._default_manager.filter(pk=pk)
        if rows.model is Challenge:
            found = found.select_for_update(skip_locked=True, of=("self",), no_key=True)
            found = found.select_related("challenger__user", "challenged__user")
        else:
            found = found.select_related("user")
        row = found.first()
        done += row is not None and act(row) is not False
        if done == BATCH:
            return


def _over() -> QuerySet[Challenge]:
    return Challenge.objects.filter(state__in=(STATE.WON, STATE.HELD, STATE.VOID), settled_at=None)


def _settle(challenge: Challenge) -> None:
    """Let a match that is over count, once: who played is not idle, and who won rises."""
    challenge.settled_at = clock.now()
    if challenge.state != STATE.VOID:
        for climber in (challenge.challenger, challenge.challenged):
            _has_played(climber)
    if challenge.state == STATE.WON and challenge.counts and not challenge.moved:
        give_place(challenge, Change.Kind.WON)
    else:
        challenge.save(update_fields=["settled_at"])


def _has_played(climber: Climber) -> None:
    climber.idle_since = clock.now()
    climber.falls, climber.falls_at = 0, climber.idle_since + IDLE_FROM
    climber.save(update_fields=["idle_since", "falls", "falls_at"])


def _to_answer(until: datetime) -> QuerySet[Challenge]:
    """Return the open challenges whose time is over, or whose last day has begun, days off apart."""
    last_day = Q(reminded=False, answer_by__lte=until + LAST_DAY)
    return Challenge.objects.filter(last_day | Q(answer_by__lte=until), state=STATE.OPEN)


def _look_at_answer(challenge: Challenge, until: datetime) -> bool:
    """Let a challenge lapse, or remind of it; return whether either was due, as days off may put it off."""
    if challenge.state != STATE.OPEN:
        return False
    if queries.lapses_at(challenge) <= until:
        _lapse(challenge)
        return True
    if challenge.reminded or queries.ends_at(challenge) - LAST_DAY > until:
        return False
    challenge.reminded = True
    challenge.save(update_fields=["reminded"])
    News.objects.create(climber=challenge.challenged, kind=News.Kind.LAST_DAY, challenge=challenge)
    return True


def _lapse(challenge: Challenge) -> None:
    """Let a challenge that was not answered end as a win."""
    if is_apart(challenge):
        part(challenge)
        return
    challenge.state = STATE.LAPSED
    News.objects.filter(challenge=challenge).delete()
    give_place(challenge, Change.Kind.LAPSED)
    if challenge.moved:
        News.objects.create(climber=challenge.challenger, kind=News.Kind.RISEN, challenge=challenge)
        News.objects.create(climber=challenge.challenged, kind=News.Kind.LAPSED, challenge=challenge)
    told(challenge)


def _part(challenge: Challenge) -> None:
    if challenge.state == STATE.OPEN:
        part(challenge)


def _gone() -> QuerySet[Climber]:
    """Return who stands on a ladder, and has closed their account or may not play."""
    barred = import_string(settings.WHO_IS_BARRED)()
    gone = Q(user=None) | Q(user__is_active=False) | Q(user__in=barred)
    return Climber.objects.filter(gone, place__isnull=False)


def _paused_until(now: datetime) -> QuerySet[Climber]:
    return Climber.objects.filter(paused_at__isnull=False, paused_until__lte=now)


def _to_fall(now: datetime) -> QuerySet[Climber]:
    return Climber.objects.filter(place__isnull=False, paused_at=None, falls_at__lte=now)


def _look_at_idle(climber: Climber, until: datetime) -> None:
    if climber.place is None or climber.falls_at > until:
        return
    if queries.is_playing(climber):
        _has_played(climber)
    elif queries.idle_until(climber, GONE_AFTER) <= until:
        take_off(climber, Change.Kind.ABSENT)
        News.objects.create(climber=climber, kind=News.Kind.ABSENT)
    else:
        _fall(climber, until)


def _fall(climber: Climber, until: datetime) -> None:
    """Let somebody who is idle fall one place, unless days off put it off; once a week."""
    now_due = _falls_at(climber)
    if now_due > until:
        climber.falls_at = now_due
    else:
        climber.falls += 1
        climber.falls_at = max(_falls_at(climber), until)
        _fall_behind(climber)
    climber.save(update_fields=["falls", "falls_at"])


def _fall_behind(climber: Climber) -> None:
    before = climber.place or 0
    below = Climber.objects.filter(ladder=climber.ladder_id, place=before + 1).first()
    if below is None or _is_idle(below):
        return
    places.move(climber, before + 1)
    places.note(climber, Change.Kind.FELL, before=before, other=below)


def _is_idle(climber: Climber) -> bool:
    """Return whether somebody has played as little as those who fall."""
    if climber.is_paused or queries.is_playing(climber):
        return False
    return queries.idle_until(climber, IDLE_FROM) <= clock.now()
