"""The line of an open page, which tests may cut, hold or refuse."""

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page


class Line:
    """The sockets of a page: they carry what is said, nothing any more, or are refused."""

    def __init__(self, page: Page) -> None:
        self.is_dead, self.is_refused, self.opened = False, False, 0
        self.changed: Callable[[str | bytes], str | bytes] = lambda said: said  # what the server says
        self.said: list[dict[str, Any]] = []
        self.change: Callable[[dict[str, Any]], None] = lambda _said: None  # what the page says, before it is sent
        self.held: list[tuple[Any, str | bytes]] | None = None  # what the server said, while a list
        page.route_web_socket("**/ws/**", self.route)

    def route(self, socket: Any) -> None:
        if self.is_refused:
            socket.close()
            return
        self.opened += 1
        server = socket.connect_to_server()
        number = self.opened

        def send(said: str) -> None:
            said = self.sent(said)
            if not self.is_cut(number):
                server.send(said)

        socket.on_message(send)
        server.on_message(lambda said: self.is_cut(number) or self.hear(socket, said))

    def sent(self, text: str) -> str:
        """Note what the page says; return it as it is sent."""
        said = json.loads(text)
        self.change(said)
        self.said.append(said)
        return json.dumps(said)

    def hear(self, socket: Any, said: str | bytes) -> None:
        """Pass on what the server said, or hold it."""
        said = self.changed(said)
        if self.held is None:
            socket.send(said)
        else:
            self.held.append((socket, said))

    def let_go(self) -> None:
        """Pass on what was held."""
        held, self.held = self.held or [], None
        for socket, said in held:
            socket.send(said)

    @property
    def moves(self) -> list[str]:
        """Return the forms of the moves that were sent."""
        return [said["form"] for said in self.said if "form" in said]

    def is_cut(self, number: int) -> bool:
        return self.is_dead and number == 1


def with_line(page: Page) -> None:
    page.clock.install()
    page.line = Line(page)
