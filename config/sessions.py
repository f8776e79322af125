"""Sessions by the keys that the site makes: any other text in a cookie opens none, and is looked for nowhere."""

import re

from django.contrib.sessions.backends import cached_db
from django.contrib.sessions.backends.base import UpdateError
from django.db import InterfaceError, OperationalError

KEY = re.compile(r"[a-z0-9]{8,40}")  # PostgreSQL knows no text with a NUL, which a cookie may spell


class SessionStore(cached_db.SessionStore):
    """Django's sessions in the cache and the database."""

    def _validate_session_key(self, key: str) -> bool:
        return bool(key and KEY.fullmatch(key))

    def save(self, must_create: bool = False) -> None:
        """Store the session; raise what the database says if it cannot: Django tells that as if somebody logged out."""
        try:
            super().save(must_create)
        except UpdateError as error:
            if isinstance(error.__context__, OperationalError | InterfaceError):
                raise error.__context__ from None
            raise
