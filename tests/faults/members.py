"""Bots as members: they play on open pages as browsers do, and repeat what was not answered with the same key."""

import asyncio
import contextlib
import html
import json
import re
import secrets
from collections import Counter
from random import Random

import httpx

from accounts.models import User
from games.models import Match
from games.services.lobby import opening, readiness
from tests.bench.forms import ASK, version_of
from tests.bench.prepare import log_in
from tests.faults.ledger import Ledger
from tests.faults.pages import AGAIN, Browser, OpenPage, all_show

MOVE = re.compile(r"""name="move" value=(?:"([^"]+)"|'([^']+)')""")
CSRF = "b" * 32
LOOKS = 0.4  # seconds between two looks of a page without a line
PAUSE = 0.1, 0.3  # seconds between two moves of a match, about
NEEDS_MORE = ("transform", "extra", "chosen")  # moves whose buttons stand for what is chosen elsewhere


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


def browser(base: str, member: User | None) -> Browser:
    """Return the browser of a member who is logged in, or of a visitor, at the server of this address."""
    session = f"sessionid={log_in(member)}; " if member else ""
    cookie = {"Cookie": f"{session}csrftoken={CSRF}"}
    at_line = {"additional_headers": cookie, "origin": base}
    return Browser(base, cookie | {"X-CSRFToken": CSRF}, f"ws{base.removeprefix('http')}/ws/", at_line)


def moves_in(text: str, *, rolls: bool = True) -> list[dict]:
    """Return the moves whose buttons need nothing filled in; the first roll alone if it is there and `rolls`."""
    moves = [json.loads(html.unescape(a or b)) for a, b in MOVE.findall(text)]
    first = [move for move in moves if move["type"] == "roll"][:1] if rolls else []
    return first or [move for move in moves if move["type"] not in NEEDS_MORE]


class Tab:
    """A member who posts by HTTP alone, once."""

    def __init__(self, base: str, member: User) -> None:
        self.http = browser(base, member).http

    async def post(self, match: int, ask: str, key: str, move: object) -> int:
        """Return the status of a posted move; 0 when nobody answered."""
        with contextlib.suppress(httpx.HTTPError):
            fields = {"ask": ask, "key": key, "move": json.dumps(move)}
            return (await self.http.post(f"/matches/{match}/move/", data=fields)).status_code
        return 0


class Pair:
    """Two members and a third page, who play one match after another, until told to stop.

    The third is a visitor's, or another of the first member's. `lines` says which of the three have a line; whoever
    has none looks often. `faults` are those of the pages, `counts` how their moves and tables went.
    """

    newest_within = 20.0  # seconds within which every page shows the newest table: a dead line is known within 9

    def __init__(
        self,
        browsers: list[Browser],
        matches: list[Match],
        ledger: Ledger,
        rng: Random,
        *,
        lines: tuple[bool, bool, bool] = (True, True, True),
    ) -> None:
        self.browsers, self.matches = browsers, [match.pk for match in matches]
        self.ledger, self.rng, self.lines = ledger, rng, lines
        self.faults: list[str] = []
        self.counts: Counter[str] = Counter()

    async def play(self, stop: asyncio.Event) -> None:
        while self.matches and not stop.is_set():
            await self.play_one(self.matches.pop(0), stop)

    async def play_one(self, match: int, stop: asyncio.Event) -> None:
        """Play one match; at its end, or that of the play, all its pages have to show the newest table."""
        seeing = zip(self.browsers, self.lines, strict=True)
        pages = [OpenPage(own, match, self.rng, has_line=line, looks=LOOKS) for own, line in seeing]
        try:
            while not stop.is_set() and 'data-status="ended"' not in pages[0].text:
                await self.step(pages)
            self.faults += await all_show(pages, await self.newest(match), self.newest_within)
        finally:
            for page in pages:
                self.faults += page.faults + page.returns
                self.counts += page.counts
                await page.close()

    async def step(self, pages: list[OpenPage]) -> None:
        """Make one move, in the seat that is asked by what its page shows, if any is; wait a moment."""
        for seat, page in enumerate(pages[:2]):
            asked, moves = ASK.search(page.text), moves_in(page.text)
            if asked and moves:
                mark, move = (page.match, seat, secrets.token_hex(8)), self.rng.choice(moves)
                self.ledger.intend(mark, move)
                status = await page.send(mark[2], asked[1], move)
                assert status in (200, 409), status
                (self.ledger.acknowledge if status == 200 else self.ledger.refuse)(mark)
                break
        await asyncio.sleep(self.rng.uniform(*PAUSE))

    async def newest(self, match: int) -> int:
        """Return the version of the table that a new page is shown."""
        while (answer := await self.browsers[0].ask("GET", f"/matches/{match}/table/")) is None:
            await asyncio.sleep(AGAIN)
        return version_of(answer.text)
