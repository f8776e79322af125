"""Two beats and three workers at 60-fold speed; and one match that fails, one that takes 30 seconds."""

import time
from collections import Counter
from datetime import timedelta
from random import Random
from threading import Event, Thread

from django.db.models import Count

from config.lib import clock
from games.clocks import MS
from games.models import Match, Seat, TimeOut, Turn
from games.services.clocks import outages
from tests import FULL
from tests.faults.ledger import torn_matches
from tests.faults.members import people, running
from tests.faults.stage import ENTRY, Stage
from tests.processes import wait_until

SEED, SPEED = 20261130, 60
SECONDS, MATCHES = (600, 300) if FULL else (8, 20)
SLOW_SECONDS, DUE = (30, 100) if FULL else (6, 12)


class Haste:
    """Makes the clock of the stage run 60 times as fast, from `with` to its end."""

    def __init__(self, stage: Stage) -> None:
        self.stage, self.stop = stage, Event()
        self.thread = Thread(target=self.run)

    def run(self) -> None:
        last = time.monotonic()
        while not self.stop.wait(0.05):
            now = time.monotonic()
            self.stage.clock.forward((now - last) * (SPEED - 1))
            last = now

    def __enter__(self) -> None:
        self.thread.start()

    def __exit__(self, *error: object) -> None:
        self.stop.set()
        self.thread.join()


def run(stage: Stage) -> list[str]:
    """Nobody moves: every clock runs out again and again, under everybody's eyes at once."""
    rng, members = Random(SEED), people(3)
    for _ in range(MATCHES):
        running(*members)
    seats = list(Seat.objects.filter(ask__isnull=False))
    for seat in seats:
        seat.bank = int(rng.uniform(0.1, 0.8) * SECONDS * SPEED * 1000)
        seat.runs_from = clock.now()
        seat.deadline = seat.runs_from + seat.bank * MS
    Seat.objects.bulk_update(seats, ["bank", "runs_from", "deadline"])
    for part in (outages.WEB, outages.SWEEP):
        outages.beat(part)
    web = stage.process("web", [*ENTRY, "web"], SPEED=str(SPEED))
    workers = [stage.worker(f"worker{number}", SPEED=str(SPEED)) for number in range(3)]
    beats = [stage.beat(f"beat{number}", SPEED=str(SPEED)) for number in range(2)]
    for process in (web, *workers, *beats):
        process.start()
    with Haste(stage):
        time.sleep(SECONDS)
        if not FULL:
            wait_until(TimeOut.objects.exists, "a time-out")
    stage.stop()
    found = torn_matches() + uneven()
    assert not found, found[:20]
    errors = [line for process in workers for line in process.output().splitlines() if "IntegrityError" in line]
    assert not errors, errors[:5]
    count, bots = TimeOut.objects.count(), Turn.objects.filter(by=Turn.By.BOT).count()
    assert count
    return [
        f"DOUBLES seed {SEED}: two beats and three workers for {SECONDS} s at {SPEED}-fold speed, "
        f"{MATCHES} matches: {count} time-outs, {bots} moves of bots, duplicates 0"
    ]


def uneven() -> list[str]:
    """Return in words where time-outs, the seats' count of them and the turns played by them differ."""
    found = []
    rows = Counter(TimeOut.objects.values_list("match_id", "seat"))
    for seat in Seat.objects.all():
        if seat.run_outs != rows[seat.match_id, seat.number]:
            found.append(f"{seat}: ran out {seat.run_outs} times, {rows[seat.match_id, seat.number]} time-outs")
    twice = TimeOut.objects.values("match", "seat", "ask").annotate(n=Count("pk")).filter(n__gt=1)
    found += [f"twice: {row}" for row in twice]
    for match in Match.objects.all():
        starts = sorted(row.before["turns"] for row in match.time_outs.filter(kind="played"))
        if len(starts) != len(set(starts)):
            found.append(f"match {match.pk}: two turns played for one")
    return found


def run_slow(stage: Stage) -> list[str]:
    """One of the due matches cannot be read, one takes long: the others do not wait for them."""
    members = people(2)
    matches = [running(*members) for _ in range(DUE)]
    hang, broken = matches[0].pk, matches[1].pk
    Match.objects.filter(pk=broken).update(state=b"broken")
    others = Match.objects.filter(status=Match.Status.RUNNING)
    others.bulk_create(  # so that the fuse believes in so many at once
        Match(game_slug="yum-extra", rules_version=1, size=2, status="running", state=b"{}") for _ in range(DUE * 50)
    )
    now = clock.now()
    Seat.objects.filter(match__in=matches, ask__isnull=False).update(
        runs_from=now - timedelta(days=3), deadline=now - timedelta(minutes=1)
    )
    worker, beat = (
        stage.worker(SLOW=str(hang), SLOW_SECONDS=str(SLOW_SECONDS), SPEED="4"),
        stage.beat(SPEED="4"),
    )
    for part in (outages.WEB, outages.SWEEP):
        outages.beat(part)
    settled = now - timedelta(minutes=5)
    outages.Heartbeat.objects.update(since=settled)
    worker.start()
    beat.start()
    wait_until(TimeOut.objects.exists, "a time-out")
    start = time.monotonic()
    wait_until(lambda: TimeOut.objects.count() >= DUE - 2, "all but two", SLOW_SECONDS * 0.8)
    took = time.monotonic() - start
    assert not TimeOut.objects.filter(match__in=[hang, broken]).exists()
    wait_until(TimeOut.objects.filter(match=hang).exists, "the slow one", SLOW_SECONDS + 40)
    stage.stop()
    assert Match.objects.get(pk=broken).trouble
    return [
        f"SLOW one of {DUE} due matches fails, one takes {SLOW_SECONDS} s: the other {DUE - 2} were judged "
        f"within {took:.1f} s of the first; the failing one is set aside, the slow one was judged once"
    ]
