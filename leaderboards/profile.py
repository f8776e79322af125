"""What a member's profile says of ratings: where they stand in each game, and how it came about."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.template.loader import render_to_string
from django.utils.formats import date_format
from django.utils.safestring import SafeString

from accounts.models import User
from games.rules import games, get_game
from leaderboards import queries, rating
from leaderboards.models import RatingChange, Standing
from leaderboards.seasons import ALL_TIME

DRAWN = 200  # of the last changes of a rating
WIDTH, HEIGHT = 600, 160
LEFT, RIGHT, TOP, BOTTOM = 46, 10, 10, 32  # around the curve, for its scales
STEP = 50  # points between two lines of the scale, or a multiple


@dataclass(frozen=True)
class Point:
    """A rating, in points, and since when."""

    at: datetime
    rating: int


def ratings_panel(member: User) -> SafeString:
    """Return the member's ratings as HTML; a hook of games (PROFILE_PANELS)."""
    standings = {row.game_slug: row for row in Standing.objects.filter(user=member, season=ALL_TIME)}
    rated = [_game(member, standings[slug]) for slug in games() if slug in standings]
    return render_to_string("leaderboards/ratings.html", {"games": rated, "member": member})


def _game(member: User, standing: Standing) -> dict[str, Any]:
    points = history(member, standing.game_slug)
    place = queries.place_of(queries.Board(standing.game_slug, ALL_TIME), member.pk)
    return {
        "slug": standing.game_slug,
        "name": get_game(standing.game_slug).name,
        "rating": standing.shown,
        "provisional": standing.is_provisional,
        "matches": standing.matches,
        "wins": standing.wins,
        "rank": place.rank if place else None,
        "chart": chart(points) if len(points) > 1 else None,
    }


def history(member: User, game_slug: str) -> list[Point]:
    """Return the member's rating before and after each of its last changes in a game, the oldest first."""
    changes = RatingChange.objects.filter(user=member, settlement__game_slug=game_slug)
    rows = changes.order_by("-settlement").values_list("before", "after", "settlement__at")[:DRAWN]
    last = list(rows)[::-1]
    if not last:
        return []
    start = Point(last[0][2], rating.whole(last[0][0]))
    return [start, *(Point(at, rating.whole(after)) for _before, after, at in last)]


def chart(points: list[Point]) -> dict[str, Any]:
    """Return the curve of two points or more, in the units of its picture, with what it says in numbers.

    Matches are set at even distances: how the rating moved from one to the next is to be seen, not how much
    time passed between.
    """
    values = [point.rating for point in points]
    lowest, highest = min(values), max(values)
    step = STEP * max(1, -(-(highest - lowest) // (4 * STEP)))
    floor, ceiling = lowest // step * step, (highest // step + 1) * step

    def y(value: int) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (ceiling - value) / (ceiling - floor), 1)

    def x(index: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * index / (len(points) - 1), 1)

    return {
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "right": WIDTH - RIGHT,
        "label_x": LEFT - 6,
        "curve": " ".join(f"{x(index)},{y(value)}" for index, value in enumerate(values)),
        "end": {"x": x(len(points) - 1), "y": y(values[-1])},
        "scale": [{"value": value, "y": y(value)} for value in range(floor, ceiling + 1, step)],
        "base": HEIGHT - 6,
        "first": values[0],
        "last": values[-1],
        "lowest": lowest,
        "highest": highest,
        "changes": len(points) - 1,
        "since": date_format(points[0].at, "j F Y"),
        "until": date_format(points[-1].at, "j F Y"),
    }
