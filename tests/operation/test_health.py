"""/healthz tells what is wrong, in time, whatever is away."""

import json
import socket
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from config.lib import clock as site_clock
from games.models import Heartbeat, MailStop, Sweep
from games.services.mail import fuse
from games.services.operation.site_status import BEAT_LATE_SECONDS
from tests.clocks import Clock
from tests.processes import Process, Site, get, redis_process, wait_until

pytestmark = pytest.mark.both


def health(site: Site) -> tuple[int, dict[str, object]]:
    start = time.monotonic()
    status, body = get(f"{site.url}/healthz")
    assert time.monotonic() - start < 5  # promised: 2, on a machine that does nothing else
    return status, json.loads(body)


def test_well_with_a_worker(site: Site, worker: Process) -> None:
    wait_until(lambda: health(site)[0] == 200, 20, "health")
    report = health(site)[1]
    assert report["ok"] is True
    assert float(str(report["beat_age_s"])) < 30


def test_late_heartbeat(site: Site, worker: Process, clock: Clock) -> None:
    wait_until(lambda: health(site)[0] == 200, 20, "health")
    worker.stop()
    clock.forward(BEAT_LATE_SECONDS + 1)
    status, report = health(site)
    assert status == 503
    assert "no heartbeat" in str(report["beat"])


def test_redis_away_and_back(new_site: Callable[..., Site], tmp_path: Path) -> None:
    redis = redis_process(tmp_path)
    redis.start()
    site = new_site(REDIS_URL=f"unix://{tmp_path}/redis.sock")
    site.web.start()
    redis.kill()
    status, report = health(site)
    assert status == 503
    assert (report["redis"], report["database"]) == ("fails: ConnectionError", "ok")
    redis.start()
    assert health(site)[1]["redis"] == "ok"
    redis.stop()


def test_redis_that_hangs(new_site: Callable[..., Site]) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(50)
        site = new_site(REDIS_URL=f"redis://127.0.0.1:{silent.getsockname()[1]}")
        site.web.start()
        assert health(site)[1]["redis"] != "ok"


def test_database_that_hangs(new_site: Callable[..., Site]) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(50)
        site = new_site(DATABASE_URL=f"postgres://club_y@127.0.0.1:{silent.getsockname()[1]}/club_y")
        site.web.start()
        status, report = health(site)
    assert status == 503
    assert (report["database"], report["redis"]) == ("does not answer", "ok")


def test_the_ages_of_the_databases_heartbeats(site: Site, worker: Process) -> None:
    def both() -> bool:
        return all(health(site)[1].get(f"{part}_age_s") is not None for part in ("web", "sweep"))

    wait_until(both, 40, "a beat and a sweep")
    report = health(site)[1]
    assert 0 <= float(str(report["web_age_s"])) < 60
    assert 0 <= float(str(report["sweep_age_s"])) < 60
    assert (report["web"], report["sweep"], report["fuse"]) == ("ok", "ok", "ok")


def test_a_late_sweep_and_blown_fuses_are_said(site: Site) -> None:
    now = site_clock.now()
    day, late = timedelta(days=1), timedelta(minutes=5, seconds=1)
    Heartbeat.objects.update_or_create(name="web", defaults={"at": now, "since": now - day})
    Heartbeat.objects.update_or_create(name="sweep", defaults={"at": now - late, "since": now - day})
    Sweep.objects.create(due=34, stopped=True)
    MailStop.objects.create(since=now, addresses=5)
    status, report = health(site)
    assert status == 503
    assert "clocks have not been looked at" in str(report["sweep"])
    assert "34 matches are due" in str(report["fuse"])
    assert "5 addresses in a row were refused" in str(report["mail"])
    fuse.release()
    Heartbeat.objects.filter(name="sweep").update(at=now)
    Sweep.objects.update(released_at=now)
    report = health(site)[1]
    assert (report["sweep"], report["fuse"], report["mail"]) == ("ok", "ok", "ok")
