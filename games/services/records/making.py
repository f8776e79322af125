"""Makes the monthly files of public records, a few matches at a time, so that a task may be lost, doubled or late.

What was done stands in the month's row; the file grows beside the published one by frames of zstd, of which so many
bytes count as the row says, and takes its place by a rename. Whoever comes second finds the folder locked.
"""

import contextlib
import fcntl
import hashlib
import os
import secrets
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import structlog
import zstandard
from django.conf import settings
from django.db import DatabaseError
from django.db.models import Q

from config.lib import clock, sql
from games.models import Match, RecordMonth
from games.queries import play, readable
from games.services.records.lines import PUBLIC, is_public, line_of

log = structlog.get_logger(__name__)

AT_ONCE = 100  # matches of a frame
STEP_SECONDS = 5.0  # for the records of a frame
RUN_SECONDS = 20.0  # of one task
AGAIN = timedelta(days=1)  # from one making of a month to the next, however often it is asked for
LEVEL = 10  # of zstd
BLOCK = 1 << 20


def folder() -> Path:
    """Return where the files lie."""
    return Path(settings.RECORDS_DIR)


def path_of(month: RecordMonth) -> Path:
    """Return where the published file of a month lies."""
    return folder() / f"{month}.{month.digest[:16]}.jsonl.zst"


def make_due() -> int:
    """Make what is due for up to 20 seconds; return how many steps were done. None while another process does."""
    end, steps = time.monotonic() + RUN_SECONDS, 0
    with _locked() as is_mine:
        if is_mine:
            _plan()
            while time.monotonic() < end and _step():
                steps += 1
    return steps


@contextlib.contextmanager
def _locked() -> Iterator[bool]:
    folder().mkdir(parents=True, exist_ok=True)
    with open(folder() / "lock", "a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True  # closing it, or dying, lets go


def _plan() -> None:
    """Add the months that are over, and have those made again whose file is gone."""
    this = clock.now().date().replace(day=1)
    last = RecordMonth.objects.order_by("-month").values_list("month", flat=True).first()
    if last is None:
        first = Match.objects.filter(PUBLIC).order_by("ended_at").values_list("ended_at", flat=True).first()
        due = first.date().replace(day=1) if first else this
    else:
        due = _next(last)
    while due < this:
        RecordMonth.objects.get_or_create(month=due)
        due = _next(due)
    for month in RecordMonth.objects.exclude(digest="").filter(stale_at=None).order_by("month"):
        if not path_of(month).is_file():
            log.warning("file of records is gone", month=str(month))
            RecordMonth.objects.filter(pk=month.pk, digest=month.digest).update(stale_at=clock.now(), made_at=None)


def _next(month: date) -> date:
    return (month + timedelta(days=31)).replace(day=1)


def _step() -> bool:
    """Do one step of the first month that is due; return whether there was one."""
    asked = Q(made_at=None) | Q(made_at__lte=clock.now() - AGAIN)
    due = RecordMonth.objects.filter(~Q(part="") | Q(asked, stale_at__isnull=False))
    month = due.order_by("month").first()
    if month is None:
        return False
    if not month.part or not _holds(month):
        return _begin(month)
    found = _following(month)
    return _add(month, found) if found else _publish(month)


def _part(month: RecordMonth) -> Path:
    return folder() / f"{month}.{month.part}.part"


def _holds(month: RecordMonth) -> bool:
    """Return whether the file that is being made has what its row says: not after a restore, or on another disk."""
    with contextlib.suppress(OSError):
        return _part(month).stat().st_size >= month.part_size
    return False


def _begin(month: RecordMonth) -> bool:
    before, month.part = month.part, secrets.token_hex(8)
    _part(month).touch(mode=0o600)
    begun = {"part": month.part, "part_since": clock.now(), "part_size": 0, "part_matches": 0}
    begun |= {"part_at": None, "part_match": 0}
    return bool(RecordMonth.objects.filter(pk=month.pk, part=before).update(**begun))


def _following(month: RecordMonth) -> list[tuple[int, datetime]]:
    """Return number and end of the next matches of the month."""
    start = datetime(month.month.year, month.month.month, 1, tzinfo=UTC)
    after = _next(month.month)
    ended = Match.objects.filter(
        PUBLIC, ended_at__gte=start, ended_at__lt=datetime(after.year, after.month, 1, tzinfo=UTC)
    )
    if month.part_at is not None:
        ended = ended.filter(Q(ended_at__gt=month.part_at) | Q(ended_at=month.part_at, pk__gt=month.part_match))
    rows = ended.order_by("ended_at", "pk").values_list("pk", "ended_at")[:AT_ONCE]
    return [(number, moment) for number, moment in rows if moment is not None]


def _add(month: RecordMonth, found: list[tuple[int, datetime]]) -> bool:
    """Add a frame with the lines of these matches, or of so many as the time allows."""
    end, lines = time.monotonic() + STEP_SECONDS, list[bytes]()
    last = found[0]
    for last in found:
        if line := _line(month, last[0]):
            lines.append(line)
        if time.monotonic() > end:
            break
    frame = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True).compress(b"".join(lines)) if lines else b""
    with open(_part(month), "r+b") as file:
        file.truncate(month.part_size)
        file.seek(month.part_size)
        file.write(frame)
        file.flush()
        os.fsync(file.fileno())
    done: dict[str, Any] = {"part_size": month.part_size + len(frame), "part_matches": month.part_matches + len(lines)}
    done |= {"part_at": last[1], "part_match": last[0]}
    return bool(RecordMonth.objects.filter(pk=month.pk, part=month.part, part_size=month.part_size).update(**done))


@sql.snapshot()
def _line(month: RecordMonth, match_id: int) -> bytes:
    """Return the line of a match; empty for one that is not public any more, or cannot be read."""
    try:
        match, seats = play.match_and_seats(match_id)
        return line_of(month, match, seats) if is_public(match) else b""
    except Match.DoesNotExist:
        return b""
    except DatabaseError:
        raise
    except Exception as error:
        readable.report(match_id, error)
        return b""


def _publish(month: RecordMonth) -> bool:
    """Put the finished file in the place of the published one, which goes."""
    part, is_empty = _part(month), month.part_matches == 0
    with open(part, "r+b") as file:
        file.truncate(month.part_size)
        digest = "" if is_empty else hashlib.file_digest(file, "sha256").hexdigest()
    known = RecordMonth.objects.filter(pk=month.pk, part=month.part)
    made = RecordMonth(month=month.month, digest=digest)
    if is_empty:
        part.unlink()
    else:
        os.replace(part, path_of(made))
    since = month.part_since
    known.filter(stale_at__lte=since).update(stale_at=None)
    done = {"part": "", "matches": month.part_matches, "size": month.part_size, "digest": digest}
    is_done = bool(known.update(**done, made_at=clock.now()))
    for old in folder().glob(f"{month}.*"):
        if is_done and (is_empty or old != path_of(made)):
            old.unlink(missing_ok=True)
    log.info("records published", month=str(month), matches=month.part_matches, bytes=month.part_size)
    return is_done
