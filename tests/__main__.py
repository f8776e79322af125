"""`python -m tests`: every test on SQLite, then those marked `both` on a PostgreSQL of the tests' own;
those marked `proof` on neither."""

import os
import subprocess
import sys

from tests.postgres import cluster

PROCESSES = "3"  # on two cores: some of the tests wait for other processes, for a browser, for time to pass
NO_TESTS = 5  # pytest's exit code when the arguments select none


def pytest(*arguments: str, **env: str) -> int:
    """Run pytest; return its exit code, 0 when there was nothing to run."""
    command = [sys.executable, "-m", "pytest", "-n", PROCESSES, "--dist", "worksteal", *arguments]
    code = subprocess.run(command, env=os.environ | env, check=False).returncode
    return 0 if code == NO_TESTS else code


def main(arguments: list[str]) -> int:
    """Run both; return the worse exit code."""
    print("== SQLite ==", flush=True)
    on_sqlite = pytest(*arguments, DATABASE_URL="")
    print("== PostgreSQL ==", flush=True)
    with cluster(durable=False) as address:
        on_postgres = pytest("-m", "both and not proof", *arguments, DATABASE_URL=address)
    return max(on_sqlite, on_postgres)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
