"""/healthz tells what is wrong, in time, whatever is away."""

import json
import os
import re
import resource
import signal
import socket
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.db.migrations.recorder import MigrationRecorder

from config.lib import clock as site_clock
from config.lib.version import VERSION
from games.models import Heartbeat, MailStop, Sweep
from games.services.mail import fuse
from games.services.operation import machine
from games.services.operation.site_status import BEAT_KEY, BEAT_LATE_SECONDS, _redis, heartbeat_age
from tests.clocks import Clock
from tests.processes import Process, Site, children, get, redis_process, wait_until

pytestmark = pytest.mark.operation


def health(site: Site) -> tuple[int, dict[str, object]]:
    start = time.monotonic()
    status, body = get(f"{site.url}/healthz")
    assert time.monotonic() - start < 5  # promised: 2, on a machine that does nothing else
    return status, json.loads(body)


def test_well_with_a_worker(site: Site, worker: Process) -> None:
    wait_until(lambda: health(site)[0] == 200, "health")
    report = health(site)[1]
    assert report["ok"] is True
    assert report["version"] == VERSION
    assert float(str(report["beat_age_s"])) < 30


@pytest.mark.parametrize("who", ["worker", "beat"])
def test_late_heartbeat(site: Site, worker: Process, clock: Clock, who: str) -> None:
    wait_until(lambda: health(site)[0] == 200, "health")
    if who == "beat":
        (beat,) = children(worker.child.pid)
        os.kill(beat, signal.SIGKILL)
    else:
        worker.stop()
    assert BEAT_LATE_SECONDS < 30
    clock.forward(BEAT_LATE_SECONDS + 1)
    status, report = health(site)
    assert status == 503
    assert "no heartbeat" in str(report["beat"])


def test_a_torn_schedule_of_before_does_not_stop_beat(site: Site, worker: Process) -> None:
    worker.stop()
    (site.folder / "beat-schedule").write_bytes(b"torn" * 1000)
    worker.start()
    _redis.delete(BEAT_KEY)  # the first comes of the worker alone
    wait_until(lambda: heartbeat_age() is not None, "a heartbeat of beat")


def test_a_disk_that_takes_nothing(new_site: Callable[..., Site]) -> None:
    site = new_site()
    site.web.start()
    assert health(site)[1]["disk"] == "ok"
    no_byte = (0, resource.RLIM_INFINITY)
    resource.prlimit(site.web.child.pid, resource.RLIMIT_FSIZE, no_byte)
    wait_until(lambda: "cannot be written" in str(health(site)[1]["disk"]), "the alarm")
    assert health(site)[0] == 503
    resource.prlimit(site.web.child.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    wait_until(lambda: health(site)[1]["disk"] == "ok", "the all-clear")
    assert not list(site.folder.glob("trial-*"))


@pytest.mark.both
def test_a_web_server_that_cannot_write_rows_and_a_clock_set_back(site: Site) -> None:
    now = site_clock.now()
    day = timedelta(days=1)
    Heartbeat.objects.update_or_create(name="web", defaults={"at": now + day, "since": now})
    status, report = health(site)
    assert status == 503
    assert "a clock was set back" in str(report["clock"])
    Heartbeat.objects.filter(name="web").update(at=now - timedelta(seconds=26), since=now - day)
    report = health(site)[1]
    assert "can it write to the database?" in str(report["web"])
    assert report["clock"] == "ok"


def test_a_clock_that_was_set_is_told_for_ten_minutes() -> None:
    watch = machine.Clock()
    assert watch.look(redis=None, ages=[None, 3.0]) is None
    watch.offset -= 3600  # as if the clock had been right an hour ago
    assert watch.look(redis=None, ages=[]) == "was set 3600 s forward"
    assert watch.look(redis=None, ages=[]) == "was set 3600 s forward"
    watch.jumped_at -= machine.REMEMBERED
    assert watch.look(redis=None, ages=[]) is None
    assert "behind that of Redis" in str(watch.look(redis=site_clock.machine_seconds() + 60, ages=[]))


def test_a_heartbeat_that_lies_ahead_is_no_sign_of_life(site: Site, worker: Process) -> None:
    wait_until(lambda: health(site)[0] == 200, "health")
    worker.stop()
    now, day = site_clock.now(), timedelta(days=1)
    _redis.set(BEAT_KEY, (now + timedelta(hours=1)).isoformat())
    Heartbeat.objects.update_or_create(name="sweep", defaults={"at": now + day, "since": now - day})
    report = health(site)[1]
    assert "no heartbeat" in str(report["beat"])
    assert report["sweep"] != "ok"
    assert "a clock was set back" in str(report["clock"])


def test_live_and_ready_ask_for_no_worker(site: Site) -> None:
    assert health(site)[1]["beat"] != "ok"
    assert get(f"{site.url}/livez") == (200, b'{"ok": true}')
    assert get(f"{site.url}/readyz") == (200, b'{"ok": true, "database": "ok", "pages": "ok"}')
    assert not re.search(r"livez|readyz|healthz", site.web.output())


@pytest.mark.both
def test_a_database_that_is_not_migrated_is_not_ready(site: Site) -> None:
    last = MigrationRecorder.Migration.objects.filter(app="games").order_by("-name").first()
    last.delete()
    status, body = get(f"{site.url}/readyz")
    assert (status, json.loads(body)["database"]) == (503, f"not migrated: games.{last.name}")
    last.save(force_insert=True)
    assert get(f"{site.url}/readyz")[0] == 200


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
        live, ready = get(f"{site.url}/livez")[0], get(f"{site.url}/readyz")
    assert status == 503
    assert (report["database"], report["redis"]) == ("does not answer", "ok")
    assert (live, ready[0], b"does not answer" in ready[1]) == (200, 503, True)


@pytest.mark.both
def test_the_ages_of_the_databases_heartbeats(site: Site, worker: Process) -> None:
    def both() -> bool:
        return all(health(site)[1].get(f"{part}_age_s") is not None for part in ("web", "sweep"))

    wait_until(both, "a beat and a sweep", 90)
    report = health(site)[1]
    assert 0 <= float(str(report["web_age_s"])) < 60
    assert 0 <= float(str(report["sweep_age_s"])) < 60
    assert (report["web"], report["sweep"], report["fuse"]) == ("ok", "ok", "ok")


@pytest.mark.both
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
