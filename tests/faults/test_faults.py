"""The faults in their short profile: real processes, a durable PostgreSQL. `make proof` runs the full one."""

import os
import subprocess
import sys

from tests.faults.__main__ import SCENARIOS

SECONDS = 600  # on a machine with better things to do; about a minute on a quiet one


def test_the_short_profile() -> None:
    keep = ("PATH", "HOME", "LANG", "USER")
    env = {name: os.environ[name] for name in keep if name in os.environ} | {"PROOF": "short"}
    command = [sys.executable, "-m", "tests.faults"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    assert len(done.stdout.splitlines()) >= len(SCENARIOS)
