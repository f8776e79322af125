"""How the databases read what everybody opens, what admins search and what sweeps look for: by indexes, at any size."""

import json
import re
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Follow, User
from accounts.queries import member_like
from accounts.services import idle_guests
from config.lib import clock
from games import admin_lists
from games.models import ChatLine, Club, Invitation, Mail, Membership, Notice, Sweep, Tally, TimeOut
from games.queries import readable
from games.queries.play import seats_of
from games.queries.puzzles import today
from games.services.clocks import game_clock, time_outs
from games.services.mail import candidates, delivery
from games.services.operation import metrics
from games.services.play import archiving, bots, dice_counts
from games.services.puzzles import answering as puzzle_answers
from games.services.puzzles import making
from leaderboards.models import RatingChange, Settlement, Standing
from leaderboards.seasons import season_of
from tests.bench.queue import BASE, copy
from tests.factories import browser_of, opened, seated, sign_up

pytestmark = [pytest.mark.both, pytest.mark.operation]
ROWS = 100_000
OWN, OTHER = f"{BASE} + n", f"{BASE} + 1 + n %% {ROWS}"
MEMBER, MATCH = BASE + 776, BASE + 776  # of a running match; the one before has ended
RUNS = "n %% 8 = 0"
OF_CLUB = "n %% 10 = 1"


@pytest.fixture
def many(ann, bob):
    """A hundred thousand members, each in two of as many matches, with their mails, ratings, lines and clubs."""
    match, now = seated(ann, bob), clock.now()
    seats = seats_of(match)
    name = f"'member-' || ({BASE} + n)"
    looks = f"replace(replace('member' || ({BASE} + n), '0', 'o'), '1', 'l')"
    copy(ann, ROWS, username=name, skeleton=looks, email="'m' || n || '@example.org'")
    over = f"CASE WHEN {RUNS} THEN NULL ELSE games_match.moved_at END"
    facts = {"status": f"CASE WHEN {RUNS} THEN 'running' ELSE 'ended' END", "ended_at": over}
    clubs(ann)
    facts |= {"access": f"CASE WHEN {OF_CLUB} THEN 'club' ELSE 'open' END"}
    facts |= {"club_id": f"CASE WHEN {OF_CLUB} THEN {BASE} + n END"}
    facts |= {"ending": f"CASE WHEN {RUNS} THEN '' ELSE 'played' END", "archived": f"NOT {RUNS}"}
    copy(match, ROWS, token="'t' || n", creator_id=OWN, **facts)
    asked = {name: f"CASE WHEN {RUNS} THEN games_seat.{name} END" for name in ("ask", "asked_at", "deadline")}
    for seat, user in zip(seats, (OWN, OTHER), strict=True):
        copy(seat, ROWS, id=f"{BASE} + 2 * n + {seat.number}", match_id=OWN, user_id=user, **asked)
    mail = Mail.objects.create(user=ann, match=match, kind="turn", state="sent", sent_at=now)
    copy(mail, ROWS, user_id=OWN, match_id=OWN, message_id="'m' || n")
    notice = Notice.objects.create(user=ann, match=match, kind="turn", ask=seats[0].ask or seats[1].ask, mail=mail)
    copy(notice, ROWS, user_id=OWN, match_id=OWN, mail_id=OWN)
    told = {"counted_at": now, "faces": {"6": [1] * 6}, "seats": {"0": [1] * 6}}
    copy(Tally.objects.create(match=match, **told), ROWS, match_id=OWN)
    ratings(ann, match, now)
    line = ChatLine.objects.create(match=match, user=ann, channel="players", text="well rolled")
    copy(line, ROWS, match_id=OWN, user_id=OWN)
    others(ann, match, now)
    opened(ann)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return User.objects.get(pk=MEMBER)


def clubs(ann) -> None:
    """Add as many clubs, each of two members."""
    club = Club.objects.create(name="Dawn", skeleton="dawn", size=2)
    copy(club, ROWS, skeleton="'club' || n", token="'t' || n")
    one = Membership.objects.create(club=club, user=ann)
    copy(one, ROWS, club_id=OWN, user_id=OWN)
    copy(one, ROWS, id=f"{BASE + ROWS} + n", club_id=OWN, user_id=OTHER)


def ratings(ann, match, now) -> None:
    season = season_of(now)
    standing = Standing.objects.create(user=ann, game_slug="yum-extra", season="", matches=9, last_active=now)
    copy(standing, ROWS, user_id=OWN, rating="150000 + n %% 50000", season=f"'{season}'")
    settlement = Settlement.objects.create(match=match, game_slug="yum-extra", season=season, at=now)
    copy(settlement, ROWS, match_id=OWN)
    facts = {"player": ann.pk, "rank": 1, "matches": 1, "before": 150000, "delta": 100, "after": 150100}
    change = RatingChange.objects.create(settlement=settlement, seat=0, user=ann, **facts)
    copy(change, ROWS, settlement_id=OWN, user_id=OWN, player=OWN)


def others(ann, match, now) -> None:
    """Add what else grows with members and matches."""
    invitation = Invitation.objects.create(match=match, user=ann, declined=True)
    copy(invitation, ROWS, match_id=OWN, user_id=OTHER)
    follow = Follow.objects.create(follower=ann, followed=match.seats.get(number=1).user)
    copy(follow, ROWS, follower_id=OWN, followed_id=OTHER)
    address = EmailAddress.objects.create(user=ann, email="ann@example.org", verified=True, primary=True)
    copy(address, ROWS, user_id=OWN, email="'m' || n || '@example.org'")
    sweep = Sweep.objects.create(due=1)
    copy(sweep, ROWS)
    out = TimeOut.objects.create(match=match, seat=0, ask=1, kind="played", before={}, sweep=sweep)
    copy(out, ROWS, match_id=OWN, sweep_id=OWN)


def big_tables() -> set[str]:
    """Return the tables that have as many rows."""
    found = set()
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT COUNT(*) FROM (SELECT 1 FROM "{table}" LIMIT {ROWS}) AS one')
            found |= {table} if cursor.fetchone()[0] == ROWS else set()
    return found


def indexes_of_some() -> set[str]:
    """Return the indexes of some rows only, which may be read whole; on PostgreSQL of few."""
    of_sqlite = "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE '%% WHERE %%'"
    of_postgres = (
        "SELECT relname FROM pg_class JOIN pg_index ON indexrelid = oid "
        f"WHERE indpred IS NOT NULL AND reltuples < {ROWS // 2}"
    )
    with connection.cursor() as cursor:
        cursor.execute(of_sqlite if connection.vendor == "sqlite" else of_postgres, [])
        return {row[0] for row in cursor.fetchall()}


def scans_of_sqlite(sql: str, big: set[str], partial: set[str]) -> list[str]:
    """Return how a statement reads big tables, or whole indexes of them, from end to end."""
    aliases = {alias: table for table, alias in re.findall(r'"?(\w+)"? (?:AS )?"?(\w+)"?', sql) if table in big}
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN QUERY PLAN " + sql)
        lines = [str(row[-1]) for row in cursor.fetchall()]
    is_cut = "LIMIT" in sql and not any("TEMP B-TREE FOR ORDER" in line for line in lines)
    found = []
    for line in lines:
        if scan := re.fullmatch(r"SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?", line):
            table, index = scan[1], scan[2]
            if (table in big or table in aliases) and index not in partial and not is_cut:
                found.append(line)
    return found


def scans_of_postgres(sql: str, big: set[str], partial: set[str]) -> list[str]:
    """Return the same of PostgreSQL's plan."""
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN (FORMAT JSON) " + sql)
        (found,) = cursor.fetchone()
    return list(_scans((json.loads(found) if isinstance(found, str) else found)[0]["Plan"], big, partial, cut=False))


def _scans(node: dict, big: set[str], partial: set[str], *, cut: bool) -> Iterator[str]:
    kind, table, index = node["Node Type"], node.get("Relation Name", ""), node.get("Index Name", "")
    is_whole = kind == "Seq Scan" or ("Index" in kind and "Index Cond" not in node and index not in partial)
    if table in big and is_whole and not cut:
        yield f"{kind} {table} {index} {node.get('Filter', '')}"
    cut = kind == "Limit" or (cut and kind not in ("Sort", "Hash", "Aggregate", "BitmapOr"))
    for child in node.get("Plans", ()):
        yield from _scans(child, big, partial, cut=cut)


def test_nothing_reads_a_table_from_end_to_end(many, root, monkeypatch):
    monkeypatch.setattr(admin_lists, "NEWEST", 100)  # to a hundred thousand as ten thousand to many millions
    big, partial = big_tables(), indexes_of_some()
    scans = scans_of_sqlite if connection.vendor == "sqlite" else scans_of_postgres
    if connection.vendor == "sqlite":  # which finds no index of mails in some states; its sites have few
        big.discard("games_mail")
    assert {"games_match", "games_seat", "accounts_user", "leaderboards_standing"} <= big
    browsers = {"member": browser_of(many), "admin": browser_of(root), "visitor": browser_of()}
    found = []
    for name, act in acts(browsers, many):
        cache.clear()
        cache.set(readable.UNKNOWN, [])  # which are unknown takes all that run, once in ten minutes
        with CaptureQueriesContext(connection) as asked:
            act()
        for sql in dict.fromkeys(query["sql"] for query in asked):
            if sql.lstrip().startswith("SELECT") and any(table in sql for table in big):
                found += [f"{name}: {line}\n    {sql[:3000]}" for line in scans(sql, big, partial)]
    assert not found, "\n".join(found)


def acts(browsers, many) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield pages, by address, and tasks, by name."""
    name = many.username
    for who, addresses in {
        "member": [*PAGES, f"/people/{name}/", f"/people/{name}/season/"],
        "visitor": PUBLIC,
        "admin": ADMIN,
    }.items():
        for address in addresses:
            yield f"{who} {address}", page_of(browsers[who], address.replace("MATCH", str(MATCH)))
    yield "a name is free", lambda: member_like("somebody-else")
    yield "sign-up", lambda: sign_up(browser_of(), "Newcomer", "new@example.org")
    for login in (name, "m77@example.org", "nobody@example.org"):
        told = {"login": login, "password": "x", "email": login}
        for way in ("login", "login/code", "password/reset"):
            yield f"{way} of {login}", partial(browser_of().post, f"/accounts/{way}/", told)
    yield from TASKS.items()


def page_of(browser, address: str) -> Callable[[], None]:
    def ask() -> None:
        assert browser.get(address, follow=True).status_code == 200, address

    return ask


PAGES = ["/", "/matches/", "/play/", "/next/", "/people/ann/", "/mentions/", "/settings/", "/accounts/sessions/"]
PAGES += ["/matches/MATCH/", "/matches/MATCH/log/", "/matches/MATCH/chat/", "/games/yum-extra/statistics/"]
PAGES += [f"/leaderboards/yum-extra/{query}" for query in ("", "?who=followed", f"?season={season_of(clock.now())}")]
PAGES += [f"/clubs/{MEMBER}/", f"/clubs/{MEMBER}/board/", "/play/new/?game=yay", "/tournaments/"]
PUBLIC = [
    f"/clubs/{MEMBER}/board/",
    "/",
    "/play/",
    "/sitemap.xml",
    "/metrics",
    "/matches/MATCH/",
    "/puzzle/",
    "/people/ann/season/",
]
SEARCHED = ("accounts/user", "games/match", "games/chatline", "moderation/report", "leaderboards/settlement")
SEARCHED += ("leaderboards/ratingchange", "leaderboards/standing", "games/mail", "moderation/audit")
ADMIN = [
    "/admin/",
    "/admin/operation/",
    "/admin/accounts/user/?q=m77@example.org",
    f"/admin/accounts/user/{MEMBER}/change/",
]
ADMIN += [f"/admin/{one}/{query}" for one in SEARCHED for query in ("", "?q=member-2345", "?q=2345")]
ADMIN += ["/admin/games/match/?status__exact=running&game_slug=yay", "/admin/games/mail/?state__exact=failed"]
ADMIN += ["/admin/accounts/user/?is_staff__exact=1", "/admin/accounts/user/?language=fr", "/admin/games/timeout/"]
ADMIN += ["/admin/games/sweep/", "/admin/account/emailaddress/?q=m77@example.org"]
TASKS: dict[str, Callable[[], object]] = {
    "sweep of the clocks": time_outs.sweep,
    "games' own clocks": game_clock.due_soon,
    "bots": bots.sweep_bots,
    "mails sent": delivery.send_due,
    "mails counted": delivery.mail_counts,
    "old mails": delivery.forget_old,
    "figures": metrics._of_rows,
    "archives": archiving.archive_matches,
    "dice": dice_counts.count_matches,
    "guests": idle_guests.forget,
    "puzzle": lambda: making.make(today()),
    "old puzzles": puzzle_answers.close_old,
    "daily mails": lambda: list(candidates._daily(clock.now())),
}
