"""A member's webhooks: added, tried, turned on again, removed."""

import base64
import secrets

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services import sealing
from config.lib import outgoing
from games import broadcast
from games.models import TEST, Webhook, WebhookCall
from games.services import channel_order
from games.services.push.planning import UNDER_WAY
from games.services.refusals import Invalid

MOST = 5  # of a member
PREFIX = "whsec_"  # of secrets, as https://www.standardwebhooks.com has them


def add(*, user_id: int, name: str, format: str, address: str) -> str:
    """Add a webhook; return its secret, which is never shown again: empty but for JSON. Invalid, in words."""
    check(address)
    secret = new_secret(format)
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).get(pk=user_id)
        if user.webhooks.count() >= MOST:
            raise Invalid(_("You can have at most %(most)d webhooks: remove one first.") % {"most": MOST})
        if user.webhooks.filter(name=name).exists():
            raise Invalid(_("You have a webhook of this name already."))
        Webhook.objects.create(user=user, name=name, format=format, **sealed(address, secret))
    return secret


def check(address: str) -> None:
    """Look at an address as far as that needs no network. Invalid, in words, for one that is never called."""
    try:
        is_private = outgoing.is_private(address)
    except outgoing.Refused:
        raise Invalid(_("Enter a whole address that begins with https://, without a password.")) from None
    if is_private:
        raise Invalid(_("This address is not a public one, so we cannot call it."))


def new_secret(format: str) -> str:
    """Return a fresh secret for a webhook that is signed; empty for the others."""
    return PREFIX + base64.b64encode(secrets.token_bytes(32)).decode() if format == Webhook.Format.JSON else ""


def sealed(address: str, secret: str) -> dict[str, str]:
    """Return what is stored of the two."""
    return {"address": sealing.encrypt(address), "secret": sealing.encrypt(secret) if secret else ""}


def remove(*, user_id: int, hook_id: int) -> None:
    """Remove a webhook with its calls; the next channels tell what waits. Nothing if it is not the member's."""
    waiting = WebhookCall.objects.filter(hook_id=hook_id, hook__user_id=user_id, state__in=UNDER_WAY)
    with channel_order.handing_on(user_id):
        left = channel_order.of_calls(waiting.select_related("hook"))
        Webhook.objects.filter(pk=hook_id, user_id=user_id).delete()
        channel_order.go_on(left)


def turn_on(*, user_id: int, hook_id: int) -> None:
    """Call a webhook again that was turned off."""
    fresh = {"off_at": None, "failures": 0, "failing_since": None}
    Webhook.objects.filter(pk=hook_id, user_id=user_id).update(**fresh)


def try_out(*, user_id: int, hook_id: int) -> bool:
    """Have a test sent; return whether there is such a webhook, turned on."""
    hook = Webhook.objects.filter(pk=hook_id, user_id=user_id, off_at=None).first()
    if hook is None:
        return False
    WebhookCall.objects.create(hook=hook, kind=TEST)
    broadcast.webhooks_waiting()
    return True
