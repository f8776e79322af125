"""What systemd does in the real set-up: programs that are kept running, started again a second after they die."""

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from config.children import Child, end_group, spawn, stop
from tests.processes import ROOT, wait_until

RESTART_SECONDS = 1.0  # as the units in docs/deploy/systemd
READY_SECONDS = 60


class Unit:
    """One program, with its log; who wants it to run says so, and the keeper sees to it."""

    def __init__(self, name: str, command: list[str], env: Mapping[str, str], log: Path) -> None:
        self.name, self.command, self.env, self.log = name, command, dict(env), log
        self.ready: Callable[[], object] = lambda: True
        self.folder = ROOT  # of the release that it runs
        self.is_wanted = self.is_killed = False
        self.child: Child | None = None
        self.ended_at = -RESTART_SECONDS
        self.deaths: list[str] = []  # that nobody here brought about, with the exit codes
        self.lock = threading.Lock()

    @property
    def runs(self) -> bool:
        return self.child is not None and self.child.poll() is None

    def start(self) -> None:
        """Have it run; return when it is ready."""
        self.is_wanted = True
        wait_until(lambda: self.runs and self.ready(), self.name, READY_SECONDS)

    def stop(self) -> None:
        """Ask it to stop, and leave it so."""
        with self.lock:
            self.is_wanted = False
            if self.child is not None:
                stop(self.child, 20)
                self.child = None

    def restart(self) -> None:
        self.stop()
        self.start()

    def kill(self, *, for_good: bool = False) -> None:
        """Kill it without warning; it is started again a second later, or not before `start`."""
        with self.lock:
            self.is_wanted, self.is_killed = not for_good, True
            if self.child is not None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(self.child.pid, signal.SIGKILL)
                self.child.wait()

    def tend(self) -> None:
        """Start it if it is wanted and does not run, a second after its end. Called by the keeper alone."""
        with self.lock:
            if self.child is not None and self.child.poll() is not None:
                if not self.is_killed:
                    self.deaths.append(f"{self.name} ended by itself with {self.child.returncode}")
                end_group(self.child)
                self.child, self.ended_at, self.is_killed = None, time.monotonic(), False
            if self.is_wanted and self.child is None and time.monotonic() - self.ended_at >= RESTART_SECONDS:
                with self.log.open("ab") as out:
                    self.child = spawn(self.command, self.env, stdout=out, stderr=subprocess.STDOUT, cwd=self.folder)


class Keeper:
    """Tends all units, in a thread that lives as long as they do: the system kills a child with its parent thread."""

    def __init__(self) -> None:
        self.units: list[Unit] = []
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._tend, daemon=True)
        self.thread.start()

    def add(self, unit: Unit) -> Unit:
        self.units.append(unit)
        return unit

    def deaths(self) -> list[str]:
        """Return who died by itself since the last question."""
        found = [death for unit in self.units for death in unit.deaths]
        for unit in self.units:
            unit.deaths.clear()
        return found

    def stop(self) -> None:
        """Stop all, the last added first."""
        for unit in reversed(self.units):
            unit.stop()
        self.over.set()
        self.thread.join(10)

    def _tend(self) -> None:
        while not self.over.wait(0.1):
            for unit in self.units:
                unit.tend()
