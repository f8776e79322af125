"""The delivery of mails: each is claimed, composed from what is true now, and handed over once."""

import time
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.core.mail import EmailMessage, get_connection
from django.db import connection as database
from django.db.models import Count, F, Min, Q, QuerySet

from accounts.services import bounces
from config.lib import clock, metrics
from config.lib.steps import delete_in_steps
from games.clocks import times_of
from games.models import Mail, Notice
from games.services import channel_order, outbox
from games.services.mail import composing, fuse
from games.services.mail.notices import note_reached, questions_of
from games.services.mail.replies import Verdict, error_text, judge
from games.services.outbox import OutOfDate, TakenOver, settle
from games.services.push.planning import reads_mail

log = structlog.get_logger(__name__)

State = Mail.State
LONGEST_PAUSE = timedelta(hours=2)
QUIET_CHECK = timedelta(minutes=5)  # between two checks of quiet hours
KEPT = timedelta(days=90)  # as the privacy page says
MOST_ATTEMPTS = 20
SEND_SECONDS = 15.0
MANY = 500
# Written out as the index is: SQLite finds one of some rows by the words of its condition alone.
STUCK = "SELECT state, count(*) FROM games_mail WHERE state IN ('failed', 'unknown') GROUP BY state"


def send_due() -> int:
    """Send the waiting mails for up to 15 seconds; return how many were sent. Stops if the server is away.

    Sends none while the fuse has stopped the mails.
    """
    recover()
    if fuse.stopped():
        return 0
    end, sent = time.monotonic() + SEND_SECONDS, 0
    connection = get_connection()
    for mail_id in _due()[:MANY]:
        mail = _claimed(mail_id)
        if mail is None or _waits_for_morning(mail):
            continue
        verdict = _send(mail, connection)
        sent += verdict.state == State.SENT
        if verdict.server_away or verdict.stopped or time.monotonic() > end:
            break
    _close(connection)
    return sent


def _due() -> QuerySet[Mail, int]:
    """Return the ids of the mails to send now; codes and links, which somebody waits for, come first."""
    due = Mail.objects.filter(state=State.WAITING, next_try_at__lte=clock.now()).values_list("pk", flat=True)
    return due.order_by(F("expires_at").asc(nulls_last=True), "next_try_at", "pk")


def recover() -> None:
    """Reclaim mails whose sender died, unless the server may have them; empty expired ones."""
    outbox.recover(Mail, error="the sender died before the server answered")
    now = clock.now()
    over = Mail.objects.filter(message__isnull=False, expires_at__lte=now)
    over.filter(state=State.WAITING).update(state=State.DROPPED, state_at=now)
    over.exclude(state__in=[State.SENDING, State.HANDED]).update(message=None)


def resend(mails: Iterable[Mail]) -> list[Mail]:
    """Queue failed or unknown mails again, unless they were emptied; return which."""
    now, again = clock.now(), []
    whole = Mail.objects.filter(Q(expires_at=None) | Q(message__isnull=False))
    for mail in mails:
        stuck = whole.filter(pk=mail.pk, state__in=[State.FAILED, State.UNKNOWN])
        if stuck.update(state=State.WAITING, state_at=now, next_try_at=now, attempts=0, error=""):
            again.append(mail)
    return again


def resend_refused(*, since: datetime) -> int:
    """Queue the mails that were refused since a moment again, at once; return how many."""
    refused, now = Mail.objects.filter(refused_at__gte=since), clock.now()
    waiting = refused.filter(state=State.WAITING).update(next_try_at=now, attempts=0)
    return waiting + len(resend(refused.filter(state=State.FAILED)))


def forget_old() -> int:
    """Delete mails older than the privacy page says, and notices as old that no mail told; return how many mails."""
    settled = [State.SENT, State.PUSHED, State.DROPPED, State.FAILED, State.UNKNOWN]
    before = clock.now() - KEPT
    delete_in_steps(Notice.objects.filter(mail=None, created_at__lt=before))
    return delete_in_steps(Mail.objects.filter(state__in=settled, created_at__lt=before))


def mail_counts() -> dict[str, Any]:
    """Return how many mails wait, failed and are unknown, and since when the oldest waits (or None)."""
    with database.cursor() as cursor:
        cursor.execute(STUCK)
        counted = dict(cursor.fetchall())
    waiting = Mail.objects.filter(state__in=[State.WAITING, State.SENDING, State.HANDED])
    found = waiting.aggregate(number=Count("pk"), oldest=Min("created_at"))
    return {
        "waiting": found["number"],
        "failed": counted.get(State.FAILED.value, 0),
        "unknown": counted.get(State.UNKNOWN.value, 0),
        "oldest_waiting": found["oldest"],
    }


def _claimed(mail_id: int) -> Mail | None:
    """Claim a mail for this sender and return it; None when another has it."""
    mine = Mail.objects.filter(pk=mail_id)
    return mine.select_related("user").first() if outbox.claim(mine) else None


def _waits_for_morning(mail: Mail) -> bool:
    """Return whether the mail was put back because its reader's quiet hours began (never account mails)."""
    if mail.user is None or mail.expires_at or not times_of(mail.user).is_quiet(clock.now()):
        return False
    outbox.put_off(mail, QUIET_CHECK)
    return True


def _send(mail: Mail, connection: Any) -> Verdict:
    handed = False

    def handing() -> None:
        nonlocal handed
        if composing.contents_of(mail) != told:
            raise OutOfDate
        outbox.hand_over(mail)
        handed = True

    if _is_left_to_others(mail):
        settle(mail, State.PUSHED)
        return Verdict(State.PUSHED)
    try:
        told = composing.contents_of(mail)
        message = composing.compose(mail, told)
        if message is None:
            settle(mail, State.DROPPED, message=None)
            _report(mail, State.DROPPED)
            return Verdict(State.DROPPED)
        _hand_over(message, connection, handing)
    except TakenOver:
        _close(connection)
        return Verdict(State.SENDING)
    except OutOfDate:
        _close(connection)
        settle(mail, State.WAITING, next_try_at=clock.now())
        return Verdict(State.WAITING)
    except Exception as error:
        _close(connection)
        return _failed(mail, error, handed)
    settle(mail, State.SENT, sent_at=clock.now(), error="", message=None)
    _report(mail, State.SENT)
    if mail.user_id is not None and mail.expires_at is None:
        note_reached(mail.user_id, [*questions_of(told[0]), *told[1]])
    return Verdict(State.SENT)


def _is_left_to_others(mail: Mail) -> bool:
    """Return whether the address has come to be known as failing, and another channel may tell what the mail tells."""
    if mail.user is None or mail.expires_at is not None or reads_mail(mail.user):
        return False
    return channel_order.is_carried(mail)


def _hand_over(message: EmailMessage, connection: Any, handing: Any) -> None:
    message.handing = handing  # type: ignore[attr-defined]
    connection.open()
    if not getattr(connection, "tells_handing", False):
        handing()
    connection.send_messages([message])


def _close(connection: Any) -> None:
    try:
        connection.close()
    except Exception:
        connection.connection = None


def _failed(mail: Mail, error: Exception, handed: bool) -> Verdict:
    verdict = judge(error, handed)
    if verdict.state == State.WAITING and mail.attempts >= MOST_ATTEMPTS:
        verdict.state = State.FAILED
    _report(mail, verdict.state, error=type(error).__name__)
    pause = outbox.pause(mail.attempts, LONGEST_PAUSE)
    told = {"refused_at": clock.now()} if _is_telling(mail, verdict) else {}
    with channel_order.handing_on(mail.user_id):
        settle(mail, verdict.state, next_try_at=clock.now() + pause, error=error_text(error), **told)
        if verdict.bad_address:
            bounces.turn_off(_address(mail), bounces.REFUSED + error_text(error))
        channel_order.go_on([mail])
    if told:
        verdict.stopped = fuse.look(error_text(error), ours=verdict.ours)
    return verdict


def _report(mail: Mail, state: State, **why: str) -> None:
    """Log and count what became of a mail at this attempt: which row, never whose."""
    tell = log.warning if why else log.info
    event = {State.SENT: "mail sent", State.DROPPED: "mail dropped"}.get(state, "mail not sent")
    tell(event, mail=mail.pk, kind=mail.kind, state=str(state), **why)
    metrics.count("club_mails_settled", str(state))


def _is_telling(mail: Mail, verdict: Verdict) -> bool:
    """Return whether a refusal counts for the fuse.

    Of addresses only a member's confirmed one: whoever signs up with many that do not exist stops no mail.
    """
    is_members_own = mail.user is not None and bool(mail.user.email) and _address(mail) == mail.user.email
    return verdict.ours or (verdict.refused and is_members_own)


def _address(mail: Mail) -> str:
    if mail.message is not None:
        return str(mail.message["to"])
    return mail.user.email if mail.user else ""
