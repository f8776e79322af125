"""What follows when an address comes to be known as failing: its mails have not arrived, others are used."""

from collections.abc import Iterable

from django.db.models import Max, Q

from accounts.models import User
from games.models import ASKING, Mail, Match, Notice, Push, Seat, WebhookCall
from games.services import channel_order

State = Mail.State


def go_on(user_ids: Iterable[int]) -> None:
    """Take back that mails about open questions arrived, and call the next channels; a hook (ON_MAIL_BROKEN).

    Not of whoever marked a mail as spam: it had arrived.
    """
    for user in User.objects.filter(pk__in=list(user_ids)):
        if channel_order.is_complaint(user):
            continue
        asked = Seat.objects.filter(user=user, ask__isnull=False, bot="", match__status=Match.Status.RUNNING)
        about = Q(pk__in=[])
        for seat in asked:
            about |= Q(match_id=seat.match_id, ask=seat.ask)
            _forget_mail(user, seat)
        told = Notice.objects.filter(about, user=user, kind__in=ASKING, mail__isnull=False)
        wanted = Q(pk__in=told.values("mail")) | Q(state=State.WAITING)
        channel_order.go_on(Mail.objects.filter(wanted, user=user, expires_at=None).order_by("pk"))


def _forget_mail(user: User, seat: Seat) -> None:
    """Leave of when a call about a seat's question arrived only what came by other channels than mail."""
    if seat.reached_at is None:
        return
    question = {"match_id": seat.match_id, "ask": seat.ask, "kind__in": ASKING}
    notices = Notice.objects.filter(user=user, **question)
    pushes = Push.objects.filter(mail__notices__in=notices, state=State.SENT)
    pushes = pushes.filter(Q(match_id=seat.match_id) | Q(match=None))
    calls = WebhookCall.objects.filter(hook__user=user, state=State.SENT, **question)
    found = [pushes.aggregate(at=Max("sent_at"))["at"], calls.aggregate(at=Max("state_at"))["at"]]
    same = Seat.objects.filter(pk=seat.pk, ask=seat.ask, reached_at=seat.reached_at)
    same.update(reached_at=max(filter(None, found), default=None))
