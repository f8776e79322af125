"""Where this site is: its address, its data folder, and that nobody else is there. Standard library only."""

import contextlib
import errno
import fcntl
import os
import socket
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VAR_DIR = Path(os.environ.get("VAR_DIR") or ROOT / "var").absolute()
HOST = os.environ.get("HOST") or "127.0.0.1"
RUNNING = ".running"  # the file in the data folder that a running site holds
RECEIVER = "receiver"  # and the one that says where replies by mail are received: host:port


def port() -> int:
    """Return PORT, which `config.environment.insist` has checked."""
    return int(os.environ.get("PORT") or "8000")


def refusal() -> str:
    """Return in a sentence why nothing can listen at HOST and PORT; "" when it can."""
    number = port()
    try:
        family, kind, *_names, address = socket.getaddrinfo(HOST, number, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return f"Port {number} of {HOST} is taken: is Club Y running already? Choose another: PORT=8001 make run"
        if error.errno == errno.EACCES:
            return f"Port {number} is not open to this user: choose one above 1023, as PORT=8000 make run"
        return f"HOST is {HOST!r}: no address of this machine. 127.0.0.1 is for this machine alone, 0.0.0.0 for all."
    return ""


class Held(Exception):
    """Another process holds the file."""


@contextlib.contextmanager
def held(path: Path, *, wait: bool) -> Iterator[None]:
    """Hold the file against other processes until the end, even by a crash; Held if another does and `wait` is off."""
    with path.open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            raise Held from None
        yield


def is_running() -> bool:
    """Return whether a site runs with this data folder."""
    if not (VAR_DIR / RUNNING).exists():
        return False
    try:
        with held(VAR_DIR / RUNNING, wait=False):
            return False
    except Held:
        return True


RUNS_ALREADY = (
    f"Club Y runs already with the data in {VAR_DIR}. For a second site: VAR_DIR=elsewhere PORT=8001 make run"
)
