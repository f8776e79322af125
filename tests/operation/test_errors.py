"""Errors are counted by kind and route, told once, and go to Sentry without anybody in them."""

import gzip
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import brotli
import pytest
import structlog
from pytest_django.fixtures import Settings

from accounts.models import User
from config.lib import error_counts, redis
from config.lib.error_counts import last_day, note
from config.lib.version import VERSION
from games.services.operation import admin_actions
from tests.clocks import Clock
from tests.factories import browser_of
from tests.mailing import deliver
from tests.operation.test_logs import as_it_was, configure  # noqa: F401
from tests.processes import Process, Site, get, wait_until

HOUR = 3600


@pytest.fixture(autouse=True)
def none_yet() -> None:
    redis.client(redis.address(redis.CACHE)).flushdb()


def test_errors_are_counted_by_kind_and_route(clock: Clock) -> None:
    for number in range(3):
        note("ValueError at games/tasks.py:1", "/matches/", f"number-{number}")
        clock.forward(HOUR)
    note("KeyError", "games.tasks.beat", "last")
    first, second = last_day()
    assert (first.kind, first.route, first.count, first.request_id) == ("KeyError", "games.tasks.beat", 1, "last")
    assert (second.count, second.request_id) == (3, "number-2")
    assert (second.last - second.first).total_seconds() == pytest.approx(2 * HOUR, abs=60)
    clock.forward(22 * HOUR)
    assert [error.count for error in last_day()] == [1, 1]
    clock.forward(2 * HOUR)
    assert last_day() == []


def test_their_number_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(error_counts, "MOST_KINDS", 10)
    for number in range(30):
        note(f"Error{number}", "/", "")
    note("Error3", "/", "")
    found = {error.kind: error.count for error in last_day()}
    assert len(found) <= 11
    assert sum(found.values()) == 31
    assert found["Error3"] == 2


def test_a_line_with_a_traceback_is_counted_and_one_of_less_is_not() -> None:
    configure()
    log = structlog.get_logger("here")
    for tell in (log.warning, log.exception):
        try:
            raise LookupError("ann@example.org")
        except LookupError:
            tell("failed", exc_info=True)
    wait_until(last_day, "the count")
    [error] = last_day()
    assert error.kind.startswith("LookupError at tests/operation/test_errors.py:")
    assert error.count == 1


def test_admins_are_told_once(root: User, settings: Settings, clock: Clock) -> None:
    settings.ALARM_ADDRESSES = ["ops@example.org"]
    assert admin_actions.tell_of_errors() == 0
    note("ValueError at games/tasks.py:1", "/matches/<int:match_id>/", "abc123")
    assert admin_actions.tell_of_errors() == 2
    for _ in range(20):
        note("ValueError at games/tasks.py:1", "/matches/<int:match_id>/", "abc124")
        assert admin_actions.tell_of_errors() == 0
    mails = deliver()
    assert sorted(mail.to[0] for mail in mails) == ["ops@example.org", root.email]
    assert {mail.subject for mail in mails} == {"1 new error"}
    for words in ("ValueError at games/tasks.py:1", "abc123", "/admin/operation/"):
        assert all(words in mail.body and words in mail.alternatives[0].content for mail in mails)
    note("KeyError", "", "")  # within the hour: told after it
    assert admin_actions.tell_of_errors() == 0


def test_the_operation_page_lists_them(root: User) -> None:
    note("ValueError at games/tasks.py:1", "/matches/<int:match_id>/", "abc123")
    page = browser_of(root).get("/admin/operation/").content.decode()
    for words in ("ValueError at games/tasks.py:1", "/matches/&lt;int:match_id&gt;/", "abc123"):
        assert words in page


class Sentry(HTTPServer):
    """Takes what is sent to Sentry."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        super().__init__(("127.0.0.1", 0), Taking)


class Taking(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        unpack = {"gzip": gzip.decompress, "br": brotli.decompress}.get(self.headers.get("Content-Encoding"), bytes)
        self.server.taken.append(unpack(body).decode())
        self.send_response(200)
        self.end_headers()

    def log_message(self, *words: object) -> None:
        """Say nothing."""


@pytest.fixture
def sentry() -> Iterator[Sentry]:
    server = Sentry()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def test_sentry_hears_of_an_error_and_of_nobody(new_site: Callable[..., Site], sentry: Sentry, redis: Process) -> None:
    site = new_site(SENTRY_DSN=f"http://publickey@127.0.0.1:{sentry.server_port}/1", BUILD="b7")
    site.web.command = [site.web.command[0], "-m", "tests.operation.failing"]
    site.web.start()
    assert get(f"{site.url}/fails/secret?who=ann")[0] == 500
    wait_until(lambda: sentry.taken, "the event")
    event = json.loads(sentry.taken[0].splitlines()[2])
    assert event["transaction"] == event["tags"]["route"] == "/fails/<str:secret>"
    assert event["tags"]["request_id"] in site.web.output()
    assert event["release"] == f"club-y@{VERSION}+b7"
    [error] = event["exception"]["values"]
    assert error["type"] == "ValueError"
    frames = error["stacktrace"]["frames"]
    assert frames[-1]["function"] == "fails" and all("vars" not in frame for frame in frames)
    for name in ("request", "user", "breadcrumbs", "extra", "contexts", "server_name", "modules"):
        assert name not in event
    for words in ("who=ann", "localhost", "127.0.0.1", "no good: ann"):
        assert words not in json.dumps([error["type"], event["tags"], event["transaction"]]), words
    assert "/fails/secret" not in sentry.taken[0] and "who=ann" not in sentry.taken[0]
