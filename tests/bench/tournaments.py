"""How fast tournaments are: 10 000 members in 300 of them at once on PostgreSQL, one of them of a thousand.

`python -m tests.bench.tournaments`: pages, the sweep, the draw of a round of a thousand, the end of a match.
"""

import importlib

from tests.faults.stage import stage


def main() -> None:
    """Set the stage, then measure on it: models can be imported only there."""
    with stage():
        importlib.import_module("tests.bench.tournament_measures").measure()


if __name__ == "__main__":
    main()
