"""Inside the bench of tournaments: pages, the sweep, the draw of a thousand, and what the end of a match costs."""

import os
import time
from collections.abc import Callable, Iterator
from random import Random

from django.db import connection, transaction

from accounts.models import User
from games.competitions import pairing, queries, tasks
from games.competitions.models import Entrant, Place, Round, Table, Tournament
from games.competitions.services import arena, judging, notices, results, rounds, seating
from games.models import Match, Seat
from games.queries.play import seats_of
from tests.bench.figures import percentile
from tests.bench.million_pages import Asked, browser
from tests.bench.tournament_rows import BIG, FIRST, KINDS, MEMBERS, SEATS, UNDER_WAY, counted, fill

SEED = 20261130
REQUESTS, TIMES = 40, 20
PAGES_MOST, DRAW_MOST = 0.050, 2.0  # seconds: of a page at p95, of the draw of a thousand


def measure(*only: str) -> None:
    """Print the figures, or those whose names hold one of these words.

    AssertionError when one is worse than promised, unless the machine does so much else that times say nothing.
    """
    begin = time.perf_counter()
    fill()
    print(f"{MEMBERS:,} members, {UNDER_WAY} tournaments under way: {counted()}")
    print(f"filled in {time.perf_counter() - begin:.0f} s")
    wanted = lambda name: not only or any(word in name for word in only)  # noqa: E731
    shown = [(name, act) for name, act in pages(Random(SEED)) if wanted(name)]
    late = [name for name, act in shown if told(name, act, REQUESTS) > PAGES_MOST]
    for name, act in (*sweeps(), *ends()):
        if wanted(name):
            told(name, act, TIMES)
    drawn = draw_of_thousand() if wanted("draw") else 0.0
    if wanted("mails"):
        mails_of_thousand()
    if (load := os.getloadavg()[0]) > (os.cpu_count() or 1) + 1:
        print(f"the machine is not quiet, its load is {load:.0f}: the times are upper bounds, and not judged")
        return
    assert not late, f"pages over {PAGES_MOST * 1000:.0f} ms at p95: {late}"
    assert drawn < DRAW_MOST, f"{drawn:.2f} s for the draw of a thousand"


def told(name: str, act: Callable[[int], object], times: int) -> float:
    """Print what an act costs, tried so often after a first time; return the seconds at p95.

    Beside the time, which the machine's other work lengthens, that of the processor for Python; not for the database.
    """
    took, worked, counts, slowest = [], [], [], []
    act(0)
    for number in range(1, times + 1):
        asked, begin, work = Asked(), time.perf_counter(), time.process_time()
        with connection.execute_wrapper(asked):
            act(number)
        worked.append(1000 * (time.process_time() - work))
        took.append(time.perf_counter() - begin)
        counts.append(len(asked.all))
        slowest.append(max((ms for ms, _sql, _params in asked.all), default=0.0))
    whole = sorted(1000 * one for one in took)
    figures = f"p50 {percentile(whole, 0.5):7.1f}  p95 {percentile(whole, 0.95):7.1f} ms"
    work = f"processor p50 {percentile(sorted(worked), 0.5):5.1f} p95 {percentile(sorted(worked), 0.95):5.1f}"
    costs = f"{work}  slowest query {percentile(sorted(slowest), 0.95):5.1f}"
    print(f"{name:<50} {max(counts):3d} queries  {figures}  {costs}", flush=True)
    return percentile(sorted(took), 0.95)


def of_kind(kind: tuple) -> list[int]:
    """Return the numbers of the tournaments of a kind."""
    at = KINDS.index(kind)
    first = BIG + sum(count for count, *_more in KINDS[:at])
    return list(range(first, first + kind[0]))


def pages(rng: Random) -> Iterator[tuple[str, Callable[[int], object]]]:
    """Yield each page by its name, as members at random ask for it, and a visitor."""
    members = [User.objects.get(pk=FIRST + rng.randrange(MEMBERS)) for _one in range(8)]
    clients = [browser(member) for member in members]
    visitor = browser(members[0])
    visitor.cookies.clear()
    theirs = [browser(one.user) for one in Entrant.objects.filter(tournament=BIG).select_related("user")[:8]]
    for client in (*clients, visitor, *theirs):
        client.get("/offline/")  # the first page of each makes its middleware, which a server does once
    running = list(Match.objects.filter(status="running", tournament_table__isnull=False).values_list("pk", flat=True))

    def page(path: Callable[[], str], *, by_visitor: bool = False) -> Callable[[int], object]:
        def ask(number: int) -> None:
            client, address = visitor if by_visitor else clients[number % len(clients)], path()
            answer = client.get(address)
            assert answer.status_code == 200, (address, answer.status_code)

        return ask

    yield "home", page(lambda: "/")
    yield "list of tournaments", page(lambda: "/tournaments/")
    yield "list of tournaments, visitor", page(lambda: "/tournaments/", by_visitor=True)
    yield "list of tournaments, page 30 of the past", page(lambda: "/tournaments/?past=30")
    for kind in KINDS:
        _count, size, state, form, over = kind
        known = of_kind(kind)
        name = f"tournament of {size}, {form}, {state}, {over} rounds over"
        yield name, page(lambda known=known: f"/tournaments/{rng.choice(known)}/")
    yield "tournament of 1000, by a visitor", page(lambda: f"/tournaments/{BIG}/", by_visitor=True)
    yield "tournament of 1000, by who takes part", lambda n: theirs[n % 8].get(f"/tournaments/{BIG}/")
    yield "match page of a table", page(lambda: f"/matches/{rng.choice(running)}/")


def sweeps() -> Iterator[tuple[str, Callable[[int], object]]]:
    """Yield the sweep and its parts, with nothing due."""
    yield "sweep, all of it", lambda _n: tasks.tend()
    yield "sweep: what is to begin or go on", lambda _n: list(rounds.due())
    yield "sweep: arenas", lambda _n: list(arena.running())
    yield "sweep: tables to open", lambda _n: seating.open_tables()
    yield "sweep: limits", lambda _n: judging.judge_due()
    yield "sweep: last days", lambda _n: judging.tell_of_last_day()
    yield "sweep: mails", lambda _n: notices.send_due()


def ends() -> Iterator[tuple[str, Callable[[int], object]]]:
    """Yield what the hook costs when a match ends, all taken back."""
    tables = list(Table.objects.filter(state="running").exclude(round__tournament=BIG)[: TIMES + 1])
    theirs = [Match.objects.get(pk=table.match_id) for table in tables]
    others = [Match(pk=10**9 + number) for number in range(TIMES + 1)]
    seats = [seats_of(match) for match in theirs]

    def end(match: Match, seated: list[Seat]) -> None:
        with transaction.atomic():
            results.match_ended(match, seated)
            transaction.set_rollback(True)

    yield "end of a tournament's match: the hook", lambda n: end(theirs[n], seats[n])
    yield "end of another match: the hook", lambda n: end(others[n], [])


def draw_of_thousand() -> float:
    """Print how long the next round of a thousand takes, by its parts; return the seconds of draw and rows."""
    big = Tournament.objects.get(pk=BIG)
    places = Place.objects.filter(table__round__tournament=BIG, table__state="running")
    for seat in range(SEATS):
        places.filter(seat=seat).update(rank=1 + seat, score=150 - seat)
    Table.objects.filter(round__tournament=BIG, state="running").update(state="over")
    begin = time.perf_counter()
    plan, field, found, apart = queries.plan_of(big), queries.field_of(big), queries.results_of(big), queries.apart(big)
    read = time.perf_counter() - begin
    begin = time.process_time()
    pairing.draw(plan, field, found, apart, rounds.chance_of(big, 1 + KINDS[0][-1] + 1))
    paired = time.process_time() - begin
    begin, work = time.perf_counter(), time.process_time()
    rounds.tend(BIG)
    whole, worked = time.perf_counter() - begin, time.process_time() - work
    latest = Round.objects.filter(tournament=BIG).order_by("number").last()
    tables = Table.objects.filter(round=latest)
    print(
        f"draw of a round of {len(field)} at {SEATS}: {whole:.2f} s with locks and rows "
        f"(reading {read:.2f} s; {worked:.2f} s of the processor, of which pairing {paired:.2f} s), "
        f"{tables.count()} tables"
    )
    begin, runs = time.perf_counter(), 0
    while tables.filter(state="planned").exists():
        seating.open_tables(BIG)
        runs += 1
    took = time.perf_counter() - begin
    print(
        f"its {tables.count()} tables opened in {took:.1f} s, {1000 * took / tables.count():.0f} ms each, {runs} runs"
    )
    return whole


def mails_of_thousand() -> None:
    """Print how long the mails of the end of a thousand take."""
    big = Tournament.objects.get(pk=BIG)
    with transaction.atomic():
        rounds.end(big)
    begin, written = time.perf_counter(), 0
    while count := notices.send_due():
        written += count
    took = time.perf_counter() - begin
    print(f"{written} mails of the end written in {took:.1f} s, {1000 * took / max(written, 1):.0f} ms each")
