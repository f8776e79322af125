"""The machine under the site: whether its disk can be written, and whether its clock is to be trusted."""

import os
import time
from collections.abc import Iterable

from django.conf import settings
from django.db import OperationalError, ProgrammingError, connection, transaction

from config.lib import clock

TRIAL_BYTES = 65_536
TRIAL_EVERY = 5.0  # seconds: whoever asks often does not write as often
ROOM_EVERY, ROOM_ROWS = 10.0, 4000  # seconds; rows of some 36 bytes
APART = 5.0  # seconds by which clocks may differ
REMEMBERED = 600.0


class Disk:
    """Tries a write in the data folder, at most every five seconds."""

    def __init__(self) -> None:
        self.trouble: str | None = None
        self.tried_at = -TRIAL_EVERY

    def look(self) -> str | None:
        """Return what is wrong; None if the folder can be written."""
        if time.monotonic() - self.tried_at >= TRIAL_EVERY:
            try:
                write_trial()
                self.trouble = None
            except OSError as error:
                self.trouble = f"cannot be written: {error.strerror}"
            self.tried_at = time.monotonic()
        return self.trouble


def write_trial() -> None:
    """Write a file to the disk and remove it; OSError if that fails."""
    path = settings.VAR_DIR / f"trial-{os.getpid()}"
    try:
        with path.open("wb") as file:
            file.write(bytes(TRIAL_BYTES))
            file.flush()
            os.fsync(file.fileno())
    finally:
        path.unlink(missing_ok=True)


class Room:
    """Tries a write that takes room on the disk of PostgreSQL, at most every ten seconds.

    A heartbeat takes none: it goes on while every move is refused.
    """

    def __init__(self) -> None:
        self.trouble: str | None = None
        self.tried_at = -ROOM_EVERY

    def look(self) -> str | None:
        """Return what is wrong; None if there is room, or the database lies in the data folder."""
        if connection.vendor == "postgresql" and time.monotonic() - self.tried_at >= ROOM_EVERY:
            try:
                with transaction.atomic(), connection.cursor() as cursor:
                    cursor.execute(f"CREATE TEMP TABLE trial ON COMMIT DROP AS SELECT generate_series(1, {ROOM_ROWS})")
                self.trouble = None
            except OperationalError as error:
                self.trouble = f"cannot be written: {type(error.__cause__ or error).__name__}"
            except ProgrammingError:  # this role may make no tables, not even for itself
                self.trouble = None
            self.tried_at = time.monotonic()
        return self.trouble


class Clock:
    """Watches the machine's clock against the time since its start, which nobody can set, and against others."""

    def __init__(self) -> None:
        self.offset = clock.set_offset()
        self.jump, self.jumped_at = 0.0, -REMEMBERED

    def look(
        self, *, redis: float | None, ages: Iterable[float | None], ahead: float = 0.0, was_set: float = 0.0
    ) -> str | None:
        """Return what is wrong, given the clock of Redis and the ages of heartbeats, all in seconds.

        `ahead` is by how much this clock is ahead of the database's, `was_set` by how much another process saw it set.

        A clock that was set is wrong for ten minutes, so that somebody looks what it has done.
        """
        before, self.offset = self.offset, clock.set_offset()
        if abs(self.offset - before) > APART:
            self.jump, self.jumped_at = self.offset - before, time.monotonic()
        if jump := self.jump if time.monotonic() - self.jumped_at < REMEMBERED else was_set:
            return f"was set {abs(jump):.0f} s {'forward' if jump > 0 else 'back'}"
        others = {"the database": ahead, "Redis": clock.machine_seconds() - redis if redis is not None else 0.0}
        for name, apart in others.items():
            if abs(apart) > APART:
                return f"is {abs(apart):.0f} s {'ahead of' if apart > 0 else 'behind'} that of {name}"
        youngest = min((age for age in ages if age is not None), default=0.0)
        if youngest < -APART:
            return f"a heartbeat lies {-youngest:.0f} s ahead: a clock was set back, or two differ"
        return None
