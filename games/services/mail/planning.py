"""Which mails are due: each candidate is checked again under a lock, and the mails are kept as rows."""

import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet

from accounts.models import User
from accounts.services import visits
from config.lib import clock
from games import broadcast
from games.models import ASKING, TOPIC_OF, Kind, Mail, Notice, Seat, unheard
from games.services import channel_order
from games.services.hooks import digest_due
from games.services.mail.candidates import (
    LAST_CALL,
    MS,
    READERS,
    SETTLED,
    UNSENT,
    candidates,
    digest_day,
    is_visiting,
    may_be_mailed,
    open_seats,
)
from games.services.mail.notices import heard_of, written
from games.services.push import devices
from games.services.push.planning import STUCK_AFTER, UNDER_WAY, reads_mail, stuck

log = structlog.get_logger(__name__)

BETWEEN = timedelta(minutes=10)  # two mails, reminders apart, to somebody who has not come
APART = timedelta(minutes=30)  # between two mails about one match
REMINDERS_APART = timedelta(hours=2)
QUARTER_OF_MS = timedelta(microseconds=250)  # a quarter of each millisecond of the bank
SWEEP_SECONDS = 15.0
WHOLE_EVERY = timedelta(minutes=5)  # between two looks at all open questions; in between, at what is new
LOOKED, LAST_LOOK = "mails-looked", 60  # seconds: who is killed at it leaves it to the next
REMINDERS = (Kind.REMINDER, Kind.REMINDER2)
NUDGES = (Kind.MENTIONED, Kind.SAID, Kind.PROPOSED, Kind.REFUSED)  # by which others may be pressing
REACHED = "mails-reached"  # the member with whom the last sweep ended


def is_time_for_all() -> bool:
    """Return whether the next sweep is to look at all, and note so for as long as that takes; yes without Redis."""
    return bool(cache.add(LOOKED, 1, LAST_LOOK))


def sweep(*, whole: bool = True) -> int:
    """Create the mails due now; return how many. It starts after the member where the last sweep ended.

    Unless it looks at the `whole`, it finds what came since the last look at all: with a million open questions that
    takes seconds. What could not be mailed then, to somebody who was here or asleep, waits for the next.
    """
    made, reached, end = 0, None, 0.0
    for user in candidates(clock.now(), after=cache.get(REACHED, 0), whole=whole):
        reached, end = user.pk, end or time.monotonic() + SWEEP_SECONDS  # the look itself is not counted
        try:
            made += plan_mails_for(user.pk)
        except IntegrityError:  # another worker was faster
            log.info("told already", member=user.pk)
        except Exception:
            log.exception("mails not made", member=user.pk)
        if time.monotonic() > end:
            if whole:
                cache.delete(LOOKED)  # the next goes on at once
            break
    else:
        if whole:
            cache.set(LOOKED, 1, WHOLE_EVERY.total_seconds())
    if reached is not None:
        cache.set(REACHED, reached)
    if made:
        broadcast.calls_waiting()
    return made


def plan_mails_for(user_id: int) -> int:
    """Create the mails that are due to this member, checked again under a lock; return how many."""
    now = clock.now()
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).filter(READERS, pk=user_id).first()
        seen = visits.last([user_id]).get(user_id)
        if user is None or not may_be_mailed(user, seen, now, last=True):
            return 0
        if not reads_mail(user) and not devices.to_call(user):
            return 0
        if is_visiting(user, seen, now):  # what else there is, the pages tell
            is_daily = user.mail_rhythm == User.Rhythm.DAILY
            return 0 if is_daily else _mail(user, _questions(user, now, kinds=(Kind.REMINDER2,)))
        facts = _wanted_facts(user)
        if user.mail_rhythm == User.Rhythm.DAILY:
            return _digest(user, facts, now)
        if user.mail_rhythm == User.Rhythm.VISIT:
            is_mailed = _mailed_since_visit(user, seen)
            return 0 if is_mailed else _mail(user, [*facts, *_questions(user, now)])
        return _each(user, facts, seen, now)


def _wanted_facts(user: User) -> list[Notice]:
    """Return the waiting notices; unwanted ones are deleted unless the pages show them."""
    waiting = list(Notice.objects.filter(user=user, mail__isnull=True).order_by("pk"))
    heard = heard_of(waiting)
    unwanted = [notice for notice in waiting if TOPIC_OF[notice.kind] in user.topics_off or notice not in heard]
    if gone := [notice.pk for notice in unwanted if not notice.unread]:
        Notice.objects.filter(pk__in=gone).delete()
    return [notice for notice in waiting if notice not in unwanted]


def _mailed_since_visit(user: User, seen: datetime | None) -> bool:
    last = max(filter(None, (seen, user.seen_at)), default=None)
    mails = Mail.objects.filter(user=user, expires_at=None).exclude(state__in=UNSENT)
    return mails.filter(created_at__gt=last).exists() if last else mails.exists()


def _each(user: User, facts: list[Notice], seen: datetime | None, now: datetime) -> int:
    """Create one mail of all that is due: who was written to lately and has not come since is only reminded.

    Mentions, talk and proposals alone wait for half an hour, invitations for half an hour after the last: nobody can
    fill a mailbox by asking again and again.
    """
    if _mailed_lately(user, seen, now):
        return _mail(user, _questions(user, now, kinds=REMINDERS))
    news = [fact for fact in facts if fact.kind != Kind.INVITED]
    recent = _recent(user, Notice.objects.filter(match_id__in={fact.match_id for fact in news}), now)
    pressing = {match_id for match_id, lately in recent.items() if _too_soon(lately, now)}
    pressing -= {fact.match_id for fact in news if fact.kind not in NUDGES}
    told = _recent(user, Notice.objects.filter(kind=Kind.INVITED), now)
    if any(_too_soon(lately, now) for lately in told.values()):
        facts = news
    facts = [fact for fact in facts if fact.match_id not in pressing]
    matches = list(dict.fromkeys(fact.match_id for fact in facts if fact.kind != Kind.INVITED))
    present = [question for match_id in matches for question in _present_question(user, match_id)]
    asked = {question.match_id for question in present}
    due = [one for one in _questions(user, now) if one.kind != Kind.TURN or one.match_id not in asked]
    return _mail(user, [*facts, *present, *due])


def _mailed_lately(user: User, seen: datetime | None, now: datetime) -> bool:
    """Return whether a mail about matches left within ten minutes and since the last visit, or is about to."""
    since = max(filter(None, (seen, user.seen_at, now - BETWEEN)))
    left = Q(sent_at__gt=since) | Q(state=Mail.State.UNKNOWN, state_at__gt=since) | Q(state__in=UNDER_WAY)
    lately = Mail.objects.filter(left, user=user, expires_at=None)
    return lately.exists() and (lately.exclude(stuck(now)).exists() or not devices.to_call(user))


def _too_soon(recent: list[tuple[str, datetime]], now: datetime) -> bool:
    return any(now - at < APART for _kind, at in recent)


def _present_question(user: User, match_id: int) -> list[Notice]:
    """Return the open question of a match with news; none while another mail about it is under way."""
    notices = Notice.objects.filter(user=user, match_id=match_id)
    if "turn" in user.topics_off or notices.filter(mail__state__in=UNDER_WAY).exists():
        return []
    seats = open_seats(user).filter(match_id=match_id).exclude(notices__in=unheard(Kind.TURN))
    asks = seats.values_list("ask", flat=True)
    known = set(notices.filter(kind=Kind.TURN).values_list("ask", flat=True))
    return [Notice(user=user, match_id=match_id, kind=Kind.TURN, ask=ask) for ask in asks if ask and ask not in known]


def _questions(user: User, now: datetime, kinds: Sequence[Kind] = tuple(Kind)) -> list[Notice]:
    """Return the notices of these kinds that are due about open questions."""
    seats = list(open_seats(user).order_by(F("deadline").asc(nulls_last=True), "asked_at", "match_id"))
    notices = Notice.objects.filter(user=user, match_id__in=[seat.match_id for seat in seats])
    known = set(notices.filter(kind__in=ASKING).values_list("match_id", "kind", "ask"))
    recent = _recent(user, notices, now)
    found = []
    for seat in seats:
        for kind in kinds_due(seat, recent.get(seat.match_id, []), now):
            if (
                kind in kinds
                and TOPIC_OF[kind] not in user.topics_off
                and seat.notices not in unheard(kind)
                and (seat.match_id, kind.value, seat.ask) not in known
            ):
                found.append(Notice(user=user, match_id=seat.match_id, kind=kind, ask=seat.ask or 0))
    return found


def _recent(user: User, notices: QuerySet[Notice], now: datetime) -> dict[int, list[tuple[str, datetime]]]:
    """Return the kinds and times of this member's recent mails about each match; those under way count as sent now.

    Not one that nobody takes, where devices were called when it was made.
    """
    recent: dict[int, list[tuple[str, datetime]]] = {}
    under_way = Q(mail__state__in=UNDER_WAY)
    lately = notices.filter(under_way | Q(mail__state_at__gt=now - REMINDERS_APART), user=user)
    columns = ("match_id", "kind", "mail__state", "mail__created_at", "mail__sent_at", "mail__state_at")
    for match_id, kind, state, made_at, sent_at, state_at in lately.values_list(*columns):
        at = sent_at or state_at  # of one in doubt: when it may have left
        if state in UNDER_WAY:
            at = made_at if made_at < now - STUCK_AFTER and devices.to_call(user) else now
        recent.setdefault(match_id, []).append((kind, at))
    return recent


def kinds_due(seat: Seat, recent: list[tuple[str, datetime]], now: datetime) -> list[Kind]:
    """Return the kinds of mail due about an open question, sent or not (spec: site.md, Mail)."""
    if _too_soon(recent, now):
        return []
    kinds = [Kind.TURN] if seat.asked_at and seat.asked_at <= now - SETTLED else []
    reminded = any(kind in REMINDERS for kind, _at in recent)
    if seat.deadline is None or seat.deadline <= now or reminded:
        return kinds
    left = seat.deadline - now
    if left <= seat.bank * QUARTER_OF_MS:
        kinds.append(Kind.REMINDER)
    if left <= LAST_CALL < seat.bank * MS:
        kinds.append(Kind.REMINDER2)
    return kinds


def _digest(user: User, facts: list[Notice], now: datetime) -> int:
    user.digest_on = digest_day(user, now)
    user.save(update_fields=["digest_on"])
    digest_due(user)
    told = open_seats(user).exclude(notices__in=unheard(Kind.TURN))
    waiting = [] if "turn" in user.topics_off else list(told.values_list("match_id", flat=True))
    fresh = [notice for match_id in waiting for notice in _present_question(user, match_id)]
    return _mail(user, [*facts, *fresh], digest=bool(facts or waiting))


def _mail(user: User, notices: list[Notice], *, digest: bool = False) -> int:
    """Save a mail with these notices; return how many mails that makes. IntegrityError if one is taken."""
    if not notices and not digest:
        return 0
    matches = {notice.match_id for notice in notices}
    fields: dict[str, Any] = {"kind": "digest" if digest else notices[0].kind}
    if len(matches) == 1 and not digest:
        (fields["match_id"],) = matches
    mail = Mail.objects.create(user=user, state=Mail.State.PUSHED, **fields)
    written(mail)
    kept = [notice.pk for notice in notices if notice.pk]
    if Notice.objects.filter(pk__in=kept, mail__isnull=True).update(mail=mail) != len(kept):
        raise IntegrityError
    for notice in notices:
        notice.mail = mail
    Notice.objects.bulk_create([notice for notice in notices if not notice.pk])
    channel_order.call(mail, user)
    return 1
