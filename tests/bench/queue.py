"""Inside the site under the bench of the admin: its rows, and a moderator who is logged in."""

import json
from datetime import timedelta

from django.db import connection

from accounts.models import User
from config import clock
from games.chat import ChatLine
from games.engine import get_game
from games.models import Match, Seat
from games.moderation.models import Audit, Report
from games.moderation.roles import moderators
from tests.bench.prepare import log_in

BATCH = 5_000


def prepare(rows: int) -> None:
    """Make the rows; print the session of a moderator who plays, and one's of an admin, as JSON."""
    fill(rows)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    mo = User.objects.get(username="member-000777")
    User.objects.filter(pk=mo.pk).update(is_staff=True)
    mo.groups.add(moderators())
    root = User.objects.create_superuser("root", "root@example.org", "x")
    print(json.dumps({"moderator": log_in(mo), "admin": log_in(root)}))


def fill(rows: int) -> None:
    """Make so many members, matches, chat lines, reports and audit rows, past all services."""
    now = clock.now()
    for start in range(0, rows, BATCH):
        numbers = range(start, min(start + BATCH, rows))
        users = User.objects.bulk_create(
            User(username=f"member-{n:06}", password="!", date_joined=now - timedelta(minutes=n))
            for n in numbers
        )
        matches = Match.objects.bulk_create(
            Match(
                game_slug="yum-extra",
                rules_version=get_game("yum-extra").rules_version,
                size=2,
                status=("running", "ended")[n % 2],
                ending=("", "played")[n % 2],
                ended_at=(None, now)[n % 2],
                state=b"x" * 900,
                creator=users[n - start],
                created_at=now - timedelta(minutes=n),
            )
            for n in numbers
        )
        pairs = list(zip(matches, users, users[1:] + users[:1], strict=True))
        Seat.objects.bulk_create(
            Seat(match=match, number=n, user=who) for match, *two in pairs for n, who in enumerate(two)
        )
        lines = ChatLine.objects.bulk_create(
            ChatLine(match=match, channel="players", user=one, text="well rolled")
            for match, one, _two in pairs
        )
        Report.objects.bulk_create(
            Report(
                reporter=two,
                member=one,
                match=match,
                line=line,
                reason="spam",
                words="look",
                state=("open", "settled")[n % 2],
                closed_at=(None, now)[n % 2],
            )
            for n, ((match, one, two), line) in enumerate(zip(pairs, lines, strict=True))
        )
        Audit.objects.bulk_create(
            Audit(moderator=two, member=one, match=match, deed="warn", reason="x")
            for match, one, two in pairs
        )
