"""News of tournaments and ladders: when their reader may be told, and mails that say how to stop them."""

from datetime import datetime
from typing import Any
from urllib.parse import urljoin

from django.conf import settings
from django.urls import reverse

from accounts.models import User
from accounts.services.mail import send_to
from games.clocks import times_of
from games.services.mail import unsubscribing
from games.services.mail.candidates import is_visiting


def may_be_told(user: User, seen: datetime | None, now: datetime) -> bool:
    """Return whether it is no quiet hour, the member is not on the site, and has no mail a day to wait for."""
    is_daily = user.mail_rhythm == User.Rhythm.DAILY
    return not (is_daily or times_of(user).is_quiet(now) or is_visiting(user, seen, now))


def is_wanted(reader: User, topic: str) -> bool:
    """Return whether the member is mailed news of this topic."""
    return reader.is_active and reader.is_confirmed and not reader.mail_broken_at and topic not in reader.topics_off


def write(reader: User, base: str, topic: str, context: dict[str, Any]) -> None:
    """Queue a mail by these templates, with what turns off its topic."""
    off = urljoin(settings.SITE_URL, reverse("mails-off", args=[unsubscribing.token(reader.pk, [topic])]))
    headers = {
        "Auto-Submitted": "auto-generated",
        "List-Unsubscribe": f"<{off}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    links = {"off_url": off, "settings_url": urljoin(settings.SITE_URL, reverse("mail-settings"))}
    send_to(reader, base, {**links, **context}, kind=topic, headers=headers)
