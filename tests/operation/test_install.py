"""`make install`: what was interrupted is made good, one at a time, in a path with spaces."""

import contextlib
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from random import Random

import pytest

from config import install, place
from tests.processes import ROOT, wait_until

LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "var", "__pycache__", "*.mo", ".*_cache")


def of_folder(folder: Path) -> list[int]:
    """Return the ids of all processes that work in a folder."""
    found = []
    for link in Path("/proc").glob("[0-9]*/cwd"):
        with contextlib.suppress(OSError):
            if link.resolve().is_relative_to(folder):
                found.append(int(link.parent.name))
    return found


@pytest.mark.proof
def test_a_first_start_that_was_killed_six_times_is_made_good(tmp_path: Path) -> None:
    folder = tmp_path / "a path with spaces"
    shutil.copytree(ROOT, folder, ignore=LEFT_OUT)
    names = ("VAR_DIR", "DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE", "EXTRA_GAMES")
    env = {name: value for name, value in os.environ.items() if name not in names}
    moments = Random("a first start")
    for _ in range(6):
        first = subprocess.Popen(["make", "install"], cwd=folder, env=env, stdout=subprocess.DEVNULL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            first.wait(moments.uniform(0.3, 20))
        for process in of_folder(folder):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        first.wait()
    done = subprocess.run(["make", "install"], cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    again = subprocess.run(["make", "install"], cwd=folder, env=env, capture_output=True, text=True, check=True)
    assert again.stdout == ""  # nothing was left to do
    check = [folder / ".venv" / "bin" / "python", "manage.py", "migrate", "--check"]
    subprocess.run(check, cwd=folder, env=env, check=True)


def test_one_process_at_a_time(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    with place.held(lock, wait=False):
        with pytest.raises(place.Held), place.held(lock, wait=False):
            pass
        holder = subprocess.Popen(["flock", "--no-fork", lock, "true"])
        time.sleep(0.1)
        assert holder.poll() is None  # waits
    wait_until(lambda: holder.poll() == 0, "its turn")
    with place.held(lock, wait=False):
        pass


def test_an_environment_without_its_stamp_is_not_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stamp = tmp_path / "installed"
    monkeypatch.setattr(install, "INSTALLED", stamp)
    assert not install.is_whole()
    install.put(stamp, "site 1")
    assert install.is_whole()
    monkeypatch.setattr(install, "PYTHON", tmp_path / "a python that was removed")
    assert not install.is_whole()
    assert [path.name for path in tmp_path.iterdir()] == ["installed"]
