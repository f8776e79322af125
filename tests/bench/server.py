"""The site under the benches, on a fresh database, and what each of its parts takes of the processor."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from typing import Any

from tests.postgres import cluster
from tests.processes import children, free_port, get, redis_process, wait_until

SERVER_CORE, OTHER_CORE = (0, 1) if (os.cpu_count() or 1) > 1 else (0, 0)
TICKS = os.sysconf("SC_CLK_TCK")


class Server:
    """The site on a fresh database: one web server pinned to one core, or several that share all."""

    def __init__(
        self,
        kind: str,
        stack: AsyncExitStack | ExitStack,
        webs: int = 1,
        *,
        is_apart: bool = False,
        settings: str = "tests.bench.settings",
    ) -> None:
        self.kind, self.is_apart = kind, is_apart
        self.folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="club-y-bench-")))
        self.redis = redis_process(self.folder)
        self.redis.start()
        stack.callback(self.redis.stop)
        self.ports = [free_port() for _ in range(webs)]
        self.port = self.ports[0]
        self.base = f"http://127.0.0.1:{self.port}"
        self.env = os.environ | {
            "VAR_DIR": str(self.folder),
            "REDIS_URL": f"unix://{self.folder}/redis.sock",
            "DATABASE_URL": stack.enter_context(cluster()) if kind == "postgresql" else "",
            "PORT": str(self.port),
            "SITE_URL": self.base,
            "LOG_LEVEL": "WARNING",
            "STAFF_SECOND_FACTOR": "0",
            "SOCKETS_OF_ADDRESS": "100000",  # the bench comes from one
            "DJANGO_SETTINGS_MODULE": "tests.bench.settings",
        }
        self.manage("migrate", "--verbosity=0")
        self.manage("collectstatic", "--noinput", "--verbosity=0")
        pinned = ["taskset", "-c", str(SERVER_CORE)] if webs == 1 else []
        self.log = self.folder / "web.out"
        with self.log.open("wb") as out:
            self.processes = [
                subprocess.Popen(
                    [*pinned, sys.executable, "-m", "config.server"],
                    env=self.env | {"PORT": str(port), "DJANGO_SETTINGS_MODULE": settings},
                    stdout=out,
                )
                for port in self.ports
            ]
        self.process = self.processes[0]
        stack.callback(self.stop)
        for port in self.ports:
            wait_until(lambda port=port: get(f"http://127.0.0.1:{port}/livez")[0] == 200, "the web server")

    def port_of(self, match: int, place: int) -> int:
        """Return the web server of a page: one for all of a match, as the proxy leads them; or others when apart."""
        return self.ports[(match + place * self.is_apart) % len(self.ports)]

    def manage(self, *words: str) -> str:
        """Run a command of manage.py in the site; return what it printed."""
        answer = subprocess.run(
            [sys.executable, "manage.py", *words], env=self.env, capture_output=True, text=True, check=True
        )
        return answer.stdout

    def run(self, script: str) -> Iterator[dict]:
        """Run a script inside the site; yield the JSON of each line that it prints, as it comes."""
        command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", script]
        with subprocess.Popen(command, env=self.env, stdout=subprocess.PIPE, text=True) as process:
            yield from (json.loads(line) for line in process.stdout if line.startswith("{"))
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command)

    def told(self, function: str, *about: object) -> Any:
        """Return what a function of `prepare` prints in the site as JSON, beside which there may be lines of logs."""
        call = f"{function}({', '.join(map(repr, about))})"
        lines = self.manage(
            "shell", "--no-imports", "-c", f"from tests.bench import prepare; prepare.{call}"
        ).splitlines()
        found = (json.loads(line) for line in reversed(lines) if line.startswith(("{", "[")))
        return next(each for each in found if "event" not in each)

    def matches(self, count: int, game: str = "yum-extra") -> list[dict]:
        """Make matches of logged-in members; return their numbers and sessions."""
        return self.told("make_matches", count, game)

    @property
    def memory(self) -> int:
        """Resident memory of the web server in KiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1])

    def spent(self) -> dict[str, float]:
        """Return the processor seconds that each part has had so far; SQLite is in the web server."""
        parts = {"web": [process.pid for process in self.processes], "redis": [self.redis.child.pid]}
        if self.kind == "postgresql":
            folder = self.env["DATABASE_URL"].rpartition("host=")[2]
            postmaster = int(Path(folder, "data", "postmaster.pid").read_text().split()[0])
            parts["database"] = [postmaster, *children(postmaster)]
        parts["load"] = [os.getpid()]
        return {name: sum(map(seconds, pids)) for name, pids in parts.items()}

    def stop(self) -> None:
        for process in self.processes:
            process.send_signal(signal.SIGTERM)
        for process in self.processes:
            process.wait(20)


def seconds(pid: int) -> float:
    """Return the processor time of a process with its ended children; 0 if it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return 0.0
    return sum(map(int, fields[11:15])) / TICKS
