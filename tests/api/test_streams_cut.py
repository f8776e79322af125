"""Streams cut at random, a web server and a Redis killed with -9: every program ends with what a fresh read shows."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import httpx
import pytest
from django.db import connections
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from accounts.models import User
from games.api.services import tokens
from games.models import ChatLine, Match
from games.queries.play import seats_of
from games.services.chat import lines
from tests import FULL
from tests.factories import fresh, member, random_move, seated
from tests.processes import Process, Site

MEMBERS, MATCHES, TURNS, KILLS = (50, 200, 40, 6) if FULL else (4, 6, 12, 1)
CUT_SECONDS = (2.5, 6.0)  # between two cuts of one stream
AWAY = (OSError, TimeoutError, WebSocketException, httpx.HTTPError, EOFError)
THOUGHT = (0.0, 0.0) if FULL else (0.2, 1.4)  # seconds before a move: the play lasts as long as the breaks
EACH = 2.0  # seconds of quiet at the end, beyond the time of a look

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.outgrown]


class Program:
    """A member's program: hears its stream, keeps what it is told, answers each question once."""

    def __init__(self, site: Site, person: User, secret: str, rng: Random, database: ThreadPoolExecutor) -> None:
        self.site, self.person, self.secret, self.rng, self.database = site, person, secret, rng, database
        self.last: int | None = None
        self.state: dict[int, dict[str, Any]] = {}
        self.lines: Counter[int] = Counter()
        self.counts: Counter[str] = Counter()
        self.problems: list[str] = []
        self.answering: set[tuple[int, int]] = set()
        self.tasks: set[asyncio.Task[None]] = set()
        self.is_ending = False
        self.may_talk: Callable[[], bool] = lambda: False  # once all hear: what was said before is not told
        self.client = httpx.AsyncClient(base_url=site.url, headers={"Authorization": f"Bearer {secret}"}, timeout=20)

    async def hear(self, stop: asyncio.Event) -> None:
        """Hear, cut at random and come again, until the end; then hear once more to the last."""
        while not stop.is_set():
            await self._connection(self.rng.uniform(*CUT_SECONDS), stop)
        self.is_ending = True
        await asyncio.gather(*self.tasks)
        for _ in range(3):
            await self._connection(None, asyncio.Event())

    async def _connection(self, seconds: float | None, stop: asyncio.Event) -> None:
        """One connection, for so many seconds; None: until nothing has come for a while."""
        after = "" if self.last is None else f"?after={self.last}"
        address = f"{self.site.url.replace('http', 'ws')}/api/v1/stream{after}"
        until = asyncio.get_running_loop().time() + (seconds or 60)
        try:
            async with connect(address, additional_headers={"Authorization": f"Bearer {self.secret}"}) as socket:
                while (left := until - asyncio.get_running_loop().time()) > 0 and not stop.is_set():
                    wait = left if seconds else 5 + EACH
                    said = json.loads(await asyncio.wait_for(socket.recv(), wait))
                    if said["type"] == "beat" and not seconds:
                        return
                    self._take(said)
        except AWAY:
            await asyncio.sleep(self.rng.uniform(0.1, 0.8))
        self.counts["connections"] += 1

    def _take(self, said: dict[str, Any]) -> None:
        self.counts[said["type"]] += 1
        if said["type"] == "hello" and said["reset"]:
            if self.last is not None:
                self.problems.append(f"reset after {self.last}")
            self.state.clear()
        if said["type"] in ("hello", "beat", "end"):
            return
        if self.last is not None and said["number"] <= self.last:
            self.problems.append(f"{said['number']} after {self.last}")
        self.last = said["number"]
        if said["type"] in ("chat", "mention"):
            self.lines[said["line"]["id"]] += 1
        elif said["state"] is not None:
            state = self.state[said["match"]] = said["state"]
            if said["type"] == "turn" and state["turns"] < TURNS and not self.is_ending:
                self._answer(said["match"], state)

    def _answer(self, match_id: int, state: dict[str, Any]) -> None:
        if (match_id, state["ask"]) not in self.answering:
            self.answering.add((match_id, state["ask"]))
            task = asyncio.ensure_future(self._move(match_id, state["you"], state["ask"]))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def _move(self, match_id: int, seat: int, ask: int) -> None:
        loop = asyncio.get_running_loop()
        await asyncio.sleep(self.rng.uniform(*THOUGHT))
        move = await loop.run_in_executor(self.database, self._chosen, match_id, seat, ask)
        while move is not None:
            try:
                sent = {"ask": ask, "key": f"{match_id}-{seat}-{ask}", "move": move, "confirmed": True}
                answer = await self.client.post(f"/api/v1/matches/{match_id}/moves", json=sent)
                if answer.status_code < 429:
                    self.counts[f"moves: {answer.status_code}"] += 1
                    return
            except httpx.HTTPError:
                pass
            await asyncio.sleep(0.3)

    def _chosen(self, match_id: int, seat: int, ask: int) -> Any:
        match = Match.objects.get(pk=match_id)
        seats = seats_of(match)
        if self.may_talk() and self.rng.random() < 0.1:
            lines.say(match=match, seats=seats, user=self.person, text=f"at question {ask}")
        return random_move(match, seat, self.rng) if seats[seat].ask == ask else None


def _is_over(matches: list[int]) -> bool:
    return not Match.objects.filter(pk__in=matches, status="running", turns__lt=TURNS).exists()


async def _play(
    site: Site, redis: Process, programs: list[Program], matches: list[int], house: ThreadPoolExecutor
) -> None:
    rng, database, loop, stop = programs[0].rng, programs[0].database, asyncio.get_running_loop(), asyncio.Event()
    hearing = [asyncio.ensure_future(program.hear(stop)) for program in programs]
    kills, begun = 0, loop.time()
    while kills < KILLS * 2 or not await loop.run_in_executor(database, _is_over, matches):
        assert loop.time() - begun < (3000 if FULL else 150), "the matches do not end"
        await asyncio.sleep(1)
        if kills < KILLS * 2 and loop.time() - begun > 4 * (kills + 1):
            kills += 1
            broken = site.web if kills % 2 else redis
            broken.kill()
            await asyncio.sleep(rng.uniform(0.2, 1.5))
            await loop.run_in_executor(house, broken.start)
    stop.set()
    await asyncio.gather(*hearing)


@pytest.mark.thin(0)
def test_whoever_goes_on_ends_with_what_a_fresh_read_shows(new_site: Callable[..., Site], redis: Process) -> None:
    rng = Random(20261130)
    people = [member(f"bot{number}") for number in range(MEMBERS)]
    matches = [seated(*rng.sample(people, 2), game_slug=rng.choice(["yum-extra", "yay"])).pk for _ in range(MATCHES)]
    site = new_site(SOCKETS_OF_ADDRESS="2000")
    site.web.start()
    with ThreadPoolExecutor(1) as database, ThreadPoolExecutor(1) as house:  # what a thread starts ends with it
        programs = []
        for person in people:
            _token, secret = tokens.issue(user=person, name="bot", scopes=["read", "play"], ends_at=None)
            programs.append(Program(site, person, secret, Random(rng.random()), database))
        for program in programs:
            program.may_talk = lambda: all(one.last is not None for one in programs)
        try:
            asyncio.run(_play(site, redis, programs, matches, house))
            for program in programs:
                _check(program)
        finally:
            database.submit(connections.close_all).result()
            redis.kill()
            redis.start()
    counts: Counter[str] = sum((program.counts for program in programs), Counter())
    print(dict(counts))
    assert counts["connections"] > MEMBERS * 2
    assert counts["moves: 200"] > MATCHES * TURNS / 2
    assert counts["chat"] > MATCHES / 3


def _check(program: Program) -> None:
    """Check a program's end against a fresh read, and that nothing came twice."""
    assert program.problems == []
    mine = Match.objects.filter(seats__user=program.person)
    said = ChatLine.objects.filter(match__in=mine)
    assert program.lines == Counter(said.values_list("pk", flat=True))
    with httpx.Client(base_url=program.site.url, headers=dict(program.client.headers)) as client:
        for match in mine:
            table = client.get(f"/api/v1/matches/{match.pk}").json()
            told = program.state[match.pk]
            for name in ("version", "history", "status", "turns", "ask", "ending"):
                assert told[name] == table[name], (name, told, fresh(match).version)
