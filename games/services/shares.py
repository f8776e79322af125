"""Who takes much of a sender's time: each process counts the seconds that the calls of a member take."""

import time

SHARE = 15.0  # seconds of a member's calls, within the ten minutes
WITHIN = 600.0  # seconds, after which nothing is held against anybody


class Shares:
    """The members whose calls take more than their share of one sender's time: theirs are to hold up no others'."""

    def __init__(self) -> None:
        self._taken: dict[int, tuple[float, float]] = {}  # by member: seconds, and until when they count
        self._over: dict[int, float] = {}  # by member: until when they count as such

    def add(self, member: int, seconds: float, *, slow: float) -> bool:
        """Count a call of a member; return whether it was `slow`, by so many seconds, or is more than their share."""
        now = time.monotonic()
        before, until = self._taken.get(member, (0.0, now + WITHIN))
        taken = before + seconds
        self._taken[member] = taken, until
        if is_over := seconds > slow or taken > SHARE:
            self._over[member] = now + WITHIN
        return is_over

    def over(self) -> list[int]:
        """Return who has taken more than their share lately, and forget what is longer ago."""
        now = time.monotonic()
        for member, (_seconds, until) in list(self._taken.items()):
            if until < now:
                self._taken.pop(member, None)
        for member, until in list(self._over.items()):
            if until < now:
                self._over.pop(member, None)
        return list(self._over)

    def forget(self) -> None:
        """Hold nothing against anybody."""
        self._taken.clear()
        self._over.clear()
