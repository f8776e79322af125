"""`make drill`: the outgrown site behind a proxy, played by twenty members, and everything that can go wrong with it.

`python -m tests.drill [NAME …]` runs the named drills, all when none is named. Status 1 when a move was lost or
doubled, or when an alarm did not come within 30 s.
"""

import importlib
import os
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import django

from tests.bench.__main__ import machine
from tests.drill.house import house
from tests.drill.proxy import PROGRAM

MOST_SECONDS = 30 * 60  # ten minutes where nothing else runs
FOLDER = Path(__file__).resolve().parents[2] / "docs" / "proof"
DRILLS = {  # name: module and function under this package, in the order in which they are run
    "web": "processes.web",
    "worker": "processes.worker",
    "beat": "processes.beat",
    "redis": "processes.redis",
    "redis-read-only": "stores.read_only",
    "redis-full": "stores.full",
    "postgresql": "processes.postgresql",
    "disk": "stores.disk",
    "database-disk": "stores.database_disk",
    "mail": "mails.mail",
    "clock": "clocks.clock",
    "backup": "copies.backup",
    "deploy": "deploys.deploy",
}


def versions() -> list[str]:
    """Return the lines about the machine, what runs on it, and how busy it is."""
    nginx = subprocess.run([PROGRAM, "-v"], check=True, capture_output=True, text=True).stderr.strip()
    facts = machine() | {"proxy": nginx, "load": " ".join(f"{load:.1f}" for load in os.getloadavg())}
    return [f"{name}: {value}" for name, value in facts.items() if name != "sqlite"]


class Report:
    """Lines that are printed, and kept."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def say(self, *lines: str) -> None:
        self.lines += lines
        print(*lines, sep="\n", flush=True)


def main(names: list[str]) -> int:
    """Run the drills, and write docs/proof/drill-<date>.txt when they were all; return 1 when one failed."""
    if unknown := set(names) - set(DRILLS):
        print(f"no drills: {', '.join(sorted(unknown))}; there are: {', '.join(DRILLS)}")
        return 1
    if os.geteuid() != 0:
        print("The drills need root, for small disks of their own.")
        return 1
    began, now, report = time.monotonic(), datetime.now(UTC), Report()
    report.say(f"Drill of {now:%Y-%m-%d %H:%M} UTC", *versions())
    with house() as made:
        django.setup()
        run = importlib.import_module("tests.drill.course").run  # it needs the settings, which name the house
        failed = run(made, [(name, DRILLS[name]) for name in names or DRILLS], report.say, began + MOST_SECONDS)
    load = " ".join(f"{one:.1f}" for one in os.getloadavg())
    report.say(f"{'FAILED' if failed else 'all held'}, {time.monotonic() - began:.0f} s in all, load at the end {load}")
    if not names:
        (FOLDER / f"drill-{now:%Y-%m-%d}.txt").write_text("\n".join(report.lines) + "\n")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
