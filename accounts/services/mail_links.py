"""What ends the links and addresses in a member's mails, which open without log-in, all at once."""

import hashlib

from accounts.models import User


def link_epoch(user: User) -> str:
    """Return what such a link depends on: another after a change of the password, or once the account is closed."""
    told = f"{user.get_session_auth_hash()}:{user.is_active}"
    return hashlib.sha256(told.encode()).hexdigest()
