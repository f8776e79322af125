"""Members at play: a browser each, over TLS through the proxy, with an open page that is rung."""

import asyncio
import contextlib
import html
import json
import re
import secrets
import time
from random import Random

import httpx
import websockets

from accounts.models import User
from games.models import Match
from tests.bench.prepare import log_in
from tests.drill.house import House
from tests.drill.proxy import NAME
from tests.faults.ledger import Ledger, Mark

ASK = re.compile(r'name="ask" value="(\d+)"')
MOVE = re.compile(r"""name="move" value=(?:"([^"]+)"|'([^']+)')""")
CSRF = "b" * 32
LOOK_SECONDS = 1.0  # the longest between two questions of a member who waits
PAUSE_SECONDS = 1.0  # from a move to the next
AGAIN_SECONDS = 0.3  # after which what was not answered is sent again
TIMEOUT = 12.0  # of a request
AWAY = (0, 500, 502, 503, 504)  # statuses that are no answer
NEEDS_MORE = ("transform", "extra", "chosen")  # moves whose buttons stand for what is chosen elsewhere


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
        self.seats = seats  # by match, those to be played yet in their order
        self.cookie = cookies(user)
        self.answers: list[tuple[float, bool]] = []
        self.codes: dict[int, int] = {}  # how often which status was no answer
        self.lines: list[tuple[float, bool]] = []  # when the page's socket opened and closed

    async def play(self, stop: asyncio.Event) -> None:
        """Play until told to stop; a move under way is answered first."""
        self.rung, own = asyncio.Event(), headers(self.cookie) | {"X-Live": "1"}
        listening = asyncio.ensure_future(self.listen())
        place = {"base_url": self.house.base, "verify": self.house.trusted, "timeout": TIMEOUT}
        try:
            async with httpx.AsyncClient(headers=own, **place) as self.http:
                while not stop.is_set() and self.seats:
                    await self.step(next(iter(self.seats)))
        finally:
            listening.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await listening

    async def step(self, match: int) -> None:
        """Look at the table once; move if asked, else wait to be rung."""
        text = await self.table(match)
        if text is None:
            await asyncio.sleep(AGAIN_SECONDS)
        elif 'data-status="running"' not in text:
            del self.seats[match]
        elif (asked := ASK.search(text)) and (moves := self.moves(text)):
            move = self.rng.choice(moves)
            await self.post((match, self.seats[match], secrets.token_hex(8)), asked[1], move)
            await asyncio.sleep(PAUSE_SECONDS)
        else:
            self.rung.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.rung.wait(), LOOK_SECONDS)

    def moves(self, text: str) -> list[object]:
        """Return the moves whose buttons need nothing filled in; the first roll alone if it is there."""
        moves = [json.loads(html.unescape(a or b)) for a, b in MOVE.findall(text)]
        whole = [move for move in moves if move["type"] not in NEEDS_MORE]
        rolls = [move for move in whole if move["type"] == "roll"]
        others = [move for move in whole if move["type"] != "roll"]
        if rolls and 'name="roll.of.dice"' in text:  # YAM menteur asks which dice; announce instead
            return others
        return others if 'name="move" value=\'{"type":"play"}\'' in text else rolls[:1] or others

    async def ask(self, method: str, path: str, **more: object) -> httpx.Response | None:
        """Return an answer and note it; None when there was none, or none of use."""
        status = 0
        try:
            answer = await self.http.request(method, path, **more)
            status = answer.status_code
        except httpx.HTTPError:
            answer = None
        self.answers.append((time.monotonic(), status not in AWAY))
        if status in AWAY:
            self.codes[status] = self.codes.get(status, 0) + 1
            return None
        return answer

    async def table(self, match: int) -> str | None:
        answer = await self.ask("GET", f"/matches/{match}/table/")
        assert answer is None or answer.status_code == 200, (answer.status_code, match, self.user)
        return answer.text if answer else None

    async def post(self, mark: Mark, ask: str, move: object) -> None:
        """Post a move until it is answered, with the same key each time."""
        self.ledger.intend(mark, move)
        fields = {"ask": ask, "key": mark[2], "move": json.dumps(move)}
        while True:
            answer = await self.ask("POST", f"/matches/{mark[0]}/move/", data=fields)
            if answer is not None:
                assert answer.status_code in (200, 409), (answer.status_code, move, answer.text[:500])
                return self.ledger.acknowledge(mark) if answer.status_code == 200 else self.ledger.refuse(mark)
            await asyncio.sleep(AGAIN_SECONDS)

    async def listen(self) -> None:
        """Keep the page's line, as line.js does: a new one a moment after each end."""
        while self.seats:
            address = f"wss://{NAME}/ws/?match={next(iter(self.seats))}"
            place = {
                "host": "127.0.0.1",
                "port": self.house.https,
                "ssl": self.house.trusted,
                "origin": f"https://{NAME}",
            }
            head = {"Cookie": self.cookie}
            with contextlib.suppress(OSError, websockets.WebSocketException, TimeoutError):
                async with websockets.connect(address, additional_headers=head, open_timeout=4, **place) as socket:
                    async for frame in socket:
                        if not self.lines or not self.lines[-1][1]:
                            self.lines.append((time.monotonic(), True))
                        if "version" in json.loads(frame):
                            self.rung.set()
            self.lines.append((time.monotonic(), False))
            await asyncio.sleep(self.rng.uniform(0.3, 1.4))


def seats_of(match: Match) -> list[tuple[User, int]]:
    return [(seat.user, seat.number) for seat in match.seats.select_related("user").order_by("number")]
