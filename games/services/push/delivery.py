"""The delivery of messages to devices: each is claimed, composed from what is true now, and handed over once."""

import time
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import structlog
from django.conf import settings
from django.db.models import Count, Q, QuerySet

from accounts.models import User
from accounts.services import sessions, visits
from config.lib import clock, metrics, outgoing, web_push
from config.lib.steps import delete_in_steps
from games import broadcast
from games.clocks import times_of
from games.models import Device, Kind, Mail, Notice, Push
from games.services import channel_order, outbox
from games.services.mail.candidates import is_visiting
from games.services.mail.notices import note_reached, questions_of
from games.services.outbox import OutOfDate, TakenOver
from games.services.push import composing, devices
from games.services.shares import Shares

log = structlog.get_logger(__name__)

State = Mail.State
LONGEST_PAUSE = timedelta(hours=1)
LONGEST_REST = timedelta(days=1)  # that a push service may ask for
QUIET_CHECK = timedelta(minutes=5)
MOST_ATTEMPTS = 8
SEND_SECONDS = 15.0
SLOW = 3.0  # seconds of a call, after which its member is called after others for a while
MANY = 500
TESTS_KEPT = timedelta(days=1)
SHOWN = timedelta(days=7)  # for how long the operation page counts what failed or is unknown
UNDER_WAY = (State.WAITING, State.SENDING, State.HANDED)
LOST = (404, 410)  # the push service no longer knows the device

shares = Shares()


def send_due() -> int:
    """Send the waiting messages for up to 15 seconds; return how many were taken. A service that is away is left."""
    outbox.recover(Push, error="the sender died before the answer")
    end, sent, away = time.monotonic() + SEND_SECONDS, 0, set[str]()
    due = (
        Push.objects.filter(state=State.WAITING, next_try_at__lte=clock.now()) if settings.PUSH else Push.objects.none()
    )
    due = due.alias(fails=Q(device__failed_at__isnull=False), is_new=Q(device__reached_at=None))
    due = due.alias(is_slow=Q(device__user__in=[0, *shares.over()]))  # of an empty list there would be no rows at all
    due = due.order_by("fails", "is_slow", "is_new", "next_try_at", "pk")  # who hangs last, and before them who may
    for push_id in list(due.values_list("pk", flat=True)[:MANY]):
        push = _claimed(push_id, away)
        if push is None or _waits(push):
            continue
        begun = time.monotonic()
        sent += _send(push, away) == State.SENT
        shares.add(push.device.user_id, time.monotonic() - begun, slow=SLOW)
        if time.monotonic() > end:
            break
    return sent


def test(device: Device) -> Push:
    """Have a message sent to a device that says that it is called here."""
    push = Push.objects.create(device=device)
    broadcast.pushes_waiting()
    return push


def remove(*, user: User, device_id: int) -> None:
    """Remove a device, and call the member's next channels about what waits for it; nothing if it is not theirs."""
    waiting = Mail.objects.filter(user=user, pushes__device=device_id, pushes__state__in=UNDER_WAY).distinct()
    with channel_order.handing_on(user.pk):
        left = list(waiting)
        devices.remove(user=user, device_id=device_id)
        channel_order.go_on(left)


def forget_old() -> int:
    """Delete old tests, and devices whose session has ended; other messages go with their mails. Return how many."""
    old = Push.objects.filter(mail=None, created_at__lt=clock.now() - TESTS_KEPT)
    return delete_in_steps(old) + devices.forget_old()


def push_counts() -> dict[str, int]:
    """Return how many messages wait, and how many of the last week failed or are unknown."""
    stuck = Q(state__in=[State.FAILED, State.UNKNOWN], state_at__gt=clock.now() - SHOWN)
    wanted = Push.objects.filter(Q(state__in=UNDER_WAY) | stuck)
    counted = dict(wanted.order_by().values_list("state").annotate(n=Count("pk")))
    return {
        "waiting": sum(counted.get(state.value, 0) for state in UNDER_WAY),
        "failed": counted.get(State.FAILED.value, 0),
        "unknown": counted.get(State.UNKNOWN.value, 0),
    }


def _service(device: Device) -> str:
    return urlsplit(device.endpoint or "").netloc


def _claimed(push_id: int, away: set[str]) -> Push | None:
    """Claim a message for this sender and return it; None when another has it, or its push service is away."""
    mine: QuerySet[Push] = Push.objects.filter(pk=push_id).select_related("device__user", "mail", "match")
    push = mine.first()
    if push is None or _service(push.device) in away:
        return None
    return mine.first() if outbox.claim(mine) else None


def _waits(push: Push) -> bool:
    """Drop what is not to be sent any more, and put off what would come in quiet hours; return whether it was one."""
    device, user = push.device, push.device.user
    if not sessions.still_good([device.session_key]):
        _lost(push, "its session has ended")
        remove(user=user, device_id=device.pk)
        return True
    if push.mail is None:
        return False
    if device.muted or device.gone_at or (_is_here(user) and not _is_last_call(push)):
        with channel_order.handing_on(user.pk):
            _settle(push, State.FAILED if device.gone_at else State.DROPPED)
            _go_on(push)
        return True
    if times_of(user).is_quiet(clock.now()):
        outbox.put_off(push, QUIET_CHECK)
        return True
    return False


def _is_here(user: User) -> bool:
    return is_visiting(user, visits.last([user.pk]).get(user.pk), clock.now())


def _is_last_call(push: Push) -> bool:
    return Notice.objects.filter(mail=push.mail, kind=Kind.REMINDER2).exists()


def _settle(push: Push, state: Mail.State, **fields: Any) -> Mail.State:
    """Record, log and return the result of this attempt."""
    if outbox.settle(push, state, **fields) and state != State.WAITING:
        log.info("push settled", push=push.pk, state=str(state))
        metrics.count("club_pushes_settled", str(state))
    return state


def _send(push: Push, away: set[str]) -> Mail.State:
    """Send a message; return its state. A push service that does not answer is added to those that are `away`."""
    device = push.device
    browser = web_push.Browser(device.endpoint or "", device.public_key, device.secret)

    def handing() -> None:
        if composing.contents_of(push) != told:
            raise OutOfDate
        outbox.hand_over(push)

    try:
        told = composing.contents_of(push)
        message = composing.compose(push, told)
        if message is None:
            return _settle(push, State.DROPPED)
        body = web_push.encrypted(message.text, browser)
        headers = web_push.headers(browser, life=message.life, urgency=message.urgency, topic=message.topic)
        answer = outgoing.post(browser.endpoint, body, headers, before=handing)
    except TakenOver:
        return State.SENDING
    except OutOfDate:
        return _settle(push, State.WAITING, next_try_at=clock.now())
    except outgoing.Refused as error:
        return _lost(push, str(error))
    except (outgoing.Unanswered, outgoing.Unreachable) as error:
        away.add(_service(device))
        is_doubtful = isinstance(error, outgoing.Unanswered)
        return _failed(push, State.UNKNOWN if is_doubtful else State.WAITING, str(error))
    except Exception as error:
        log.exception("push not composed", push=push.pk)
        return _failed(push, State.WAITING, type(error).__name__)
    if answer.status == 429 or answer.status >= 500:
        away.add(_service(device))
    return _answered(push, answer, told)


def _answered(push: Push, answer: outgoing.Answer, told: composing.Contents) -> Mail.State:
    """Settle a message by what its push service said (RFC 8030); return its state."""
    if 200 <= answer.status < 300:
        now = clock.now()
        Device.objects.filter(pk=push.device_id).update(reached_at=now, failed_at=None, error="")
        state = _settle(push, State.SENT, sent_at=now, error="")
        note_reached(push.device.user_id, questions_of(told))
        return state
    if answer.status in LOST:
        return _lost(push, f"HTTP {answer.status}")
    if answer.status == 429 or answer.status >= 500:
        return _failed(push, State.WAITING, f"HTTP {answer.status}", rest=_rest(answer))
    return _failed(push, State.FAILED, f"HTTP {answer.status}")


def _rest(answer: outgoing.Answer) -> timedelta | None:
    """Return for how long a push service wants to be left alone, a minute to a day; None when it does not say."""
    asked = answer.retry_after(clock.now())
    return None if asked is None else min(max(asked, outbox.FIRST_PAUSE), LONGEST_REST)


def _lost(push: Push, why: str) -> Mail.State:
    """Note that the device is gone, with all that waits for it."""
    with channel_order.handing_on(push.device.user_id):
        devices.lose(push.device, why)
        _settle(push, State.FAILED, error=why)
        waiting = Push.objects.filter(device=push.device, state=State.WAITING)
        others = list(waiting.select_related("mail"))
        waiting.update(state=State.FAILED, state_at=clock.now(), error=why)
        for failed in (*others, push):
            _go_on(failed)
    return State.FAILED


def _failed(push: Push, state: Mail.State, why: str, *, rest: timedelta | None = None) -> Mail.State:
    if state == State.WAITING and push.attempts >= MOST_ATTEMPTS:
        state = State.FAILED
    pause = outbox.pause(push.attempts, LONGEST_PAUSE)
    with channel_order.handing_on(push.device.user_id):
        _settle(push, state, next_try_at=clock.now() + (pause if rest is None else rest), error=why[:200])
        device = Device.objects.filter(pk=push.device_id)
        device.filter(failed_at=None).update(failed_at=clock.now())
        device.update(error=why[:200])
        _go_on(push)
    return state


def _go_on(push: Push) -> None:
    """Have the member's next channels called, if none of the present ones can have reached them."""
    if push.mail is not None:
        channel_order.go_on([push.mail])
