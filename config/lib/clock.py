"""The only clock of the site: every other module gets the time here.

Tests move it for all processes at once by a file of one or two numbers of seconds: time that has passed, and by how
much the wall clock was set besides.
"""

import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

_OFFSET_FILE = os.environ.get("CLOCK_OFFSET_FILE", "")


def now() -> datetime:
    """Return the present as an aware UTC datetime, with the offset that tests share between processes."""
    present = datetime.now(UTC)
    return present + timedelta(seconds=sum(_offsets())) if _OFFSET_FILE else present


def now_ms() -> int:
    """Return the present in whole milliseconds since the epoch, as for the engine's `now`."""
    return int(now().timestamp() * 1000)


def _offsets() -> tuple[float, float]:
    """Return the seconds in the file: passed, and set; zeros when it is missing or empty."""
    if not _OFFSET_FILE or not os.access(_OFFSET_FILE, os.R_OK):  # nearly always: a look that costs next to nothing
        return 0.0, 0.0
    try:
        passed, was_set, *_more = [*Path(_OFFSET_FILE).read_text().split(), "0", "0"]
    except (FileNotFoundError, IsADirectoryError):
        return 0.0, 0.0
    return float(passed), float(was_set)


def steady_seconds() -> float:
    """Return the seconds since the machine's start, sleep included: a clock that nobody can set."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) + _offsets()[0]


def steady() -> datetime:
    """Return `steady_seconds` as a datetime, for schedules; only differences of it mean anything."""
    return datetime.fromtimestamp(steady_seconds(), UTC)


def machine_seconds() -> float:
    """Return the machine's own clock, in seconds since the epoch, to be compared with that of another machine."""
    return time.time() + _offsets()[1]


def set_offset() -> float:
    """Return the machine's clock less the time since its start: it changes when the clock is set, and only then."""
    return machine_seconds() - time.clock_gettime(time.CLOCK_BOOTTIME)


LEAP = 60.0  # seconds by which a clock may be set forward unnoticed
DOUBT_SECONDS = 3600.0  # after the clock was set forward, in which nothing is deleted for its age
_watched = {"offset": set_offset(), "leapt_at": -float("inf")}


def leapt(within: float = 60.0) -> bool:
    """Return whether this process's clock was set forward by over a minute, so many seconds ago at most, and not back.

    Then what is due by it may not be, and nothing is done that cannot be undone.
    """
    before, _watched["offset"] = _watched["offset"], set_offset()
    if abs(_watched["offset"] - before) > LEAP:
        _watched["leapt_at"] = steady_seconds() if _watched["offset"] > before else -float("inf")
    return steady_seconds() - _watched["leapt_at"] < within
