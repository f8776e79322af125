"""A whole site of real processes on a durable database, to be killed and started again, with a clock."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django
from django.core.management import call_command
from django.db import connection

from config.supervisor import web_command, worker_command
from tests.postgres import Cluster
from tests.processes import Process, free_port, get, redis_process

ENTRY = [sys.executable, "-W", "ignore", "-m", "tests.faults.entry"]


class Clock:
    """The offset that all processes of the stage add to the present."""

    def __init__(self, path: Path) -> None:
        self.path, self.seconds = path, 0.0

    def forward(self, seconds: float) -> None:
        self.seconds += seconds
        fresh = self.path.with_suffix(".new")
        fresh.write_text(str(self.seconds))
        fresh.rename(self.path)


class Stage:
    """Redis, PostgreSQL or SQLite, web servers, workers and beats; this process works on the same database."""

    def __init__(self, folder: Path, cluster: Cluster | None) -> None:
        self.folder, self.postgres = folder, cluster
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.clock = Clock(folder / "clock")
        os.environ |= {
            "VAR_DIR": str(folder),
            "REDIS_URL": f"unix://{folder}/redis.sock",
            "DATABASE_URL": cluster.address if cluster else "",
            "CLOCK_OFFSET_FILE": str(self.clock.path),
            "SECRET_KEY": "the key of the stage",
            "PORT": str(self.port),
            "SITE_URL": self.base,
            "LOG_LEVEL": "WARNING",
            "BOT_PAUSE": "0",
            "SOCKETS_OF_ADDRESS": "100000",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        self.redis = redis_process(folder)
        self.processes: list[Process] = []

    def web(self, name: str = "web", port: int = 0) -> Process:
        """Return the web server, or another at this port."""
        return self.process(name, web_command(), PORT=str(port or self.port))

    def process(self, name: str, command: list[str], **env: str) -> Process:
        """Return a process of the site, not started; its output is in `<name>.out`."""
        living = f"http://127.0.0.1:{env.get('PORT', self.port)}/livez"
        ready = (lambda: get(living)[0] == 200) if name.startswith("web") else (lambda: True)
        made = Process(command, os.environ | env, self.folder / f"{name}.out", ready)
        self.processes.append(made)
        return made

    def worker(self, name: str = "worker", **env: str) -> Process:
        """Return a worker without beat, started by `tests.faults.entry`, which can plant things."""
        options = worker_command()[worker_command().index("celery") + 1 :]
        return self.process(name, [*ENTRY, *options, "-n", f"{name}@stage"], **env)

    def beat(self, name: str = "beat", **env: str) -> Process:
        """Return a beat."""
        options = ["--pidfile=", "--loglevel", "WARNING"]
        return self.process(name, [*ENTRY, "-q", "-A", "config.celery", "beat", *options], **env)

    def manage(self, *words: str) -> str:
        done = subprocess.run([sys.executable, "manage.py", *words], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def stop(self) -> None:
        while self.processes:
            self.processes.pop().stop()

    def clear(self) -> None:
        """Stop what runs and empty the database, for the next scenario."""
        self.stop()
        connection.close()  # it may have been killed at the other end
        call_command("flush", interactive=False, verbosity=0)


@contextmanager
def stage(*, sqlite: bool = False) -> Iterator[Stage]:
    """Set a stage, on PostgreSQL or SQLite, migrated, with Redis running and nothing else; Django here works on it."""
    folder = Path(tempfile.mkdtemp(prefix="club-y-stage-"))
    cluster = None if sqlite else Cluster()
    made = Stage(folder, cluster)
    try:
        made.redis.start()
        made.manage("migrate", "-v0")
        made.manage("collectstatic", "--noinput", "-v0")
        django.setup()
        yield made
    finally:
        made.stop()
        made.redis.stop()
        if cluster:
            cluster.remove()
        shutil.rmtree(folder, ignore_errors=True)
