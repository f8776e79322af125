"""Streams of a real web server: how it parts with them, and who does not read."""

import json
import socket
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from accounts.models import User
from games.api.services import tokens
from games.models import ChatLine
from tests.factories import seated
from tests.processes import Process, Site, wait_until

pytestmark = pytest.mark.django_db(transaction=True)


def secret_of(person: User) -> str:
    return tokens.issue(user=person, name=f"t{person.api_tokens.count()}", scopes=["read"], ends_at=None)[1]


def come(site: Site, secret: str, query: str = "", **more: Any) -> ClientConnection:
    address = f"{site.url.replace('http', 'ws')}/api/v1/stream?{query}"
    return connect(address, additional_headers={"Authorization": f"Bearer {secret}"}, **more)


def end_of(heard: ClientConnection) -> tuple[str, int]:
    """Return why it ends, in words and number."""
    why = ""
    try:
        while True:
            said = json.loads(heard.recv(timeout=15))
            why = said["code"] if said["type"] == "end" else why
    except ConnectionClosed as closed:
        assert closed.rcvd is not None
        return why, closed.rcvd.code


def test_a_server_that_goes_and_a_redis_that_is_away_say_come_again(
    ann: User, bob: User, new_site: Callable[..., Site], redis: Process
) -> None:
    match, secret = seated(ann, bob), secret_of(ann)
    site = new_site()
    site.web.start()
    heard = come(site, secret)
    assert json.loads(heard.recv(timeout=10))["type"] == "hello"
    last = json.loads(heard.recv(timeout=10))["number"]
    redis.kill()
    try:
        assert end_of(heard) == ("come_again", 4503)
        assert end_of(come(site, secret)) == ("come_again", 4503)
    finally:
        redis.start()
    ChatLine.objects.create(match=match, channel="players", user=bob, text="meanwhile")

    def is_back() -> bool:
        heard = come(site, secret, f"after={last}")
        try:
            return bool(json.loads(heard.recv(timeout=10))["type"] == "hello")
        except ConnectionClosed:  # not yet: come again
            return False
        finally:
            heard.close()

    wait_until(is_back, "the stream", 30)
    heard = come(site, secret, f"after={last}")
    told = [json.loads(heard.recv(timeout=10)) for _ in range(2)]
    assert [one["type"] for one in told] == ["hello", "chat"]
    site.web.stop()
    assert end_of(heard) == ("come_again", 4503)


def test_who_does_not_read_is_not_kept(ann: User, bob: User, new_site: Callable[..., Site]) -> None:
    """A program that reads nothing is sent what fits, and costs no memory beyond."""
    secret = secret_of(ann)
    for _ in range(30):
        seated(ann, bob, game_slug="yay")
    site = new_site()
    site.web.start()
    plain = socket.create_connection(("localhost", site.port))
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13"
    plain.sendall(
        f"GET /api/v1/stream?tables=1 HTTP/1.1\r\nHost: localhost:{site.port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\n{key}\r\nAuthorization: Bearer {secret}\r\n\r\n".encode()
    )
    time.sleep(3)
    heard = come(site, secret_of(bob), max_size=None)  # another is served meanwhile
    told = [json.loads(heard.recv(timeout=10)) for _ in range(31)]
    assert [one["type"] for one in told].count("hello") == 1
    plain.close()
    heard.close()


def test_a_plain_get_is_told_what_stands_there(site: Site) -> None:
    """By the web server itself, which upgrades connections at this address."""
    answer = httpx.get(f"{site.url}/api/v1/stream", timeout=10)
    assert (answer.status_code, answer.json()["code"]) == (426, "upgrade_required")
    assert answer.headers["Upgrade"] == "websocket" and answer.headers["Content-Type"] == "application/problem+json"
