"""How fast tournaments are: 10 000 members in 300 of them at once on PostgreSQL, one of them of a thousand.

`python -m tests.bench.tournaments [WORD …]`: pages, the sweep, the end of a match, the draw of a round of a thousand,
the mails of its end; or those whose names hold one of the words.
"""

import importlib
import sys

from tests.faults.stage import stage


def main() -> None:
    """Set the stage, then measure on it: models can be imported only there."""
    with stage():
        importlib.import_module("tests.bench.tournament_measures").measure(*sys.argv[1:])


if __name__ == "__main__":
    main()
