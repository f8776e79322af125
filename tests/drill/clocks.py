"""Drill with the clock of all processes: an hour back, two days forward, and right again."""

import time

from games.models import Outage
from tests.drill.drill import Drill

WRONG_SECONDS = 40.0
RIGHT_SECONDS = 6.0
HOUR, TWO_DAYS = 3600.0, 2 * 86_400.0


def clock(drill: Drill) -> None:
    """Set the clock wrong for 40 s, twice."""
    outages = Outage.objects.count()
    with drill.playing():
        _wrong(drill, -HOUR, "an hour back", "back")
        _wrong(drill, TWO_DAYS, "two days forward", "forward")
        drill.well("clock")
    given = Outage.objects.count() - outages
    drill.note(f"{given} outages given back by it")
    if given:
        drill.fail("time was given for a clock that was set")


def _wrong(drill: Drill, seconds: float, what: str, word: str) -> None:
    start = time.monotonic()
    drill.clock.set_by(seconds)
    drill.note(f"the clock is set {what}")
    drill.alarm(f"/healthz says that the clock was set {word}", lambda: drill.watch.says(f"clock was set .* {word}"))
    drill.look()
    time.sleep(max(0.0, WRONG_SECONDS - (time.monotonic() - start)))
    drill.look()
    drill.clock.set_by(-seconds)
    drill.note("the clock is right again")
    time.sleep(RIGHT_SECONDS)
    drill.wait(lambda: not drill.watch.says("fuse"), 60, "the fuse is closed")
