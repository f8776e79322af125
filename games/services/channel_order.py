"""In which order a call goes over a member's channels: those of the first place at once, the next when these failed.

What has failed: a call that was refused for good, one to a device that is gone or muted, to a webhook that is turned
off, or one whose next try would come more than ten minutes after it was planned, or is that long overdue.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet

from accounts.models import User
from config.lib import clock
from games import broadcast
from games.models import ASKING, CallChoice, Kind, Mail, Push, Webhook, WebhookCall
from games.services.push import devices
from games.services.push.planning import STUCK_AFTER, UNDER_WAY, plan, reads_mail, stuck

State = Mail.State
ALWAYS = 0  # of webhooks: called beside whatever else is, by a planning of their own
HOOK_KINDS = (*ASKING, Kind.ENDED)  # all that webhooks tell
MANY = 200  # that are handed on in one go

Facts = set[Any]


def places_of(user: User) -> dict[str, int]:
    """Return the place of each channel, as the member chose: 1 to 3, or ALWAYS of webhooks."""
    choice = devices.choice_of(user)
    return {name: getattr(choice, f"{name}_place") for name in ("devices", "webhooks", "mail")}


def choose(user: User, **places: int) -> None:
    """Save the places of some channels: 1 to 3, or ALWAYS of webhooks."""
    chosen: dict[str, Any] = {f"{name}_place": place for name, place in places.items()}
    if places.get("webhooks") == ALWAYS != places_of(user)["webhooks"]:
        chosen["webhooks_since"] = clock.now()  # what was due before was told in the order of channels
    CallChoice.objects.update_or_create(user_id=user.pk, defaults=chosen)


def is_complaint(user: User) -> bool:
    """Return whether mail was turned off as the member marked one as spam: then it had arrived."""
    return user.mail_broken_why.startswith("complained")


def call(mail: Mail, user: User) -> bool:
    """Have those channels called whose turn it is, unless they were; return whether one may still reach the member.

    In a transaction, under the member's lock; whoever asks rings the worker. A mail that is left to others is PUSHED.
    """
    places = places_of(user)
    for place in sorted({place for place in places.values() if place != ALWAYS}):
        here = [name for name, own in places.items() if own == place]
        reached = [_called(name, mail, user) for name in here]  # each is called, whatever the others say
        if any(reached):
            return True
    if not reads_mail(user):
        _leave(mail, state=State.FAILED, error="no device was reached")
        return False
    return _leave(mail)  # a mail that was held back behind others that are stuck


def overdue() -> list[Mail]:
    """Return mails' rows of which a call is late, as its mail server or push service is away, in an order of channels.

    Whoever delivers asks a server that is away about one call, and learns nothing of the others.
    """
    at_once = CallChoice.objects.filter(mail_place=F("devices_place"), webhooks_place=ALWAYS)
    users = CallChoice.objects.exclude(pk__in=at_once.values("pk")).values("user")
    of_mails = Mail.objects.filter(_late(), user__in=users, expires_at=None)
    of_pushes = Push.objects.filter(_late(), device__user__in=users, mail__isnull=False).select_related("mail")
    calls = WebhookCall.objects.filter(_late(), hook__user__in=users).select_related("hook")
    mails = [*of_mails[:MANY], *(push.mail for push in of_pushes[:MANY] if push.mail), *of_calls(calls[:MANY])]
    return list({mail.pk: mail for mail in mails}.values())


def _late() -> Q:
    """Return the condition of calls that wait longer than ten minutes: to be tried for the first time, or again."""
    again = Q(attempts__gt=0, next_try_at__gt=F("created_at") + STUCK_AFTER)
    return Q(state=State.WAITING) & (again | Q(next_try_at__lt=clock.now() - STUCK_AFTER))


@contextmanager
def handing_on(user_id: int | None) -> Iterator[None]:
    """Note that a call of this member failed, and call the next channels, in one transaction: both or neither.

    So a sender that dies between the two leaves a call in doubt, which is shown, and none that nobody goes on with.
    """
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).filter(pk=user_id or 0).first()
        yield


def go_on(mails: Iterable[Mail]) -> None:
    """Have the next channels called about these mails, whose calls may have failed; nothing about account mails."""
    for mail in mails:
        if mail.expires_at is None:
            is_carried(mail)


def is_carried(mail: Mail) -> bool:
    """Have the next channels called, as `call` does; return whether one may still reach the member."""
    if mail.user_id is None:
        return False
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).filter(pk=mail.user_id).first()
        fresh = Mail.objects.filter(pk=mail.pk).first()
        if user is None or fresh is None:
            return False
        before = _made(fresh)
        is_told = call(fresh, user)
        if _made(fresh) != before:
            broadcast.calls_waiting()
        return is_told


def _made(mail: Mail) -> tuple[str, int, int]:
    """Return what there is of this call, so that the worker is rung when there is more of it."""
    calls = WebhookCall.objects.filter(hook__user=mail.user_id or 0, match__in=mail.notices.values("match"))
    return mail.state, mail.pushes.count(), calls.count()


def of_calls(calls: Iterable[WebhookCall]) -> list[Mail]:
    """Return the mails' rows that tell what these calls of webhooks tell."""
    facts = {(call.hook.user_id, call.match_id, call.kind, call.ask) for call in calls if call.match_id}
    return [
        mail
        for user, match, kind, ask in facts
        for mail in Mail.objects.filter(
            user=user, notices__match=match, notices__kind=kind, notices__ask=ask, notices__user=user
        ).distinct()
    ]


def _called(name: str, mail: Mail, user: User) -> bool:
    """Call a channel unless it was; return whether all that the mail tells may arrive there."""
    return {"mail": _by_mail, "devices": _by_devices, "webhooks": _by_webhooks}[name](mail, user)


def _by_mail(mail: Mail, user: User) -> bool:
    if not reads_mail(user):
        return mail.state == State.SENT and is_complaint(user)
    if mail.state == State.PUSHED:
        is_held = Mail.objects.filter(stuck(clock.now()), user=user, expires_at=None).exists()
        return not (is_held and devices.to_call(user)) and _leave(mail)
    if mail.state in UNDER_WAY:
        return not Mail.objects.filter(_late(), pk=mail.pk).exists()
    return mail.state != State.FAILED


def _leave(mail: Mail, *, state: Mail.State = State.WAITING, error: str = "") -> bool:
    """Let a mail that was left to others go itself; return whether it was."""
    now = clock.now()
    fields = {"state": state, "state_at": now, "next_try_at": now, "error": error}
    if not Mail.objects.filter(pk=mail.pk, state=State.PUSHED).update(**fields):
        return False
    mail.state = state
    return True


def _by_devices(mail: Mail, user: User) -> bool:
    if not mail.pushes.exists():
        plan(mail, user)
    failed = Q(state=State.FAILED) | _late()
    failed |= Q(state=State.DROPPED) & Q(device__muted=True)
    return _reaches(set(mail.pushes.values_list("match_id")), mail.pushes.exclude(failed), "match_id")


def _by_webhooks(mail: Mail, user: User) -> bool:
    facts = set(mail.notices.values_list("match_id", "kind", "ask"))
    told = {fact for fact in facts if fact[1] in HOOK_KINDS}
    calls = WebhookCall.objects.filter(hook__user=user, match__in={fact[0] for fact in told})
    known = set(calls.values_list("match_id", "kind", "ask"))
    hooks = Webhook.objects.filter(user=user, off_at=None) if settings.WEBHOOKS else Webhook.objects.none()
    fresh = [
        WebhookCall(hook=hook, match_id=match, kind=kind, ask=ask)
        for hook in hooks
        for match, kind, ask in sorted(told - known)
    ]
    if fresh:
        WebhookCall.objects.bulk_create(fresh, ignore_conflicts=True)
    failed = Q(state=State.FAILED) | _late() | Q(state=State.DROPPED, hook__off_at__isnull=False)
    return _reaches(facts, calls.exclude(failed), "match_id", "kind", "ask")


def _reaches(facts: Facts, calls: QuerySet[Any], *columns: str) -> bool:
    """Return whether for each fact, of which there are some, there is a call that may reach the member."""
    return bool(facts) and facts <= set(calls.values_list(*columns))
