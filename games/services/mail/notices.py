"""Queues mails inside the transaction of their cause: notices of facts, and finished messages."""

from collections.abc import Iterable
from datetime import timedelta
from functools import partial
from typing import Any

import structlog
from django.db import transaction

from accounts.models import User
from config.lib import clock, sql
from games import broadcast
from games.models import ASKING, Kind, Mail, Match, Notice, Seat, unheard

log = structlog.get_logger(__name__)

SHOWN = (Kind.STARTED, Kind.ENDED)
POSTED_FOR = timedelta(days=3)  # retries of a finished mail: as long as its links are valid


def note(match: Match, kind: Kind | str, user_ids: Iterable[int], ask: int = 0) -> None:
    """Add a notice of a fact, in its transaction, for each of these people who do not have it already.

    Whoever closes their account at this moment gets none. `ask` is the question it is about, or what else tells two
    such facts of a match apart.
    """
    fact: dict[str, Any] = {"match_id": match.pk, "kind": kind, "ask": ask, "unread": kind == Kind.MENTIONED}
    notices = [Notice(user_id=user_id, **fact) for user_id in sorted(sql.kept(User, user_ids))]
    Notice.objects.bulk_create(notices, ignore_conflicts=True)


def note_end(match: Match, seats: Iterable[Seat]) -> None:
    """Add a notice of the match's end for each person in these seats, those who left included."""
    note(
        match, Kind.ENDED, [seat.user_id for seat in seats if seat.user_id], ask=match.version
    )  # a restored match may end again


def forget_seen(match_id: int, user_id: int) -> None:
    """Delete what no mail has told yet and the page of the match, at which this person looks, shows."""
    Notice.objects.filter(match_id=match_id, user_id=user_id, kind__in=SHOWN, mail__isnull=True).delete()


def heard_of(notices: Iterable[Notice]) -> list[Notice]:
    """Return these notices without those of matches of which their reader wants to hear no such thing."""
    found = list(notices)
    seats = Seat.objects.filter(match_id__in={notice.match_id for notice in found}, user__isnull=False)
    wishes = {(seat, match): wish for seat, match, wish in seats.values_list("user_id", "match_id", "notices")}
    return [one for one in found if wishes.get((one.user_id, one.match_id)) not in unheard(one.kind)]


def note_reached(user_id: int, questions: Iterable[tuple[int, int]]) -> None:
    """Note that a call about these questions (match, ask) has arrived; of an answered one nothing is noted."""
    for match_id, ask in questions:
        Seat.objects.filter(match_id=match_id, user_id=user_id, ask=ask).update(reached_at=clock.now())


def questions_of(notice_ids: Iterable[int]) -> Iterable[tuple[int, int]]:
    """Return the questions (match, ask) that these notices are about."""
    return Notice.objects.filter(pk__in=notice_ids, kind__in=ASKING).values_list("match_id", "ask")


def post(
    *,
    to: str,
    subject: str,
    text: str,
    html: str,
    kind: str,
    user: User | None,
    life: timedelta | None,
    headers: dict[str, str] | None = None,
) -> None:
    """Queue a finished mail (MAIL_OUTBOX) with its `life`; `user` is the owner of the address, if any."""
    message = {"to": to, "subject": subject, "text": text, "html": html, "headers": headers or {}}
    expires_at = clock.now() + (life or POSTED_FOR)
    written(Mail.objects.create(user=user, kind=kind, message=message, expires_at=expires_at))
    broadcast.mails_waiting()


def written(mail: Mail) -> None:
    """Log after commit that a mail was written: which row, never for whom."""
    report = partial(log.info, "mail queued", mail=mail.pk, kind=mail.kind)
    transaction.on_commit(report, robust=True)
