"""Inside the site under the bench of a million: all its rows, a step at a time."""

import time
from collections.abc import Callable
from typing import Any

from django.apps import apps

from tests.bench.million_more import the_rest
from tests.bench.million_rows import (
    BASE,
    ENDED_OF,
    TURNS,
    archives_made,
    matches_made,
    members_made,
    played_ones,
    run,
    say,
    turns_made,
)


def step(words: str, act: Callable[..., object], *given: Any) -> None:
    begin = time.perf_counter()
    act(*given)
    say(f"  {words} in {time.perf_counter() - begin:.0f} s")


def fill(members: int) -> None:
    """Make so many members and running matches, three times as many ended ones, and what belongs to them."""
    running, ended = played_ones()
    count = members // len(running) * len(running)
    over = ENDED_OF * members // len(ended) * len(ended)
    first_running = BASE + over
    run("SET session_replication_role = replica")  # no look at foreign keys
    step(f"{members:,} members", members_made, members)
    step(f"{over:,} ended matches", matches_made, "ended", ended, BASE, over, members)
    step("their archives", archives_made, ended, BASE, over)
    step(f"{count:,} running matches", matches_made, "running", running, first_running, count, members)
    step(f"their {count * TURNS:,} turns", turns_made, running, first_running, count)
    step("ratings, mails, chats, log-ins and the rest", the_rest, members, first_running)
    step("numbers that follow", numbers_follow)
    step("vacuum", run, "VACUUM (ANALYZE)")


def numbers_follow() -> None:
    """Let the next rows of each table have numbers of their own."""
    for model in apps.get_models():
        key = model._meta.pk
        if key is not None and key.get_internal_type() in ("AutoField", "BigAutoField"):
            table = model._meta.db_table
            run(
                f"SELECT setval(pg_get_serial_sequence('\"{table}\"', '{key.column}'), "
                f"(SELECT COALESCE(MAX({key.column}), 0) + 1 FROM {table}))"
            )
