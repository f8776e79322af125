"""The site's API, as far as programs that play need it: one method for each thing."""

import random
import secrets
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, TypeAlias
from urllib.parse import quote

import httpx

from club_y_client.errors import Refused, TooFast, Unreachable
from club_y_client.own_part import OwnParts

Table: TypeAlias = dict[str, Any]
"""A match as one's own seat sees it: `view` is the game, `view["prompt"]` what one may do, `ask` the question."""
Line: TypeAlias = dict[str, Any]
"""A match in a list."""
Move: TypeAlias = dict[str, Any]

TRIES = 6
WORTH_TRYING = frozenset({502, 503, 504})
LONGEST_WAIT = 60.0  # seconds that it waits by itself for a limit to pass
KEPT = 500  # tables whose last state it remembers


class Client:
    """Speaks to one site by one token; close it, or use it with `with`.

    Whatever is sent twice, as an answer was lost, is done once. Refused for what the site refuses, Unreachable.
    `parts` is the file of one's own parts of the dice, if it is another than the usual one.
    """

    def __init__(
        self,
        site: str,
        token: str,
        *,
        language: str = "",
        parts: Path | None = None,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.site, self.token, self._sleep = site.rstrip("/"), token, sleep
        headers = {"Authorization": f"Bearer {token}", "User-Agent": "club-y-client"}
        headers |= {"Accept-Language": language} if language else {}
        self._http = httpx.Client(base_url=f"{self.site}/api/v1", headers=headers, timeout=30, transport=transport)
        self.parts = OwnParts(parts)
        self._tables: dict[int, tuple[str, Table]] = {}
        self._free_at = 0.0  # when the limit lets the next request through, by the monotonic clock

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    # Reading

    def me(self) -> dict[str, Any]:
        """Return whose token this is."""
        return self._object("GET", "/me")

    def game(self, slug: str) -> dict[str, Any]:
        """Return a game: its rules' version, options, and moves as JSON Schema."""
        return self._object("GET", f"/games/{slug}")

    def games(self) -> list[dict[str, Any]]:
        """Return all games."""
        return list(self._all("/games"))

    def lobby(self, game: str = "", pace: str = "") -> Iterator[Line]:
        """Yield the open tables that one may join."""
        return self._all("/lobby", game=game, pace=pace)

    def matches(self, state: str = "waiting") -> Iterator[Line]:
        """Yield one's own matches: those "waiting" for one, or "running", "open", "ended"."""
        return self._all("/matches", state=state)

    def table(self, match_id: int) -> Table:
        """Return a match as one sees it now; nothing is sent again that has not changed."""
        known = self._tables.get(match_id)
        answer = self._send("GET", f"/matches/{match_id}", headers={"If-None-Match": known[0]} if known else {})
        if answer.status_code == 304 and known is not None:
            return known[1]
        return self._kept(answer)

    def log(self, match_id: int) -> Iterator[dict[str, Any]]:
        """Yield all turns of a match, as they are told to one."""
        return self._all(f"/matches/{match_id}/log")

    def record(self, match_id: int) -> dict[str, Any]:
        """Return the record of a match that has ended."""
        found: dict[str, Any] = self._object("GET", f"/matches/{match_id}/record")["record"]
        return found

    def profile(self, name: str) -> dict[str, Any]:
        """Return a member."""
        return self._object("GET", f"/people/{quote(name)}")

    def board(self, game: str, *, season: str = "", bots: bool = False) -> Iterator[dict[str, Any]]:
        """Yield the lines of a game's leaderboard, of people or of bots."""
        return self._all(f"/boards/{game}", season=season, bots="true" if bots else "")

    def chat(self, match_id: int) -> dict[str, Any]:
        """Return the chat of a match."""
        return self._object("GET", f"/matches/{match_id}/chat")

    # Tables

    def open_table(self, game: str, size: int, **wishes: Any) -> Table:
        """Open a table; `wishes` are the other fields of `POST /tables`, such as `rated` or `pace`."""
        return self._make("/tables", {"game": game, "size": size, **wishes})

    def join(self, match_id: int, token: str = "", commitment: str = "") -> Table:
        """Sit down at an open table; `token` is that of its link, `commitment` what its line says, if that was read."""
        if not commitment:
            there = self._object("GET", f"/links/{quote(token, safe='')}" if token else f"/matches/{match_id}")
            commitment = there["dice"]["commitment"]
        part = self.parts.draw(commitment)
        table = self._act(f"/matches/{match_id}/join", {"token": token, **part.sent}) or {}
        self.parts.sit(part, self._at(match_id))
        return table

    def decline(self, match_id: int) -> None:
        """Decline an invitation."""
        self._act(f"/matches/{match_id}/decline")

    def leave(self, match_id: int) -> None:
        """Get up from a table that has not begun."""
        self._act(f"/matches/{match_id}/leave")
        self.parts.leave(self._at(match_id))

    def here(self, match_id: int) -> None:
        """Say that one is here, before a live match."""
        self._act(f"/matches/{match_id}/here")

    def start(self, match_id: int, level: str = "regular") -> Table:
        """Begin at one's own table, with bots of the site in the free seats."""
        return self._act(f"/matches/{match_id}/start", {"level": level}) or {}

    def accept_challenge(self, challenge_id: int) -> Table:
        """Accept a standing challenge."""
        return self._make(f"/lobby/challenges/{challenge_id}/accept", {})

    def _make(self, path: str, body: dict[str, Any]) -> Table:
        """Make a table, with one's own part of the dice that the site has promised for it; return it."""
        made = self._object("GET", "/dice/promise")
        part = self.parts.draw(made["commitment"])
        table = self._act(path, {"promise": made["promise"], **part.sent, **body}) or {}
        if table:
            self.parts.sit(part, self._at(table["id"]))
        return table

    def _at(self, match_id: int) -> str:
        return f"{self.site}/matches/{match_id}"

    # Playing

    def open_dice(self, table: Table) -> bool:
        """Open the number that one had sealed, if one may now; return whether it was done.

        All later draws follow from it, too: the sooner, the better. `move` does it before the first move. What the site
        refuses keeps nobody from playing.
        """
        further = self.parts.to_open(table.get("dice", {}), self._at(table["id"]))
        if not further:
            return False
        try:
            answer = self._send("POST", f"/matches/{table['id']}/dice", {"nonce": further})
        except Refused:
            return False
        if answer.status_code == 200:
            self._kept(answer)
        return True

    def move(self, match_id: int, ask: int, move: Move, key: str = "") -> Table:
        """Answer a question; return the table after it. With the same key the same move is played once."""
        if known := self._tables.get(match_id):
            self.open_dice(known[1])
        body = {"ask": ask, "key": key or f"c{secrets.token_hex(8)}", "move": move, "confirmed": True}
        return self._kept(self._send("POST", f"/matches/{match_id}/moves", body))

    def resign(self, match_id: int) -> None:
        """Resign; a bot of the site plays on."""
        self._act(f"/matches/{match_id}/resign")

    def call_off(self, match_id: int, wish: bool, *, answers: bool = False) -> None:
        """Propose to call a match off, agree or decline."""
        self._act(f"/matches/{match_id}/call-off", {"wish": wish, "answers": answers})

    def pause(self, match_id: int, wish: bool, *, answers: bool = False) -> None:
        """Propose a pause, agree, decline or go on."""
        self._act(f"/matches/{match_id}/pause", {"wish": wish, "answers": answers})

    def take_back_seat(self, match_id: int) -> None:
        """Take one's seat back after one ran out of time."""
        self._act(f"/matches/{match_id}/return")

    def say(self, match_id: int, text: str) -> None:
        """Write a line in the chat of a match; the token needs the scope `message`."""
        self._act(f"/matches/{match_id}/chat", {"text": text})

    # How requests are made

    def _act(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any] | None:
        """Do something once, however often it is sent; return the table after it, if the site shows one."""
        answer = self._send("POST", path, body or {}, headers={"Idempotency-Key": secrets.token_hex(16)})
        return None if answer.status_code == 204 else self._kept(answer)

    def _object(self, method: str, path: str) -> dict[str, Any]:
        found: dict[str, Any] = self._send(method, path).json()
        return found

    def _all(self, path: str, **wanted: str) -> Iterator[dict[str, Any]]:
        """Yield the items of all parts of a list."""
        wanted = {name: value for name, value in wanted.items() if value}
        cursor: str | None = ""
        while cursor is not None:
            part = self._send("GET", path, wanted={**wanted, **({"cursor": cursor} if cursor else {})}).json()
            yield from part["items"]
            cursor = part["next"]

    def _kept(self, answer: httpx.Response) -> Table:
        table: Table = answer.json()
        if tag := answer.headers.get("ETag"):
            if len(self._tables) >= KEPT:
                self._tables.clear()
            self._tables[table["id"]] = tag, table
        return table

    def _send(
        self,
        method: str,
        path: str,
        body: dict[str, Any] | None = None,
        *,
        headers: dict[str, str] | None = None,
        wanted: dict[str, str] | None = None,
    ) -> httpx.Response:
        """Send a request until the site answers it: what is sent again is the same request, by its key."""
        last = ""
        for tried in range(TRIES):
            self._wait_for_limit()
            try:
                answer = self._http.request(method, path, json=body, headers=headers, params=wanted)
            except httpx.TransportError as error:
                last = f"{type(error).__name__}: {error}"
                self._sleep(_pause(tried))
                continue
            self._note_limit(answer)
            if answer.status_code in WORTH_TRYING:
                last = f"answered with {answer.status_code}"
                self._sleep(_seconds(answer, _pause(tried)))
                continue
            if answer.status_code == 429 and _seconds(answer, LONGEST_WAIT + 1) <= LONGEST_WAIT and tried < TRIES - 1:
                self._sleep(_seconds(answer, 1))
                continue
            if answer.status_code >= 400:
                raise _refusal(answer)
            return answer
        raise Unreachable(f"{self.site}: {last}")

    def _wait_for_limit(self) -> None:
        wait = self._free_at - time.monotonic()
        if wait > 0:
            self._sleep(min(wait, LONGEST_WAIT))
            self._free_at = 0.0

    def _note_limit(self, answer: httpx.Response) -> None:
        """Hold the next request back when the site says that none is left: `RateLimit: "member";r=0;t=12`."""
        parts = dict(part.strip().partition("=")[::2] for part in answer.headers.get("RateLimit", "").split(";"))
        if parts.get("r") == "0" and parts.get("t", "").isdecimal():
            self._free_at = time.monotonic() + int(parts["t"])


def _pause(tried: int) -> float:
    """Return the seconds before a request is tried again: more each time, and some by chance."""
    return float(0.25 * 2**tried * (0.5 + random.random()))


def _seconds(answer: httpx.Response, otherwise: float) -> float:
    wished = answer.headers.get("Retry-After", "")
    return float(wished) if wished.isdecimal() else otherwise


def _refusal(answer: httpx.Response) -> Refused:
    """Return the site's refusal; of an answer that is none of its own, by the status."""
    try:
        told = dict(answer.json())
    except ValueError:
        told = {}
    code, detail = str(told.pop("code", f"http_{answer.status_code}")), str(told.pop("detail", answer.reason_phrase))
    if answer.status_code == 429:
        return TooFast(_seconds(answer, LONGEST_WAIT), 429, code, detail, told)
    return Refused(answer.status_code, code, detail, told)
