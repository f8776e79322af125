"""RACE: a move against its time-out, both within 50 ms of the deadline."""

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from random import Random
from threading import Event, Thread

from django.db import connection, connections

from config.lib import clock
from games.clocks import MS, to_ms
from games.models import Heartbeat, Kind, Match, Notice, PlayedKey, Seat, TimeOut, Turn
from games.services.clocks import time_outs
from tests import FULL
from tests.faults.ledger import torn_matches
from tests.faults.members import Tab, people, running
from tests.faults.stage import Stage

SEED = 20261129
RACES, AT_ONCE = (2000, 4) if FULL else (60, 4)
BEFORE, SPREAD = 0.15, 0.05  # seconds from now to the deadline, and to either side of it
ROLL = {"type": "roll"}


class Race:
    """One match whose mover posts at about the deadline, while a sweep judges it at about the deadline."""

    def __init__(self, match: Match, tabs: dict[int, Tab], rng: Random, pool: ThreadPoolExecutor) -> None:
        self.match, self.tabs, self.rng, self.pool = match, tabs, rng, pool

    def prepare(self) -> Seat:
        """Set the deadline of the seat to move to some moments from now; it has never run out before."""
        seat = self.match.seats.get(ask__isnull=False)
        now = clock.now()
        seat.runs_from, seat.bank = now - timedelta(hours=1), 3_600_000 + int(BEFORE * 1000)
        seat.run_outs, seat.deadline = 0, seat.runs_from + seat.bank * MS
        seat.save(update_fields=["runs_from", "bank", "run_outs", "deadline"])
        return seat

    async def run(self) -> str:
        """Return what won, having checked that it alone did and that all agree on it."""
        loop, key = asyncio.get_running_loop(), secrets.token_hex(8)
        seat = await loop.run_in_executor(self.pool, self.prepare)
        wait = (seat.deadline - clock.now()).total_seconds()
        post_in, judge_in = (wait + self.rng.uniform(-SPREAD, SPREAD) for _ in range(2))
        posted, _judged = await asyncio.gather(
            self.post(seat, key, post_in), loop.run_in_executor(self.pool, judge, self.match.pk, judge_in)
        )
        return await loop.run_in_executor(self.pool, self.verdict, seat, key, posted)

    async def post(self, seat: Seat, key: str, after: float) -> int:
        await asyncio.sleep(max(0, after))
        return await self.tabs[seat.user_id].post(self.match.pk, str(seat.ask), key, ROLL)

    def verdict(self, seat: Seat, key: str, posted: int) -> str:
        while not (row := TimeOut.objects.filter(match=self.match, seat=seat.number, ask=seat.ask).first()):
            if posted == 200:
                break
            time_outs.judge(match_id=self.match.pk)
        played = PlayedKey.objects.filter(match=self.match, key=key)
        turn = Turn.objects.filter(match=self.match, number__in=played.values("number")).first()
        now = self.match.seats.get(number=seat.number)
        assert (turn is None) != (row is None), (self.match.pk, seat.ask, posted, turn, row)
        assert posted == (200 if turn else 409), posted
        noted = Notice.objects.filter(match=self.match, user_id=seat.user_id, kind=Kind.PLAYED, ask=seat.ask)
        assert noted.count() == (0 if turn else 1)  # the mail of it
        later = TimeOut.objects.filter(match=self.match, seat=seat.number, ask__gt=seat.ask).first()
        assert now.run_outs == (1 if row or later else 0)
        if turn is not None:
            assert turn.at <= to_ms(seat.deadline)
            assert now.ask != seat.ask
            if later:  # the clock runs on over the turn's next question, and ran out over that
                assert later.before["turns"] >= turn.number
            else:
                assert (now.bank, now.deadline) == (seat.bank, seat.deadline)
            return "played"
        log = list(self.match.log.filter(number__gt=row.before["turns"]).order_by("number"))
        assert (log[0].seat, log[0].by) == (seat.number, Turn.By.CLOCK)
        assert {t.by for t in log} <= {Turn.By.CLOCK, Turn.By.NEEDLESS}
        assert (now.ask, now.runs_from, now.bank) == (None, None, self.match.pace.cap // MS)
        return "timed out"


def judge(match_id: int, after: float) -> int:
    time.sleep(max(0, after))
    return time_outs.judge(match_id=match_id)


async def race_all(stage: Stage) -> Counter[str]:
    """Run all races, some at a time, in matches that go on from one race to the next."""
    rng, won = Random(SEED), Counter()
    with ThreadPoolExecutor(AT_ONCE * 2) as pool:

        async def lane(number: int) -> None:
            loop = asyncio.get_running_loop()
            for _ in range(RACES // AT_ONCE):
                race = await loop.run_in_executor(pool, fresh_race, stage, number, rng, pool)
                won[await race.run()] += 1

        await asyncio.gather(*(lane(number) for number in range(AT_ONCE)))
        for _ in range(AT_ONCE * 4):
            pool.submit(connections.close_all)
    return won


LANES: dict[int, tuple[Match, dict[int, Tab]]] = {}


def fresh_race(stage: Stage, lane: int, rng: Random, pool: ThreadPoolExecutor) -> Race:
    """Return the next race of this lane: of a new turn, before its first roll."""
    if lane not in LANES:
        members = people(2, f"racer{lane}")
        LANES[lane] = running(*members), {member.pk: Tab(stage.base, member) for member in members}
    match, tabs = LANES[lane]
    match.refresh_from_db()
    while match.status == Match.Status.RUNNING and not is_before_a_roll(match):
        past = clock.now() - match.pace.cap
        seats = Seat.objects.filter(match=match, ask__isnull=False)
        seats.update(runs_from=past - match.pace.cap, deadline=past)
        Seat.objects.filter(match=match).update(run_outs=0)
        time_outs.judge(match_id=match.pk)
        match = Match.objects.get(pk=match.pk)
    if match.status != Match.Status.RUNNING:
        members = [seat.user for seat in match.seats.select_related("user")]
        match = running(*members)
    LANES[lane] = match, tabs
    return Race(match, tabs, rng, pool)


def is_before_a_roll(match: Match) -> bool:
    seat = match.seats.get(ask__isnull=False)
    prompt = match.game.prompt(match.game.load(bytes(match.state)), seat.number)
    return prompt["moves"][0]["type"] == "roll" and len(prompt["moves"]) == 1


@contextmanager
def beating() -> Iterator[None]:
    """Let all parts of the site be well for an hour already, meanwhile: while it recovers, no move is too late."""
    over = Event()

    def beat() -> None:
        while not over.wait(0.3):
            well()
        connections.close_all()

    well()
    thread = Thread(target=beat)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def well() -> None:
    now = clock.now()
    for part in ("web", "sweep"):
        Heartbeat.objects.update_or_create(name=part, defaults={"at": now, "since": now - timedelta(hours=1)})


def run(stage: Stage) -> list[str]:
    """Return the figures."""
    margin, time_outs.MARGIN = time_outs.MARGIN, timedelta()
    stage.web().start()
    start = time.monotonic()
    with beating():
        won = asyncio.run(race_all(stage))
    time_outs.MARGIN = margin
    connection.close()
    found = torn_matches()
    assert not found, found[:20]
    assert min(won["played"], won["timed out"]) > RACES // 20, won
    return [
        f"RACE seed {SEED}: {won.total()} races of a move and its time-out within ±50 ms of the deadline, "
        f"without margin, in {time.monotonic() - start:.0f} s: {won['played']} played, "
        f"{won['timed out']} timed out, 0 both, 0 neither"
    ]
