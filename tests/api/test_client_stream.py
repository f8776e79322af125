"""The client's stream: it goes on where it was, and stays off where coming again is of no use."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import pytest
from club_y_client import stream
from club_y_client.stream import Stream
from websockets.sync.server import ServerConnection, serve

Say = Callable[[ServerConnection], None]


@contextmanager
def site(*answers: Say) -> Iterator[tuple[str, list[dict]]]:
    """A site whose stream answers each coming-in by the next of these; and what each asked for."""
    came: list[dict] = []
    left = list(answers)

    def answer(there: ServerConnection) -> None:
        wanted = parse_qs(urlsplit(there.request.path).query)
        came.append({"after": wanted.get("after"), "token": there.request.headers["Authorization"]})
        (left.pop(0) if left else (lambda _there: time.sleep(5)))(there)

    with serve(answer, "127.0.0.1", 0) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.socket.getsockname()[1]}", came
        server.shutdown()


def says(*frames: dict) -> Say:
    def say(there: ServerConnection) -> None:
        for frame in frames:
            there.send(json.dumps(frame))

    return say


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch):
    monkeypatch.setattr(stream, "LONGEST_PAUSE", 0.05)


HELLO = {"type": "hello", "number": 40, "reset": False}


def test_it_goes_on_after_the_last_that_it_told():
    told: list[dict] = []
    first = says(HELLO, {"type": "turn", "number": 41, "match": 7}, {"type": "beat", "number": 42})
    with site(first, says(HELLO, {"type": "turn", "number": 43, "match": 7})) as (address, came):
        listening = Stream(address, "cy_x", told.append)
        listening.start()
        until(lambda: len(came) >= 3)
        listening.stop()
    assert [one["after"] for one in came[:3]] == [None, ["42"], ["43"]]
    assert came[0]["token"] == "Bearer cy_x"
    assert [frame["type"] for frame in told] == ["hello", "turn", "beat", "hello", "turn"]


def test_a_reset_forgets():
    with site(says(HELLO, {"type": "turn", "number": 41, "match": 7}), says(HELLO | {"reset": True})) as (
        address,
        came,
    ):
        listening = Stream(address, "cy_x", lambda frame: None)
        listening.start()
        until(lambda: len(came) >= 3)
        listening.stop()
    assert [one["after"] for one in came[:3]] == [None, ["41"], None]


def test_where_coming_again_is_of_no_use_it_stays_off():
    with site(says({"type": "end", "code": "token_ended", "again": None})) as (address, came):
        listening = Stream(address, "cy_x", lambda frame: None)
        listening.start()
        listening._thread.join(5)
        assert not listening._thread.is_alive() and not listening.is_on and len(came) == 1


def test_silence_is_a_broken_connection(monkeypatch):
    monkeypatch.setattr(stream, "SILENCE", 0.1)

    def silent(there: ServerConnection) -> None:
        there.send(json.dumps(HELLO))
        time.sleep(1)

    with site(silent, silent) as (address, came):
        listening = Stream(address, "cy_x", lambda frame: None)
        listening.start()
        until(lambda: len(came) >= 2)
        listening.stop()


def test_a_site_without_a_stream_is_no_trouble():
    listening = Stream("http://127.0.0.1:9", "cy_x", lambda frame: None)
    listening.start()
    time.sleep(0.2)
    assert not listening.is_on
    listening.stop()
