"""Tells members by mail what holds for them: a sweep finds what is not told."""

from datetime import timedelta

import structlog
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext_lazy

from accounts.letters import send_to
from accounts.models import User
from config import clock
from games.clocks import times_of
from games.moderation.models import Sanction
from games.moderation.sanctions import SILENCING, lazy_sentence

log = structlog.get_logger(__name__)

TRIED_FOR = timedelta(days=3)
MANY = 100
LIFTED = gettext_lazy("A moderator has lifted what was imposed on you. You are welcome back.")


def tell_due() -> int:
    """Post the mails about what was imposed and lifted that are due, each once; return how many.

    One failure holds up no other, and is tried again.
    """
    posted = 0
    for sanction in _due().select_related("member").order_by("pk")[:MANY]:
        if sanction.member is None or times_of(sanction.member).is_quiet(clock.now()):
            continue
        try:
            posted += _tell(sanction, sanction.member)
        except Exception:
            log.exception("mail not made", sanction=sanction.pk)
    return posted


def _tell(sanction: Sanction, member: User) -> bool:
    """Post the mail, unless another worker was first."""
    words = lazy_sentence(sanction) if sanction.ended_at is None else LIFTED
    with transaction.atomic():
        mine = _due().filter(pk=sanction.pk, told_at=sanction.told_at).update(told_at=clock.now())
        if mine:
            send_to(member, "moderation/mail/account", {"words": words}, kind="sanction")
    return bool(mine)


def _due() -> QuerySet[Sanction]:
    """Return what its member has not heard: that it holds; or, having heard that, that it was lifted."""
    since = clock.now() - TRIED_FOR
    fresh = Q(told_at=None, ended_at=None, at__gt=since)
    lifted = Q(told_at__lt=F("ended_at"), ended_at__gt=since, kind__in=SILENCING)
    reachable = Q(member__isnull=False, member__mail_broken_at=None) & ~Q(member__email="")
    return Sanction.objects.filter(fresh | lifted, reachable)
