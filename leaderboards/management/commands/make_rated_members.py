"""Fill a database without ratings with rated members, to measure leaderboards."""

from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import timedelta
from random import Random
from typing import Any

from django.contrib.auth.hashers import make_password
from django.core.management.base import BaseCommand, CommandError
from django.db import connection, transaction

from accounts.models import User
from accounts.names import skeleton
from config.lib import clock, sql
from games.rules import games
from leaderboards import rating
from leaderboards.models import Settlement, Standing
from leaderboards.seasons import ALL_TIME, season_of

BATCH = 1_000
SEED = 20261128
SPREAD = 280_00  # the standard deviation of ratings


class Command(BaseCommand):
    help = "Make rated members who never played, for measuring; refused where matches were rated."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("count", type=int)
        parser.add_argument("--game", default=games()[0], choices=games())

    def handle(self, *args: Any, count: int, game: str, **options: Any) -> None:
        if Settlement.objects.exists() or Standing.objects.exists():
            raise CommandError("members of this site have ratings: they would be lost in the crowd")
        self.stdout.write(f"seed {SEED}")
        rng = Random(SEED)
        for start in range(0, count, BATCH):
            with transaction.atomic():
                members = _members(start, min(count, start + BATCH))
                sql.insert([standing for member in members for standing in _standings(member, game, rng)])
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # update the planner's statistics
        self.stdout.write(f"{count} rated members")


def _members(start: int, end: int) -> list[int]:
    names = [f"crowd-{number:07d}" for number in range(start, end)]
    locked = make_password(None)
    people = [User(username=name, email=f"{name}@example.org", password=locked) for name in names]
    for person in people:
        person.skeleton = skeleton(person.username)
    sql.insert(people)
    return list(User.objects.filter(username__in=names).order_by("pk").values_list("pk", flat=True))


def _standings(member: int, game: str, rng: Random) -> Iterator[Standing]:
    now = clock.now()
    points = max(rating.FLOOR, round(rng.gauss(rating.START, SPREAD)))
    matches = rng.randint(1, 300)
    away = timedelta(days=rng.randint(91, 400) if rng.random() < 0.03 else rng.randint(0, 80))
    for season in (ALL_TIME, season_of(now - away)):
        yield Standing(
            user_id=member,
            game_slug=game,
            season=season,
            rating=points,
            matches=matches,
            wins=rng.randint(0, matches),
            last_active=now - away,
        )
