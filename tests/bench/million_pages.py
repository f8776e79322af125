"""Inside the site under the bench of a million: what pages and tasks ask of the database, and how long it takes."""

import time
from collections.abc import Callable
from random import Random
from typing import Any

from django.core.cache import cache
from django.db import connection
from django.test import Client

from accounts.models import User
from accounts.queries import member_like
from config.lib import clock
from games.models import Match
from games.rules import games, get_game
from leaderboards.seasons import season_of
from tests.bench.million_rows import FIRST, say
from tests.bench.prepare import log_in

SEED = 20261129
ROUNDS = 8
LIMIT = 50.0  # milliseconds that a query may take


class Asked:
    """The statements of one request or task, each with its milliseconds."""

    def __init__(self) -> None:
        self.all: list[tuple[float, str, Any]] = []

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        begin = time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            self.all.append(((time.perf_counter() - begin) * 1000, sql, params))


def at(times: list[float], share: float) -> float:
    times = sorted(times)
    return times[min(len(times) - 1, int(len(times) * share))]


def told(name: str, act: Callable[[int], object], rounds: int = ROUNDS) -> None:
    """Print the statements, the slowest of each time and the whole of an act; which statements are too slow."""
    counts, slowest, whole, late = [], [], [], {}
    for number in range(rounds):
        asked = Asked()
        cache.clear()
        begin = time.perf_counter()
        with connection.execute_wrapper(asked):
            act(number)
        whole.append((time.perf_counter() - begin) * 1000)
        counts.append(len(asked.all))
        slowest.append(max((ms for ms, _sql, _params in asked.all), default=0.0))
        for ms, sql, params in asked.all:
            late.setdefault(sql[:20_000], []).append((ms, params))
    figures = f"{max(counts):4d} queries   slowest p50 {at(slowest, 0.5):7.1f} p95 {at(slowest, 0.95):7.1f} ms"
    say(f"{name:34s} {figures}   whole p50 {at(whole, 0.5):7.1f} p95 {at(whole, 0.95):7.1f} ms")
    for sql, times in late.items():
        if (p95 := at([ms for ms, _params in times], 0.95)) > LIMIT:
            say(f"    {p95:7.1f} ms  {' '.join(sql.split())[:1500]}")
            say("\n".join("        " + line for line in plan(sql, max(times, key=lambda one: one[0])[1])))


def plan(sql: str, params: Any) -> list[str]:
    if not sql.lstrip().upper().startswith(("SELECT", "WITH", "UPDATE", "DELETE")):
        return []
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN " + sql, params)
        return [row[0] for row in cursor.fetchall()][:24]


def browser(member: User) -> Client:
    client = Client(SERVER_NAME="localhost")
    client.cookies["sessionid"] = log_in(member)
    return client


def page(path: Callable[[int], str], who: Callable[[int], User | None]) -> Callable[[int], None]:
    """Return the act of asking for a page as these people."""

    def ask(number: int) -> None:
        client, address = clients[number], path(number)
        answer = client.get(address)
        assert answer.status_code in (200, 503), (address, answer.status_code, answer.get("Location"))

    clients = [
        browser(member) if (member := who(number)) else Client(SERVER_NAME="localhost") for number in range(ROUNDS)
    ]
    for client in clients:
        client.get("/privacy/")
    return ask


class Crowd:
    """Who and what there is, chosen at random."""

    def __init__(self) -> None:
        self.rng = Random(SEED)
        self.members = User.objects.filter(pk__gte=FIRST).count()
        self.heavy = [FIRST + n for n in range(max(10, self.members // 1000))]
        last = Match.objects.filter(status="running").order_by("-pk").values_list("pk", flat=True)[0]
        first = Match.objects.filter(status="running", pk__gt=1_000_000).order_by("pk").values_list("pk", flat=True)[0]
        self.running, self.ended = range(first, last), range(1_000_000, first)

    def heavy_one(self, number: int) -> User:
        return User.objects.get(pk=self.heavy[number * 7 % len(self.heavy)])

    def one(self, number: int) -> User:
        """Return a member at random; a guest is another."""
        found = User.objects.get(pk=FIRST + self.rng.randrange(self.members))
        return self.one(number) if found.is_guest else found

    def match(self, among: range, user: bool = False) -> Match:
        while True:
            found = Match.objects.filter(pk=self.rng.choice(among), access="open").first()
            if found:
                return found


Bench = tuple[str, Callable[[], Callable[[int], object]], int]  # its name, what makes the act, how often it is done


def people_pages(crowd: Crowd) -> list[Bench]:
    heavy, one = crowd.heavy_one, crowd.one

    def pages(name: str, path: Any, who: Any) -> Bench:
        return (name, lambda: page(path if callable(path) else lambda _n: path, who), ROUNDS)

    rng = crowd.rng
    name_of = lambda number: User.objects.get(pk=FIRST + rng.randrange(crowd.members)).username  # noqa: E731
    known = lambda n: one(n).username  # noqa: E731
    return [
        pages("home, 200 matches", "/", heavy),
        pages("home, usual member", "/", one),
        pages("home, visitor", "/", lambda _n: None),
        pages("my matches, 200", "/matches/", heavy),
        pages("my matches, page 30 of ended", "/matches/?page=30", heavy),
        pages("lobby", "/play/", one),
        pages("lobby, one game", "/play/?game=yesss", one),
        pages("lobby, visitor", "/play/", lambda _n: None),
        pages("profile of a usual member", lambda n: f"/people/{known(n)}/", one),
        pages("profile of a heavy member", lambda n: f"/people/{heavy(n).username}/", one),
        pages("season of a heavy member", lambda n: f"/people/{heavy(n).username}/season/", one),
        pages("profile, won matches", lambda n: f"/people/{heavy(n).username}/?result=won&game=yesss", one),
        pages("leaderboard, from the database", "/leaderboards/yum-extra/", one),
        pages("its page 5000", "/leaderboards/yum-extra/?page=5000", one),
        pages("a season", f"/leaderboards/yum-extra/?season={season_of(clock.now())}", one),
        pages("of those followed", "/leaderboards/yum-extra/?who=followed", one),
        pages("teams", f"/leaderboards/{together()}/teams/", one),
        pages("statistics of dice", "/games/yum-extra/statistics/", one),
        pages("rules", "/games/yum-extra/", one),
        pages("settings", "/settings/", one),
        pages("settings, people", "/settings/people/", one),
        pages("mails", "/settings/mails/", one),
        pages("mentions", "/mentions/", one),
        pages("log-ins", "/accounts/sessions/", one),
        pages("site map", "/sitemap.xml", lambda _n: None),
        pages("metrics", "/metrics", lambda _n: None),
        pages("healthz", "/healthz", lambda _n: None),
        ("next match", lambda: lambda n: browser(heavy(n)).get("/next/"), ROUNDS),
        ("a name is free (sign-up)", lambda: lambda n: member_like(f"Otter-{n:07d}x"), ROUNDS),
        (
            "sign-up",
            lambda: (
                lambda n: Client(SERVER_NAME="localhost").post(
                    "/accounts/signup/",
                    {"username": f"Newcomer{n}", "email": f"new{n}@example.org", "password1": "a lively otter 7"},
                )
            ),
            ROUNDS,
        ),
        (
            "log-in",
            lambda: (
                lambda n: Client(SERVER_NAME="localhost").post(
                    "/accounts/login/", {"login": name_of(n), "password": "wrong"}
                )
            ),
            ROUNDS,
        ),
    ]


def together() -> str:
    return next(slug for slug in games() if get_game(slug).together)


def match_pages(crowd: Crowd) -> list[Bench]:
    def of(among: range, tail: str = "") -> Any:
        return lambda: page(lambda _n: f"/matches/{crowd.match(among).pk}/{tail}", crowd.one)

    def replay(_n: int) -> str:
        match = crowd.match(crowd.ended)
        return f"/matches/{match.pk}/replay/{match.turns}/"

    return [
        ("match page, running", of(crowd.running), ROUNDS),
        ("match page, ended", of(crowd.ended), ROUNDS),
        ("its log, running", of(crowd.running, "log/"), ROUNDS),
        ("its log, ended", of(crowd.ended, "log/"), ROUNDS),
        ("last step of a replay", lambda: page(replay, crowd.one), ROUNDS),
        ("record", of(crowd.ended, "record.json"), ROUNDS),
        ("chat", of(crowd.running, "chat/"), ROUNDS),
    ]
