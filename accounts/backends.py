"""Authentication: one password hash for each attempt; the session's person by a written-out query."""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.http import HttpRequest

from accounts import queries
from accounts.models import User
from config.lib import sql

_USER = "SELECT * FROM accounts_user WHERE id = %s"


class QuickBackend(AuthenticationBackend):
    """allauth's backend, which looks for one person and hashes one password, with a prepared query for sessions."""

    def _authenticate(self, request: HttpRequest | None, **credentials: Any) -> User | None:
        """Return whose name or confirmed address was typed, if the password is theirs.

        For nobody allauth hashes the password all the same, so that the time tells nothing.
        """
        typed = credentials.get("username") or credentials.get("email") or ""
        person = queries.who_logs_in(typed)
        return self._check_password(person, credentials["password"])  # type: ignore[return-value]

    def user_can_authenticate(self, user: Any) -> bool:
        """Return whether this person may log in: nobody whose account is closed, and no bot."""
        return super().user_can_authenticate(user) and not user.is_bot

    def get_user(self, user_id: Any) -> User | None:
        """Return the person, or None when there is none or the account is closed."""
        for user in sql.read(User, _USER, [user_id]):
            return user if self.user_can_authenticate(user) else None
        return None
