"""The mail that tells the admins of a blown fuse, once; what becomes of it stops nothing."""

from collections.abc import Iterable
from urllib.parse import urljoin

import structlog
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.urls import reverse
from django.utils import timezone, translation

from accounts import zones
from accounts.letters import written
from accounts.models import User
from config import clock
from games.models import Sweep

log = structlog.get_logger(__name__)

Reader = tuple[str, str, str]  # address, language, time zone


def tell_of_fuse(*, sweep_id: int) -> int:
    """Mail every admin that the fuse stopped a sweep; return how many mails left.

    Done once for a sweep. When no mail leaves, the next sweep that is held back tries again.
    """
    untold = Sweep.objects.filter(pk=sweep_id, stopped=True, told_at__isnull=True)
    if not untold.update(told_at=clock.now()):
        return 0
    sweep = Sweep.objects.get(pk=sweep_id)
    readers = list(_admins())
    sent = sum(_told(sweep, reader) for reader in readers)
    if readers and not sent:
        Sweep.objects.filter(pk=sweep_id).update(told_at=None)
    log.warning("fuse told", sweep=sweep_id, readers=len(readers), sent=sent)
    return sent


def _admins() -> Iterable[Reader]:
    """Return the superusers with a confirmed address, and the settings' ADMINS; each address once."""
    readers: dict[str, Reader] = {}
    for user in User.objects.filter(is_superuser=True, is_active=True).exclude(email="").order_by("pk"):
        readers[user.email.lower()] = user.email, user.language, user.time_zone
    for _name, address in settings.ADMINS:
        readers.setdefault(address.lower(), (address, settings.LANGUAGE_CODE, settings.TIME_ZONE))
    return readers.values()


def _told(sweep: Sweep, reader: Reader) -> bool:
    try:
        _send(sweep, *reader)
    except Exception:  # whatever the mail server says, the other admins hear of it
        log.exception("fuse not told", sweep=sweep.pk)
        return False
    return True


def _send(sweep: Sweep, address: str, language: str, zone: str) -> None:
    with translation.override(language), timezone.override(zones.zone(zone)):
        page = urljoin(settings.SITE_URL, reverse("operation"))
        subject, text, html = written("games/mail/fuse", {"sweep": sweep, "page_url": page})
    mail = EmailMultiAlternatives(subject, text, to=[address])
    mail.attach_alternative(html, "text/html")
    mail.send()
