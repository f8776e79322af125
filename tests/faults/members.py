"""Bots as members: they play over HTTP as browsers do, and repeat what was not answered with the same key."""

import asyncio
import contextlib
import html
import json
import re
import secrets
from random import Random

import httpx

from accounts.models import User
from games.models import Match
from games.services.lobby import opening, readiness
from tests.bench.prepare import log_in
from tests.faults.ledger import Ledger, Mark

ASK = re.compile(r'name="ask" value="(\d+)"')
MOVE = re.compile(r"""name="move" value=(?:"([^"]+)"|'([^']+)')""")
CSRF = "b" * 32
AGAIN = 0.1  # seconds after which what was not answered is sent again


def people(count: int, prefix: str = "m") -> list[User]:
    """Return so many new members who take no day off by themselves."""
    return [User.objects.create_user(f"{prefix}-{n}", vacation_by_itself=False) for n in range(count)]


def running(*members: User, **wishes) -> Match:
    """Return a new match of these members."""
    match = opening.create_match(creator=members[0], game_slug="yum-extra", size=len(members), **wishes)
    for member in members[1:]:
        opening.join(match_id=match.pk, user=member)
    for member in members if match.pace.is_live else ():
        readiness.say_here(match_id=match.pk, user=member)
    match.refresh_from_db()
    return match


class Tab:
    """A member's browser."""

    def __init__(self, base: str, member: User) -> None:
        self.http = httpx.AsyncClient(
            base_url=base,
            timeout=10,
            headers={
                "Cookie": f"sessionid={log_in(member)}; csrftoken={CSRF}",
                "X-CSRFToken": CSRF,
                "X-Live": "1",
            },
        )

    async def table(self, match: int) -> str | None:
        """Return the table; None when the site does not answer well."""
        with contextlib.suppress(httpx.HTTPError):
            answer = await self.http.get(f"/matches/{match}/table/")
            if answer.status_code == 200:
                return answer.text
        return None

    async def post(self, match: int, ask: str, key: str, move: object) -> int:
        """Return the status of a posted move; 0 when nobody answered."""
        with contextlib.suppress(httpx.HTTPError):
            fields = {"ask": ask, "key": key, "move": json.dumps(move)}
            return (await self.http.post(f"/matches/{match}/move/", data=fields)).status_code
        return 0


class Pair:
    """Two members who play one match after another, until told to stop."""

    def __init__(self, base: str, matches: list[Match], members: list[User], ledger: Ledger, rng: Random) -> None:
        self.matches = [match.pk for match in matches]
        self.tabs = [Tab(base, member) for member in members]
        self.ledger, self.rng = ledger, rng

    async def play(self, stop: asyncio.Event) -> None:
        while self.matches and not stop.is_set():
            if not await self.step(self.matches[0], stop):
                self.matches.pop(0)

    async def step(self, match: int, stop: asyncio.Event) -> bool:
        """Make one move; False when the match asks neither: it is over."""
        for seat, tab in enumerate(self.tabs):
            while (text := await tab.table(match)) is None:
                await asyncio.sleep(AGAIN)
                if stop.is_set():
                    return True
            asked, moves = ASK.search(text), self.moves(text)
            if asked and moves:
                await self.post(tab, (match, seat, secrets.token_hex(8)), asked[1], self.rng.choice(moves))
                return True
        return False

    def moves(self, text: str) -> list[object]:
        """Return the moves whose buttons need nothing filled in, the first roll alone if it is there."""
        moves = [json.loads(html.unescape(a or b)) for a, b in MOVE.findall(text)]
        rolls = [move for move in moves if move["type"] == "roll"]
        return rolls[:1] or [move for move in moves if move["type"] not in ("transform", "extra", "chosen")]

    async def post(self, tab: Tab, mark: Mark, ask: str, move: object) -> None:
        """Post a move until it is answered."""
        self.ledger.intend(mark, move)
        while True:
            status = await tab.post(mark[0], ask, mark[2], move)
            if status == 200:
                return self.ledger.acknowledge(mark)
            if status == 409:
                return self.ledger.refuse(mark)
            assert status in (0, 500, 503), status
            await asyncio.sleep(AGAIN)
