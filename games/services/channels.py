"""How a member is called, channel by channel: whether calls arrive there, in words for the member alone.

And whether all have failed, for the clock of whoever could not be reached.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services import visits
from games.clocks import ago
from games.models import ASKING, TOPIC_OF, Device, Mail, Notice, Push, Seat, Webhook, WebhookCall, unheard
from games.services.channel_order import is_complaint, places_of
from games.services.push import devices

State = Mail.State
UNRECORDED = timedelta(seconds=visits.INTERVAL + 10)  # by which somebody may have been here later than is recorded
_FAILING = Q(state=State.FAILED) | Q(state=State.WAITING, attempts__gt=0)
_TRIED = Q(state__in=[State.SENT, State.FAILED, State.UNKNOWN]) | (Q(state=State.WAITING) & ~Q(error=""))


_PAGES = {"mail": "account_email", "devices": "devices", "webhooks": "webhooks"}
LAST = 9  # in the list: webhooks that are called whatever else is


class Channel(NamedTuple):
    """A way by which a member is called: its name, whether it works, in words, and the page on which it is kept."""

    name: str
    said: str
    fails: bool
    url: str


def channels_of(user: User) -> list[Channel]:
    """Return a member's channels in their order: mail, and devices and webhooks where the site has them."""
    kept = {"mail": [_mail(user)], "devices": _devices(user), "webhooks": _webhooks(user)}
    places = places_of(user)
    found = [(name, Channel(*told, url=reverse(_PAGES[name]))) for name, tell in kept.items() for told in tell]
    return [channel for name, channel in sorted(found, key=lambda one: places[one[0]] or LAST)]


Told = tuple[str, str, bool]


def _mail(user: User) -> Told:
    name = _("Mail")
    if not user.email:
        return name, _("Your address is not confirmed: no mail is sent to it."), True
    if user.mail_broken_at is not None:
        words = _("A mail was marked as spam %(ago)s: none is sent any more.")
        words = words if is_complaint(user) else _("A mail was refused %(ago)s: none is sent any more.")
        return name, words % {"ago": ago(user.mail_broken_at)}, True
    last = Mail.objects.filter(_TRIED, user_id=user.pk).order_by("-created_at").first()
    if last is None or last.state == State.SENT:
        return name, _works(last.sent_at if last else None), False
    words = {
        State.FAILED: _("The last mail, %(ago)s, did not arrive."),
        State.UNKNOWN: _("Whether the last mail, %(ago)s, arrived is unknown."),
        State.WAITING: _("The last mail, %(ago)s, has not been taken yet. We go on trying."),
    }[State(last.state)]
    return name, words % {"ago": ago(last.created_at)}, True


def _devices(user: User) -> Iterator[Told]:
    for device in devices.of(user) if settings.PUSH else ():
        yield device.name, _of_device(device), bool(device.gone_at or (device.failed_at and not device.muted))


def _of_device(device: Device) -> str:
    if device.gone_at:
        return _("Gone, we heard %(ago)s: open the site there, and add it again.") % {"ago": ago(device.gone_at)}
    if device.muted:
        return _("Muted.")
    if device.failed_at and device.reached_at:
        return _("Does not answer: last reached %(ago)s.") % {"ago": ago(device.reached_at)}
    if device.failed_at:
        return _("Never reached, first tried %(ago)s.") % {"ago": ago(device.failed_at)}
    return _works(device.reached_at)


def _webhooks(user: User) -> Iterator[Told]:
    for hook in Webhook.objects.filter(user_id=user.pk).order_by("pk") if settings.WEBHOOKS else ():
        yield hook.name, _of_webhook(hook), bool(hook.off_at or hook.failing_since)


def _of_webhook(hook: Webhook) -> str:
    if hook.off_at:
        return _("Turned off %(ago)s, as it failed.") % {"ago": ago(hook.off_at)}
    if hook.failing_since:
        return _("Fails, for the first time %(ago)s. We go on trying.") % {"ago": ago(hook.failing_since)}
    return _works(hook.last_at)


def _works(reached_at: datetime | None) -> str:
    if reached_at is None:
        return _("Not called yet.")
    return _("Works: last reached %(ago)s.") % {"ago": ago(reached_at)}


def have_all_failed(seat: Seat) -> bool:
    """Return whether the site called a seat's person about their open question, and no channel can have reached them.

    Not of whoever has no confirmed address, as anybody can add a device or webhook that fails; was on the site since,
    turned these calls off, quietened the match, or marked our mails as spam; nor while one of their channels has not
    been tried, or may have worked.
    """
    members = User.objects.filter(is_active=True, is_guest=False).exclude(email="")
    user = members.filter(pk=seat.user_id).first() if seat.user_id else None
    if user is None or seat.asked_at is None or not _wants_calls(user, seat) or _was_here(user, seat.asked_at):
        return False
    about = Q(match_id=seat.match_id, ask=seat.ask, kind__in=ASKING)
    told = Q(notices__in=Notice.objects.filter(about, user=user))
    mails = Mail.objects.filter(told | Q(kind="digest", created_at__gt=seat.asked_at), user_id=user.pk)
    pushes = Push.objects.filter(mail__in=mails.values("pk"))
    calls = WebhookCall.objects.filter(about, hook__user=user)
    is_refused = user.mail_broken_at is not None and not is_complaint(user)
    failed = [is_refused or _failed(mails.exclude(state=State.PUSHED))]
    if devices.to_call(user) or pushes.exists():
        failed.append(_failed(pushes))
    if (settings.WEBHOOKS and user.webhooks.filter(off_at=None).exists()) or calls.exists():
        failed.append(_failed(calls))
    return all(failed)


def _wants_calls(user: User, seat: Seat) -> bool:
    return any(TOPIC_OF[kind] not in user.topics_off and seat.notices not in unheard(kind) for kind in ASKING)


def _was_here(user: User, since: datetime) -> bool:
    """Return whether the member was on the site since then, or as it began: their own move may have led to it."""
    seen = visits.last([user.pk]).get(user.pk)
    return any(at is not None and at > since - UNRECORDED for at in (seen, user.seen_at))


def _failed(sent: QuerySet[Any]) -> bool:
    """Return whether there was a call, and each was refused, or not taken so far."""
    states = sent.exclude(state=State.DROPPED)
    return states.exists() and not states.exclude(_FAILING).exists()
