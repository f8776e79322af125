"""Time under test: a clock that moves for all processes at once, and hours in which the site is well."""

from datetime import timedelta
from pathlib import Path

from config.lib import clock as present
from games.models import Heartbeat, Sweep
from games.services.clocks import outages, time_outs


class Clock:
    """The offset file that this process and its servers add to the present."""

    def __init__(self, path: Path) -> None:
        self.path, self.seconds, self.was_set = path, 0.0, 0.0

    def forward(self, seconds: float) -> None:
        """Move the present of all processes on: so much time has passed."""
        self.seconds += seconds
        self._write()

    def set_by(self, seconds: float) -> None:
        """Set the wall clock of all processes, while no time passes."""
        self.was_set += seconds
        self._write()

    def _write(self) -> None:
        fresh = self.path.with_suffix(".new")
        fresh.write_text(f"{self.seconds} {self.was_set}")
        fresh.rename(self.path)


class Hours:
    """Time that passes while the site is well: both its hearts beat on."""

    def __init__(self, clock) -> None:
        self.clock = clock
        self.beat()

    def beat(self, after=timedelta()) -> None:
        at = present.now() + after
        for part in (outages.WEB, outages.SWEEP):
            Heartbeat.objects.update_or_create(name=part, defaults={"at": at, "since": at - timedelta(days=1)})

    def go_by(self, **span: float) -> None:
        self.beat(timedelta(**span))
        self.clock.forward(timedelta(**span).total_seconds())
        self.beat()

    def sweep(self) -> Sweep | None:
        """Do what beat and the worker do each 20 seconds."""
        sweep, due = time_outs.sweep()
        for match_id in due:
            time_outs.judge(match_id=match_id, sweep_id=sweep.pk)
        return sweep
