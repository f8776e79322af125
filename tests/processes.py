"""Real processes for tests: Redis, web server and worker, to be started, stopped, killed and restarted."""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

from config.children import Child, spawn, stop
from config.supervisor import redis_answers, redis_command, web_command, worker_command
from tests.shared import collected

ROOT = Path(__file__).resolve().parent.parent
READY_SECONDS = 60

CHROMIUM = "/usr/bin/chromium-headless-shell"
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def wait_until(true: Callable[[], object], what: str = "it", seconds: float = 60) -> None:
    """Return as soon as the condition holds; fail when it does not within the seconds: patience, no measure.

    The longer it takes the more seldom it is looked at: looks cost what is waited for its processor time.
    """
    start = time.monotonic()
    while not true():
        waited = time.monotonic() - start
        if waited > seconds:
            raise AssertionError(f"{what} did not come true within {seconds} s")
        time.sleep(min(max(0.02, waited / 10), 0.25))


PORTS = range(20_000, 30_000)  # below those that the system gives away
_taken: list[socket.socket] = []


def free_port() -> int:
    """Return a port that nobody listens at, and that no other process of any run of tests on this machine is given.

    A server may be started at it much later, and be killed and started anew: two at one port would both be served.
    """
    first = os.getpid() * 37 % len(PORTS)
    for port in [*PORTS[first:], *PORTS[:first]]:
        taken = socket.socket(socket.AF_UNIX)
        with socket.socket() as probe, contextlib.suppress(OSError):
            taken.bind(f"\0club-y-test-port-{port}")  # until this process ends, however it does
            _taken.append(taken)
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port")


@contextlib.contextmanager
def on_loop(loop: asyncio.AbstractEventLoop | None) -> Iterator[None]:
    """Let this thread believe that the loop is running in it, or none."""
    before = asyncio._get_running_loop()
    asyncio._set_running_loop(loop)
    try:
        yield
    finally:
        asyncio._set_running_loop(before)


@contextlib.contextmanager
def off_loop() -> Iterator[None]:
    """Let a browser's test call services: Playwright keeps its loop running in the test's own thread, and
    `async_to_sync`, by which services ring open pages, refuses to work in a thread with one.
    """
    with on_loop(None):
        yield


def get(url: str, timeout: float = 5) -> tuple[int, bytes]:
    """Return status and body of a page; status 0 when nobody answers."""
    try:
        with urllib.request.urlopen(url, timeout=timeout) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()
    except OSError:
        return 0, b""


def children(parent: int) -> list[int]:
    """Return the ids of the processes that the parent started."""
    found = Path(f"/proc/{parent}/task/{parent}/children").read_text()
    return [int(number) for number in found.split()]


class Process:
    """One program that can be started again after its end; its output goes to a file."""

    def __init__(self, command: list[str], env: dict[str, str], log: Path, ready: Callable[[], bool]) -> None:
        self.command, self.env, self.log, self.ready = command, env, log, ready
        self.child: Child | None = None

    def start(self) -> None:
        """Start what does not run, and return when ready."""
        assert not self.running, "it runs already: who answered could not be told"
        with self.log.open("ab") as out:
            self.child = spawn(self.command, self.env, stdout=out, stderr=subprocess.STDOUT, cwd=ROOT)
        wait_until(lambda: self.ready() or self.child.poll() is not None, self.command[-1], READY_SECONDS)
        assert self.running, f"ended with {self.child.returncode}: {self.output()[-3000:]}"

    @property
    def running(self) -> bool:
        return self.child is not None and self.child.poll() is None

    def stop(self) -> int | None:
        """Ask to stop, as the supervisor does; return the exit code."""
        if self.child is not None:
            stop(self.child)
        return self.child and self.child.returncode

    def kill(self) -> None:
        """Kill without warning, with all its own children."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.child.pid, signal.SIGKILL)
        self.child.wait()

    def restart(self) -> None:
        self.stop()
        self.start()

    def output(self) -> str:
        """Return all that it has written."""
        return self.log.read_text() if self.log.exists() else ""


def redis_process(folder: Path) -> Process:
    """Return a Redis at `redis.sock` in the folder, not started yet."""
    path = folder / "redis.sock"
    return Process(redis_command(folder), dict(os.environ), folder / "redis.out", lambda: redis_answers(path))


class Site:
    """The site as it really runs, on the database, the Redis and the clock of this test process."""

    def __init__(self, folder: Path, database_url: str, env: dict[str, str] | None = None) -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"http://localhost:{self.port}"
        self.env = os.environ | {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": database_url,
            "PORT": str(self.port),
            "SITE_URL": self.url,
            **(env or {}),
        }
        log = folder / f"web-{self.port}.out"
        self.web = Process(web_command(), self.env, log, lambda: get(f"{self.url}/livez")[0] == 200)
        log = folder / f"worker-{self.port}.out"
        self.worker = Process([*worker_command(), "-B"], self.env, log, self._beats)

    def manage(self, *command: str) -> str:
        """Run a command of manage.py on the site's database; return what it printed."""
        done = [sys.executable, "manage.py", *command]
        return subprocess.run(done, env=self.env, cwd=ROOT, check=True, capture_output=True, text=True).stdout

    def collect_static(self) -> None:
        """Collect the static files, unless they are there: the server under test serves the hashed ones."""
        if not (self.folder / "static" / "staticfiles.json").exists():
            collected(self.folder / "static", lambda: self.manage("collectstatic", "--noinput", "-v0"))

    def stop(self) -> None:
        """Stop the worker, then the web server."""
        self.worker.stop()
        self.web.stop()

    def _beats(self) -> bool:
        return "celery@" in self.worker.output() or get(f"{self.url}/healthz")[0] == 200
