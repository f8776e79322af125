"""FAULTS: everything killed with -9 at random moments, while twenty members play."""

import asyncio
import time
from contextlib import suppress
from random import Random
from threading import Thread

from django.db import connection

from games.models import Outage, TimeOut, Turn
from tests import FULL
from tests.faults.ledger import Ledger
from tests.faults.members import Pair, people, running
from tests.faults.stage import ENTRY, Stage

SEED = 20261128
KILLS = 100 if FULL else 5
PAIRS, SPARE = 10, 30 if FULL else 1
LONG_AWAY = 600  # seconds for which the site is away, by its clock, at some of the kills


class Play:
    """All pairs at play, in a thread of its own, from `with` to its end."""

    def __init__(self, stage: Stage, ledger: Ledger, rng: Random, pairs: int = PAIRS) -> None:
        self.pairs = []
        for number in range(pairs):
            members = people(2, f"pair{number}")
            matches = [running(*members, pace="live") for _ in range(SPARE)]
            self.pairs.append(Pair(stage.base, matches, members, ledger, Random(rng.random())))
        self.thread = Thread(target=lambda: asyncio.run(self.play()))
        self.failed: BaseException | None = None

    async def play(self) -> None:
        self.loop, self.stop = asyncio.get_running_loop(), asyncio.Event()
        try:
            await asyncio.gather(*(pair.play(self.stop) for pair in self.pairs))
        except BaseException as error:
            self.failed = error

    def __enter__(self) -> "Play":
        self.thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        with suppress(RuntimeError):  # the play is over, as it failed: that is told below
            self.loop.call_soon_threadsafe(self.stop.set)
        self.thread.join(60)
        assert not self.thread.is_alive(), "a move was not answered within a minute"
        assert self.failed is None, self.failed


def run(stage: Stage) -> list[str]:
    """Return the figures."""
    rng, ledger = Random(SEED), Ledger(stage.folder / "ledger")
    victims = {
        "web": stage.web(),
        "worker": stage.worker(),
        "beat": stage.beat(),
        "redis": stage.redis,
        "postgresql": stage.postgres,
    }
    for name in ("web", "worker", "beat"):
        victims[name].start()
    order = [name for name in victims for _ in range(KILLS // 5)]
    rng.shuffle(order)
    start = time.monotonic()
    play = Play(stage, ledger, rng)
    with play:
        for name in order:
            time.sleep(rng.uniform(0.2, 1.5))
            victims[name].kill()
            if name in ("web", "postgresql") and rng.random() < 0.3:
                stage.clock.forward(LONG_AWAY)
            time.sleep(rng.uniform(0, 0.4))
            victims[name].start()
        time.sleep(2)
    took = time.monotonic() - start
    connection.close()  # its other end was killed
    found = ledger.differences()
    assert not found, found[:20]
    assert not TimeOut.objects.exists(), list(TimeOut.objects.values("match", "seat", "kind", "at"))
    stage.manage("check_matches")
    moves = Turn.objects.filter(by=Turn.By.PERSON).count()
    assert moves >= KILLS
    return [
        f"FAULTS seed {SEED}: {len(order)} kills with -9 (web, worker, beat, Redis, PostgreSQL) in "
        f"{took:.0f} s; {len(ledger.acknowledged)} moves acknowledged, {moves} stored, "
        f"{len(ledger.refused)} refused, 0 lost, 0 twice; {Outage.objects.count()} outages given back, "
        f"0 time-outs by them; check_matches clean"
    ]


def run_planted(stage: Stage) -> list[str]:
    """Answer before commit: the ledger has to notice."""
    rng, ledger = Random(SEED), Ledger(stage.folder / "ledger")
    web = stage.process("web-early", [*ENTRY, "web"], EARLY="1")
    web.start()
    with Play(stage, ledger, rng, pairs=3):
        time.sleep(3)
        web.kill()
        web.start()
        time.sleep(2)
    time.sleep(1)
    found = [line for line in ledger.differences() if line.startswith("acknowledged, stored 0")]
    assert found, "an answer before the commit was not noticed"
    return [f"FAULTS self-check: answers before commit planted, {len(found)} lost moves noticed"]
