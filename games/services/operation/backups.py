"""Copies of the whole site in one file: the database as it was at one moment, and its keys."""

import contextlib
import fcntl
import json
import os
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import structlog
from django.conf import settings
from django.core.cache import cache
from django.db import connection, connections

from config.lib import clock, redis
from config.lib.version import VERSION
from games.models import Heartbeat
from games.services.clocks import outages

log = structlog.get_logger(__name__)

KEYS = ("secret_key", "authenticator_keys", "vapid_key", "record_keys")
KEPT = 14  # nightly copies
NIGHT_HOUR = 3  # UTC, from which on the copy of the day is made
OPEN_WITHIN = timedelta(seconds=30)  # of the last heartbeat of a web server
FORMAT = "club-y-backup/1"
SQLITE, POSTGRESQL = "database.sqlite3", "database.dump"


class BackupError(Exception):
    """Why nothing was copied or restored, as a sentence."""


def back_up(to: Path) -> None:
    """Write a copy of database and keys into a file that does not exist yet; the site may run.

    BackupError if a program fails or the file exists; nothing half written is left.
    """
    if to.exists():
        raise BackupError(f"{to} exists already.")
    to.parent.mkdir(parents=True, exist_ok=True)
    with _folder(to.parent) as folder:
        names = [_copy_database(folder), *_copy_keys(folder)]
        manifest = {
            "format": FORMAT,
            "version": VERSION,
            "made_at": clock.now().isoformat(),
            "database": connection.vendor,
        }
        (folder / "manifest.json").write_text(json.dumps(manifest))
        with tarfile.open(folder / "all.tar", "w") as file:
            for name in ("manifest.json", *names):
                file.add(folder / name, name)
        _settle(folder / "all.tar")
        (folder / "all.tar").rename(to)


def restore(source: Path, *, replace: bool = False) -> dict[str, Any]:
    """Put database and keys of a copy in the place of those of now, which are kept aside; return its manifest.

    BackupError unless the file is a copy of the same kind of database, the site is stopped, and a PostgreSQL is empty
    or to be replaced.
    """
    if is_open():
        raise BackupError("The site runs, or did a moment ago: stop it, and try again 30 s later.")
    with _folder(settings.VAR_DIR) as folder:
        manifest = _unpack(source, folder)
        if manifest["database"] != connection.vendor:
            raise BackupError(f"This is a copy of {manifest['database']}, the site uses {connection.vendor}.")
        if connection.vendor == "sqlite":
            _restore_sqlite(folder / SQLITE)
        else:
            _restore_postgresql(folder / POSTGRESQL, replace=replace)
        for name in KEYS:
            if (folder / name).exists():
                _swap(folder / name, settings.VAR_DIR / name)
    with contextlib.suppress(*redis.AWAY):  # what is remembered there is of the other database
        cache.clear()
        redis.client(redis.address(redis.RANKS)).flushdb()
    return manifest


def is_open(alias: str = "default") -> bool:
    """Return whether a web server has just written into the database that it is open."""
    try:
        beat = Heartbeat.objects.using(alias).filter(name=outages.WEB).first()
    except Exception:  # no database, no tables, or a broken one: nobody plays on it
        return False
    finally:
        connections[alias].close()
    return beat is not None and abs(clock.now() - beat.at) < OPEN_WITHIN


def nightly() -> Path | None:
    """Make the copy of the day, if it is due and BACKUP_DIR is set, and forget old ones; return its path."""
    folder, now = settings.BACKUP_DIR, clock.now()
    if not folder or now.hour < NIGHT_HOUR:
        return None
    to = Path(folder) / f"club-y-{now:%Y-%m-%d}.tar"
    if to.exists():
        return None
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
        with _alone(to.parent) as is_alone:
            if not is_alone:  # another worker is at it, for longer than beat's interval
                return None
            _clear(to.parent)
            back_up(to)
    except (BackupError, OSError, sqlite3.Error) as error:
        log.error("no backup", reason=str(error))  # the operation page shows its age
        return None
    for old in nightly_copies()[:-KEPT]:
        old.unlink()
    log.info("backup", file=to.name, bytes=to.stat().st_size)
    return to


def nightly_copies() -> list[Path]:
    """Return the nightly copies, oldest first."""
    return sorted(Path(settings.BACKUP_DIR).glob("club-y-????-??-??.tar")) if settings.BACKUP_DIR else []


def age() -> timedelta | None:
    """Return the age of the last nightly copy; None without one."""
    copies = nightly_copies()
    return clock.now() - datetime.fromtimestamp(copies[-1].stat().st_mtime, clock.now().tzinfo) if copies else None


@contextmanager
def _alone(folder: Path) -> Iterator[bool]:
    """Hold the folder against other processes and threads, until the end or a crash; yield whether it is ours."""
    place = os.open(folder, os.O_RDONLY)
    is_ours = True
    try:
        try:
            fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            is_ours = False
        yield is_ours
    finally:
        os.close(place)


def _clear(folder: Path) -> None:
    """Remove what copies left behind whose process was killed over a day ago."""
    for left in folder.glob(".backup-*"):
        if left.stat().st_mtime < (clock.now() - timedelta(days=1)).timestamp():
            shutil.rmtree(left, ignore_errors=True)


@contextmanager
def _folder(beside: Path) -> Iterator[Path]:
    """Yield a folder of our own on the same disk, private, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix=".backup-", dir=beside) as folder:
        yield Path(folder)


def _settle(path: Path) -> None:
    """Have the file on the disk before it gets its name."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _copy_database(folder: Path) -> str:
    if connection.vendor == "sqlite":
        with closing(sqlite3.connect(settings.DATABASES["default"]["NAME"])) as source:
            source.execute("VACUUM INTO ?", [str(folder / SQLITE)])
        return SQLITE
    _program("pg_dump", "--format", "custom", "--no-owner", "--file", str(folder / POSTGRESQL))
    return POSTGRESQL


def _copy_keys(folder: Path) -> list[str]:
    found = [name for name in KEYS if (settings.VAR_DIR / name).exists()]
    for name in found:
        shutil.copyfile(settings.VAR_DIR / name, folder / name)
    return found


def _unpack(source: Path, folder: Path) -> dict[str, Any]:
    """Put the files of a copy into the folder, as files of our own, whatever the copy says of their modes."""
    no_copy = BackupError(f"{source} is no copy of Club Y.")
    try:
        with tarfile.open(source, "r:") as file:
            for name in ("manifest.json", SQLITE, POSTGRESQL, *KEYS):
                if name in file.getnames():
                    _take_out(file, name, folder)
        manifest: Any = json.loads((folder / "manifest.json").read_text())
    except (OSError, tarfile.TarError, ValueError, RecursionError) as error:
        raise no_copy from error
    if not (isinstance(manifest, dict) and {"format", "database", "made_at"} <= manifest.keys()):
        raise no_copy
    if manifest["format"] != FORMAT:
        raise BackupError(f"{source} is a copy of another format.")
    if not (folder / (SQLITE if manifest["database"] == "sqlite" else POSTGRESQL)).exists():
        raise no_copy
    return manifest


def _take_out(file: tarfile.TarFile, name: str, folder: Path) -> None:
    """Write a member into the folder; TarError unless it is a file with something in it."""
    member = file.getmember(name)
    content = file.extractfile(member) if member.isreg() and member.size else None
    if content is None:
        raise tarfile.TarError
    with content, (folder / name).open("wb") as place:
        shutil.copyfileobj(content, place)


def _swap(new: Path, place: Path) -> None:
    """Put a file in its place, and what was there beside it."""
    if place.exists():
        place.rename(_aside(place))
    new.rename(place)


def _aside(place: Path) -> Path:
    return place.with_name(f"{place.name}.before-{clock.now():%Y%m%dT%H%M%S%f}")


def _restore_sqlite(copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as database:
        try:
            sound = database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        except sqlite3.DatabaseError:
            sound = False
    if not sound:
        raise BackupError("The database in this copy is broken.")
    connection.close()
    place = Path(settings.DATABASES["default"]["NAME"])
    aside = _aside(place)
    for side in ("", "-wal", "-shm"):  # the two side files belong to the old one
        if (old := place.with_name(f"{place.name}{side}")).exists():
            old.rename(aside.with_name(f"{aside.name}{side}"))
    copy.rename(place)


def _restore_postgresql(dump: Path, *, replace: bool) -> None:
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        if tables and not replace:
            raise BackupError("The database is not empty: with --replace it is copied aside, then replaced.")
        before = settings.VAR_DIR / f"before-{clock.now():%Y%m%dT%H%M%S%f}.tar"
        if tables:
            back_up(before)
            cursor.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    connection.close()
    try:
        _program("pg_restore", "--exit-on-error", "--single-transaction", "--no-owner", str(dump))
    except BackupError as error:
        raise BackupError(f"{error} What was there before is in {before}." if tables else str(error)) from error


def _program(name: str, *arguments: str) -> None:
    """Run a program of PostgreSQL on the site's database; its password goes by the environment, seen by nobody."""
    given: Any = connection.get_connection_params()
    env = dict(os.environ)
    if password := given.get("password"):
        env["PGPASSWORD"] = password
    names = {
        "host": "PGHOST",
        "port": "PGPORT",
        "user": "PGUSER",
        "sslmode": "PGSSLMODE",
        "sslrootcert": "PGSSLROOTCERT",
    }
    env |= {variable: str(given[key]) for key, variable in names.items() if given.get(key)}
    command = [_path(name), "--dbname", str(given["dbname"]), *arguments]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BackupError(f"{name} failed: {done.stderr.strip()}")


def _path(name: str) -> str:
    """Return the program of the newest PostgreSQL here."""
    newest: Sequence[Path] = sorted(
        Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parent.parent.name)
    )
    found = str(newest[-1]) if newest else shutil.which(name)
    if not found:
        raise BackupError(f"{name} is not here: install PostgreSQL’s client programs.")
    return found
