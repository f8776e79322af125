"""Mails to people: rendered in the reader's language and time zone, and handed to the outbox."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone, translation
from django.utils.module_loading import import_string

from accounts.models import User
from config.lib import time_zones
from config.lib.mail_rendering import render_mail


def send_to(
    user: User | None,
    base: str,
    context: dict[str, Any],
    *,
    kind: str,
    address: str = "",
    headers: dict[str, str] | None = None,
) -> None:
    """Post a mail to this address, or else the member's own, in the reader's language."""
    language, zone = (user.language, user.time_zone) if user else (settings.LANGUAGE_CODE, settings.TIME_ZONE)
    with translation.override(language), timezone.override(time_zones.zone(zone)):
        subject, text, html = render_mail(base, {"reader": user, **context})
    to = address or (user.email if user else "")
    post(to=to, subject=subject, text=text, html=html, kind=kind, user=user, headers=headers or {})


def post(*, life: timedelta | None = None, **mail: Any) -> None:
    """Hand a finished mail to the outbox (MAIL_OUTBOX), which sends it after commit, within its `life`."""
    import_string(settings.MAIL_OUTBOX)(life=life, **mail)
