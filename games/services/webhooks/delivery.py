"""The delivery of calls to webhooks: each is claimed, composed from what is true now, and handed over once.

Two lanes, so that addresses that hang hold up each other and nobody else.
"""

import time
from collections.abc import Iterable
from datetime import timedelta
from functools import partial
from typing import Any

import structlog
from django.conf import settings
from django.db.models import Q

from accounts.services import sealing, visits
from config.lib import clock, outgoing
from config.lib.steps import delete_in_steps
from games.models import ASKING, TEST, Kind, Mail, Webhook, WebhookCall
from games.services import channel_order, outbox
from games.services.mail.delivery import LONGEST_PAUSE
from games.services.mail.notices import note_reached
from games.services.outbox import OutOfDate, TakenOver, settle
from games.services.shares import Shares
from games.services.webhooks import composing, planning, telling

log = structlog.get_logger(__name__)

State, Outcome = Mail.State, Webhook.Outcome
HOLD_CHECK = timedelta(minutes=1)  # between two checks of quiet hours and visits
GIVEN_UP = timedelta(days=3)  # of failures: the webhook is turned off, and no call tried longer
LEAST_FAILURES = 5
KEPT = timedelta(days=30)
SECONDS = 5.0  # for one call
SECOND = timedelta(seconds=1)
SLOW = 1.0  # seconds of a call, after which its member is called apart for a while
SEND_SECONDS = 15.0
MANY = 200
GONE = 410  # a server's word that there will be nothing any more


shares = Shares()


def send_due(*, failing: bool) -> int:
    """Make the calls that are due for up to 15 seconds; return how many arrived.

    Of webhooks that are `failing` or slow, or of all others.
    """
    if not settings.WEBHOOKS:
        return 0
    recover()
    end, arrived, skipped, over = time.monotonic() + SEND_SECONDS, 0, set[int](), set[int]()
    due = WebhookCall.objects.filter(state=State.WAITING, next_try_at__lte=clock.now())
    due = due.alias(is_new=~Q(hook__last_outcome=Outcome.ARRIVED)).order_by("is_new", "next_try_at", "pk")
    slow = shares.over()
    apart = (
        Q(hook__failing_since__isnull=False) | Q(hook__user__in=slow) | Q(hook__in=[-one for one in slow if one < 0])
    )
    due = due.filter(apart if failing else ~apart)
    for call_id, hook_id, user_id in due.values_list("pk", "hook_id", "hook__user_id")[:MANY]:
        member = user_id or -hook_id  # a club's or tournament's is for itself
        is_put_apart = not failing and member in over
        if hook_id in skipped or is_put_apart or (call := _claimed(call_id)) is None or _waits(call):
            continue
        begun = time.monotonic()
        arrived += (is_well := _sent(call))
        if is_over := shares.add(member, time.monotonic() - begun, slow=SLOW):
            over.add(member)
        if is_over or not is_well:
            skipped.add(hook_id)
        if time.monotonic() > end:
            break
    return arrived


def recover() -> None:
    """Reclaim calls whose sender died, unless they may have arrived: these are in doubt, and not made again."""
    for call in outbox.recover(WebhookCall):
        _note(call.hook, Outcome.UNANSWERED, None)


def forget_old() -> int:
    """Delete the calls that were settled a month ago; return how many."""
    settled = [State.SENT, State.DROPPED, State.FAILED, State.UNKNOWN]
    return delete_in_steps(WebhookCall.objects.filter(state__in=settled, created_at__lt=clock.now() - KEPT))


def _claimed(call_id: int) -> WebhookCall | None:
    mine = WebhookCall.objects.filter(pk=call_id)
    return mine.select_related("hook__user").first() if outbox.claim(mine) else None


def _waits(call: WebhookCall) -> bool:
    """Return whether the call was put back: in quiet hours, and while its member is here. A test never is."""
    user, now = call.hook.user, clock.now()
    if user is None or call.kind == TEST:
        return False
    seen = visits.last([user.pk]).get(user.pk)
    if not planning.holds(user, seen, now, last=call.kind == Kind.REMINDER2):
        return False
    outbox.put_off(call, HOLD_CHECK)
    return True


def _sent(call: WebhookCall) -> bool:
    """Make a call as `_send` does; put one off that cannot be composed now, so that it holds up no others."""
    try:
        return _send(call)
    except Exception:
        log.exception("webhook not called", call=call.pk)
        mine = WebhookCall.objects.filter(pk=call.pk, attempts=call.attempts, state=State.SENDING)
        mine.update(**_again(call))
        return False


def _again(call: WebhookCall, asked: timedelta | None = None) -> dict[str, Any]:
    """Return the state of a call that did not arrive, and when it is tried again: after a pause, `asked` if longer."""
    now = clock.now()
    pause = outbox.pause(call.attempts, LONGEST_PAUSE)
    is_over = call.kind == TEST or now - call.created_at > GIVEN_UP
    state = State.FAILED if is_over else State.WAITING
    return {"state": state, "state_at": now, "next_try_at": now + max(pause, asked or pause)}


def _send(call: WebhookCall) -> bool:
    """Make a call; return whether its webhook may be called again at once."""
    told = composing.facts_of(call)
    address, secret = (sealing.opened(text) if text else "" for text in (call.hook.address, call.hook.secret))
    if told is None or address is None or secret is None:
        with channel_order.handing_on(call.hook.user_id):
            settle(call, State.DROPPED)
            _go_on([call])
        return True
    request = composing.request_of(call, call.hook.format, told, secret)
    try:
        handing = partial(_handing, call, told)
        answer = outgoing.post(address, request.body, request.headers, seconds=SECONDS, before=handing)
    except TakenOver:
        return False
    except OutOfDate:
        settle(call, State.WAITING, next_try_at=clock.now())
        return False
    except outgoing.Unanswered:
        _report(call, State.UNKNOWN)
        settle(call, State.UNKNOWN)
        _note(call.hook, Outcome.UNANSWERED, None)
        return False
    except outgoing.Unreachable:
        return _failed(call, Outcome.UNREACHABLE)
    except outgoing.Refused:
        return _failed(call, Outcome.REFUSED)
    if not 200 <= answer.status < 300:
        outcome = Outcome.REDIRECT if 300 <= answer.status < 400 else Outcome.STATUS
        return _failed(call, outcome, answer.status, _pause_of(answer))
    settle(call, State.SENT)
    _report(call, State.SENT)
    _note(call.hook, Outcome.ARRIVED, answer.status)
    if call.match_id is not None and call.kind in ASKING:
        note_reached(call.hook.user_id or 0, [(call.match_id, call.ask)])
    return True


def _handing(call: WebhookCall, told: composing.Facts) -> None:
    """Claim that the receiver may have the call from now on."""
    if composing.facts_of(call) != told:
        raise OutOfDate
    outbox.hand_over(call)


def _pause_of(answer: outgoing.Answer) -> timedelta | None:
    """Return how long the receiver asks to be left alone, as far as we heed it."""
    asked = answer.retry_after(clock.now())
    return None if asked is None else min(asked, LONGEST_PAUSE - SECOND) + SECOND  # of which a part was cut off


def _failed(
    call: WebhookCall, outcome: Webhook.Outcome, status: int | None = None, asked: timedelta | None = None
) -> bool:
    """Have a call tried again after a pause, that its receiver `asked` for if longer, unless that is over."""
    again = _again(call, asked)
    _report(call, again["state"], outcome=str(outcome), status=status)
    with channel_order.handing_on(call.hook.user_id):
        settle(call, again["state"], next_try_at=again["next_try_at"])
        ended = _noted(call.hook, outcome, status)
        _go_on([call])
    _tell_of_end(ended)
    return False


def _go_on(calls: Iterable[WebhookCall]) -> None:
    """Have their members' next channels called, if these have failed, and are not called whatever else is."""
    channel_order.go_on(channel_order.of_calls(calls))


def _note(hook: Webhook, outcome: Webhook.Outcome, status: int | None) -> None:
    """Keep the last outcome for the member, and tell them when their webhook is turned off by it."""
    _tell_of_end(_noted(hook, outcome, status))


def _tell_of_end(hook: Webhook | None) -> None:
    if hook is not None:
        log.warning("webhook turned off", hook=hook.pk)
        telling.tell_of_end(hook)


def _noted(hook: Webhook, outcome: Webhook.Outcome, status: int | None) -> Webhook | None:
    """Keep the last outcome; turn the webhook off after days of failures, or when it is gone, and then return it."""
    now, is_new, dropped = clock.now(), False, list[WebhookCall]()
    with channel_order.handing_on(hook.user_id):
        kept = Webhook.objects.select_for_update().filter(pk=hook.pk).first()
        if kept is None:
            return None
        kept.last_at, kept.last_outcome, kept.last_status = now, outcome, status
        if outcome == Outcome.ARRIVED:
            kept.failures, kept.failing_since = 0, None
        else:
            kept.failures, kept.failing_since = kept.failures + 1, kept.failing_since or now
            is_long = now - kept.failing_since >= GIVEN_UP and kept.failures >= LEAST_FAILURES
            if kept.off_at is None and (is_long or status == GONE):
                kept.off_at = now
                dropped = list(kept.calls.filter(state=State.WAITING))
                kept.calls.filter(state=State.WAITING).update(state=State.DROPPED, state_at=now)
                is_new = True
        kept.save(update_fields=["last_at", "last_outcome", "last_status", "failures", "failing_since", "off_at"])
        _go_on(dropped)
    return kept if is_new else None


def _report(call: WebhookCall, state: Mail.State, **why: Any) -> None:
    """Log what became of a call at this attempt: which row, never whose or where."""
    tell = log.info if state == State.SENT else log.warning
    tell("webhook called" if state == State.SENT else "webhook not reached", call=call.pk, state=str(state), **why)
