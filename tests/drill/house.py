"""The outgrown site: PostgreSQL, a Valkey with TCP, two web servers behind nginx, two workers, one beat."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from config.supervisor import beat_command, redis_program, web_command, worker_command
from tests.drill import proxy
from tests.drill.units import Keeper, Unit
from tests.postgres import Cluster
from tests.processes import ROOT, free_port, get

ADMIN_ADDRESS = "admin@club.example"
DATA_DISK, DATABASE_DISK = "64m", "700m"


class Disk:
    """A small disk of its own: a tmpfs, which takes root."""

    def __init__(self, folder: Path, size: str) -> None:
        self.folder, self.filling = folder, folder / "filling"
        folder.mkdir(mode=0o755)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=755", "tmpfs", str(folder)], check=True)

    def fill(self) -> None:
        """Write until nothing more goes in."""
        with self.filling.open("ab", buffering=0) as file:
            for size in (2**20, 2**12, 1):
                try:
                    while file.write(bytes(size)) == size:
                        pass
                except OSError:
                    continue

    def free(self) -> None:
        self.filling.unlink(missing_ok=True)

    def remove(self) -> None:
        subprocess.run(["umount", "--lazy", str(self.folder)], check=False)


class House:
    """All processes of the site; this process works on the same database and by the same clock."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder = folder
        self.data, self.database_disk = Disk(folder / "var", DATA_DISK), Disk(folder / "pg", DATABASE_DISK)
        stack.callback(self.data.remove)
        stack.callback(self.database_disk.remove)
        self.postgres = Cluster(durable=True, within=self.database_disk.folder)
        stack.callback(self.postgres.remove)
        self.http, self.https, self.redis_port, self.mail_port, *self.webs = (free_port() for _ in range(6))
        self.base = f"https://127.0.0.1:{self.https}"
        self.trusted = proxy.certificate(folder)
        self.env = self._environment()
        self.keeper = Keeper()
        stack.callback(self.keeper.stop)
        self.redis = self._add("redis", self._redis_command())
        self.redis.ready = lambda: answers(self.redis_port)
        self.web = [self._web(number, port) for number, port in enumerate(self.webs, 1)]
        names = ("worker 1", "worker 2")
        self.workers = [self._add(name, [*worker_command(), "-n", f"{name[-1]}@drill"]) for name in names]
        self.beat = self._add("beat", beat_command())
        nginx = proxy.command(folder, webs=self.webs, http=self.http, https=self.https)
        self.proxy = self._add("nginx", nginx)
        self.proxy.ready = lambda: answers(self.https)

    def _environment(self) -> dict[str, str]:
        return os.environ | {
            "VAR_DIR": str(self.data.folder),
            "DATABASE_URL": self.postgres.address,
            "REDIS_URL": f"redis://127.0.0.1:{self.redis_port}",
            "EMAIL_URL": f"smtp://127.0.0.1:{self.mail_port}",
            "ADMINS": ADMIN_ADDRESS,
            "SITE_URL": f"https://{proxy.NAME}",
            "ALLOWED_HOSTS": proxy.NAME,
            "TRUSTED_PROXY_COUNT": "1",
            "SECRET_KEY": "the key of the drill",
            "CLOCK_OFFSET_FILE": str(self.folder / "clock"),
            "EXTRA_GAMES": "tests.sample_game",
            "LOG_LEVEL": "WARNING",
            "SOCKETS_OF_ADDRESS": "100000",  # all members have one address here
            "STAFF_SECOND_FACTOR": "false",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }

    def _redis_command(self) -> list[str]:
        listen = [redis_program(), "--bind", "127.0.0.1", "--port", str(self.redis_port), "--dir", str(self.folder)]
        return [*listen, "--save", "", "--appendonly", "no", "--maxmemory-policy", "volatile-lru"]

    def _add(self, name: str, command: list[str], **env: str) -> Unit:
        log = self.folder / f"{name.replace(' ', '-')}.out"
        return self.keeper.add(Unit(name, command, self.env | env, log))

    def _web(self, number: int, port: int) -> Unit:
        unit = self._add(f"web {number}", web_command(), PORT=str(port))
        unit.ready = lambda: ask(port, "/readyz")[0] == 200
        return unit

    @property
    def units(self) -> list[Unit]:
        """The processes that run our code."""
        return [*self.web, *self.workers, self.beat]

    def set_up(self, folder: Path = ROOT) -> None:
        """Do what `make install` does of a release whose packages are there: static files, database."""
        self.run(sys.executable, "-m", "config.install", "release", folder=folder)

    def manage(self, *words: str, folder: Path = ROOT) -> str:
        """Run a command of manage.py; return what it printed."""
        return self.run(sys.executable, "manage.py", *words, folder=folder)

    def run(self, *command: str, folder: Path = ROOT) -> str:
        done = subprocess.run(command, env=self.env, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
        return done.stdout

    def open(self) -> None:
        """Start all of our processes."""
        for unit in self.units:
            unit.start()

    def mend(self) -> None:
        """Put right whatever a drill left broken, so that the next one begins well."""
        for disk in (self.data, self.database_disk):
            disk.free()
        self.postgres.start()
        for unit in (self.redis, *self.units):
            unit.start()

    def close(self) -> None:
        """Stop all of our processes, beat and workers first."""
        for unit in reversed(self.units):
            unit.stop()


def answers(port: int) -> bool:
    """Return whether somebody listens at the port."""
    with socket.socket() as client:
        client.settimeout(1)
        return client.connect_ex(("127.0.0.1", port)) == 0


def ask(port: int, path: str) -> tuple[int, bytes]:
    """Return what a web server answers, asked directly, as whoever watches it asks."""
    return get(f"http://{proxy.NAME}:{port}{path}", timeout=4)


def keep_logs(folder: Path) -> None:
    """Copy what all have written to where DRILL_LOGS says, if anywhere."""
    if to := os.environ.get("DRILL_LOGS"):
        Path(to).mkdir(parents=True, exist_ok=True)
        for log in (*folder.glob("*.out"), *folder.glob("*.log")):
            shutil.copy(log, to)


@contextmanager
def house() -> Iterator[House]:
    """Set the outgrown site up, with Redis, PostgreSQL and nginx running; take all of it away at the end."""
    folder = Path(tempfile.mkdtemp(prefix="club-y-drill-"))
    folder.chmod(0o755)  # PostgreSQL runs as a user of its own
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        stack.callback(keep_logs, folder)
        made = House(folder, stack)
        os.environ |= made.env  # of this process, too
        made.redis.start()
        made.set_up()
        made.proxy.start()
        yield made
