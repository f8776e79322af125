"""Inside the bench of the sweep: the matches, the query, and a real worker."""

import statistics
import time
from datetime import timedelta

from django.db import connection

from config.lib import clock
from games.models import Heartbeat, Match, Seat, TimeOut
from games.services.clocks import outages, time_outs
from tests.faults.members import people, running
from tests.faults.stage import Stage

RUNNING, DUE = 100_000, 1_000
QUERY_MOST, ALL_MOST = 0.020, 60.0  # seconds


def copy(model, row_id: int, count: int, **fresh: str) -> None:
    """Make copies of a row, by the database alone; `fresh` are SQL expressions of the copy's number `n`."""
    columns = [field.column for field in model._meta.concrete_fields if not field.primary_key]
    table = model._meta.db_table
    values = ", ".join(fresh.get(column, f'{table}."{column}"') for column in columns)
    names = ", ".join(f'"{column}"' for column in columns)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({names}) SELECT {values} FROM {table}, generate_series(1, %s) AS n "
            f"WHERE {table}.id = %s",
            [count, row_id],
        )


def measure(site: Stage) -> None:
    """Print the figures; AssertionError when one is worse than promised."""
    model = running(*people(2))
    copy(Match, model.pk, RUNNING - 1, token="'copy-' || n")
    for seat in model.seats.all():
        copy(Seat, seat.pk, RUNNING - 1, match_id=f"{model.pk} + n")
    now = clock.now()
    mine = Seat.objects.filter(ask__isnull=False, match_id__lt=model.pk + DUE)
    mine.update(runs_from=now - timedelta(days=3), deadline=now - timedelta(minutes=1))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    outages.beat(outages.SWEEP)
    Heartbeat.objects.create(name=outages.WEB, at=now + timedelta(hours=1), since=now - timedelta(hours=1))
    times = []
    for _ in range(20):
        start = time.perf_counter()
        due = time_outs.due_matches(clock.now())
        times.append(time.perf_counter() - start)
    assert len(due) == DUE, len(due)
    print(f"{RUNNING} running matches, {DUE} due: query {statistics.median(times) * 1000:.1f} ms (median of 20)")
    start = time.perf_counter()
    time_outs.give_back_all()
    print(f"nothing to give back, found in {(time.perf_counter() - start) * 1000:.1f} ms")
    worker, beat = site.worker(), site.beat(SPEED="10")
    worker.start()
    beat.start()
    while not TimeOut.objects.exists():
        time.sleep(0.05)
    start = time.perf_counter()
    while (done := TimeOut.objects.count()) < DUE and time.perf_counter() - start < 2 * ALL_MOST:
        time.sleep(0.2)
    took = time.perf_counter() - start
    print(f"{done} time-outs by one worker in {took:.1f} s ({done / took:.0f} a second)")
    assert statistics.median(times) < QUERY_MOST
    assert done == DUE and took < ALL_MOST
