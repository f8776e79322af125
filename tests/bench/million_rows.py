"""Inside the site under the bench of a million: its rows, copied in bulk by PostgreSQL from matches really played."""

import json
from random import Random

from allauth.account.models import EmailAddress
from django.db import connection, models

from accounts.models import User
from accounts.names import skeleton
from games.models import Archive, Match, Seat, Turn
from games.queries import turns
from games.rules import games, get_game
from tests.bench.stored import played
from tests.rules.playing import fewest

SEED = 20261129
TURNS = 50  # in rows, of a running match
ENDED_OF = 3  # ended matches for each running one
HEAVY = 1000  # one member of so many sits in every fifth match: 200 running, 600 ended
FIRST = 1_000  # the number of the first member
BASE = 1_000_000  # that of the first match
NAMES = ("Otter", "Éric", "Lynx", "Nadia", "Wanda", "Paul", "Marmot", "Zoé", "Ines", "Corvin", "Lutz", "Amélie")


def say(words: str) -> None:
    print(json.dumps({"said": words}), flush=True)


def run(statement: str) -> int:
    """Execute SQL as it stands; return how many rows it wrote."""
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return int(cursor.rowcount)


def played_ones() -> tuple[list[Match], list[Match]]:
    """Return matches of each game: running ones of 50 turns at its two smallest tables, ended ones at the smallest."""
    rng = Random(SEED)
    people = [User.objects.create_user(f"like{number}", f"like{number}@example.org") for number in range(5)]
    running, ended = [], []
    for slug in games():
        least = fewest(get_game(slug))
        for seats in (least, least, least + 1, least + 1):
            ended += [played(slug, people[:least], rng, 10_000)] if seats == least else []
            while (match := played(slug, people[:seats], rng, TURNS)).status == Match.Status.ENDED:
                seats = min(seats + 1, len(people))  # noqa: PLW2901 (more people, a longer match)
            running.append(match)
    for match in ended:
        turns.archive_of(match.pk, turns.of_match(match.pk)).save(force_insert=True)
    return running, ended


def copied(model: type[models.Model], source: str, **fresh: str) -> int:
    """Insert rows of a model selected from a source in which `s` is a row like them; `fresh` are columns in SQL."""
    columns = [field.column for field in model._meta.concrete_fields]
    chosen = ", ".join(fresh.get(column, f's."{column}"') for column in columns)
    listed = ", ".join(f'"{column}"' for column in columns)
    return run(f"INSERT INTO {model._meta.db_table} ({listed}) SELECT {chosen} FROM {source}")


def made(model: type[models.Model], source: str, **values: str) -> int:
    """Insert rows of a model of which only these columns are given, in SQL."""
    listed = ", ".join(f'"{column}"' for column in values)
    return run(f"INSERT INTO {model._meta.db_table} ({listed}) SELECT {', '.join(values.values())} FROM {source}")


def user_of(number: str, seat: str, members: int) -> str:
    """Return in SQL who sits in a seat of the match that is the `number`-th of its kind."""
    heavy = max(10, members // HEAVY)
    usual = f"{FIRST + heavy} + ({number} * 7919 + {seat} * 104729) % {members - heavy}"
    return f"CASE WHEN {seat} = 0 AND {number} % 5 = 0 THEN {FIRST} + ({number} / 5) % {heavy} ELSE {usual} END"


def members_made(members: int) -> None:
    """Insert members with names of their own; one in twenty is a guest, six in ten have an address."""
    run("CREATE TEMP TABLE names (n bigint, name text, looks text)")
    with connection.cursor() as cursor, cursor.copy("COPY names FROM STDIN") as rows:
        for n in range(members):
            name = f"{NAMES[n % len(NAMES)]}-{n:07d}"
            rows.write_row((n, name, skeleton(name)))
    id_ = f"{FIRST} + n"
    has_address = "n % 10 < 6"
    copied(
        User,
        "names JOIN accounts_user s ON s.username = 'like0'",
        id=id_,
        username="name",
        skeleton="looks",
        email=f"CASE WHEN {has_address} THEN 'm' || n || '@example.org' ELSE '' END",
        is_guest="n % 20 = 19",
        date_joined="now() - (n % 1000) * interval '1 day'",
        seen_at="now() - interval '1 hour' - (n * 7919 % 100000) * interval '1 minute'",
        language="CASE n % 3 WHEN 0 THEN 'fr' ELSE 'en' END",
        time_zone="(ARRAY['UTC', 'Europe/Paris', 'America/Montreal', 'Asia/Tokyo'])[1 + n % 4]",
        mail_rhythm="CASE WHEN n % 20 = 3 THEN 'daily' WHEN n % 10 = 4 THEN 'visit' ELSE 'each' END",
        digest_on="current_date",
    )
    made(
        EmailAddress,
        f"names WHERE {has_address}",
        user_id=id_,
        email="'m' || n || '@example.org'",
        verified="TRUE",
        primary="TRUE",
    )


def matches_made(kind: str, like: list[Match], first: int, count: int, members: int) -> None:
    """Insert so many matches like these, numbered from `first` on, with their seats."""
    run("DROP TABLE IF EXISTS alike")
    run("CREATE TEMP TABLE alike (t int, id bigint, moved timestamptz)")
    for t, match in enumerate(like):
        run(f"INSERT INTO alike SELECT {t}, id, moved_at FROM games_match WHERE id = {match.pk}")
    i = f"(c::bigint * {len(like)} + t)"
    moved = f"(now() - interval '1 minute' - ({i} * 48271 % 250000) * interval '1 second')"
    if kind == "ended":
        moved = f"(now() - interval '2 days' - ({i} * 48271 % 2000000) * interval '1 minute')"
    copies = f"generate_series(0, {count // len(like) - 1}) c CROSS JOIN alike a"
    copied(
        Match,
        f"{copies} JOIN games_match s ON s.id = a.id",
        id=f"{first} + {i}",
        token=f"md5(({first} + {i})::text)",
        creator_id=user_of(i, "0", members),
        rematch_of_id="NULL",
        rated=f"{i} % 2 = 0",
        access=f"CASE WHEN {i} % 20 = 7 THEN 'link' WHEN {i} % 20 = 13 THEN 'invitation' ELSE 'open' END",
        archived="s.status = 'ended'",
        created_at=f"{moved} - interval '9 days'",
        joined_at=f"{moved} - interval '8 days'",
        started_at=f"{moved} - interval '8 days'",
        moved_at=moved,
        ended_at=f"CASE WHEN s.status = 'ended' THEN {moved} END",
    )
    shift = f"({moved} - moved)"
    copied(
        Seat,
        f"{copies} JOIN games_seat s ON s.match_id = a.id",
        id="nextval('games_seat_id_seq')",
        match_id=f"{first} + {i}",
        user_id=user_of(i, "s.number", members),
        asked_at=f"s.asked_at + {shift}",
        runs_from=f"s.runs_from + {shift}",
        deadline=f"s.deadline + {shift}",
    )


def turns_made(like: list[Match], first: int, count: int) -> None:
    """Insert the turns of running matches in the order in which they happen: all first ones, all second ones, ..."""
    run("CREATE TEMP TABLE played AS SELECT a.t, s.* FROM alike a JOIN games_turn s ON s.match_id = a.id")
    run("CREATE INDEX ON played (number)")
    for number in range(1, TURNS + 1):
        copied(
            Turn,
            f"generate_series(0, {count // len(like) - 1}) c, "
            f"LATERAL (SELECT * FROM played WHERE number = {number} + 0 * c OFFSET 0) s",
            id="nextval('games_turn_id_seq')",
            match_id=f"{first} + c::bigint * {len(like)} + s.t",
        )


def archives_made(like: list[Match], first: int, count: int) -> None:
    copied(
        Archive,
        f"generate_series(0, {count // len(like) - 1}) c CROSS JOIN alike a JOIN games_archive s ON s.match_id = a.id",
        match_id=f"{first} + c::bigint * {len(like)} + a.t",
    )
