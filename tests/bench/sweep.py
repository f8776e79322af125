"""How fast the clocks are swept: 100 000 running matches on PostgreSQL, of which 1 000 are due.

`python -m tests.bench.sweep`: the time of the query, and of one real worker for all 1 000.
"""

import importlib

from tests.faults.stage import stage


def main() -> None:
    """Set the stage, then measure on it: models can be imported only there."""
    with stage() as site:
        importlib.import_module("tests.bench.due").measure(site)


if __name__ == "__main__":
    main()
