"""Authentication; the session's person is read at every request, so the query is written out."""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend

from accounts.models import User
from config.lib import sql

_USER = "SELECT * FROM accounts_user WHERE id = %s"


class QuickBackend(AuthenticationBackend):
    """allauth's backend, with a prepared query for the session's person."""

    def get_user(self, user_id: Any) -> User | None:
        """Return the person, or None when there is none or the account is closed."""
        for user in sql.read(User, _USER, [user_id]):
            return user if self.user_can_authenticate(user) else None
        return None
