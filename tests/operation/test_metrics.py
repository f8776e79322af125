"""/metrics: who may read it, what it tells, that it names nobody, and that the dashboard asks for what there is."""

import json
import re
from datetime import timedelta
from ipaddress import ip_network
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django.fixtures import Settings

from accounts.models import User
from config.lib import clock as site_clock
from config.lib import metrics as counts
from config.lib import redis
from games.models import Mail, MailStop, Outage
from games.services.operation import metrics, site_status
from tests.factories import browser_of, seated
from tests.games.operation.pages import run_out, swept
from tests.processes import Process, Site, get, wait_until

ROOT = Path(__file__).resolve().parents[2]
DASHBOARD = ROOT / "docs" / "grafana" / "club-y.json"
TOKENS = re.compile(rb'(?:value|content|data-\w+)="[^"]*"')
LINE = re.compile(r"(\w+)(?:\{(.*)\})? ([-+.e\d]+|NaN|\+Inf)")


@pytest.fixture(autouse=True)
def from_nothing() -> None:
    counts._counts.clear()
    redis.client(redis.address(redis.CACHE)).delete(counts.KEY)
    metrics._rows.looked_at = -metrics.FRESH_SECONDS


def told() -> dict[str, float]:
    """Return each figure by its name and labels."""
    lines = [line for line in metrics.text().decode().splitlines() if not line.startswith("#")]
    return {f"{name}{{{labels}}}" if labels else name: float(value) for name, labels, value in map(parts, lines)}


def parts(line: str) -> tuple[str, str, str]:
    found = LINE.fullmatch(line)
    assert found, line
    return found.group(1), found.group(2) or "", found.group(3)


@pytest.mark.thin(5)
@pytest.mark.parametrize(
    ("address", "proxies", "headers", "status"),
    [
        ("127.0.0.1", 0, {}, 200),
        ("127.4.0.1", 0, {}, 200),
        ("::1", 0, {}, 200),
        ("::ffff:127.0.0.1", 0, {}, 200),
        ("192.0.2.7", 0, {}, 404),
        ("192.0.2.7", 0, {"X-Forwarded-For": "127.0.0.1"}, 404),
        ("127.0.0.1", 0, {"X-Forwarded-For": "127.0.0.1"}, 404),  # a proxy that nobody trusts
        ("127.0.0.1", 0, {"Via": "1.1 proxy"}, 404),
        ("127.0.0.1", 1, {"X-Forwarded-For": "192.0.2.7"}, 404),
        ("127.0.0.1", 1, {"X-Forwarded-For": "127.0.0.1, 192.0.2.7"}, 404),
        ("192.0.2.7", 1, {"X-Forwarded-For": "192.0.2.7, 127.0.0.1"}, 200),
        ("127.0.0.1", 2, {"X-Forwarded-For": "192.0.2.7"}, 404),
        ("127.0.0.1", 1, {}, 200),  # by no proxy
        ("127.0.0.1", 1, {"X-Forwarded-For": ""}, 404),  # by one that names nobody
        ("127.0.0.1", 1, {"X-Forwarded-For": "192.0.2.7,"}, 404),
        ("127.0.0.1", 1, {"X-Forwarded-For": "127.0.0.1,"}, 404),
        ("127.0.0.1", 2, {"X-Forwarded-For": "127.0.0.1,,"}, 404),
    ],
)
def test_loopback_alone_may_ask(
    db: None, settings: Settings, address: str, proxies: int, headers: dict[str, str], status: int
) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    answer = Client().get("/metrics", headers=headers, REMOTE_ADDR=address)
    assert answer.status_code == status
    posted = Client().post("/metrics", headers=headers, REMOTE_ADDR=address)
    assert posted.status_code == (404 if status == 404 else 405)
    nowhere = Client().get("/nowhere", headers=headers, REMOTE_ADDR=address)
    assert (TOKENS.sub(b"", answer.content) == TOKENS.sub(b"", nowhere.content)) is (status == 404)


def test_networks_of_the_operator(db: None, settings: Settings) -> None:
    settings.METRICS_ALLOWED = [ip_network("10.1.0.0/16"), ip_network("2001:db8::/32")]
    asked = {where: Client().get("/metrics", REMOTE_ADDR=where).status_code for where in ("10.1.2.3", "2001:db8::9")}
    assert set(asked.values()) == {200}
    assert Client().get("/metrics", REMOTE_ADDR="127.0.0.1").status_code == 404


@pytest.mark.outgrown
def test_what_is_told(ann: User, bob: User, django_capture_on_commit_callbacks: object) -> None:
    match = seated(ann, bob)
    now = site_clock.now()
    Outage.objects.create(part="web", start=now - timedelta(minutes=10), end=now)
    Mail.objects.create(user=ann, kind="turn")
    Mail.objects.create(user=ann, kind="turn", state=Mail.State.SENT)
    MailStop.objects.create(since=now, addresses=5)
    run_out(match)
    found = told()
    assert found['club_matches{status="running"}'] == 1
    assert found["club_clocks_due"] == found["club_clocks_late"] == 1
    assert found['club_mails{state="waiting"}'] == 1 and found['club_mails{state="handed"}'] == 0
    assert found['club_outage_seconds{part="web"}'] == 600
    assert (found['club_fuse_blown{fuse="mails"}'], found['club_fuse_blown{fuse="clocks"}']) == (1, 0)
    assert found["club_database_bytes"] > 100_000
    assert found["club_redis_bytes"] > 100_000
    assert found['club_queue_length{queue="celery"}'] >= 0
    assert found["process_cpu_seconds_total"] > 0 and found["process_resident_memory_bytes"] > 1e6
    text = metrics.text().decode()
    assert not re.search(rf"\bann\b|\bbob\b|match[^e]*\"{match.pk}\"|example\.org", text)


@pytest.mark.outgrown
def test_a_move_a_time_out_and_a_mail_are_counted(ann: User, bob: User, hours: object) -> None:
    run_out(seated(ann, bob))
    with CaptureQueriesContext(connection):
        swept()
    counts.count("club_moves", "yay", "person", number=3)
    found = told()
    assert found["club_sweeps_total"] == 1
    assert found['club_moves_total{by="person",game="yay"}'] == 3


@pytest.mark.outgrown
def test_looks_are_few(db: None) -> None:
    with CaptureQueriesContext(connection) as first:
        metrics.text()
    assert 0 < len(first) < 20
    with CaptureQueriesContext(connection) as second:
        metrics.text()
    assert len(second) == 0


@pytest.mark.outgrown
def test_each_look_reads_an_index(ann: User, bob: User) -> None:
    """With many rows: a planner reads a table of a few from its begin."""
    seated(ann, bob)
    if connection.vendor == "postgresql":
        connection.cursor().execute("SET LOCAL enable_seqscan = off")
    now = site_clock.now()
    queries = {
        "match_lobby": metrics.Match.objects.filter(status="running").order_by()[:9],
        "seat_due": metrics._ran_out().filter(deadline__lte=now).order_by()[:9],
    }
    for index, query in queries.items():
        plan = query.explain()
        assert index in plan or ("Index" in plan and "Seq Scan" not in plan), index
    with connection.cursor() as cursor:
        cursor.execute(("EXPLAIN " if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN ") + metrics.MAILS)
        assert "letter_underway" in str(cursor.fetchall())


def test_requests_by_route(db: None) -> None:
    before = told().get('club_requests_total{method="GET",route="/play/",status="200"}', 0)
    Client().get("/play/?whispered=1")
    Client().generic("BREW", "/play/")
    found = told()
    assert found['club_requests_total{method="GET",route="/play/",status="200"}'] == before + 1
    assert found['club_requests_total{method="other",route="/play/",status="405"}'] >= 1
    assert found['club_request_seconds_count{route="/play/"}'] >= 2
    assert "whispered" not in metrics.text().decode()


def test_counts_wait_while_redis_is_away(db: None, redis: Process) -> None:
    counts.count("club_moves", "yay", "bot")
    redis.kill()
    counts.flush(at_once=True)
    redis.start()
    assert told()['club_moves_total{by="bot",game="yay"}'] == 1


@pytest.mark.thin(0)
def test_what_web_server_and_worker_count_comes_together(site: Site, worker: Process) -> None:
    def told() -> str:
        return get(f"{site.url}/metrics")[1].decode()

    def asked() -> int:
        """Return how often: other tests may have asked this web server."""
        found = re.search(r'^club_requests_total\{method="GET",route="/play/",status="200"\} (\d+)', told(), re.M)
        return int(found[1]) if found else 0

    before = asked()
    get(f"{site.url}/play/")
    wait_until(lambda: re.search(r"^club_sweeps_total [1-9]", told(), re.M), "a sweep of the worker")
    page = told()
    assert asked() == before + 1
    assert re.search(r"^club_beat_age_seconds [\d.]+$", page, re.M)
    assert re.search(r'^club_answers_total{status="2xx"} [1-9]', page, re.M)
    wait_until(lambda: "club_sockets 0.0" in told(), "the end of the sockets of tests before")
    assert "# TYPE club_request_seconds histogram" in page


def queries() -> list[str]:
    def inside(value: object) -> list[str]:
        if isinstance(value, list):
            return [found for one in value for found in inside(one)]
        if isinstance(value, dict):
            own = [value["expr"]] if "expr" in value else []
            return own + [found for one in value.values() for found in inside(one)]
        return []

    return inside(json.loads(DASHBOARD.read_text()))


def test_the_dashboard_asks_for_what_there_is(db: None, root: User) -> None:
    for name, (_words, labels) in counts.COUNTS.items():
        counts.count(name, *("x" for _label in labels))
    site_status.beat()
    browser_of(root).get("/play/")
    text = metrics.text().decode()
    there = set(re.findall(r"^(\w+)(?:\{.*\})? ", text, re.M))
    asked = {name for query in queries() for name in re.findall(r"\b(?:club|process)_\w+", query)}
    assert len(queries()) > 12
    assert asked - there == set()
    labels = {
        label for query in queries() for group in re.findall(r"by \(([\w, ]+)\)", query) for label in group.split(", ")
    }
    assert labels - set(re.findall(r"[{,](\w+)=\"", text)) - {"instance"} == set()
    ours = {name.removesuffix("_created") for name in there if name.startswith("club_")}
    shown = {name for name in ours if not name.endswith(("_sum", "_count"))} - {"club_request_seconds", "club_requests"}
    assert shown - asked - {"club_database_up", "club_redis_up"} == set()
