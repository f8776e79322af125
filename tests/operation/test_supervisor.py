"""`python -m config.supervisor`: starts all, stops all, dies when one dies, says when the port is taken."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.supervisor import Supervisor, is_up, worker_beats
from tests.processes import ROOT, Process, children, free_port, get, wait_until


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an empty database and the static files, as `make install` leaves it."""
    folder = tmp_path_factory.mktemp("installed")
    for command in (["migrate", "-v0"], ["collectstatic", "--noinput", "-v0"]):
        subprocess.run([sys.executable, "manage.py", *command], env=environment(folder), cwd=ROOT, check=True)
    return folder


def environment(folder: Path) -> dict[str, str]:
    own = {"VAR_DIR": str(folder), "PORT": str(free_port()), "DJANGO_SETTINGS_MODULE": "config.settings"}
    return {name: value for name, value in os.environ.items() if name not in ("REDIS_URL", "SITE_URL")} | own


@pytest.fixture
def supervisor(tmp_path: Path, installed: Path) -> Iterator[Process]:
    shutil.copytree(installed, tmp_path, dirs_exist_ok=True)
    env = environment(tmp_path)
    log = tmp_path / "out"
    process = Process([sys.executable, "-m", "config.supervisor"], env, log, lambda: "Club Y is at" in log.read_text())
    process.start()
    yield process
    process.stop()


def gone(numbers: list[int]) -> bool:
    """Tell whether none of the processes runs any more."""
    return all(
        not Path(f"/proc/{number}").exists() or Path(f"/proc/{number}/stat").read_text().split()[2] == "Z"
        for number in numbers
    )


def test_starts_all_and_stops_all_on_ctrl_c(supervisor: Process) -> None:
    started = children(supervisor.child.pid)
    assert len(started) == 3
    status, body = get(f"http://127.0.0.1:{supervisor.env['PORT']}/healthz")
    assert (status, b'"ok": true' in body) == (200, True)
    said = supervisor.log.read_text().splitlines()
    steps = ["Starting Redis", "Starting the web server", "Starting the worker"]
    assert [line for line in said if line.startswith("Starting")] == steps
    assert said[said.index("Starting the worker") + 1].startswith("Club Y is at ")  # no line for each look
    supervisor.child.send_signal(signal.SIGINT)
    assert supervisor.child.wait(15) == 0
    assert gone(started)


@pytest.mark.parametrize("which", [0, 1, 2])
def test_stops_all_when_one_dies(supervisor: Process, which: int) -> None:
    started = children(supervisor.child.pid)
    os.kill(started[which], signal.SIGKILL)
    assert supervisor.child.wait(15) == 1
    assert gone(started)
    name = ["Redis", "the web server", "the worker"][which]
    assert f"{name} ended with -9" in supervisor.output()


def test_children_do_not_outlive_a_killed_supervisor(supervisor: Process) -> None:
    started = children(supervisor.child.pid)
    supervisor.child.kill()
    wait_until(lambda: gone(started), 15, "the end of the children")
    start = time.monotonic()
    supervisor.log.write_text("")
    supervisor.start()
    print(f"second start: {time.monotonic() - start:.1f} s")


def test_taken_port_is_said_and_nothing_is_touched(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        for module in (["config.supervisor"], ["config.install", "run"]):
            env = os.environ | {"PORT": port, "VAR_DIR": str(tmp_path / "var")}
            command = [sys.executable, "-m", *module]
            done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, timeout=20, check=False)
            assert done.returncode == 1
            assert re.search(rf"Port {port} of 127.0.0.1 is taken", done.stderr)
    assert not (tmp_path / "var").exists()


def test_who_lives_but_is_silent_is_started_again_with_all_that_it_had_started() -> None:
    site = Supervisor(silent_seconds=0.3)
    site.start("the worker", ["sh", "-c", "sleep 1000 & exec sleep 1000"])
    site.start("Redis", ["sleep", "1000"])
    try:
        first, redis = site.children["the worker"].pid, site.children["Redis"].pid
        wait_until(lambda: children(first), 10, "its own child")
        started = children(first)
        site.listen({"the worker": True, "Redis": True})
        assert site.children["the worker"].pid == first

        def again() -> bool:
            site.listen({"the worker": False, "Redis": True})
            return site.children["the worker"].pid != first

        wait_until(again, 10, "the second start")
        wait_until(lambda: gone([first, *started]), 10, "the end of the first")
        assert site.children["Redis"].pid == redis
    finally:
        site.stop()


@pytest.mark.parametrize(
    ("report", "beats"),
    [({}, True), ({"redis": "fails"}, True), ({"beat": "ok"}, True), ({"beat": "no heartbeat"}, False)],
)
def test_a_worker_is_blamed_only_for_its_own_silence(report: dict[str, str], beats: bool) -> None:
    assert worker_beats(report) is beats


def test_a_blown_fuse_or_a_full_disk_keeps_no_site_from_starting() -> None:
    """Whoever is to resume what was stopped needs the site for it."""
    well = {"database": "ok", "redis": "ok", "beat": "ok"}
    assert is_up({"ok": False, **well, "mail": "stopped: 5 addresses in a row were refused", "fuse": "blown"})
    assert not any(is_up(report) for report in ({}, {**well, "beat": "no heartbeat"}, {**well, "database": "fails"}))
