"""`python -m tests.faults [--sqlite] [NAME …]`: run these scenarios, one after another on one stage.

It is on PostgreSQL. Those of `ON_SQLITE` can be played on SQLite, too; the others are about several processes.
"""

import importlib
import sys
import traceback

from tests.faults.stage import stage

SCENARIOS = {  # name: module and function under this package; add a line for each proof
    "kills": "kills.run",
    "planted": "kills.run_planted",
    "spoilt": "kills.run_spoilt",
    "tournament": "tournament.run",
    "outage": "outage.run",
    "slow": "doubles.run_slow",
    "races": "races.run",
    "doubles": "doubles.run",
}


ON_SQLITE = ("kills", "planted", "spoilt", "tournament")


def main(words: list[str]) -> int:
    """Run the named scenarios, all when none is named; return 1 when one failed."""
    failed, sqlite = 0, "--sqlite" in words
    names = [word for word in words if word != "--sqlite"] or (ON_SQLITE if sqlite else SCENARIOS)
    with stage(sqlite=sqlite) as made:
        for name in names:
            module, function = SCENARIOS[name].split(".")
            scenario = getattr(importlib.import_module(f"tests.faults.{module}"), function)
            try:
                figures = scenario(made)
                assert figures, "it showed nothing"
                print(*figures, sep="\n", flush=True)
            except Exception:
                failed = 1
                print(f"FAILED {name}", flush=True)
                traceback.print_exc()
                for process in made.processes:
                    print(f"-- {process.log.name}\n{process.output()[-1500:]}", file=sys.stderr)
            made.clear()
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
