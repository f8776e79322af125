"""What was noted while the clock was ahead, once it is set back: it is of now, or nobody would be called until then."""

import contextlib
from datetime import timedelta

from django.core.cache import cache
from django.db.models import Exists, OuterRef

from accounts.models import User
from accounts.services import visits
from config.lib import clock
from config.lib.redis import AWAY
from games.models import Mail, Match, Notice, Seat
from games.services import hooks

UNDER_WAY = (Mail.State.WAITING, Mail.State.SENDING, Mail.State.HANDED)  # which `outbox.recover` sees to
FARTHEST_ZONE = timedelta(hours=14)  # from UTC: where it is tomorrow first


def bring_back() -> None:
    """Let visits, questions and mails that lie ahead be of now, and digests that were sent be those of today.

    The cache is emptied: limits, and what sweeps note there, end by the machine's clock.
    """
    now = clock.now()
    with contextlib.suppress(*AWAY):
        cache.clear()
    visits.bring_back()
    User.objects.filter(digest_on__gt=(now + FARTHEST_ZONE).date()).update(digest_on=now.date())
    told = Notice.objects.filter(user=OuterRef("user"), match=OuterRef("match"), ask=OuterRef("ask"))
    ahead = Seat.objects.filter(asked_at__gt=now, match__status=Match.Status.RUNNING)
    ahead.exclude(Exists(told)).update(asked_at=now)  # links in mails are bound to when their question was asked
    hooks.clock_set_back(now)
    Mail.objects.filter(created_at__gt=now).update(created_at=now)
    Mail.objects.filter(sent_at__gt=now).update(sent_at=now)
    Mail.objects.filter(state_at__gt=now).exclude(state__in=UNDER_WAY).update(state_at=now)
