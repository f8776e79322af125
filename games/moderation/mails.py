"""Tells members by mail what holds for them: sanctions are the rows, a sweep sends what is not told."""

from datetime import timedelta

import structlog
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext_lazy

from accounts.letters import send_to
from config import clock
from games.clocks import times_of
from games.moderation.models import Sanction
from games.moderation.sanctions import SILENCING, lazy_sentence

log = structlog.get_logger(__name__)

TRIED_FOR = timedelta(days=3)
MANY = 100
LIFTED = gettext_lazy("A moderator has lifted what was imposed on you. You are welcome back.")


def tell_due() -> int:
    """Send the mails about what was imposed and lifted that are due; return how many.

    One failure holds up no other. A row is claimed before its mail is handed over: it goes out once, or again
    only when the server refused.
    """
    sent = 0
    for sanction in _due().select_related("member").order_by("pk")[:MANY]:
        if sanction.member is None or times_of(sanction.member).is_quiet(clock.now()):
            continue
        before, now = sanction.told_at, clock.now()
        if not _due().filter(pk=sanction.pk, told_at=before).update(told_at=now):
            continue  # another worker was first
        try:
            send_to(
                sanction.member,
                "moderation/mail/account",
                {"words": lazy_sentence(sanction) if sanction.ended_at is None else LIFTED},
            )
            sent += 1
        except Exception:
            log.exception("mail not sent", sanction=sanction.pk)
            Sanction.objects.filter(pk=sanction.pk, told_at=now).update(told_at=before)
    return sent


def _due() -> QuerySet[Sanction]:
    """Return what its member has not heard: that it holds; or, having heard that, that it was lifted."""
    since = clock.now() - TRIED_FOR
    fresh = Q(told_at=None, ended_at=None, at__gt=since)
    lifted = Q(told_at__lt=F("ended_at"), ended_at__gt=since, kind__in=SILENCING)
    reachable = Q(member__isnull=False, member__mail_broken_at=None) & ~Q(member__email="")
    return Sanction.objects.filter(fresh | lifted, reachable)
