"""The errors of the last 24 hours, counted in Redis by kind and route: no text of an error, nobody's data."""

import hashlib
import logging
import traceback
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from config.lib import clock, redis

log = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parents[2]
HOURS = 24
MOST_KINDS = 200  # of an hour; what comes beyond is counted as one
MOST_WAITING = 100
SEPARATOR = "\n"
TOLD = "club-y:errors-told"
OTHER = ("(others)", "")

_writer = ThreadPoolExecutor(1, thread_name_prefix="errors")  # no request waits for a Redis that is away


@dataclass(frozen=True)
class ErrorCount:
    """How often an error came: `kind` is its class and the line of ours, `request_id` that of the last."""

    kind: str
    route: str
    count: int
    first: datetime
    last: datetime
    request_id: str

    @property
    def mark(self) -> str:
        """What tells it from other errors, short."""
        return hashlib.sha256(f"{self.kind}{SEPARATOR}{self.route}".encode()).hexdigest()[:16]


class _Seen(msgspec.Struct):
    count: int
    first: float
    last: float
    request_id: str


def kind_of(error: BaseException) -> str:
    """Return the class of an error and the line of ours at which it came, which say nothing of anybody."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(ROOT) and ".venv" not in frame.filename]
    name = type(error).__name__
    return f"{name} at {Path(ours[-1].filename).relative_to(ROOT)}:{ours[-1].lineno}" if ours else name


def note_soon(kind: str, route: str, request_id: str) -> None:
    """Count an error in the background; nothing is lost but the count when Redis is away."""
    if _writer._work_queue.qsize() < MOST_WAITING:
        _writer.submit(_note, kind, route, request_id)


def _note(kind: str, route: str, request_id: str) -> None:
    try:
        note(kind, route, request_id)
    except redis.AWAY:
        log.info("error not counted: Redis is away")


def note(kind: str, route: str, request_id: str) -> None:
    """Count an error."""
    store, now = _redis(), clock.now()
    key, field = _key(now), SEPARATOR.join((kind, route))
    if store.hlen(key) >= MOST_KINDS and not store.hexists(key, f"n{field}"):
        field = SEPARATOR.join(OTHER)
    at, pipe = now.timestamp(), store.pipeline()
    pipe.hincrby(key, f"n{field}", 1)
    pipe.hsetnx(key, f"f{field}", at)
    pipe.hset(key, f"l{field}", msgspec.json.encode((at, request_id)))
    pipe.expire(key, timedelta(hours=HOURS + 1))
    pipe.execute()


def last_day() -> list[ErrorCount]:
    """Return the errors of the last 24 hours, by the hour, the latest first. AWAY without Redis."""
    now, pipe = clock.now(), _redis().pipeline()
    for hour in range(HOURS):
        pipe.hgetall(_key(now - timedelta(hours=hour)))
    found: dict[tuple[str, str], _Seen] = {}
    for row in pipe.execute():
        _add(found, row)
    counts = [
        ErrorCount(kind, route, seen.count, _moment(seen.first), _moment(seen.last), seen.request_id)
        for (kind, route), seen in found.items()
    ]
    return sorted(counts, key=lambda error: error.last, reverse=True)


def is_told(error: ErrorCount) -> bool:
    """Return whether the admins were told of this error in the last 24 hours."""
    return bool(_redis().exists(f"{TOLD}:{error.mark}"))


def mark_told(errors: Iterable[ErrorCount]) -> None:
    """Note that the admins are told of these."""
    for error in errors:
        _redis().set(f"{TOLD}:{error.mark}", 1, ex=timedelta(hours=HOURS))


def may_tell() -> bool:
    """Return whether the admins may get a mail, and note that they do: not twice within an hour."""
    return bool(_redis().set(f"{TOLD}:lately", 1, nx=True, ex=timedelta(hours=1)))


def _add(found: dict[tuple[str, str], _Seen], row: dict[bytes, bytes]) -> None:
    for name, value in row.items():
        if name[:1] != b"n":
            continue
        kind, _newline, route = name[1:].decode().partition(SEPARATOR)
        first = float(row[b"f" + name[1:]])
        last, request_id = msgspec.json.decode(row[b"l" + name[1:]])
        seen = found.setdefault((kind, route), _Seen(0, first, last, request_id))
        seen.count += int(value)
        seen.first = min(seen.first, first)
        if last >= seen.last:
            seen.last, seen.request_id = last, request_id


def _key(at: datetime) -> str:
    return f"club-y:errors:{at:%Y%m%d%H}"


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def _redis() -> Any:
    return redis.client(redis.address(redis.CACHE))
