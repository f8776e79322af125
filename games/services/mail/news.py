"""News of tournaments, ladders and clubs: when their reader may be told, and mails that say how to stop them."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any
from urllib.parse import urljoin

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse

from accounts.models import User
from accounts.services import visits
from accounts.services.mail import send_to
from config.lib import clock
from games.clocks import times_of
from games.services.mail import unsubscribing
from games.services.mail.candidates import is_visiting

log = structlog.get_logger(__name__)
BATCH = 100  # mails in a run


def write_due(waiting: QuerySet, tell: Callable[[int], None]) -> int:
    """Write the mails of rows that wait, each with a `user` who reads it, by `tell`; return how many were seen to.

    Quiet hours are kept and whoever is on the site is left alone meanwhile; whoever has one mail a day is told when
    that is due, by a hook (ON_DIGEST).
    """
    now, found = clock.now(), list(waiting.order_by("pk").select_related("user"))
    seen = visits.last(one.user_id for one in found)
    due = [one.pk for one in found if may_be_told(one.user, seen.get(one.user_id), now)][:BATCH]
    write_each(due, tell)
    return len(due)


def write_each(rows: Iterable[int], tell: Callable[[int], None]) -> None:
    """Write the mail of each of these rows in a transaction of its own: one that fails holds up no other."""
    for number in rows:
        try:
            with transaction.atomic():
                tell(number)
        except Exception:
            log.exception("mail of news not written", kind=tell.__module__, news=number)


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
