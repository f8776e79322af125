"""Inside the site under the bench of leaderboards: what is timed beside the server, printed as JSON."""

import json
import re
import time
from collections.abc import Callable
from random import Random

import httpx

from accounts.models import User
from games.engine import OPENING_MOVES
from games.models import Turn
from games.services.lobby import opening
from games.services.play import moves
from leaderboards import queries, ranks
from leaderboards.models import Standing
from leaderboards.ranks import Board
from tests.bench.prepare import log_in

SEED = 20261128
BOARD = Board("yum-extra", "")


def timed(act: Callable[[], object]) -> float:
    """Return how many milliseconds something takes."""
    start = time.perf_counter()
    act()
    return (time.perf_counter() - start) * 1000


def measure(members: int, runs: int, built: bool) -> None:
    """Print the times of ranks and of pages' rows; with `built`, of a board that Redis has."""
    build = timed(lambda: ranks.build(BOARD)) if built else 0
    rng = Random(SEED)
    first = Standing.objects.order_by("pk").values_list("user_id", flat=True)[0]
    users = [first + rng.randrange(members) for _ in range(runs)]
    queries.place_of(BOARD, users[0])
    middle = members // queries.PER_PAGE // 2
    figures = {
        "build": build,
        "places": [timed(lambda user=user: queries.place_of(BOARD, user)) for user in users],
        "pages": [timed(lambda n=n: queries.board_page(BOARD, n)) for n in [1, 2, middle] * (runs // 3)],
        "session": log_in(User.objects.get(pk=users[1])),
    }
    print(json.dumps(figures))


def end_matches(base: str, count: int) -> None:
    """End matches of new members; print how long it takes the page at `base` to show the new rating."""
    times = []
    for number in range(count):
        names = [f"{mail}-{number}-{time.time_ns() % 10**9}" for mail in "wl"]
        winner, loser = (User.objects.create_user(name, f"{name}@example.org") for name in names)
        match = opening.create_match(creator=winner, game_slug="yum-extra", size=2, rated=True)
        opening.join(match_id=match.pk, user=loser)
        facts = {"match": match, "by": "person", "move": {}, "draws": [], "events": [], "at": 0}
        Turn.objects.bulk_create(Turn(number=n + 1, seat=n % 2, **facts) for n in range(2 * OPENING_MOVES))
        with httpx.Client(base_url=base, cookies={"sessionid": log_in(winner)}) as browser:
            start = time.perf_counter()
            moves.resign(match_id=match.pk, user=loser)
            while not shows(browser, 1520):
                pass
            times.append((time.perf_counter() - start) * 1000)
    print(json.dumps(times))


def shows(browser: httpx.Client, rating: int) -> bool:
    """Return whether the member's own line on the board has that rating."""
    answer = browser.get("/leaderboards/yum-extra/me/", follow_redirects=True)
    line = re.search(r'<tr class="you" id="me">.*?</tr>', answer.text, re.S)
    return line is not None and f'rating">{rating}' in line[0]
