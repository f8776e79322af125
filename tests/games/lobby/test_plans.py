"""How the database reads the pages that everybody opens: by indexes, however many matches there are."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from config.lib import clock
from games.models import Invitation, Match, Seat
from tests.factories import browser_of, opened, seated

pytestmark = pytest.mark.both
MATCHES, MEMBERS = 20_000, 500
BIG = ("games_match", "games_seat", "games_invitation")


@pytest.fixture
def many(ann, bob):
    """Twenty thousand matches, all but one in fifty of which have ended; Ann sits in some eighty of them."""
    people = User.objects.bulk_create(User(username=f"m{n}", skeleton=f"m{n}") for n in range(MEMBERS - 1))
    people.append(ann)
    now, like = clock.now(), seated(ann, bob)
    facts = {name: getattr(like, name) for name in ("game_slug", "rules_version", "options", "size", "state")}
    matches = Match.objects.bulk_create(
        Match(
            status="running" if (running := n % 50 == 0) else "ended",
            started_at=now - timedelta(days=2),
            moved_at=now - timedelta(seconds=n),
            ended_at=None if running else now - timedelta(seconds=n),
            ending="" if running else "called_off",
            **facts,
        )
        for n in range(MATCHES)
    )
    seats = [
        (match, number, people[(7 * n + 3 * number) % MEMBERS]) for n, match in enumerate(matches) for number in (0, 1)
    ]
    Seat.objects.bulk_create(Seat(match=match, number=number, user=user) for match, number, user in seats)
    Invitation.objects.bulk_create(
        Invitation(match=match, user=people[n % MEMBERS]) for n, match in enumerate(matches[:5000])
    )
    opened(ann)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return ann


def plans(person: User, path: str) -> list[tuple[str, str]]:
    """Return the statements of a page that read big tables, each with how the database goes about it."""
    client = browser_of(person)
    cache.clear()
    with CaptureQueriesContext(connection) as asked:
        assert client.get(path).status_code == 200
    explain = "EXPLAIN " if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN "
    found = []
    for sql in (query["sql"] for query in asked):
        if sql.lstrip().startswith("SELECT") and any(table in sql for table in BIG):
            with connection.cursor() as cursor:
                cursor.execute(explain + sql)
                found.append((sql, "\n".join(str(row[-1]) for row in cursor.fetchall())))
    return found


def scans(plan: str) -> list[str]:
    """Return the lines of a plan that read a big table from end to end."""
    if connection.vendor == "postgresql":
        return [line for line in plan.splitlines() if any(f"Seq Scan on {table}" in line for table in BIG)]
    # SQLite names a table's alias, of which `U0` and the like are Django's.
    lines = [line for line in plan.splitlines() if line.startswith("SCAN ") and " USING " not in line]
    return [line for line in lines if line.split()[1] in BIG or line.split()[1][:1] in "UV"]


def test_no_page_reads_a_table_from_end_to_end(many):
    found = []
    for path in ("/", "/matches/", "/play/", "/people/ann/", "/people/m7/"):
        read = plans(many, path)
        assert read, path
        found += [f"{path}: {sql}\n{plan}" for sql, plan in read if scans(plan)]
    assert not found, "\n\n".join(found)
