"""What the processes of one run of the tests make once and copy: a migrated database, the static files."""

import fcntl
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from django.db import connection, transaction

FOLDER = "TESTS_SHARED"  # the environment's name for the run's folder; without one nothing is shared


@contextmanager
def made_once(name: str) -> Iterator[Path | None]:
    """Hold off the run's other processes; yield where the thing lies, or is to be laid. None when nothing is shared."""
    folder = os.environ.get(FOLDER)
    if folder is None:
        yield None
        return
    with Path(folder, f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield Path(folder, name)


@contextmanager
def migrated(name: str) -> Iterator[bool]:
    """Yield whether the new database of that name is a copy; else it is to be migrated meanwhile, and is copied."""
    with made_once(f"migrated-{connection.vendor}") as there:
        is_copy = there is not None and there.exists()
        if is_copy:
            _copy(str(there), name)
        yield is_copy
        if there is not None and not is_copy:
            _copy(name, str(there))


def _copy(source: str, target: str) -> None:
    connection.close()
    if connection.vendor == "sqlite":
        with closing(sqlite3.connect(source)) as database:
            database.execute("VACUUM INTO ?", [target])
        return
    with connection._nodb_cursor() as cursor:
        names = [Path(name).name for name in (source, target)]
        cursor.execute('CREATE DATABASE "{1}" TEMPLATE "{0}"'.format(*names))
    for path in (Path(source), Path(target)):
        if path.is_absolute():
            path.touch()  # tells that the database is there


def drop(name: str) -> None:
    """Remove a test's PostgreSQL database, whoever is still connected to it."""
    connection.close()
    with connection._nodb_cursor() as cursor:
        cursor.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def empty() -> None:
    """Delete all rows but what comes of migrating alone: where there are any.

    Django's flush empties each table and tells all apps that they were migrated, after each test that commits.
    """
    known = {"django_content_type", "auth_permission"}
    tables = [connection.ops.quote_name(name) for name in connection.introspection.django_table_names()]
    tables = [name for name in tables if name.strip('"') not in known]
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"LOCK TABLE {', '.join(tables)}")  # as TRUNCATE would: what is under way comes first
        cursor.execute(" UNION ALL ".join(f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM {name})" for name in tables))
        for (name,) in cursor.fetchall():
            cursor.execute(f"DELETE FROM {name}")


def collected(static: Path, collect: Callable[[], object]) -> None:
    """Have the static files in the folder: a copy of the run's, which `collect` makes once."""
    with made_once("static") as there:
        if there is not None and there.exists():
            shutil.copytree(there, static)
            return
        collect()
        if there is not None:
            shutil.copytree(static, there)
