"""A PostgreSQL of the tests' own, as durable as a real one unless nothing depends on that."""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from config.children import Child, spawn
from tests.processes import wait_until

CLUSTER_USER = "postgres" if os.geteuid() == 0 else None  # PostgreSQL refuses to run as root


def programs() -> Path:
    """Return the folder of the newest PostgreSQL's programs."""
    return max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name))


# What it has written may be lost; who needs the planner to know new sizes says ANALYZE.
HASTY = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off"]


class Cluster:
    """A new cluster with a database `club_y`, to be started, killed and started again."""

    def __init__(self, *, durable: bool = True, within: Path | None = None) -> None:
        self.durable = durable
        self.folder = Path(tempfile.mkdtemp(prefix="club-y-pg-", dir=within))
        self.address = f"postgres://club_y@/club_y?host={self.folder}"
        self.as_user = {"user": CLUSTER_USER, "cwd": self.folder}
        self.server: Child | None = None
        if CLUSTER_USER:
            shutil.chown(self.folder, CLUSTER_USER)
        initdb = [programs() / "initdb", "-D", self.folder / "data", "-U", "club_y", "-A", "trust"]
        encoding = ["-E", "UTF8", "--locale", "C.UTF-8"]
        subprocess.run([*initdb, *encoding], check=True, stdout=subprocess.DEVNULL, **self.as_user)
        self.start()
        subprocess.run([programs() / "createdb", *self.connect, "club_y"], check=True)

    @property
    def connect(self) -> list[str]:
        return ["-h", str(self.folder), "-U", "club_y"]

    def start(self) -> None:
        """Start and return when it answers; again, while what a killed one left still holds its memory."""
        options = ["listen_addresses=", f"unix_socket_directories={self.folder}", "log_min_messages=fatal"]
        options += [] if self.durable else HASTY
        command = [str(programs() / "postgres"), "-D", str(self.folder / "data")]
        command += [word for option in options for word in ("-c", option)]
        ready = [programs() / "pg_isready", "-q", "-d", "postgres", *self.connect]

        def answers() -> bool:
            if self.server is None or self.server.poll() is not None:
                self.server = spawn(command, **self.as_user, stderr=subprocess.DEVNULL)
                time.sleep(0.05)
            return subprocess.run(ready, check=False).returncode == 0

        wait_until(answers, "PostgreSQL")

    def kill(self) -> None:
        """Kill all its processes without warning."""
        children = Path(f"/proc/{self.server.pid}/task/{self.server.pid}/children").read_text().split()
        for pid in (self.server.pid, *map(int, children)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.server.wait()

    @property
    def runs(self) -> bool:
        return self.server is not None and self.server.poll() is None

    def stop(self) -> None:
        """Stop the fast way, which ends sessions."""
        self.server.send_signal(signal.SIGINT)
        self.server.wait(20)

    def remove(self) -> None:
        """Stop, and leave nothing."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextmanager
def cluster(*, durable: bool = True) -> Iterator[str]:
    """Run a new cluster; yield the address of its database `club_y`, for DATABASE_URL."""
    made = Cluster(durable=durable)
    try:
        yield made.address
    finally:
        made.remove()
