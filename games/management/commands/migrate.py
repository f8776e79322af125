"""Django's `migrate`, one at a time: several machines that start a release at once wait for the first."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.core.management.commands import migrate
from django.db import connections

LOCK = 0x636C7562  # of PostgreSQL, for the whole database


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate once nobody else does."""
        with alone(options["database"]):
            super().handle(*args, **options)


@contextmanager
def alone(alias: str) -> Iterator[None]:
    """Wait until no other process migrates this database, and keep others waiting meanwhile."""
    connection = connections[alias]
    if connection.vendor == "sqlite":
        with (settings.VAR_DIR / "migrating").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = 0")  # however long the other takes
        cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        cursor.execute("RESET lock_timeout")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
