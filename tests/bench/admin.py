"""How fast the lists of the admin answer with 100,000 members, matches, reports and chat lines."""

import time
from datetime import timedelta

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from config import clock
from games.chat import ChatLine
from games.engine import get_game
from games.models import Match, Seat
from games.moderation.models import Audit, Report
from games.moderation.roles import moderators

ROWS, BATCH, ROUNDS = 100_000, 5_000, 7
LISTS = (
    "accounts/user/",
    "accounts/user/?p=500",
    "accounts/user/?q=member-0777",
    "games/match/",
    "games/match/?status__exact=running",
    "games/match/?q=77777",
    "games/match/?q=member-0777",
    "moderation/report/",
    "moderation/report/?state=all",
    "moderation/report/?q=member-0777",
    "moderation/audit/",
    "games/chatline/",
)


def fill(rows: int = ROWS) -> None:
    """Make the rows, past all services."""
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


def measure() -> list[tuple[str, float, int]]:
    """Return for each list the median milliseconds of an answer, and how often the database was asked."""
    mo, _made = User.objects.get_or_create(username="the-one-who-looks", defaults={"is_staff": True})
    mo.groups.add(moderators())
    client = Client()
    client.force_login(mo)
    found = []
    for address in LISTS:
        took = []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            with CaptureQueriesContext(connection) as asked:
                answer = client.get(f"/admin/{address}")
            took.append((time.perf_counter() - start) * 1000)
            assert answer.status_code == 200, address
        found.append((address, sorted(took)[ROUNDS // 2], len(asked)))
    return found


def main(rows: int = ROWS) -> None:
    """Fill the database that the settings name, and print a line for each list."""
    if Report.objects.count() < rows:
        fill(rows)
    for address, took, asked in measure():
        print(f"{address:40} {took:7.0f} ms  {asked} queries")
