"""OUTAGE: three hours without worker and beat, three hours without web, each given back once."""

import signal
import time
from datetime import timedelta

from django.db import transaction

from config.lib import clock
from games.clocks import MS
from games.models import Heartbeat, Match, Outage, Seat, TimeOut
from games.services.clocks import outages
from tests import FULL
from tests.faults.ledger import torn_matches
from tests.faults.members import people, running
from tests.faults.stage import Stage
from tests.processes import wait_until

MATCHES = 200 if FULL else 24
HOURS = 3


def given() -> list[float]:
    """Return the hours that the clocks under way have beyond those of their pace."""
    seats = Seat.objects.filter(ask__isnull=False).select_related("match")
    return [(seat.bank - seat.match.pace.bank // MS) / 3_600_000 for seat in seats]


def all_given(hours: float) -> bool:
    """Whether every clock has been given so much, to a minute or so, and no more."""
    return all(abs(have - hours) < 0.05 for have in given())


def due_meanwhile() -> None:
    """Let every clock run out some time in the next three hours."""
    now, seats = clock.now(), list(Seat.objects.filter(ask__isnull=False))
    for number, seat in enumerate(seats, 1):
        runs_out = now + timedelta(hours=HOURS) * (number / (len(seats) + 1))
        seat.runs_from = runs_out - seat.bank * MS
        seat.deadline = runs_out
    Seat.objects.bulk_update(seats, ["runs_from", "deadline"])


def at(part: str) -> object:
    return Heartbeat.objects.filter(name=part).values_list("at", flat=True).first()


def away(stage: Stage, *, web_lives: bool) -> None:
    """Let three hours go by; a web server that lives through them beats all the time."""
    steps = HOURS * 30 if web_lives else 1
    for _ in range(steps):
        stage.clock.forward(HOURS * 3600 / steps)
        if web_lives:
            outages.beat(outages.WEB)


def run(stage: Stage) -> list[str]:
    """Return the figures."""
    members = people(2)
    for _ in range(MATCHES):
        running(*members)
    return [without_worker(stage), without_web(stage)]


def without_worker(stage: Stage) -> str:
    """Worker and beat off while 200 matches come due: nobody is timed out on their return."""
    web, worker, beat = stage.web(), stage.worker(), stage.beat(SPEED="10")
    for process in (web, worker, beat):
        process.start()
    wait_until(lambda: at(outages.SWEEP), "a sweep")
    beat.kill()
    worker.kill()
    due_meanwhile()
    away(stage, web_lives=True)
    before = at(outages.SWEEP)
    worker.start()
    beat.start()
    wait_until(lambda: at(outages.SWEEP) > before and all_given(HOURS), "three hours given back", 90)
    outages.beat(outages.WEB)
    time.sleep(25 if FULL else 4)  # another sweep
    worker.stop()
    beat.stop()
    web.stop()
    assert all_given(HOURS), given()
    assert not TimeOut.objects.exists()
    assert not torn_matches()
    assert Seat.objects.filter(deadline__lt=clock.now()).count() == 0
    return (
        f"OUTAGE worker and beat off for {HOURS} h, {MATCHES} matches due meanwhile: "
        f"{Outage.objects.count()} outage, {HOURS} h given back once to each, 0 timed out"
    )


def without_web(stage: Stage) -> str:
    """Web off for three hours; its restart is killed half way, then again; the time is given once."""
    Outage.objects.all().delete()
    Match.objects.update(outage=0)
    for part in (outages.WEB, outages.SWEEP):
        outages.beat(part)
    Outage.objects.all().delete()
    bank = Match.objects.first().pace.bank // MS
    Seat.objects.filter(ask__isnull=False).update(bank=bank, runs_from=clock.now(), deadline=None)
    away(stage, web_lives=False)
    Heartbeat.objects.filter(name=outages.SWEEP).update(at=clock.now())
    half_way(stage)
    web, worker, beat = stage.web(), stage.worker(), stage.beat(SPEED="10")
    web.start()
    web.kill()
    web.start()
    worker.start()
    beat.start()
    wait_until(lambda: all_given(HOURS), "three hours given back", 90)
    worker.kill()
    worker.start()
    web.restart()
    time.sleep(25 if FULL else 4)
    for process in (worker, beat, web):
        process.stop()
    assert Outage.objects.count() == 1, list(Outage.objects.values())
    assert all_given(HOURS), given()
    assert not TimeOut.objects.exists()
    return (
        f"OUTAGE web off for {HOURS} h, killed half way through its restart, then "
        f"started twice more: 1 outage, {HOURS} h given back once to each of {MATCHES} clocks"
    )


def half_way(stage: Stage) -> None:
    """Kill a starting web server while its first heartbeat waits, within its transaction, for a lock."""
    web = stage.web()
    web.ready = lambda: True
    with transaction.atomic():
        list(Heartbeat.objects.select_for_update().filter(name=outages.WEB))
        web.start()
        time.sleep(6 if FULL else 4)
        web.child.send_signal(signal.SIGKILL)
        web.child.wait()
    assert not Outage.objects.exists()
