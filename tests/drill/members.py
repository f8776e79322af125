"""Members at play: a browser each, over TLS through the proxy, with an open page whose line takes moves and tables."""

import asyncio
import secrets
import time
from collections import Counter
from random import Random

from accounts.models import User
from games.models import Match
from tests.bench.forms import ASK
from tests.bench.prepare import log_in
from tests.drill.house import House
from tests.drill.proxy import NAME
from tests.faults.ledger import Ledger
from tests.faults.members import CSRF, moves_in
from tests.faults.pages import TIMEOUT, Browser, OpenPage

__all__ = ["CSRF", "TIMEOUT", "Member", "cookies", "headers", "seats_of"]

LOOK_SECONDS = 1.0  # the longest between two looks of a member who waits at what the page shows
PAUSE_SECONDS = 1.0  # from a move to the next


def cookies(user: User | None = None) -> str:
    """Return the header of a browser in which this member is logged in; of a visitor's without one."""
    session = f"__Host-sessionid={log_in(user)}; " if user else ""
    return f"{session}__Host-csrftoken={CSRF}"


def headers(cookie: str) -> dict[str, str]:
    """Return what a browser sends; it is at the proxy's port as if that were 443."""
    return {"Host": NAME, "Origin": f"https://{NAME}", "X-CSRFToken": CSRF, "Cookie": cookie}


class Member:
    """One member: moves in one match after another, and what became of each question, and when."""

    def __init__(self, house: House, user: User, seats: dict[int, int], ledger: Ledger, rng: Random) -> None:
        self.house, self.user, self.ledger, self.rng = house, user, ledger, rng
        self.cookie = cookies(user)
        self.seats = seats  # by match, those to be played yet in their order
        self.answers: list[tuple[float, bool]] = []
        self.codes: Counter[int] = Counter()  # how often which status was no answer
        self.lines: list[tuple[float, bool]] = []  # when the page's line opened and closed
        self.faults: list[str] = []  # what the pages were sent and must not be
        self.returns: list[str] = []  # and what they may be sent only after a restore

    def browser(self) -> Browser:
        """Return a browser whose answers and lines are this member's."""
        at_line = {
            "additional_headers": {"Cookie": self.cookie},
            "origin": f"https://{NAME}",
            "ssl": self.house.trusted,
        }
        place = {"host": "127.0.0.1", "port": self.house.https}
        noted = {"answers": self.answers, "codes": self.codes, "lines": self.lines}
        address = f"wss://{NAME}/ws/"
        return Browser(self.house.base, headers(self.cookie), address, at_line | place, self.house.trusted, **noted)

    async def play(self, stop: asyncio.Event) -> None:
        """Play until told to stop; a move under way is answered first."""
        browser = self.browser()
        async with browser.http:
            while not stop.is_set() and self.seats:
                match = next(iter(self.seats))
                page = OpenPage(browser, match, self.rng)
                try:
                    while not stop.is_set() and match in self.seats:
                        await self.step(page)
                finally:
                    self.faults += page.faults
                    self.returns += page.returns
                    await page.close()
        self.lines.append((time.monotonic(), True))  # a page that is closed lacks no line

    async def step(self, page: OpenPage) -> None:
        """Move if the page asks, else wait until it shows another table."""
        page.changed.clear()
        if page.shown and 'data-status="running"' not in page.text:
            del self.seats[page.match]
        elif (asked := ASK.search(page.text)) and (moves := self.moves(page.text)):
            move = self.rng.choice(moves)
            mark = page.match, self.seats[page.match], secrets.token_hex(8)
            self.ledger.intend(mark, move)
            status = await page.send(mark[2], asked[1], move)
            assert status in (200, 409), (status, move)
            (self.ledger.acknowledge if status == 200 else self.ledger.refuse)(mark)
            await asyncio.sleep(PAUSE_SECONDS)
        else:
            await asyncio.wait([asyncio.ensure_future(page.changed.wait())], timeout=LOOK_SECONDS)

    def moves(self, text: str) -> list[dict]:
        """Return the moves whose buttons need nothing filled in; the first roll alone if it is there."""
        moves = moves_in(text)
        is_roll = bool(moves) and moves[0]["type"] == "roll"
        if is_roll and ('name="roll.of.dice"' in text or 'name="move" value=\'{"type":"play"}\'' in text):
            return [move for move in moves_in(text, rolls=False) if move["type"] != "roll"]  # it asks which dice
        return moves


def seats_of(match: Match) -> list[tuple[User, int]]:
    return [(seat.user, seat.number) for seat in match.seats.select_related("user").order_by("number")]
