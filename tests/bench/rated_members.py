"""Inside the site under the bench of leaderboards: members with ratings, as many as wanted."""

from collections.abc import Iterator
from datetime import timedelta
from random import Random

from django.contrib.auth.hashers import make_password
from django.db import connection, transaction

from accounts.models import User
from accounts.names import skeleton
from config.lib import clock, sql
from leaderboards import rating
from leaderboards.models import Settlement, Standing
from leaderboards.seasons import ALL_TIME, season_of

BATCH = 1_000
SEED = 20261128
SPREAD = 280_00  # the standard deviation of ratings


def make_rated_members(count: int, game: str = "yum-extra") -> None:
    """Make members who have ratings but never played. ValueError on a site that has rated matches."""
    if Settlement.objects.exists() or Standing.objects.exists():
        raise ValueError("members of this site have ratings: they would be lost in the crowd")
    rng = Random(SEED)
    for start in range(0, count, BATCH):
        with transaction.atomic():
            members = _members(start, min(count, start + BATCH))
            sql.insert([standing for member in members for standing in _standings(member, game, rng)])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # so that the planner knows the new sizes at once


def _members(start: int, end: int) -> list[int]:
    """Make members with these numbers in their names; return their primary keys."""
    names = [f"crowd-{number:07d}" for number in range(start, end)]
    locked = make_password(None)
    people = [User(username=name, email=f"{name}@example.org", password=locked) for name in names]
    for person in people:
        person.skeleton = skeleton(person.username)
    sql.insert(people)
    return list(User.objects.filter(username__in=names).order_by("pk").values_list("pk", flat=True))


def _standings(member: int, game: str, rng: Random) -> Iterator[Standing]:
    """Yield what a member has of all time and in this season; 3 in 100 have long been inactive."""
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
