"""Inside the site under the bench of storage: what is weighed and timed, printed as JSON, a line each."""

import json
import secrets
from random import Random

from django.db import connection, transaction

from accounts.models import User
from config.lib import clock
from games.engine import SeededChance
from games.models import Archive, Match, PlayedKey, Turn
from games.queries.play import seats_of
from games.rules import games, get_game
from games.services.lobby import opening
from games.services.play import archiving
from games.services.play.match_transaction import MatchTransaction
from tests.rules.playing import random_step

SEED = 20261129
BOTH = (Turn, PlayedKey, Archive)


def say(**facts: object) -> None:
    print(json.dumps(facts), flush=True)


def ended(slug: str, people: list[User], rng: Random) -> Match:
    """Return a match of these people played to its end at random, every move posted with a key as forms make them."""
    people = people[: get_game(slug).max_seats]
    match = opening.create_match(creator=people[0], game_slug=slug, size=len(people))
    for person in people[1:]:
        opening.join(match_id=match.pk, user=person)
    match.refresh_from_db()
    with transaction.atomic():
        playing, at = MatchTransaction(match, seats_of(match)), clock.now_ms()
        while owing := playing.game.to_move(playing.state):
            at += rng.randrange(1000, 3600_000)  # as people answer
            move = random_step(match.game, playing.state, owing[0], rng, SeededChance(b""))[0]
            playing.make(owing[0], move, by=Turn.By.PERSON, at=at, key=secrets.token_urlsafe(12))
        playing.save()
    return match


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
