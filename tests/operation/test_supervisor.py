"""`python -m config.supervisor`: starts all, keeps all running, stops all, says why it cannot."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from config.children import MOST_DEATHS, GivenUp, Kept
from config.supervisor import tasks_are_done
from tests.processes import ROOT, Process, children, free_port, get, wait_until
from tests.shared import collected, made_once

pytestmark = pytest.mark.operation


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an empty database and the static files, as `make install` leaves it."""
    folder = tmp_path_factory.mktemp("installed")

    def manage(*command: str) -> None:
        subprocess.run([sys.executable, "manage.py", *command, "-v0"], env=environment(folder), cwd=ROOT, check=True)

    collected(folder / "static", lambda: manage("collectstatic", "--noinput"))
    with made_once("migrated-sqlite") as there:
        if there is not None and there.exists():
            shutil.copyfile(there, folder / "club-y.sqlite3")
        else:
            manage("migrate")
    return folder


def environment(folder: Path) -> dict[str, str]:
    own = {"VAR_DIR": str(folder), "PORT": str(free_port()), "DJANGO_SETTINGS_MODULE": "config.settings"}
    return {name: value for name, value in os.environ.items() if name not in ("REDIS_URL", "SITE_URL")} | own


@pytest.fixture(scope="module")
def standing(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """The one supervisor that the tests of this file share; ask for `supervisor` instead."""
    folder = tmp_path_factory.mktemp("standing")
    shutil.copytree(installed, folder, dirs_exist_ok=True)
    env, log = environment(folder), folder / "out"
    process = Process([sys.executable, "-m", "config.supervisor"], env, log, lambda: "Club Y is at" in log.read_text())
    yield process
    process.stop()


@pytest.fixture
def supervisor(standing: Process) -> Process:
    """A running supervisor with all that it keeps."""
    if not standing.running:
        start(standing)
    return standing


def start(process: Process) -> None:
    """Start it, what it has said so far forgotten."""
    process.log.write_text("")
    process.start()


def gone(numbers: list[int]) -> bool:
    """Tell whether none of the processes runs any more."""
    return all(
        not Path(f"/proc/{number}").exists() or Path(f"/proc/{number}/stat").read_text().split()[2] == "Z"
        for number in numbers
    )


def healthy(supervisor: Process) -> bool:
    return get(f"http://127.0.0.1:{supervisor.env['PORT']}/healthz")[0] == 200


PROGRAMS = {
    "Redis": "redis.sock",
    "the web server": "config.server",
    "the worker": "--pool",
    "beat": "--pidfile=",
    "the receiver of replies": "receive_mail",
}


def child_of(supervisor: Process, name: str) -> int:
    """Return the id of the child of that name."""
    commands = {number: Path(f"/proc/{number}/cmdline").read_text() for number in children(supervisor.child.pid)}
    return next(number for number, command in commands.items() if PROGRAMS[name] in command)


def all_of(supervisor: Process) -> list[int]:
    """Return the ids of all processes under the supervisor, grandchildren too."""
    found = children(supervisor.child.pid)
    return [*found, *(grandchild for child in found for grandchild in children(child))]


@pytest.mark.parametrize("name", PROGRAMS)
def test_who_dies_is_started_again_and_the_others_go_on(supervisor: Process, name: str) -> None:
    wait_until(lambda: healthy(supervisor), "health")
    before = children(supervisor.child.pid)
    os.kill(child_of(supervisor, name), signal.SIGKILL)
    told = f"{name} ended with -9; it is started again in 1 s."
    wait_until(lambda: told in supervisor.output(), "the news")
    wait_until(lambda: len(children(supervisor.child.pid)) == len(PROGRAMS), "a new start")
    assert len(set(before) & set(children(supervisor.child.pid))) == len(PROGRAMS) - 1
    wait_until(lambda: healthy(supervisor), "health")
    assert supervisor.running


def test_who_will_not_stay_up_ends_all_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.children.PAUSES", (0.01, 0.02))
    kept = Kept("the worker", ["false"])

    def until_given_up() -> None:
        end = time.monotonic() + 20
        while time.monotonic() < end:
            kept.tend()
            time.sleep(0.01)

    with pytest.raises(GivenUp, match=r"the worker died 5 times, now with 1"):
        until_given_up()
    assert len(kept.deaths) == MOST_DEATHS


@pytest.mark.parametrize("what", ["Redis", pytest.param("(the web server|the worker|beat)", marks=pytest.mark.proof)])
def test_what_cannot_start_ends_the_supervisor(tmp_path: Path, installed: Path, what: str) -> None:
    env = environment(tmp_path)
    if what == "Redis":
        broken = tmp_path / "valkey-server"
        broken.write_text("#!/bin/sh\nexit 1\n")
        broken.chmod(0o700)
        env["PATH"] = f"{tmp_path}:{env['PATH']}"
    else:
        env["EXTRA_GAMES"] = "nonsense"
    command = [sys.executable, "-m", "config.supervisor"]
    done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 1
    assert re.search(rf"Club Y stops: {what} died 5 times", done.stderr)


def test_a_second_site_with_the_same_data_says_so_and_ends(supervisor: Process) -> None:
    for module in (["config.supervisor"], ["config.install", "run"]):
        env = supervisor.env | {"PORT": str(free_port())}
        command = [sys.executable, "-m", *module]
        done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, timeout=20, check=False)
        assert done.returncode == 1
        assert done.stderr.startswith(f"Club Y runs already with the data in {supervisor.env['VAR_DIR']}.")
    assert supervisor.running


def test_starts_all_and_stops_all_on_ctrl_c(supervisor: Process) -> None:
    started = all_of(supervisor)
    assert len(started) == len(PROGRAMS)
    wait_until(lambda: healthy(supervisor), "health")
    said = supervisor.log.read_text().partition("Club Y is at ")
    said = "".join(said[:2]).splitlines()  # before anything was killed
    said = [line for line in said if not line.startswith("{")]  # without what the programs log
    steps = ["Starting Redis", "Starting the web server", "Starting the worker", "Starting beat"]
    steps.append("Starting the receiver of replies")
    assert [line for line in said if line.startswith("Starting")] == steps
    assert said[said.index(steps[-1]) + 1].startswith("Club Y is at ")  # no line for each look
    supervisor.child.send_signal(signal.SIGINT)
    assert supervisor.child.wait(15) == 0
    assert gone(started)


def test_alarms_keep_no_site_from_starting_and_staying(standing: Process) -> None:
    """Whoever is to resume what was stopped needs the site for it."""
    standing.stop()
    blow = (
        "from games.models import MailStop, Sweep; from config.lib import clock; Sweep.objects.create(due=25, stopped="
        "True); MailStop.objects.create(since=clock.now(), addresses=5)"
    )
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", blow]
    subprocess.run(command, env=standing.env, cwd=ROOT, check=True)
    start(standing)
    base = f"http://127.0.0.1:{standing.env['PORT']}"
    status, body = get(f"{base}/healthz")
    assert (status, b"addresses in a row were refused" in body) == (503, True)
    assert [get(base + path)[0] for path in ("/livez", "/readyz", "/")] == [200, 200, 200]
    assert standing.running


def test_nothing_outlives_a_killed_supervisor_and_a_command_finds_its_redis_only_before(supervisor: Process) -> None:
    look = "from django.core.cache import cache; cache.set('a', 7); print('cached', cache.get('a'))"
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", look]

    def said() -> str:
        done = subprocess.run(command, env=supervisor.env, cwd=ROOT, capture_output=True, text=True, check=True)
        return done.stdout

    assert "cached 7" in said()
    started = all_of(supervisor)
    os.kill(supervisor.child.pid, signal.SIGKILL)
    wait_until(lambda: gone(started), "the end of all processes")
    supervisor.child.wait()
    assert "cached None" in said()


NO_PORT, NO_HOST = "PORT is no port: a whole number from 1 to 65535.", "HOST is '{}': no address of this machine."
NO_ADDRESS = [
    ({"PORT": "abc"}, NO_PORT),
    ({"PORT": "70000"}, NO_PORT),
    ({"HOST": "nonsense"}, NO_HOST.format("nonsense")),
    ({"HOST": "203.0.113.7"}, NO_HOST.format("203.0.113.7")),
]
STARTS = ("config.install run", "config.supervisor", "config.server")


@pytest.mark.parametrize(
    ("number", "module"),
    [
        pytest.param(number, module, marks=[] if number % 3 == turn else pytest.mark.proof)
        for number, (turn, module) in product(range(len(NO_ADDRESS)), enumerate(STARTS))
    ],
)
def test_an_address_that_is_none_is_told_in_a_sentence(tmp_path: Path, number: int, module: str) -> None:
    names, sentence = NO_ADDRESS[number]
    command, env = [sys.executable, "-m", *module.split()], environment(tmp_path / "var") | names
    done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 1
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


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
    worker = Kept("the worker", ["sh", "-c", "sleep 1000 & exec sleep 1000"], silent_seconds=0.3)
    try:
        first = worker.child.pid
        wait_until(lambda: children(first), "its own child")
        started = children(first)
        worker.listen(True)
        assert worker.child.pid == first

        def again() -> bool:
            worker.listen(False)
            return worker.child.pid != first

        wait_until(again, "the second start")
        wait_until(lambda: gone([first, *started]), "the end of the first")
    finally:
        worker.stop()


@pytest.mark.parametrize(
    ("report", "are_done"),
    [({}, True), ({"redis": "fails"}, True), ({"beat": "ok"}, True), ({"beat": "no heartbeat"}, False)],
)
def test_worker_and_beat_are_blamed_only_for_their_own_silence(report: dict[str, str], are_done: bool) -> None:
    assert tasks_are_done(report) is are_done
