"""The devices on which a member is called: added by their browser, muted, named, removed; and those that are gone."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.services import sessions
from config.lib import clock, outgoing, web_push
from config.lib.steps import delete_in_steps
from config.lib.texts import one_line
from games.models import CallChoice, Device

MOST = 10  # devices of a member; the one that was not reached for longest makes room
LONGEST_ENDPOINT = Device._meta.get_field("endpoint").max_length or 0
LONGEST_NAME = Device._meta.get_field("name").max_length or 0
GONE_SHOWN = timedelta(days=30)  # for how long a device that is gone stands in the settings


class NoSubscription(ValueError):
    """What the browser sent is none: a wrong address, or keys that are none."""


def can_be_called(user: str) -> Q | Exists:
    """Return the condition that the member in this column has a device that is not muted."""
    if not settings.PUSH:
        return Q(pk__in=[])
    return Exists(Device.objects.filter(user=OuterRef(user), muted=False, gone_at=None))


def add(
    *, user: User, session_key: str, endpoint: str, public_key: str, secret: str, name: str, again: bool = False
) -> Device | None:
    """Let the site call this browser, as long as its session lasts; the same browser again is the same device.

    `again` says that nobody asked for it just now: then only a device that is known already is brought up to date, and
    None returned of another. A browser that another member used before is theirs no longer. NoSubscription.
    """
    try:
        outgoing.check(endpoint)
    except outgoing.Refused as error:
        raise NoSubscription from error
    if len(endpoint) > LONGEST_ENDPOINT or not web_push.are_keys(public_key, secret):
        raise NoSubscription
    keys = {"endpoint": endpoint, "public_key": public_key, "secret": secret}
    try:
        return _added(user, session_key, name, again=again, **keys)
    except IntegrityError as error:  # at this moment another member adds the same browser, which is theirs
        raise NoSubscription from error


def _added(user: User, session_key: str, name: str, *, endpoint: str, again: bool, **keys: str) -> Device | None:
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        own = Device.objects.filter(Q(endpoint=endpoint) | Q(session_key=session_key), user_id=user.pk).order_by("-pk")
        device = own.first()
        if again and device is None:
            return None
        device = device or Device(user_id=user.pk, name=_named(name))
        Device.objects.filter(Q(endpoint=endpoint) | Q(pk__in=own.values("pk"))).exclude(pk=device.pk).delete()
        if endpoint != device.endpoint or device.failed_at:
            device.reached_at = None  # it has to prove itself anew, before it is called among those that answer
        device.endpoint, device.public_key, device.secret = endpoint, keys["public_key"], keys["secret"]
        device.session_key, device.gone_at, device.failed_at, device.error = session_key, None, None, ""
        device.save()
        reached = F("reached_at").desc(nulls_last=True)
        extra = Device.objects.filter(user_id=user.pk).exclude(pk=device.pk).order_by(reached, "-pk")
        Device.objects.filter(pk__in=[one.pk for one in extra[MOST - 1 :]]).delete()
    return device


def _named(name: str) -> str:
    return one_line(name)[:LONGEST_NAME].strip() or str(_("Device"))


def of(user: User) -> list[Device]:
    """Return the member's devices, the latest first: those whose session lasts, and those that are gone."""
    found = list(Device.objects.filter(user_id=user.pk).order_by("-pk"))
    good = sessions.still_good(device.session_key for device in found if device.gone_at is None)
    return [device for device in found if device.gone_at or device.session_key in good]


def lost_by(user: Any) -> list[str]:
    """Return the names of this person's devices that are gone, until they are removed, added again or forgotten."""
    if not settings.PUSH or user.pk is None:
        return []
    return list(Device.objects.filter(user_id=user.pk, gone_at__isnull=False).values_list("name", flat=True))


def to_call(user: User) -> list[Device]:
    """Return the devices on which the member is called now."""
    if not settings.PUSH:
        return []
    return [device for device in of(user) if device.gone_at is None and not device.muted]


def choice_of(user: User) -> CallChoice:
    """Return what the member chose, saved or not."""
    return CallChoice.objects.filter(user_id=user.pk).first() or CallChoice(user_id=user.pk)


def choose(user: User, **choices: bool) -> None:
    """Save what the member chose: `discreet`, `not_asked`."""
    CallChoice.objects.update_or_create(user_id=user.pk, defaults=choices)


def change(*, user: User, device_id: int, **fields: Any) -> None:
    """Rename or mute a device: `name`, `muted`; do nothing when it is none of the member's."""
    if "name" in fields:
        fields["name"] = _named(fields["name"])
    Device.objects.filter(pk=device_id, user_id=user.pk).update(**fields)


def remove(*, user: User, device_id: int) -> None:
    """Remove a device; do nothing when it is none of the member's."""
    Device.objects.filter(pk=device_id, user_id=user.pk).delete()


def lose(device: Device, why: str) -> None:
    """Note that a device is gone, and forget how it was reached; it stays in the settings, where its member sees it."""
    fields: dict[str, Any] = {"gone_at": clock.now(), "error": why, "endpoint": None, "public_key": "", "secret": ""}
    Device.objects.filter(pk=device.pk).update(**fields)


def forget_old() -> int:
    """Delete the devices whose session has ended, and those that are long gone; return how many."""
    lasting = Session.objects.filter(session_key=OuterRef("session_key"), expire_date__gt=clock.now())
    ended = Device.objects.filter(~Exists(lasting), gone_at=None)
    return delete_in_steps(ended) + delete_in_steps(Device.objects.filter(gone_at__lt=clock.now() - GONE_SHOWN))
