"""A program that hears its stream in a test."""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator

from accounts.models import User
from config.asgi import application
from games.api.services import tokens

in_thread = sync_to_async(thread_sensitive=True)
SECONDS = 5.0


@in_thread
def token_of(person: User, scopes: Sequence[str] = ("read",), **more: Any) -> str:
    name = f"token {person.api_tokens.count() + 1}"
    given = {"ends_at": None} | more
    return tokens.issue(user=person, name=name, scopes=scopes, **given)[1]


class Heard:
    """A connection to a stream: what it is told."""

    def __init__(self, secret: str | None, query: str = "", **headers: str) -> None:
        told = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        if secret is not None:
            told.append((b"authorization", f"Bearer {secret}".encode()))
        self.socket = WebsocketCommunicator(application, f"/api/v1/stream?{query}", [(b"host", b"localhost"), *told])
        self.last = 0
        self.hello: dict[str, Any] = {}

    async def greeted(self) -> dict[str, Any]:
        """Return the greeting."""
        assert (await self.socket.connect(timeout=SECONDS))[0]
        self.hello = await self.next()
        assert self.hello["type"] == "hello", self.hello
        return self.hello

    async def next(self, timeout: float = SECONDS) -> dict[str, Any]:
        """Return the next frame that is no beat."""
        while True:
            message = await self.socket.receive_output(timeout=timeout)
            assert message["type"] == "websocket.send", message
            said: dict[str, Any] = json.loads(message["text"])
            if said["type"] != "beat":
                assert said.get("number", self.last) >= self.last or said["type"] == "end"
                self.last = said.get("number", self.last) if said["type"] != "hello" else self.last
                return said

    async def event(self, kind: str) -> dict[str, Any]:
        """Return the next event, which is of this type."""
        said = await self.next()
        assert said["type"] == kind, said
        return said

    async def until(self, kind: str) -> dict[str, Any]:
        """Return the next event of this type."""
        while (said := await self.next())["type"] != kind:
            pass
        return said

    async def quiet(self, seconds: float = 0.4) -> None:
        """Check that nothing comes."""
        assert await self.socket.receive_nothing(timeout=seconds), await self.next()

    async def ended(self) -> tuple[str, int]:
        """Return by which code it ends, in words and number, whatever comes before."""
        code = ""
        while True:
            message = await self.socket.receive_output(timeout=SECONDS)
            if message["type"] == "websocket.close":
                return code, message["code"]
            if message["type"] == "websocket.send" and (said := json.loads(message["text"]))["type"] == "end":
                assert said["detail"]
                code = said["code"]


@asynccontextmanager
async def stream(person: User | str | None, query: str = "", **headers: str) -> AsyncIterator[Heard]:
    """A connection that has been greeted, to the stream of a token of this person, or of this token."""
    secret = await token_of(person) if isinstance(person, User) else person
    heard = Heard(secret, query, **headers)
    try:
        await heard.greeted()
        yield heard
    finally:
        await heard.socket.disconnect()
