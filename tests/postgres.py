"""A PostgreSQL of the tests' own, as durable as a real one."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from config.supervisor import spawn
from tests.processes import wait_until

CLUSTER_USER = "postgres" if os.geteuid() == 0 else None  # PostgreSQL refuses to run as root


def programs() -> Path:
    """Return the folder of the newest PostgreSQL's programs."""
    return max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name))


@contextmanager
def cluster() -> Iterator[str]:
    """Run a new cluster; yield the address of its database `club_y`, for DATABASE_URL."""
    folder = Path(tempfile.mkdtemp(prefix="club-y-pg-"))
    if CLUSTER_USER:
        shutil.chown(folder, CLUSTER_USER)
    as_user = {"user": CLUSTER_USER, "cwd": folder}
    initdb = [programs() / "initdb", "-D", folder / "data", "-U", "club_y", "-A", "trust", "-E", "UTF8"]
    subprocess.run([*initdb, "--locale", "C.UTF-8"], check=True, stdout=subprocess.DEVNULL, **as_user)
    options = [
        "-c",
        "listen_addresses=",
        "-c",
        f"unix_socket_directories={folder}",
        "-c",
        "log_min_messages=fatal",
    ]
    server = spawn([str(programs() / "postgres"), "-D", str(folder / "data"), *options], **as_user)
    try:
        connect = ["-h", str(folder), "-U", "club_y"]
        ready = [programs() / "pg_isready", "-q", "-d", "postgres", *connect]
        wait_until(lambda: subprocess.run(ready, check=False).returncode == 0, 20, "PostgreSQL")
        subprocess.run([programs() / "createdb", *connect, "club_y"], check=True)
        yield f"postgres://club_y@/club_y?host={folder}"
    finally:
        server.send_signal(signal.SIGINT)  # the fast way: it ends sessions
        server.wait(20)
        shutil.rmtree(folder, ignore_errors=True)
