"""What one bare move costs here: a request, one transaction (lock, write, insert), an empty answer; nothing of ours.

The yardstick of a machine: figures of moves taken on two machines are compared by what this costs on each. It has no
middleware, session, rules or page. `python -m tests.bench.bare`.
"""

import http.client
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from tests.bench.server import OTHER_CORE, Server

KINDS = ("sqlite", "postgresql")
WARM, MOVES, AT_ONCE = 200, 3000, 20


def play(server: Server, match_id: int, moves: int) -> None:
    """Play so many moves of one match, one after the other."""
    line = http.client.HTTPConnection("127.0.0.1", server.port)
    for _ in range(moves):
        line.request("POST", f"/move/{match_id}/", b"")
        answer = line.getresponse()
        answer.read()
        if answer.status != 200:
            raise RuntimeError(f"a bare move was answered with {answer.status}")
    line.close()


def measure(kind: str) -> None:
    """Print what a thousand bare moves cost the web server, from twenty matches at once."""
    with ExitStack() as stack:
        server = Server(kind, stack, settings="tests.bench.bare_settings")
        ids = [made["match"] for made in server.matches(AT_ONCE)]
        pool = stack.enter_context(ThreadPoolExecutor(AT_ONCE))
        list(pool.map(lambda match: play(server, match, WARM // AT_ONCE), ids))
        before = server.spent()["web"]
        list(pool.map(lambda match: play(server, match, MOVES // AT_ONCE), ids))
        spent = server.spent()["web"] - before
        print(f"{kind}: {1000 * spent / MOVES:.2f} s of the web server's processor per 1 000 bare moves")


def main() -> None:
    """Measure on both databases."""
    os.sched_setaffinity(0, {OTHER_CORE})
    for kind in KINDS:
        measure(kind)


if __name__ == "__main__":
    main()
