"""`python -m tests`: every test on SQLite, and at the same time those marked `both` on a PostgreSQL of the tests'
own; those marked `proof` on neither. Those marked `operation` or `walk` are left to `python -m tests operation` and
`python -m tests walk`."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO

from tests.postgres import cluster
from tests.shared import FOLDER

# On two cores: many tests wait for other processes, for a browser, for time to pass.
# Processes on SQLite and on PostgreSQL, as there is to do: so both end at about the same time.
TIERS = {"operation": ("2", "1"), "walk": ("2", "1")}
BEHAVIOUR, SHARES = f"not {' and not '.join(TIERS)}", ("5", "1")  # of all else
NO_TESTS = 5  # pytest's exit code when the arguments select none


def pytest(*arguments: str, database: str, shared: str, out: IO[bytes] | None = None) -> subprocess.Popen[bytes]:
    """Start pytest on a database ("": SQLite)."""
    command = [sys.executable, "-m", "pytest", "--dist", "worksteal", *arguments]
    # Each process here, and each server that it starts, would else compile all modules and rewrite all tests anew.
    env = os.environ | {"DATABASE_URL": database, "PYTHONDONTWRITEBYTECODE": "", FOLDER: shared}
    return subprocess.Popen(command, env=env, stdout=out, stderr=out)


def code_of(run: subprocess.Popen[bytes]) -> int:
    """Return the exit code of a run at its end, 0 when there was nothing to run."""
    return 0 if run.wait() == NO_TESTS else run.returncode


def main(arguments: list[str]) -> int:
    """Run both; return the worse exit code. What was said on PostgreSQL is printed after the rest."""
    tier = BEHAVIOUR
    if arguments and arguments[0] in TIERS:
        tier, *arguments = arguments
    on_sqlite, on_postgres = TIERS.get(tier, SHARES)
    with (
        cluster(durable=False) as address,
        tempfile.TemporaryFile() as said,
        tempfile.TemporaryDirectory(prefix="club-y-tests-") as shared,
    ):
        if not next(Path(__file__).parent.glob("**/__pycache__/*-pytest-*.pyc"), None):
            # A new tree: else each process would at the same time rewrite the asserts of all modules, which is long.
            pytest("--collect-only", "-qq", database="", shared=shared, out=said).wait()
            said.truncate(0)
            said.seek(0)
        wanted = f"{tier} and not proof"
        on_both = ("-m", f"both and {wanted}", "-n", on_postgres, *arguments)
        runs = [pytest(*on_both, database=address, shared=shared, out=said)]
        print("== SQLite ==", flush=True)
        runs.append(pytest("-m", wanted, "-n", on_sqlite, *arguments, database="", shared=shared))
        codes = [code_of(run) for run in runs]
        print("== PostgreSQL ==", flush=True)
        said.seek(0)
        sys.stdout.buffer.write(said.read())
        sys.stdout.flush()
    return max(codes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
