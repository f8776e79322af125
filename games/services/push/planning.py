"""Which devices a member's call goes to: planned with the mail that says the same, as rows of their own."""

from collections.abc import Collection

from accounts.models import User
from games.models import Mail, Push
from games.services.push import devices

MOST_APART = 3  # matches that are told one by one; of more, one message tells


def plan(mail: Mail, user: User, match_ids: Collection[int]) -> None:
    """Have the member's devices told what this mail tells; leave it to them alone if no mail is wanted or read.

    In the transaction that creates the mail, under the member's lock.
    """
    called = devices.to_call(user)
    if not called:
        return
    apart = match_ids if 0 < len(match_ids) <= MOST_APART and mail.kind != "digest" else [None]
    Push.objects.bulk_create(
        Push(device=device, mail=mail, match_id=match_id) for device in called for match_id in sorted(apart, key=str)
    )
    if not reads_mail(user) or devices.choice_of(user).mail_after:
        mail.state = Mail.State.PUSHED
        mail.save(update_fields=["state"])


def reads_mail(user: User) -> bool:
    """Return whether mail to this member can arrive: the address is confirmed, and not known to fail."""
    return bool(user.email) and user.mail_broken_at is None
