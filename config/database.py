"""The database as Django's settings have it: PostgreSQL by its address, else SQLite in the data folder."""

from pathlib import Path
from typing import Any

import environ

CONNECT_SECONDS = 5


def of(url: str, folder: Path, lock_seconds: float) -> dict[str, Any]:
    """Return the settings of the database at `url`, or of the one in `folder`; none waits longer for a lock."""
    if not url:
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": folder / "club-y.sqlite3",
            "CONN_MAX_AGE": None,
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE",
                "timeout": lock_seconds,
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; "
                "PRAGMA mmap_size=134217728; PRAGMA journal_size_limit=27103364; PRAGMA cache_size=2000;",
            },
        }
    found: dict[str, Any] = environ.Env.db_url_config(url) | {"CONN_MAX_AGE": None, "CONN_HEALTH_CHECKS": True}
    if found["ENGINE"].endswith("postgresql"):
        options = found.setdefault("OPTIONS", {})
        options["options"] = f"{options.get('options', '')} -c lock_timeout={lock_seconds * 1000:.0f}".strip()
        options.setdefault("connect_timeout", CONNECT_SECONDS)
    return found
