"""What ends the links and addresses in a member's mails, which act without log-in, all at once."""

from django.utils.crypto import salted_hmac

from accounts.models import User


def seal_of(user: User) -> str:
    """Return what each of them holds, and what a new password makes another."""
    return salted_hmac("mail links", user.get_session_auth_hash()).hexdigest()[:16]
