"""Bots as members of a tournament: they sign up, look for their match and play it by HTTP, round after round."""

import asyncio
import json
import re
import secrets
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from threading import Thread

from django.db import connection

from accounts.models import User
from games.models import Seat
from tests.bench.forms import ASK
from tests.faults.ledger import Ledger
from tests.faults.members import browser, moves_in
from tests.faults.pages import AGAIN

LOOKS = 1.0  # seconds after which somebody whom nobody calls looks whether they are asked anywhere
TO_MATCH = re.compile(r"/matches/(\d+)/")
GIVING_UP = range(4, 16)  # after so many own moves


def signed_up(count: int) -> list[User]:
    """Return so many new members with confirmed addresses who take no day off by themselves."""
    named = [f"entrant-{number:02}" for number in range(1, count + 1)]
    return [User.objects.create_user(name, f"{name}@example.org", vacation_by_itself=False) for name in named]


def seat_in(match: int, user: User) -> int:
    """Return which seat of the match is the member's; called in a thread of its own."""
    try:
        return Seat.objects.values_list("number", flat=True).get(match=match, user=user)
    finally:
        connection.close()


class Member:
    """One of them, and what they know: which match they are at, and that somebody there calls."""

    def __init__(self, field: "Field", user: User, rng: Random) -> None:
        self.field, self.user, self.rng = field, user, rng
        self.browser = browser(field.base, user)
        self.calls: asyncio.Queue[int] = asyncio.Queue()
        self.sleeps = False
        self.moves: Counter[int] = Counter()
        self.seats: dict[int, int] = {}  # of which match
        self.gives_up: dict[int, int] = {}  # match: after so many own moves

    async def insist(self, method: str, path: str, **more: object) -> str:
        """Return the text of an answer, or where it leads; ask until there is one."""
        while (answer := await self.browser.ask(method, path, **more)) is None:
            self.field.counts["asked again"] += 1
            await asyncio.sleep(AGAIN)
        return str(answer.headers.get("location") or answer.text)

    async def enter(self, tournament: int) -> None:
        """Sign up on the tournament's page."""
        await self.insist("POST", f"/tournaments/{tournament}/enter/", data={"key": secrets.token_hex(8)})

    async def live(self, stop: asyncio.Event) -> None:
        """Play wherever one is asked, until told to stop."""
        while not stop.is_set():
            match = None
            with suppress(TimeoutError):
                match = await asyncio.wait_for(self.calls.get(), LOOKS * self.rng.uniform(0.7, 1.3))
            if match is None:
                found = TO_MATCH.search(await self.insist("GET", "/next/"))
                match = int(found[1]) if found else None
            if match is not None and not self.sleeps:
                await self.play(match, stop)

    async def play(self, match: int, stop: asyncio.Event) -> None:
        """Move in a match as long as one is asked; then call whoever else is there, unless nothing has changed."""
        if self not in self.field.at(match):
            self.field.at(match).append(self)
            self.seats[match] = await asyncio.to_thread(seat_in, match, self.user)
            if self.rng.random() < self.field.giving_up:
                self.gives_up[match] = self.rng.choice(GIVING_UP)
        text, before = await self.insist("GET", f"/matches/{match}/table/"), self.moves[match]
        while not stop.is_set() and (asked := ASK.search(text)) and (moves := moves_in(text, rolls=False)):
            if self.moves[match] == self.gives_up.get(match):
                await self.insist("POST", f"/matches/{match}/resign/", data={"key": secrets.token_hex(8)})
                self.field.counts["resigned"] += 1
                break
            move = self.rng.choice([move for move in moves if move["type"] != "roll"] or moves)
            text = await self.move(match, asked[1], move)
        for other in self.field.at(match):
            if other is not self and self.moves[match] > before:
                other.calls.put_nowait(match)

    async def move(self, match: int, ask: str, move: dict[str, object]) -> str:
        """Post a move until it is answered; return the table that comes with the answer."""
        ledger, mark = self.field.ledger, (match, self.seats[match], secrets.token_hex(8))
        ledger.intend(mark, move)
        fields = {"ask": ask, "key": mark[2], "move": json.dumps(move)}
        while (answer := await self.browser.ask("POST", f"/matches/{match}/move/", data=fields)) is None:
            self.field.counts["asked again"] += 1
            await asyncio.sleep(AGAIN)
        assert answer.status_code in (200, 409), answer.status_code
        (ledger.acknowledge if answer.status_code == 200 else ledger.refuse)(mark)
        self.field.counts["moves"] += answer.status_code == 200
        self.moves[match] += 1
        return str(answer.text)


class Field:
    """All of them at play, in a thread of its own, from `with` to its end; `giving_up` is the share who resign."""

    def __init__(self, base: str, users: Sequence[User], ledger: Ledger, rng: Random, *, giving_up: float) -> None:
        self.base, self.ledger, self.giving_up = base, ledger, giving_up
        self.counts: Counter[str] = Counter()
        self._at: dict[int, list[Member]] = {}
        self.members = [Member(self, user, Random(rng.random())) for user in users]
        self.thread = Thread(target=lambda: asyncio.run(self.play()))
        self.failed: BaseException | None = None

    def at(self, match: int) -> list[Member]:
        """Return who has found this match, to be added to."""
        return self._at.setdefault(match, [])

    def enter(self, tournament: int) -> None:
        """Let all sign up, in their order."""

        async def all_enter() -> None:
            for member in self.members:
                await member.enter(tournament)
                await member.browser.http.aclose()
                del member.browser.http  # another loop plays

        asyncio.run(all_enter())

    async def play(self) -> None:
        self.loop, self.stop = asyncio.get_running_loop(), asyncio.Event()
        try:
            await asyncio.gather(*(member.live(self.stop) for member in self.members))
        except BaseException as error:
            self.failed = error

    def check(self) -> None:
        """Raise what went wrong in the play so far."""
        if self.failed is not None:
            raise self.failed

    def __enter__(self) -> "Field":
        self.thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        with suppress(RuntimeError):  # the play is over, as it failed: that is told below
            self.loop.call_soon_threadsafe(self.stop.set)
        self.thread.join()
        self.check()
