"""The only clock of the site: every other module gets the time here."""

import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

_OFFSET_FILE = os.environ.get("CLOCK_OFFSET_FILE", "")


def now() -> datetime:
    """Return the present as an aware UTC datetime, with the offset that tests share between processes."""
    present = datetime.now(UTC)
    return present + _offset() if _OFFSET_FILE else present


def now_ms() -> int:
    """Return the present in whole milliseconds since the epoch, as for the engine's `now`."""
    return int(now().timestamp() * 1000)


def _offset() -> timedelta:
    """Return the offset in the file, in seconds; zero when it is missing or empty."""
    try:
        text = Path(_OFFSET_FILE).read_text()
    except FileNotFoundError:
        return timedelta()
    return timedelta(seconds=float(text or 0))


def machine_seconds() -> float:
    """Return the machine's own clock, in seconds since the epoch, to be compared with that of another machine."""
    return time.time()


def set_offset() -> float:
    """Return the machine's clock less the time since its start, sleep included: it changes when the clock is set."""
    return time.time() - time.clock_gettime(time.CLOCK_BOOTTIME)
