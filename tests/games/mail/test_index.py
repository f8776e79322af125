"""Reminders are found by an index; on SQLite alone, as PostgreSQL reads a table of this size whole."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.lib import clock as site_clock
from games.models import Match, Seat
from games.services.mail import candidates
from tests.factories import asked, seated


@pytest.mark.operation
def test_reminders_are_found_by_an_index(ann, bob):
    waiting = seated(ann, bob)
    new = {"game_slug": "yum-extra", "rules_version": 1, "size": 2, "status": "running", "state": b""}
    matches = Match.objects.bulk_create(Match(**new) for _ in range(1000))
    far = site_clock.now() + timedelta(days=9)
    Seat.objects.bulk_create(
        Seat(match=match, number=0, user=asked(waiting).user, ask=1, deadline=far) for match in matches
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    with CaptureQueriesContext(connection) as queries:
        candidates._asked(site_clock.now())
    reminders = [query["sql"] for query in queries if '"deadline"' in query["sql"]]
    assert len(reminders) == 2
    for sql in reminders:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
            plan = " ".join(row[3] for row in cursor.fetchall())
        assert "seat_due (deadline>? AND deadline<?)" in plan, plan
