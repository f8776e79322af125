"""Inside the site under the bench of the admin: its rows, and a moderator and an admin who are logged in."""

import json

from django.db import connection, models

from accounts.models import User
from games.models import Match
from games.moderation import reports
from games.moderation.models import moderators
from games.queries.play import seats_of
from games.services.chat import lines
from games.services.lobby import opening
from games.services.operation.admin_actions import note
from tests.bench.prepare import log_in

BASE = 1_000  # copies are numbered from here on
HALF = "CASE n %% 2 WHEN 0 THEN {} ELSE {} END"
ENDED = HALF.format("NULL", "CURRENT_TIMESTAMP")


def copy(row: models.Model, count: int, **fresh: str) -> None:
    """Make copies of a row, by the database alone; `fresh` are SQL expressions of the copy's number `n`."""
    table = row._meta.db_table
    fresh = {"id": f"{BASE} + n", **fresh}
    columns = [field.column for field in row._meta.concrete_fields]
    values = ", ".join(fresh.get(column, f'{table}."{column}"') for column in columns)
    names = ", ".join(f'"{column}"' for column in columns)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({names}) "
            "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < %s) "
            f"SELECT {values} FROM {table}, numbers WHERE {table}.id = %s",
            [count, row.pk],
        )


def fill(count: int) -> tuple[User, User]:
    """Make so many members, matches, chat lines, reports and audit rows; return a moderator and an admin."""
    ann, bob = (User.objects.create_user(name, f"{name}@example.org") for name in ("ann", "bob"))
    mo = User.objects.create_user("mo", "mo@example.org", is_staff=True)
    mo.groups.add(moderators())
    root = User.objects.create_superuser("root", "root@example.org", "x")
    match = opening.create_match(creator=ann, game_slug="yum-extra", size=2)
    opening.join(match_id=match.pk, user=bob)
    match = Match.objects.get(pk=match.pk)
    line = lines.say(match=match, seats=seats_of(match), user=ann, text="well rolled")
    report = reports.report(reporter=bob, reason="spam", words="look", line=line)
    audit = note(root, "warn", "why", member=ann, match=match, report=report)
    one, other, name = f"{BASE} + n", f"{BASE} + 1 + n %% {count}", "'member-' || (1000000 + n)"
    half_ended = {"ended_at": ENDED, "status": HALF.format("'running'", "'ended'")}
    copy(ann, count, username=name, skeleton=name, email="'member-' || n || '@example.org'")
    copy(match, count, token="'copy-' || n", creator_id=one, ending=HALF.format("''", "'played'"), **half_ended)
    for number, seat in enumerate(seats_of(match)):
        copy(seat, count, id=f"{BASE} + 2 * n + {number}", match_id=one, user_id=(one, other)[number])
    copy(line, count, match_id=one, user_id=one)
    about = {"match_id": one, "member_id": one, "line_id": one}
    state = {"state": HALF.format("'open'", "'settled'"), "closed_at": ENDED}
    copy(report, count, reporter_id=other, **about, **state)
    copy(audit, count, moderator_id=str(root.pk), report_id=one, match_id=one, member_id=one)
    return mo, root


def prepare(count: int) -> None:
    """Make the rows; print the sessions of a moderator and of an admin, as JSON."""
    mo, root = fill(count)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    print(json.dumps({"moderator": log_in(mo), "admin": log_in(root)}))
