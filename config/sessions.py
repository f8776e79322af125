"""Sessions by the keys that the site makes: any other text in a cookie opens none, and is looked for nowhere."""

import re

from django.contrib.sessions.backends import cached_db

KEY = re.compile(r"[a-z0-9]{8,40}")  # PostgreSQL knows no text with a NUL, which a cookie may spell


class SessionStore(cached_db.SessionStore):
    """Django's sessions in the cache and the database."""

    def _validate_session_key(self, key: str) -> bool:
        return bool(key and KEY.fullmatch(key))
