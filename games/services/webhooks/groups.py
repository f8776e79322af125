"""Webhooks of a club or a tournament: kept by who organises it, called about what everybody of it may know.

Who may is decided by the app to which it belongs, under its lock; each change stands in the audit.
"""

from typing import NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.models import User
from games import broadcast
from games.models import TEST, Audit, Webhook, WebhookCall
from games.services.operation.admin_actions import note
from games.services.refusals import Invalid
from games.services.webhooks import keeping

MOST = 5  # of a club or tournament


class Group(NamedTuple):
    """Whose webhooks: of a club or of a tournament (`Webhook.Of`), by its number."""

    of: str
    of_id: int


def of_group(group: Group) -> QuerySet[Webhook]:
    """Return its webhooks in the order in which they were added."""
    return Webhook.objects.filter(of=group.of, of_id=group.of_id).order_by("pk")


def add(group: Group, *, by: User, name: str, format: str, address: str) -> str:
    """Add a webhook; return its secret, which is never shown again: empty but for JSON. Invalid, in words.

    In a transaction that has locked the club or tournament.
    """
    keeping.check(address)
    secret = keeping.new_secret(format)
    theirs = of_group(group)
    if theirs.count() >= MOST:
        raise Invalid(_("There can be at most %(most)d webhooks: remove one first.") % {"most": MOST})
    if theirs.filter(name=name).exists():
        raise Invalid(_("There is a webhook of this name already."))
    about = {"of": group.of, "of_id": group.of_id, "name": name, "format": format}
    Webhook.objects.create(**about, language=(get_language() or "")[:2], **keeping.sealed(address, secret))
    _audit(group, by, "+", name)
    return secret


def remove(group: Group, *, by: User, hook_id: int) -> bool:
    """Remove a webhook with its calls; return whether there was one of this group."""
    hook = of_group(group).filter(pk=hook_id).first()
    if hook is None:
        return False
    hook.delete()
    _audit(group, by, "−", hook.name)
    return True


def turn_on(group: Group, *, by: User, hook_id: int) -> bool:
    """Call a webhook again that was turned off; return whether there was one."""
    off = of_group(group).filter(pk=hook_id, off_at__isnull=False)
    hook = off.first()
    if hook is None:
        return False
    off.update(off_at=None, failures=0, failing_since=None)
    _audit(group, by, "↻", hook.name)
    return True


def try_out(group: Group, *, hook_id: int) -> bool:
    """Have a test sent; return whether there is such a webhook, turned on."""
    hook = of_group(group).filter(pk=hook_id, off_at=None).first()
    if hook is None:
        return False
    WebhookCall.objects.create(hook=hook, kind=TEST)
    broadcast.webhooks_waiting()
    return True


def tell(group: Group, kind: str, about: int, *, again: int = 0) -> None:
    """Have its webhooks called about this, each once, in the transaction that makes it a fact.

    `again` tells apart what became a fact anew, such as the end of a match that had been reopened.
    """
    hooks = list(of_group(group).filter(off_at=None))
    calls = [WebhookCall(hook=hook, kind=kind, about=about, ask=again) for hook in hooks]
    if calls:
        WebhookCall.objects.bulk_create(calls, ignore_conflicts=True)
        broadcast.webhooks_waiting()


def forget(group: Group) -> None:
    """Remove all its webhooks, as it is no more."""
    of_group(group).delete()


def forget_club(club_id: int) -> None:
    """Remove the webhooks of a club that is dissolved; a hook (ON_DISSOLVING_CLUB)."""
    with transaction.atomic():
        forget(Group(Webhook.Of.CLUB, club_id))


def _audit(group: Group, by: User, what: str, name: str) -> None:
    note(by, Audit.Deed.HOOK, None, details=f"{group.of} {group.of_id}: {what} {name}")
