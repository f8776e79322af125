"""A cooperative race of YESSS! with seven members at 2 actions a second each: `python -m tests.bench.race [http]`.

As embedded: web server and worker with beat as they are, SQLite, over real sockets, for all 3 minutes of the
race. Some posts are sent twice. Printed: post to every other page's fetched table, what was lost or counted
twice, and how late the race ended by itself. A busy machine shows in the times: its load is printed.
"""

import asyncio
import json
import os
import random
import subprocess
import sys
import time
from bisect import bisect_left
from collections import Counter
from contextlib import AsyncExitStack
from datetime import datetime
from urllib.parse import urlencode

from config.supervisor import worker_command
from tests.bench.forms import ASK
from tests.bench.pages import Page, faults_of
from tests.bench.play import LOST, prepare_load
from tests.bench.server import OTHER_CORE, SERVER_CORE, Server, seconds

SEED = 20261128
SEATS = 7
EACH = 0.5  # seconds between two actions of a member
TWICE = 0.05  # share of posts that are sent twice
ANSWERS = 0.008  # share of actions that take a token: there are 21, for three minutes
PAIRS = [[a, b] for a in range(1, 8) for b in range(a + 1, 8)]
WORDS = ["voyage", "danger", "liberté", "hiver", "musique", "vitesse", "rêve", "jardin"]
TARGET = 300


class Racer(Page):
    """A member in the race: when its page had which version, and what became of its posts."""

    def __init__(self, server: Server, match: int, session: str, number: int, way: str) -> None:
        super().__init__(server, match, session, way)
        self.again = Page(server, match, session, way).http  # a second connection, as browsers have
        self.rng, self.number, self.posts = random.Random(f"{SEED} {number}"), number, 0
        self.seen: list[tuple[int, float]] = []
        self.accepted: dict[str, tuple[float, int]] = {}
        self.denied: list[str] = []
        self.clue = False

    def show(self, text: str, told: int | None = None) -> None:
        super().show(text, told)
        self.seen.append((self.shown, self.shown_at))

    async def post(self, move: dict) -> bool:
        """Post a move, perhaps twice at once; return whether it was played."""
        self.posts += 1
        key = f"{self.number}-{self.posts}"
        form = urlencode({"ask": ASK.search(self.text)[1], "key": key, "move": json.dumps(move)})
        start = time.perf_counter()
        sent = [self.send(form)]
        if self.rng.random() < TWICE:
            address = f"/matches/{self.match}/move/"
            sent.append(self.send(form) if self.way == "socket" else self.again.ask("POST", address, form))
        answers = await asyncio.gather(*sent)
        statuses = {answer[0] for answer in answers}
        assert statuses in ({200}, {409}), self.server.log.read_text()[-5000:]
        if statuses == {200}:
            self.accepted[key] = (start, answers[0][1])
            return True
        self.denied.append(key)
        return False

    async def act(self) -> None:
        """Answer somebody's word now and then; else say a word, or take one's own back."""
        if self.rng.random() < ANSWERS:
            clue = max((int(n) for n in _open_clues(self.text)), default=None)
            if clue is not None:
                await self.post({"type": "answer", "clue": clue, "pair": self.rng.choice(PAIRS)})
                return
        if self.clue:
            await self.post({"type": "withdraw"})
            self.clue = False
        else:
            move = {"type": "clue", "pair": self.rng.choice(PAIRS), "word": self.rng.choice(WORDS)}
            self.clue = await self.post(move)


def _open_clues(text: str) -> list[str]:
    """Return the numbers of the open words of others on a page."""
    return [part.split('"')[0] for part in text.split('id="clue-')[1:]]


async def run(server: Server, stack: AsyncExitStack, way: str) -> tuple[list[Racer], dict]:
    """Play one race to its end by itself; return the members and what the database says then."""
    made = server.told("make_race", SEATS)
    racers = [Racer(server, made["match"], key, n, way) for n, key in enumerate(made["sessions"])]
    for racer in racers:
        await racer.open()
        stack.callback(racer.close)
        stack.callback(racer.again.close)
    for racer in racers:
        await racer.post({"type": "ready"})
    begin = time.perf_counter()
    for racer in racers:
        await racer.has(racers[-1].shown, LOST)

    async def play(racer: Racer) -> None:
        turn = 0
        while (at := begin + EACH * (turn + racer.number / SEATS)) < begin + 180:
            await asyncio.sleep(max(0.0, at - time.perf_counter()))
            turn += 1
            if 'data-status="running"' not in racer.text:
                return
            await racer.act()

    await asyncio.gather(*(play(racer) for racer in racers))
    await asyncio.sleep(max(0.0, begin + 182 - time.perf_counter()))
    newest = max(racer.shown for racer in racers)
    await asyncio.gather(*(racer.has(newest, LOST) for racer in racers))
    return racers, server.told("tell_race", made["match"])


def times_to_others(racers: list[Racer]) -> list[float]:
    """Return for each accepted action and each other page the ms from its post until the page had it."""
    times = []
    for racer in racers:
        for start, version in racer.accepted.values():
            for other in racers:
                at = bisect_left(other.seen, (version, 0.0))
                if other is not racer and at < len(other.seen):
                    times.append(1000 * (other.seen[at][1] - start))
    return sorted(times)


def report(racers: list[Racer], facts: dict, load: float, cpu: float) -> bool:
    """Print the figures; return whether nothing was lost or counted twice."""
    times = times_to_others(racers)
    p50, p95, p99 = (times[int(len(times) * share)] for share in (0.5, 0.95, 0.99))
    posts = sum(racer.posts for racer in racers)
    print(f"race: {posts} actions in 3 minutes, load of the machine {load:.1f}")
    print(f"race: {1000 * cpu / posts:.0f} ms of the web server's processor an action, with its {SEATS} pages")
    print(f"race: post to others' pages p50 {p50:.0f} ms, p95 {p95:.0f} ms, p99 {p99:.0f} ms (< {TARGET})")
    logged = Counter(facts["keys"])
    accepted = {f"{racer.number}/{key}" for racer in racers for key in racer.accepted}
    lost, strange = accepted - set(logged), set(logged) - accepted
    twice = [key for key, count in logged.items() if count > 1]
    print(f"race: {len(accepted)} accepted, {posts - len(accepted)} refused in words, {len(lost)} lost,")
    print(f"race: {len(twice)} counted twice, {len(strange)} counted though refused")
    late = datetime.fromisoformat(facts["ended_at"]) - datetime.fromisoformat(facts["ended_by"])
    print(f"race: ended by itself {late.total_seconds():.2f} s after the deadline, score {facts['score']}")
    print(f"race: replay {'sound' if facts['sound'] else 'NOT SOUND'}", flush=True)
    print(f"race: {sum(racer.behind for racer in racers)} answers were overtaken by the next table")
    faults = faults_of(racers)
    print("".join(f"FAULT {fault}\n" for fault in faults[:20]), end="", flush=True)
    return not lost and not twice and not strange and not faults and facts["sound"]


async def measure(way: str) -> bool:
    async with AsyncExitStack() as stack:
        server = Server("sqlite", stack)
        command = ["taskset", "-c", str(OTHER_CORE), *worker_command(), "-B"]
        worker = subprocess.Popen(command, env=server.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        stack.callback(worker.wait, 20)
        stack.callback(worker.terminate)
        await asyncio.sleep(5)
        before = seconds(server.process.pid)
        racers, facts = await run(server, stack, way)
        return report(racers, facts, os.getloadavg()[1], seconds(server.process.pid) - before)


def main(way: str) -> int:
    print(f"seed {SEED}; web server on core {SERVER_CORE}; load, Redis and worker on core {OTHER_CORE}; by {way}")
    prepare_load()
    return 0 if asyncio.run(measure(way)) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "socket"))
