"""A lane of a worker: so many of its threads do work of one kind, and what comes meanwhile waits, each thing once."""

import threading
import time
from collections.abc import Callable

import structlog

log = structlog.get_logger(__name__)

LONGEST = 2.0  # seconds that one task goes on with what waits: a worker that stops waits for its tasks


class Lane:
    """Work that takes up no more than `most` threads of a process, however much of it there is.

    What waits is known to this process alone: whoever finds lost work by a sweep finds it after a kill.
    """

    def __init__(self, most: int, work: Callable[[int], object]) -> None:
        self._most, self._work = most, work
        self._lock = threading.Lock()
        self._busy = 0
        self._waiting: dict[int, None] = {}

    def do(self, what: int) -> int | None:
        """Do this, and what waits besides, or leave it to a thread that does; return what is to be asked for again."""
        with self._lock:
            self._waiting[what] = None
            if self._busy >= self._most:
                return None
            self._busy += 1
        end = time.monotonic() + LONGEST
        while (following := self._next()) is not None:
            if time.monotonic() > end:
                with self._lock:
                    self._busy -= 1
                return following
            try:
                self._work(following)
            except Exception:  # of one thing: what waits besides is done all the same
                log.exception("not done", what=following)
        return None

    def _next(self) -> int | None:
        """Take what has waited longest; without any, this thread leaves the lane."""
        with self._lock:
            if not self._waiting:
                self._busy -= 1
                return None
            following = next(iter(self._waiting))
            del self._waiting[following]
            return following
