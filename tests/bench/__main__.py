"""`make bench`: the machine, the versions, then every bench of this folder, one after another.

`make bench ARGS=site` runs one; what follows its name is for it: `ARGS="site --keep"`.
"""

import importlib.metadata
import os
import platform
import sqlite3
import subprocess
import sys
from pathlib import Path

from config.supervisor import redis_command
from tests.postgres import programs

FOLDER = Path(__file__).resolve().parent
PACKAGES = ["django", "channels", "daphne", "celery", "redis", "msgspec", "psycopg"]


def processor() -> str:
    """Return the model of the processor."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def version_of(*command: str | Path) -> str:
    """Return the line in which a program says its version."""
    return subprocess.run([*command, "--version"], check=True, capture_output=True, text=True).stdout.strip()


def machine() -> dict[str, str]:
    """Return what the figures depend on."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "machine": f"{processor()}, {os.cpu_count()} cores, {memory:.0f} GiB, {platform.platform()}",
        "python": platform.python_version(),
        "packages": ", ".join(f"{name} {importlib.metadata.version(name)}" for name in PACKAGES),
        "sqlite": sqlite3.sqlite_version,
        "postgresql": version_of(programs() / "postgres"),
        "redis": version_of(redis_command(Path("/tmp"))[0]),
    }


def benches() -> list[str]:
    """Return the names of the benches: the modules here that can be run."""
    files = sorted(FOLDER.glob("*.py"))
    return [file.stem for file in files if file.stem != "__main__" and 'if __name__ == "__main__"' in file.read_text()]


def main(words: list[str]) -> int:
    """Run the named benches, all when none is named, each with the words that name none; return 1 when one failed."""
    known = benches()
    wanted = [word for word in words if word in known]
    others = [word for word in words if word not in known]
    for name, value in machine().items():
        print(f"{name:<11} {value}")
    failed = []
    for bench in wanted or known:
        print(f"\n== {bench} ==", flush=True)
        if subprocess.run([sys.executable, "-m", f"tests.bench.{bench}", *others], check=False).returncode:
            failed.append(bench)
    if failed:
        print(f"\nfailed: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
