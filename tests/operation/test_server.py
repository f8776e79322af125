"""The web server ends without losing a request, and says when it cannot listen."""

import asyncio
import json
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from urllib.parse import urlencode

import pytest
import websockets
import websockets.sync.client
from django.db import transaction
from redis import Redis

from config.lib import redis
from config.lib.sockets import CHANNEL
from games.broadcast import match_group
from games.models import Heartbeat, Match
from tests.factories import asked, member, seated, session_of
from tests.processes import Process, Site, get, wait_until

pytestmark = pytest.mark.operation


def test_requests_in_flight_are_answered(new_site: Callable[..., Site]) -> None:
    site = new_site(THREADS="8")
    web = site.web
    web.command = [sys.executable, "-m", "tests.operation.slow_server"]
    web.ready = lambda: get(f"{site.url}/where")[0] == 200
    web.start()
    answers: list[tuple[int, bytes]] = []
    askers = [threading.Thread(target=lambda: answers.append(get(f"{site.url}/slow", 15))) for _ in range(8)]
    for asker in askers:
        asker.start()
    wait_until(lambda: web.output().count("slow has begun") == 8, "eight requests in flight")
    web.child.send_signal(signal.SIGTERM)
    for asker in askers:
        asker.join()
    assert [(status, len(body)) for status, body in answers] == [(200, 400_000)] * 8
    assert web.child.wait(5) == 0


def test_killed_server_starts_again_on_the_same_port(new_site: Callable[..., Site]) -> None:
    site = new_site()
    site.web.start()
    site.web.kill()
    assert get(f"{site.url}/healthz")[0] == 0
    site.web.start()
    assert get(f"{site.url}/healthz")[0] in (200, 503)


@pytest.mark.both
def test_its_heart_beats(new_site: Callable[..., Site]) -> None:
    """Not once, as it opens, but on and on: without it nobody is ever timed out."""
    site = new_site()
    site.web.start()
    first = Heartbeat.objects.get(name="web").at
    wait_until(lambda: Heartbeat.objects.get(name="web").at > first, "a second beat")


async def _open_and_close(site: Site, cookies: list[str], number: int) -> tuple[int, int]:
    """Return how many descriptors the server has while so many pages are open, and after they have closed."""

    def descriptors() -> int:
        return len(os.listdir(f"/proc/{site.web.child.pid}/fd"))

    before = descriptors()
    pages = []
    for at in range(number):
        headers = {"Cookie": f"sessionid={cookies[at % len(cookies)]}", "Origin": site.url}
        address = f"ws://localhost:{site.port}/ws/?lobby=1"
        pages.append(await websockets.connect(address, additional_headers=headers))
        await pages[-1].recv()  # its greeting
    most = descriptors() - before
    for page in pages:
        await page.close()
    await asyncio.sleep(1)
    return most, descriptors() - before


def test_an_open_page_is_one_descriptor(new_site: Callable[..., Site]) -> None:
    site = new_site()
    site.web.start()
    get(f"{site.url}/play/")
    cookies = [session_of(member(f"member{n}"))["sessionid"] for n in range(4)]
    while_open, after = asyncio.run(_open_and_close(site, cookies, 80))
    assert 80 <= while_open < 100
    assert after < 20  # those of threads and of the process, to Redis and the database


def test_taken_port_is_a_failure(new_site: Callable[..., Site]) -> None:
    site = new_site()
    with socket.socket() as other:
        other.bind(("127.0.0.1", site.port))
        other.listen()
        server = Process(site.web.command, site.env, site.web.log, lambda: False)
        with pytest.raises(AssertionError, match="ended with 1"):
            server.start()
    wait_until(lambda: not server.running)


@pytest.mark.both
def test_a_move_under_way_on_a_socket_is_made_and_rung(new_site: Callable[..., Site]) -> None:
    """Else pages at another server would not see it before the next one."""
    site = new_site()
    site.web.start()
    match = seated(member("ann"), member("bob"))
    mover = asked(match)
    headers = {"Cookie": f"sessionid={session_of(mover.user)['sessionid']}", "Origin": site.url}
    address = f"ws://localhost:{site.port}/ws/?match={match.pk}&table=1&have={match.version}"
    form = urlencode({"ask": mover.ask, "key": "k", "move": '{"type":"roll"}'})
    with (
        Redis.from_url(redis.address(redis.RINGS)) as client,
        client.pubsub(ignore_subscribe_messages=True) as heard,
        websockets.sync.client.connect(address, additional_headers=headers) as page,
    ):
        while "moves" not in json.loads(page.recv()):
            pass
        heard.subscribe(CHANNEL + match_group(match.pk))
        with transaction.atomic():
            Match.objects.select_for_update().get(pk=match.pk)
            page.send(json.dumps({"move": 1, "form": form}))
            time.sleep(0.5)
            web = site.web.child
            web.send_signal(signal.SIGTERM)
            time.sleep(0.5)
        assert web.wait(8) == 0
        wait_until(lambda: heard.get_message(timeout=0.1), "the ring")
    assert match.log.count() == 1
