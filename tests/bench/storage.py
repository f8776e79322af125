"""Bytes that a move takes on disk, by game: while its match runs, its key's day, and in the archive.

`python -m tests.bench.storage`, on SQLite and PostgreSQL; each figure is tables with their indexes, packed (VACUUM).
With a number (`python -m tests.bench.storage 10000000`) it fills so many turns instead, on PostgreSQL, and times what
reads and writes them.
"""

import sys
from contextlib import ExitStack

from tests.bench.server import Server

MATCHES = 12  # of each game, of three seats, played to the end


def show_bytes(server: Server, kind: str) -> None:
    for row in server.run(f"from tests.bench.stored import weigh; weigh({MATCHES})"):
        said = "   ".join(f"{name} {value:6.1f}" for name, value in row["bytes"].items())
        print(f"{kind:<10} {row['game']:<12} {row['moves']:>6} moves   {said}", flush=True)


def main() -> None:
    count = int(sys.argv[1]) if sys.argv[1:] else 0
    for kind in ["postgresql"] if count else ["sqlite", "postgresql"]:
        with ExitStack() as stack:
            server = Server(kind, stack)
            if not count:
                show_bytes(server, kind)
                continue
            for line in server.run(f"from tests.bench.stored import try_out; try_out({count})"):
                print(line["said"], flush=True)


if __name__ == "__main__":
    main()
