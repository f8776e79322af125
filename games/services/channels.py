"""How a member is called, channel by channel: whether calls arrive there, in words for the member alone."""

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from django.conf import settings
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from games.clocks import ago
from games.models import Device, Mail, Webhook
from games.services.push import devices

State = Mail.State
_TRIED = Q(state__in=[State.SENT, State.FAILED, State.UNKNOWN]) | (Q(state=State.WAITING) & ~Q(error=""))


class Channel(NamedTuple):
    """A way by which a member is called: its name, whether it works, in words, and the page on which it is kept."""

    name: str
    said: str
    fails: bool
    url: str


def channels_of(user: User) -> list[Channel]:
    """Return a member's channels: mail, then devices and webhooks where the site has them."""
    kept = {"account_email": [_mail(user)], "devices": _devices(user), "webhooks": _webhooks(user)}
    return [Channel(*told, url=reverse(page)) for page, found in kept.items() for told in found]


Told = tuple[str, str, bool]


def _mail(user: User) -> Told:
    name = _("Mail")
    if not user.email:
        return name, _("Your address is not confirmed: no mail is sent to it."), True
    if user.mail_broken_at is not None:
        is_complaint = user.mail_broken_why.startswith("complained")
        words = _("A mail was marked as spam %(ago)s: none is sent any more.")
        words = words if is_complaint else _("A mail was refused %(ago)s: none is sent any more.")
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
