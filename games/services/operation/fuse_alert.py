"""Mails the admins once when the fuse stops a sweep."""

from urllib.parse import urljoin

import structlog
from django.conf import settings
from django.db import transaction
from django.urls import reverse

from accounts.models import User
from accounts.services.mail import send_to
from config.lib import clock
from games.models import Sweep

log = structlog.get_logger(__name__)


def tell_of_fuse(*, sweep_id: int) -> int:
    """Mail every admin that the fuse stopped a sweep, once per sweep; return to how many."""
    untold = Sweep.objects.filter(pk=sweep_id, stopped=True, told_at__isnull=True)
    with transaction.atomic():
        if not untold.update(told_at=clock.now()):
            return 0
        sweep, readers = Sweep.objects.get(pk=sweep_id), _admins()
        context = {"sweep": sweep, "page_url": urljoin(settings.SITE_URL, reverse("operation"))}
        for address, user in readers.items():
            send_to(user, "games/operation/fuse", context, kind="fuse", address=address)
    log.warning("fuse told", sweep=sweep_id, readers=len(readers))
    return len(readers)


def _admins() -> dict[str, User | None]:
    """Return the superusers with an address, and the settings' ADMINS; each address once."""
    superusers = User.objects.filter(is_superuser=True, is_active=True).exclude(email="").order_by("pk")
    admins: dict[str, User | None] = {user.email.lower(): user for user in superusers}
    for _name, address in settings.ADMINS:
        admins.setdefault(address.lower(), None)
    return admins
