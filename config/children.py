"""Child processes that end with their parent, and that are started again when they die. Standard library only."""

import contextlib
import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence

STOP_SECONDS = 10
PAUSES = (1, 2, 4, 8, 16, 30)  # seconds from a death to the next start, by deaths of the last ten minutes
REMEMBERED = 600.0
MOST_DEATHS, WITHIN = 5, 120.0  # of one child, in seconds: then it will not stay up
SILENT_SECONDS = 90.0  # without a sign of life, or since its start: then a child is started again
PR_SET_PDEATHSIG = 1

libc = ctypes.CDLL(None)
Child = subprocess.Popen[bytes]


class GivenUp(Exception):
    """A child dies again and again; the message says which."""


def end_with_parent() -> None:
    """Have the system kill this process when its parent dies."""
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def spawn(command: Sequence[str], env: Mapping[str, str] | None = None, **options: object) -> Child:
    """Start a child in its own session, which is killed when its parent is."""
    return subprocess.Popen(
        command,
        env=env,
        start_new_session=True,
        preexec_fn=end_with_parent,  # noqa: PLW1509 (no threads here)
        **options,  # type: ignore[call-overload]
    )


def stop(child: Child, seconds: float = STOP_SECONDS) -> None:
    """Terminate a child; kill it after `seconds`, and whatever it has started."""
    child.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(seconds)
    end_group(child)


def end_group(child: Child) -> None:
    """Kill what is left of a child and of all that it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


class Kept:
    """A program that is kept running: its process, its last sign of life, its last deaths."""

    def __init__(self, name: str, command: Sequence[str], silent_seconds: float = SILENT_SECONDS) -> None:
        self.name, self.command, self.silent_seconds = name, command, silent_seconds
        self.deaths: list[float] = []
        self.stillborn = 0  # deaths since it was last heard
        self.child: Child | None = None
        self.start_at = 0.0
        self.start()

    def start(self) -> None:
        print(f"Starting {self.name}", flush=True)
        self.child = spawn(self.command)
        self.heard = time.monotonic()

    def tend(self) -> None:
        """Start it again if it died, after a pause that grows.

        GivenUp if it died five times within two minutes, or five times without a sign of life in between.
        """
        now = time.monotonic()
        if self.child is None:
            if now >= self.start_at:
                self.start()
        elif (code := self.child.poll()) is not None:
            end_group(self.child)
            self.child = None
            self.deaths = [*(death for death in self.deaths if now - death < REMEMBERED), now]
            self.stillborn += 1
            if self.stillborn >= MOST_DEATHS or sum(now - death < WITHIN for death in self.deaths) >= MOST_DEATHS:
                raise GivenUp(f"{self.name} died {MOST_DEATHS} times, now with {code}")
            pause = PAUSES[min(len(self.deaths), len(PAUSES)) - 1]
            print(f"{self.name} ended with {code}; it is started again in {pause} s.", flush=True)
            self.start_at = now + pause

    def listen(self, is_heard: bool) -> None:
        """Note a sign of life, or start anew who has given none for too long: a process may live and do nothing."""
        if is_heard or self.child is None:
            self.heard = time.monotonic()
            self.stillborn = 0 if is_heard else self.stillborn
        elif time.monotonic() - self.heard > self.silent_seconds:
            print(f"{self.name} has been silent for {self.silent_seconds:.0f} s.", flush=True)
            stop(self.child)
            self.start()

    def stop(self) -> None:
        if self.child is not None:
            stop(self.child)
