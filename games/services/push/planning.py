"""Which devices a member's call goes to: planned with the mail that says the same, as rows of their own."""

from datetime import datetime, timedelta

from django.db.models import Q

from accounts.models import User
from games.models import Mail, Push
from games.services.push import devices

UNDER_WAY = (Mail.State.WAITING, Mail.State.SENDING, Mail.State.HANDED)
STUCK_AFTER = timedelta(minutes=10)  # for a mailbox that is full, say, or a mail server that is away
MOST_APART = 3  # matches that are told one by one; of more, one message tells


def plan(mail: Mail, user: User) -> None:
    """Have the member's devices told what this mail tells, in a transaction, under the member's lock."""
    match_ids = set(mail.notices.values_list("match_id", flat=True))
    apart = match_ids if 0 < len(match_ids) <= MOST_APART and mail.kind != "digest" else [None]
    called = devices.to_call(user)
    Push.objects.bulk_create(
        Push(device=device, mail=mail, match_id=match_id) for device in called for match_id in sorted(apart, key=str)
    )


def stuck(now: datetime) -> Q:
    """Return the condition of the mails that nobody takes: devices are called without them, and wait for none."""
    return Q(state__in=UNDER_WAY, created_at__lt=now - STUCK_AFTER)


def reads_mail(user: User) -> bool:
    """Return whether mail to this member can arrive: the address is confirmed, and not known to fail."""
    return bool(user.email) and user.mail_broken_at is None
