"""`python -m tests.faults [NAME …]`: run these scenarios, one after another on one stage."""

import importlib
import sys
import traceback

from tests.faults.stage import stage

SCENARIOS = {  # name: module and function under this package; add a line for each proof
    "kills": "kills.run",
    "planted": "kills.run_planted",
    "outage": "outage.run",
    "slow": "doubles.run_slow",
    "races": "races.run",
    "doubles": "doubles.run",
}


def main(names: list[str]) -> int:
    """Run the named scenarios, all when none is named; return 1 when one failed."""
    failed = 0
    with stage() as made:
        for name in names or SCENARIOS:
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
