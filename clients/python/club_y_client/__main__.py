"""The commands of the client."""

import argparse
import sys
from collections.abc import Sequence

from club_y_client import verify


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return what the process ends with."""
    parser = argparse.ArgumentParser(prog="club_y_client", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    verify.add_to(commands)
    chosen = parser.parse_args(arguments)
    code: int = chosen.run(chosen)
    return code


if __name__ == "__main__":
    sys.exit(main())
