"""Inside the site under the bench of storage: what is weighed and timed, printed as JSON, a line each."""

import json
import secrets
import time
from collections.abc import Callable
from random import Random

from django.core.cache import cache
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from accounts.models import User
from config.lib import clock
from games.engine import SeededChance
from games.models import Archive, Match, PlayedKey, Seat, Turn
from games.queries import turns
from games.queries.play import seats_of
from games.rules import games, get_game
from games.services.clocks import time_outs
from games.services.lobby import opening
from games.services.play import archiving
from games.services.play.match_transaction import MatchTransaction
from tests.rules.playing import random_step

SEED = 20261129
BOTH = (Turn, PlayedKey, Archive)


def say(**facts: object) -> None:
    print(json.dumps(facts), flush=True)


def played(slug: str, people: list[User], rng: Random, most: int, *, keyed: bool = False) -> Match:
    """Return a match of these people played at random for so many turns, or to its end; `keyed` as forms post moves."""
    match = opening.create_match(creator=people[0], game_slug=slug, size=len(people))
    for person in people[1:]:
        opening.join(match_id=match.pk, user=person)
    match.refresh_from_db()
    with transaction.atomic():
        playing, at = MatchTransaction(match, seats_of(match)), clock.now_ms()
        while match.turns < most and (owing := playing.game.to_move(playing.state)):
            at += rng.randrange(1000, 3600_000)  # as people answer
            move = random_step(match.game, playing.state, owing[0], rng, SeededChance(b""))[0]
            key = secrets.token_urlsafe(12) if keyed else None
            playing.make(owing[0], move, by=Turn.By.PERSON, at=at, key=key)
        playing.save()
    return match


def ended(slug: str, people: list[User], rng: Random) -> Match:
    """Return a match of these people, as many as may sit, played to its end."""
    return played(slug, people[: get_game(slug).max_seats], rng, turns.LAST, keyed=True)


def size(table: str) -> int:
    """Return the bytes of a table with its indexes, without the room that deleted rows left."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"VACUUM FULL {table}")
            cursor.execute("SELECT pg_total_relation_size(%s)", [table])
        else:
            cursor.execute("VACUUM")
            cursor.execute(
                "SELECT SUM(pgsize) FROM dbstat WHERE name IN (SELECT name FROM sqlite_schema WHERE tbl_name = %s)",
                [table],
            )
        return int(cursor.fetchone()[0])


def sizes() -> list[int]:
    return [size(model._meta.db_table) for model in BOTH]


def weigh(matches: int) -> None:
    """Print the bytes per move of each game: in rows, the key of its post, in the archive."""
    rng, people = Random(SEED), [User.objects.create_user(f"w{number}") for number in range(3)]
    for slug in games():
        empty = sizes()
        played = [ended(slug, people, rng) for _ in range(matches)]
        moves = Turn.objects.count()
        rows, keys, _none = (now - before for now, before in zip(sizes(), empty, strict=True))
        PlayedKey.objects.all().delete()
        for match in played:
            archiving.archive_match(match.pk)
        archive = sizes()[2] - empty[2]
        parts = {"row": rows / moves, "key of its day": keys / moves, "archived": archive / moves}
        say(game=slug, moves=moves, bytes=parts)
        Archive.objects.all().delete()


MEMBERS = 5_000
ROUNDS = 9


def try_out(count: int) -> None:
    """Fill a PostgreSQL with so many turns in rows and six times as many in archives; print what takes how long."""
    started = time.perf_counter()
    people = User.objects.bulk_create(
        [User(username=f"t{number}", email=f"t{number}@example.org") for number in range(MEMBERS)], batch_size=1000
    )
    rng = Random(SEED)
    over = [ended(slug, people[:3], rng) for slug in games()]
    running = [begun(people[:2], rng)]
    in_rows = count // Turn.objects.filter(match__in=over).count()
    Archive.objects.bulk_create(turns.archive_of(match.pk, turns.of_match(match.pk)) for match in over)
    multiply(over, 7 * in_rows, in_rows, people[0].pk)
    multiply(running, in_rows // 10, in_rows, people[0].pk)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    tables = (Match, Seat, Turn, Archive)
    say(said=", ".join(f"{model.objects.count():,} {model._meta.verbose_name_plural}" for model in tables))
    say(said=f"filled in {time.perf_counter() - started:.0f} s")
    show_times(people[77])
    say(said=f"{'sweep of the clocks':44s} {took(time_outs.sweep):8.1f} ms")
    MigrationRecorder(connection).migration_qs.update(applied=clock.now() - 2 * archiving.GOING_BACK)
    begin, done = time.perf_counter(), archiving.archive_matches()
    each = (time.perf_counter() - begin) * 1000 / done
    say(said=f"{f'archive task, each of {done} matches':44s} {each:8.1f} ms")
    for model in tables:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_total_relation_size(%s)", [model._meta.db_table])
            say(said=f"{model._meta.db_table:44s} {cursor.fetchone()[0] / 2**20:8.0f} MiB")


def begun(people: list[User], rng: Random) -> Match:
    """Return a match that runs, in which some moves were made."""
    match = opening.create_match(creator=people[0], game_slug="yum-extra", size=2)
    opening.join(match_id=match.pk, user=people[1])
    match.refresh_from_db()
    with transaction.atomic():
        playing = MatchTransaction(match, seats_of(match))
        for _ in range(30):
            number = playing.game.to_move(playing.state)[0]
            move = random_step(match.game, playing.state, number, rng, SeededChance(b""))[0]
            playing.make(number, move, by=Turn.By.PERSON, at=clock.now_ms())
        playing.save()
    return match


def multiply(like: list[Match], copies: int, in_rows: int, first: int) -> None:
    """Copy these matches so often, with their turns in rows for the first of each, in the archive for the others."""
    ids, table = [match.pk for match in like], "array_position(%(ids)s, {}) - 1"
    base = Match.objects.order_by("-pk").values_list("pk", flat=True)[0] + 1
    of_match = f"{base} + ({table}) * {copies} + n"
    past = f"n > {in_rows}"
    at = "now() - interval '2 days' - n * interval '1 minute'"
    number = of_match.format("s.id")
    match = {"id": number, "token": f"md5(({number})::text)", "rematch_of_id": "NULL", "archived": past}
    match |= {"ended_at": f"CASE WHEN s.ended_at IS NOT NULL THEN {at} END", "moved_at": at}
    own = {"match_id": of_match.format("s.match_id")}
    seat = own | {
        "user_id": f"{first} + mod(n * 7 + s.number * 13 + s.match_id, {MEMBERS})",
        "id": "nextval('games_seat_id_seq')",
    }
    for model, changed, among in (
        (Match, match, "TRUE"),
        (Seat, seat, "TRUE"),
        (Turn, own | {"id": "nextval('games_turn_id_seq')"}, f"NOT {past}"),
        (Archive, own, past),
    ):
        columns = [field.column for field in model._meta.concrete_fields]
        chosen = ", ".join(changed.get(column, f's."{column}"') for column in columns)
        key = "s.id" if model is Match else "s.match_id"
        listed = ", ".join(f'"{column}"' for column in columns)
        with connection.cursor() as cursor:
            cursor.execute(
                f"INSERT INTO {model._meta.db_table} ({listed}) SELECT {chosen} FROM {model._meta.db_table} s, "
                f"generate_series(1, {copies}) n WHERE {key} = ANY(%(ids)s) AND {among}",
                {"ids": ids},
            )


def took(act: Callable[[], object]) -> float:
    """Return how many milliseconds something takes, the median of some rounds."""
    times = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        act()
        times.append((time.perf_counter() - begin) * 1000)
    return sorted(times)[ROUNDS // 2]


def show_times(member: User) -> None:
    """Print how long pages take a member with hundreds of matches."""
    client = Client(SERVER_NAME="localhost")
    client.force_login(member)
    own = Match.objects.filter(seats__user=member, status="ended").order_by("pk")
    ended_ones = Match.objects.filter(status="ended", game_slug="yum-extra").order_by("pk")
    rows, packed = (ended_ones.filter(archived=archived)[1:2].get() for archived in (False, True))
    say(said=f"a member with {own.count()} ended matches")
    pages = {"home": "/", "my matches": "/matches/", "open tables": "/play/", "profile": f"/people/{member.username}/"}
    for name, match in (("rows", rows), ("archive", packed)):
        for page in ("", "log/", f"replay/{match.turns}/", "record.json"):
            pages[f"{match.game_slug}, {match.turns} turns in {name}: {page or 'page'}"] = f"/matches/{match.pk}/{page}"
    for name, path in pages.items():

        def read(path: str = path) -> None:
            cache.clear()
            answer = client.get(path)
            assert answer.status_code == 200, (path, answer.status_code)

        say(said=f"{name:44s} {took(read):8.1f} ms")
