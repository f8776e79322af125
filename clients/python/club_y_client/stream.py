"""The site's stream (docs/spec/streams.md): what concerns a program is told as it happens, and nothing is lost."""

import contextlib
import json
import random
import threading
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI
from websockets.sync.client import ClientConnection, connect

Frame = dict[str, Any]

SILENCE = 20.0  # seconds after which a connection is taken for broken
LONGEST_PAUSE = 60.0
BROKEN = (ConnectionClosed, InvalidHandshake, InvalidURI, OSError, TimeoutError, ValueError)


class Stream:
    """Listens in a thread of its own, and goes on after each break where it was; `told` gets each frame there.

    `is_on` is whether it hears the site now. Where the site says that coming again is of no use, it stays off.
    """

    def __init__(self, site: str, token: str, told: Callable[[Frame], None]) -> None:
        self.is_on = False
        self._address = site.rstrip("/").replace("http", "ws", 1) + "/api/v1/stream"
        self._headers, self._told = {"Authorization": f"Bearer {token}"}, told
        self._after: int | None = None
        self._stopped = threading.Event()
        self._open: ClientConnection | None = None
        self._thread = threading.Thread(target=self._listen, name="club-y-stream", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def stop(self) -> None:
        """Listen no more."""
        self._stopped.set()
        if (there := self._open) is not None:
            with contextlib.suppress(*BROKEN):
                there.close()
        self._thread.join(5)

    def _listen(self) -> None:
        failed = 0
        while not self._stopped.is_set():
            again: float | None = min(LONGEST_PAUSE, 2.0**failed)
            with contextlib.suppress(*BROKEN):
                again = self._heard(again)
            failed = 0 if self.is_on else min(failed + 1, 10)
            self.is_on, self._open = False, None
            if again is None:
                return
            self._stopped.wait(again * (0.5 + random.random()))

    def _heard(self, again: float | None) -> float | None:
        """Pass on what is heard until the connection ends; return after how many seconds to come back."""
        wanted = "" if self._after is None else "?" + urlencode({"after": self._after})
        with connect(self._address + wanted, additional_headers=self._headers, open_timeout=15, max_size=None) as there:
            self._open = there
            while not self._stopped.is_set():
                try:
                    frame: Frame = json.loads(there.recv(timeout=SILENCE))
                except ConnectionClosed:
                    return again
                if frame.get("type") == "end":
                    wished = frame.get("again")
                    return None if wished is None else float(wished)
                self.is_on = True
                if frame.get("type") == "hello" and frame.get("reset"):
                    self._after = None
                self._told(frame)
                if frame.get("type") != "hello" and isinstance(frame.get("number"), int):
                    self._after = frame["number"]
        return again
