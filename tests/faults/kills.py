"""FAULTS: everything killed with -9, drained or halted at random moments, while twenty members play on open pages."""

import asyncio
import re
import signal
import time
from collections import Counter
from contextlib import suppress
from random import Random
from threading import Thread

from django.db import connection

from games.models import Outage, TimeOut, Turn
from tests import FULL
from tests.faults.ledger import Ledger
from tests.faults.members import Pair, browser, people, running
from tests.faults.stage import ENTRY, Stage
from tests.processes import Process, free_port, wait_until

SEED = 20261128
ROUNDS = 12 if FULL else 1  # of all breaks
PAIRS, SPARE = 10, 30 if FULL else 1
LONG_AWAY = 600  # seconds for which the site is away, by its clock, at some of the kills
HALTED = 2.3  # seconds: longer than a page waits for the answer to a move
ANSWERED = 40  # seconds, at the end, within which all moves are answered and all pages show the newest table
SIGNS = {  # of what `tests.faults.entry` plants, in a page's words
    "twice": r"sent version (\d+) after \1$",
    "older": r"sent version (\d+) after (?!\1$)",
    "never": r"the newest is",
}
LINES = [(True, True, True)] * 3 + [(True, False, True), (False, False, True)]  # which pages of a pair have a line


class Play:
    """All pairs at play, in a thread of its own, from `with` to its end."""

    def __init__(
        self, bases: list[str], ledger: Ledger, rng: Random, *, pairs: int = PAIRS, spare: int = SPARE
    ) -> None:
        self.pairs = []
        for number in range(pairs):
            members = people(2, f"pair{number}")
            matches = [running(*members, pace="live") for _ in range(spare)]
            seeing = [*members, None if number % 2 else members[0]]
            browsers = [browser(rng.choice(bases), person) for person in seeing]
            own = Random(rng.random())
            self.pairs.append(Pair(browsers, matches, ledger, own, lines=LINES[number % len(LINES)]))
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
        self.thread.join(ANSWERED)
        if self.thread.is_alive():
            raise AssertionError(f"a move was not answered within {ANSWERED} s")
        if self.failed is not None:
            raise self.failed

    def faults(self) -> list[str]:
        """Return in words what pages were sent and must not be, and which did not end with the newest table."""
        return [fault for pair in self.pairs for fault in pair.faults]

    def counts(self) -> Counter[str]:
        """Return how moves and tables went."""
        return sum((pair.counts for pair in self.pairs), Counter())


def halt(process: Process) -> None:
    """Let a process stand still for a while: its lines are open, and nobody answers."""
    process.child.send_signal(signal.SIGSTOP)
    time.sleep(HALTED)
    process.child.send_signal(signal.SIGCONT)


def run(stage: Stage) -> list[str]:
    """Return the figures."""
    rng, ledger = Random(SEED), Ledger(stage.folder / "ledger")
    ports = [stage.port, free_port()] if stage.postgres else [stage.port]
    webs = [stage.web(f"web{number}", port) for number, port in enumerate(ports)]
    worker, beat = stage.worker(), stage.beat()
    for process in (*webs, worker, beat):
        process.start()
    killed = {"web": webs, "worker": [worker], "beat": [beat], "redis": [stage.redis]}
    drained = {"web drained": webs[-1:], "worker drained": [worker]}
    halted = {"web halted": webs[:1], "redis halted": [stage.redis]}
    if stage.postgres:
        killed["postgresql"] = [stage.postgres]
        drained["postgresql drained"] = [stage.postgres]
    order = [*killed, *drained, *halted] * ROUNDS
    rng.shuffle(order)
    start = time.monotonic()
    play = Play([f"http://127.0.0.1:{port}" for port in ports], ledger, rng)
    with play:
        for name in order:
            time.sleep(rng.uniform(0.2, 1.2))
            for process in halted.get(name, []):
                halt(process)
            for process in killed.get(name, []):
                process.kill()
            for process in drained.get(name, []):
                process.stop()
            if name in ("web", "postgresql") and rng.random() < 0.3:
                stage.clock.forward(LONG_AWAY)
            time.sleep(rng.uniform(0, 0.4))
            for process in killed.get(name) or drained.get(name, []):
                process.start()
        time.sleep(2)
    took = time.monotonic() - start
    connection.close()  # its other end was killed
    found = play.faults() + ledger.differences()
    assert not found, found[:20]
    assert not TimeOut.objects.exists(), list(TimeOut.objects.values("match", "seat", "kind", "at"))
    stage.manage("check_matches")
    moves, counts = Turn.objects.filter(by=Turn.By.PERSON).count(), play.counts()
    assert moves >= len(order)
    assert min(counts["moves by line"], counts["moves by post"], counts["tables"]) > len(order), counts
    return [
        f"FAULTS seed {SEED}: {len(order)} breaks (kills with -9, drains, halts of web, worker, beat, Redis, database) "
        f"in {took:.0f} s; {len(ledger.acknowledged)} moves acknowledged, {moves} stored, "
        f"{len(ledger.refused)} refused, 0 lost, 0 twice; {Outage.objects.count()} outages given back, "
        f"0 time-outs by them; check_matches clean",
        f"FAULTS pages: {dict(sorted(counts.items()))}; every page ended with the newest table, none was sent an older "
        f"or the same again",
    ]


def run_planted(stage: Stage) -> list[str]:
    """Answer before commit: the ledger has to notice, and the pages."""
    rng, ledger = Random(SEED), Ledger(stage.folder / "ledger")
    web = stage.process("web-early", [*ENTRY, "web"], EARLY="1")
    web.start()
    play = Play([stage.base], ledger, rng, pairs=3, spare=1)
    with play:
        wait_until(lambda: len(ledger.intended) > 12, "a few moves")
        web.kill()
        web.start()
    time.sleep(1)
    found = [line for line in ledger.differences() if line.startswith("acknowledged, stored 0")]
    assert found, "an answer before the commit was not noticed"
    told = [fault for fault in play.faults() if "as before it" in fault]
    assert told, "an answer with a former table was not noticed"
    return [
        f"FAULTS self-check: answers before commit planted, {len(found)} lost moves noticed, "
        f"{len(told)} answers with a former table"
    ]


def run_spoilt(stage: Stage) -> list[str]:
    """Send tables twice, late or never: the pages have to notice."""
    rng, ledger = Random(SEED), Ledger(stage.folder / "ledger")
    web = stage.process("web-spoilt", [*ENTRY, "web"], SPOILT="1")
    web.start()
    play = Play([stage.base], ledger, rng, pairs=3, spare=1)
    for pair in play.pairs:
        pair.newest_within = 1.0
    with play:
        wait_until(lambda: len(ledger.intended) > 30, "a few moves")
    found = Counter(word for fault in play.faults() for word in SIGNS if re.search(SIGNS[word], fault))
    assert set(found) == set(SIGNS), (found, play.faults()[:9])
    return [f"FAULTS self-check: tables planted on lines twice, late or never; noticed {dict(found)}"]
