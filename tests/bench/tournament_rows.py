"""Inside the bench of tournaments: its members, tournaments, rounds, tables and matches, made by PostgreSQL in bulk."""

from datetime import timedelta

from django.db import connection

from accounts.models import User
from config.lib import clock
from games.competitions.models import Entrant, Place, Round, Table, Tournament
from games.models import Match, Seat
from games.services.lobby import opening
from tests.bench.million_rows import copied, made, members_made, run

FIRST = 1_000  # the number of the first member
MEMBERS = 10_000
BASE = 100_000  # a table's match has its number and so many more
BIG = 1  # the number of the one of a thousand
SEATS = 4
KINDS = [  # how many tournaments, of how many, state, format, rounds that are over
    (1, 1000, "running", "swiss", 4),
    (10, 200, "running", "swiss", 3),
    (20, 64, "running", "knockout", 0),
    (20, 64, "running", "groups", 0),
    (169, 24, "running", "swiss", 3),
    (20, 12, "running", "robin", 2),
    (60, 24, "open", "swiss", 0),
    (1000, 24, "over", "swiss", 5),
]
UNDER_WAY = sum(count for count, _members, state, *_more in KINDS if state != "over")


def fill() -> None:
    """Make ten thousand members and their tournaments: 300 under way, and a thousand that are over."""
    like = User.objects.create_user("like0", "like0@example.org")
    others = [User.objects.create_user(f"like{number}") for number in range(1, SEATS)]
    model = opening.create_match(creator=like, game_slug="yum-extra", size=SEATS)
    for other in others:
        opening.join(match_id=model.pk, user=other)
    run("SET session_replication_role = replica")  # no look at foreign keys
    members_made(MEMBERS)
    run(f"UPDATE accounts_user SET is_guest = false, mail_rhythm = 'each' WHERE id >= {FIRST}")
    tournaments_made(like)
    tables_made()
    matches_made(model.pk)
    for row in (User, Tournament, Entrant, Round, Table, Place, Match, Seat):
        table = row._meta.db_table
        run(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT MAX(id) + 1 FROM {table}))")
    run("SET session_replication_role = origin")
    run("VACUUM (ANALYZE)")


def tournaments_made(organiser: User) -> None:
    """Insert tournaments and who takes part: every member in one or two under way, and in some that are over."""
    now = clock.now()
    facts = {"game_slug": "yum-extra", "seats": SEATS, "pace_slug": "3d", "least": SEATS, "most": 1000}
    facts |= {"round_limit": 14 * 24 * 60, "created_at": now - timedelta(days=40), "name": "Autumn Cup"}
    rows = []
    for count, members, state, form, rounds in KINDS:
        over = {"ended_at": now - timedelta(days=1)} if state == "over" else {}
        over |= {"began_at": now - timedelta(days=30)} if state != "open" else {}
        begins = now + timedelta(days=5) if state == "open" else now - timedelta(days=30)
        many = {"state": state, "format": form, "begins_at": begins, "organiser": organiser, **over}
        rows += [Tournament(**facts, **many, rounds_wished=9, words=f"{members} {rounds}") for _one in range(count)]
    Tournament.objects.bulk_create(rows)
    run(
        "CREATE TEMP TABLE planned AS SELECT id AS t, state, split_part(words, ' ', 1)::int AS members, "
        "split_part(words, ' ', 2)::int AS over, "
        "SUM(split_part(words, ' ', 1)::int) OVER (ORDER BY id) AS past FROM competitions_tournament"
    )
    member = f"{FIRST} + (past + k) % {MEMBERS}"
    made(
        Entrant,
        "planned, generate_series(1, members) k",
        tournament_id="t",
        user_id=member,
        number="k",
        strength="1000 + k * 7919 % 1000",
        lot="1 + (k * 389) % members",
        signed_at="now()",
        left="''",
        to_tell="''",
    )


def tables_made() -> None:
    """Insert rounds, tables and places: in each round others meet, and another comes first."""
    made(
        Round,
        "planned, generate_series(1, over + CASE state WHEN 'running' THEN 1 ELSE 0 END) r WHERE state <> 'open'",
        tournament_id="t",
        number="r",
        drawn_at="now() - interval '1 day' * (over - r + 1)",
        ends_at="now() + interval '13 days'",
        last_day_told="false",
        ended_at="CASE WHEN r <= over THEN now() - interval '1 day' * (over - r) END",
    )
    run(
        "CREATE TEMP TABLE sitting AS SELECT r.id AS round, r.number AS r, t, members, state, "
        f"members / {SEATS} AS tables, over FROM planned JOIN competitions_round r ON r.tournament_id = t"
    )
    state = "CASE WHEN r <= over THEN 'over' ELSE 'running' END"
    made(Table, "sitting, generate_series(1, tables) n", round_id="round", number="n", leg="1", state=state)
    seat = f"(k - 1) % {SEATS}"
    number = f"(1 + ((k - 1) / {SEATS} + r * ({seat})) % tables)"
    is_over = "r <= over"
    made(
        Place,
        "sitting JOIN competitions_entrant e ON e.tournament_id = t "
        f"CROSS JOIN LATERAL (SELECT e.number AS k) one JOIN competitions_table b ON b.round_id = round "
        f"AND b.number = {number}",
        table_id="b.id",
        round_id="round",
        leg="1",
        seat=seat,
        entrant_id="e.id",
        rank=f"CASE WHEN {is_over} THEN 1 + ({seat} + b.number * 31 + r * 17) % {SEATS} END",
        score=f"CASE WHEN {is_over} THEN 60 + (k * 7919 + r * 104729) % 150 END",
        away="false",
    )


def matches_made(model: int) -> None:
    """Insert the match of each table, like this one, and its seats."""
    run(f"UPDATE competitions_table SET match_id = {BASE} + id")
    over = "t.state = 'over'"
    copied(
        Match,
        f"competitions_table t JOIN games_match s ON s.id = {model}",
        id=f"{BASE} + t.id",
        token=f"md5(({BASE} + t.id)::text)",
        status=f"CASE WHEN {over} THEN 'ended' ELSE 'running' END",
        ending=f"CASE WHEN {over} THEN 'played' ELSE '' END",
        ended_at=f"CASE WHEN {over} THEN now() - interval '1 hour' END",
    )
    copied(
        Seat,
        "competitions_place p JOIN competitions_entrant e ON e.id = p.entrant_id "
        f"JOIN competitions_table t ON t.id = p.table_id JOIN games_seat s ON s.match_id = {model} "
        "AND s.number = p.seat",
        id="nextval('games_seat_id_seq')",
        match_id=f"{BASE} + t.id",
        user_id="e.user_id",
        rank="p.rank",
        score="p.score",
        ask=f"CASE WHEN {over} THEN NULL ELSE s.ask END",
        asked_at=f"CASE WHEN {over} THEN NULL ELSE s.asked_at END",
        runs_from=f"CASE WHEN {over} THEN NULL ELSE s.runs_from END",
        deadline=f"CASE WHEN {over} THEN NULL ELSE s.deadline END",
    )


def counted() -> str:
    """Return in words how many rows there are."""
    with connection.cursor() as cursor:
        found = []
        for row in (Tournament, Entrant, Round, Table, Place, Match, Seat):
            cursor.execute(f"SELECT COUNT(*) FROM {row._meta.db_table}")
            found.append(f"{cursor.fetchone()[0]:,} {row._meta.verbose_name_plural}")
    return ", ".join(found)
