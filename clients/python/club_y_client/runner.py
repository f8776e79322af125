"""Connects a function that chooses moves to all matches of a bot."""

import queue
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, TypeAlias

from club_y_client.client import Client, Line, Move, Table
from club_y_client.errors import Refused, SiteError
from club_y_client.moves import random_move
from club_y_client.stream import Frame, Stream

Choose: TypeAlias = Callable[[Table], Move]

EVERY = 5.0  # seconds between two looks while no stream tells of anything
SELDOM = 60.0  # and while one does, lest it misses something
TRIES = 25  # moves for one question, the first two by the bot's own choice, the others by chance
OWN_TRIES = 2
STALE = "stale_question"  # the match has gone on meanwhile


def of_view(choose: Callable[[dict[str, Any]], Move]) -> Choose:
    """Return, of a function that takes a view as the arena's do, one that takes a table."""
    return lambda table: choose(table["view"])


class Runner:
    """Plays all matches of a bot: what waits for it at first, then whatever the stream tells; without one it looks.

    `joins` says of a line with an invitation whether to come; others are declined. A choice that fails, or that the
    rules refuse twice, is made by chance, so that nobody waits for a bot that is stuck; `told` hears of it.
    """

    def __init__(
        self,
        client: Client,
        choose: Choose | Mapping[str, Choose],
        *,
        joins: Callable[[Line], bool] = lambda line: True,
        every: float = EVERY,
        streams: bool = True,
        told: Callable[[str], None] = print,
        rng: Random | None = None,
    ) -> None:
        self.client, self.choose, self.joins, self.every, self.told = client, choose, joins, every, told
        self.played = 0
        self._rng, self._run = rng or Random(), secrets.token_hex(4)
        self._news: queue.Queue[Frame] = queue.Queue()
        self._stream = Stream(client.site, client.token, self._news.put) if streams else None
        self._begun: set[int] = set()  # running matches that were looked at
        self._stopped = threading.Event()

    def run(self, until: Callable[[], bool] = lambda: False) -> None:
        """Play until `stop` is called, or `until` says so. Refused when the token is not taken (any more)."""
        if self._stream is not None:
            self._stream.start()
        try:
            while not (self._stopped.is_set() or until()):
                self.look()
                if not self._is_told:
                    self._safely(self._begin_each, "running")
                self._listen(until)
        finally:
            self.stop()

    def stop(self) -> None:
        """Have `run` return after the present move."""
        self._stopped.set()
        if self._stream is not None and threading.current_thread().name != "club-y-stream":
            self._stream.stop()

    def look(self) -> None:
        """Do all that waits for the bot now."""
        try:
            waiting = list(self.client.matches("waiting"))
        except Refused as refusal:
            if refusal.status == 401:
                raise
            self.told(str(refusal))
            return
        except SiteError as error:
            self.told(str(error))
            return
        for line in waiting:
            if self._stopped.is_set():
                return
            self._safely(self._answer if line["invited"] else self._play, line if line["invited"] else line["id"])

    @property
    def _is_told(self) -> bool:
        return self._stream is not None and self._stream.is_on

    def _listen(self, until: Callable[[], bool]) -> None:
        """Do what the stream tells, until it is time to look again."""
        end = time.monotonic() + (SELDOM if self._is_told else self.every)
        while not (self._stopped.is_set() or until()) and (left := end - time.monotonic()) > 0:
            try:
                frame = self._news.get(timeout=min(left, 0.5))
            except queue.Empty:
                continue
            kind = frame.get("type")
            if kind in ("turn", "readiness"):
                self._safely(self._play, frame["match"])
            elif kind == "match" and (frame["state"] or {}).get("status") == "running":
                self._safely(self._begin, frame["match"])
            elif kind in ("invitation", "hello"):
                return  # and look: as lines say of a table what one needs to know before one sits down

    def _safely(self, act: Callable[[Any], None], about: Any) -> None:
        """Do something; what the site refuses of one match keeps no other waiting. Refused for the token's end."""
        try:
            act(about)
        except Refused as refusal:
            if refusal.status == 401:
                raise
            self.told(str(refusal))
        except SiteError as error:
            self.told(str(error))

    def _answer(self, line: Line) -> None:
        """Come to a table to which the bot is invited, or decline."""
        if self.joins(line):
            self._play(self.client.join(line["id"], commitment=line["commitment"])["id"])
        else:
            self.client.decline(line["id"])

    def _begin_each(self, state: str) -> None:
        for line in list(self.client.matches(state)):
            self._begin(line["id"])

    def _begin(self, match_id: int) -> None:
        """Open the bot's part of the dice of a match that runs, though others move first."""
        if match_id not in self._begun:
            self.client.open_dice(self.client.table(match_id))
            self._begun.add(match_id)

    def _play(self, match_id: int) -> None:
        """Answer what the bot is asked in a match, as long as it is."""
        table = self.client.table(match_id)
        if table["ready_by"] is not None:
            self.client.here(match_id)
            table = self.client.table(match_id)
        asked, tried = None, 0
        while table["ask"] is not None and not (table["paused"] or self._stopped.is_set()):
            tried = tried + 1 if table["ask"] == asked else 0
            asked = table["ask"]
            if tried >= TRIES:
                self.told(f"match {match_id}: no move found for question {asked}")
                return
            table = self._moved(match_id, table, tried)

    def _moved(self, match_id: int, table: Table, tried: int) -> Table:
        """Make a move; return the table then. What the rules refuse, or comes too late, changes nothing."""
        move = self._chosen(table, tried)
        try:
            after = self.client.move(match_id, table["ask"], move, f"{self._run}-{table['ask']}-{tried}")
        except Refused as refusal:
            if refusal.is_illegal:
                self.told(f"match {match_id}: {move} is refused: {refusal}")
            elif refusal.code != STALE:
                raise
            return self.client.table(match_id)
        self.played += 1
        return after

    def _chosen(self, table: Table, tried: int) -> Move:
        choose = self.choose if callable(self.choose) else self.choose.get(table["game"])
        if choose is not None and tried < OWN_TRIES:
            try:
                return choose(table)
            except Exception as error:
                self.told(f"match {table['id']}: {type(error).__name__}: {error}")
        return random_move(table["view"]["prompt"], self._rng)
