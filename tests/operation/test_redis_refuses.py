"""Redis that is full, read-only or wants another password: pages and moves go on, the rest waits and comes back."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from redis import Redis
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import connect

from games.models import Turn
from tests.factories import asked, member, seated, session_of
from tests.processes import Process, Site, get, redis_process, wait_until

pytestmark = pytest.mark.operation

CSRF = "b" * 32
TROUBLES = {
    "full": ([["CONFIG", "SET", "maxmemory", "1"], ["CONFIG", "SET", "maxmemory-policy", "noeviction"]], "OutOfMemory"),
    "read-only": ([["REPLICAOF", "127.0.0.1", "1"]], "ReadOnly"),
    "password": ([["CONFIG", "SET", "requirepass", "other"], ["CLIENT", "KILL", "SKIPME", "yes"]], "Authentication"),
}
WELL = [
    ["CONFIG", "SET", "requirepass", ""],
    ["REPLICAOF", "NO", "ONE"],
    ["CONFIG", "SET", "maxmemory", "0"],
]


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[Redis]:
    process = redis_process(tmp_path)
    process.start()
    client = Redis.from_url(f"unix://{tmp_path}/redis.sock")
    client.ping()
    yield client
    client.close()
    process.stop()


def test_pages_and_moves_go_on_and_all_comes_back(
    new_site: Callable[..., Site], own_redis: Redis, tmp_path: Path
) -> None:
    site = new_site(REDIS_URL=f"unix://{tmp_path}/redis.sock")
    site.web.start()
    site.worker.start()

    def report() -> dict[str, object]:
        return json.loads(get(f"{site.url}/healthz")[1] or b"{}")

    wait_until(lambda: report().get("beat") == "ok", "a heartbeat")
    ann, bob = member("ann"), member("bob")
    visitor = httpx.Client(base_url=site.url, cookies={"csrftoken": CSRF}, headers={"X-CSRFToken": CSRF}, timeout=20)
    own_redis.execute_command("CLIENT", "NO-EVICT", "ON")
    for commands, error in TROUBLES.values():
        match = seated(ann, bob)
        mover = asked(match)
        cookies = session_of(mover.user) | {"csrftoken": CSRF}
        movers = httpx.Client(
            base_url=site.url, cookies=cookies, headers={"X-CSRFToken": CSRF, "X-Live": "1"}, timeout=20
        )
        try:
            for command in commands:
                own_redis.execute_command(*command)
            for path in ("/", "/matches/", f"/matches/{match.pk}/", "/leaderboards/yum-extra/", "/settings/"):
                assert movers.get(path).status_code == 200, path
            fields = {"ask": mover.ask, "key": "k" * 32, "move": json.dumps({"type": "roll"})}
            assert movers.post(f"/matches/{match.pk}/move/", data=fields).status_code == 200
            assert Turn.objects.filter(match=match).exists()
            for path, data in (
                ("login/", {"login": "ann", "password": "x"}),
                ("password/reset/", {"email": "a@b.example"}),
            ):
                answer = visitor.post(f"/accounts/{path}", data=data)
                assert (answer.status_code, "Not possible at the moment" in answer.text) == (503, True), path
            said = report()
            assert str(said["redis"]).startswith(f"fails: {error}")
            assert "beat" not in said  # the worker is not to blame
            assert site.worker.running
        finally:
            for command in WELL:
                own_redis.execute_command(*command)
        wait_until(lambda: report().get("beat") == "ok" and float(str(report()["beat_age_s"])) < 5, "tasks again")
        assert site.worker.running
        assert "Traceback" not in site.web.output()
        assert visitor.post("/accounts/login/", data={"login": "ann", "password": "wrong"}).status_code == 200


@pytest.mark.usefixtures("transactional_db")
def test_a_socket_that_knocks_while_redis_is_away_is_no_error(site: Site, redis: Process) -> None:
    """It is closed, and its page knocks again: a line and no traceback, as there are as many as open pages."""
    address = f"ws://localhost:{site.port}/ws/"
    knocks = {
        "origin": site.url,
        "additional_headers": {
            "Cookie": "; ".join(f"{name}={value}" for name, value in session_of(member("ann")).items())
        },
    }

    def greeted() -> bool:
        try:
            with connect(address, **knocks) as socket:
                return "build" in str(socket.recv(5))
        except (InvalidHandshake, ConnectionClosed):
            return False

    wait_until(greeted, "a greeting")
    before = len(site.web.output())
    redis.kill()
    try:
        assert not greeted()
    finally:
        redis.start()
    wait_until(greeted, "a greeting again")
    lines = [json.loads(line) for line in site.web.output()[before:].splitlines()]
    assert [line["traceback"] for line in lines if line["event"] == "socket failed"] == []
    wait_until(greeted, "a socket")
