"""Passwords and keys are in no log, no mail and no page, whatever fails: planted in real processes and searched for."""

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
import websockets
from django.conf import settings
from redis import Redis

from config.lib import masking
from config.reports import Report
from tests.processes import ROOT, Process, Site, get, redis_answers, redis_process, wait_until

pytestmark = pytest.mark.operation

NAMES = ("database", "redis", "mail", "key", "webhook", "anymail", "authenticator")
PLANTED = {name: f"planted-{name}/50%#?-Zq9" for name in NAMES}
PLANTED["authenticator"] = "cGxhbnRlZC1hdXRoZW50aWNhdG9yLWtleS0wMTIzNDU="
ASK = f"import config.celery; from tests.operation.failing import fails; fails.delay({PLANTED['key']!r})"
TRACE = re.compile(r"planted-|cGxhbnRlZC1")  # not even a part of one


def of(name: str) -> str:
    """Return a planted secret as it stands in an address."""
    return quote(PLANTED[name], safe="")


def variables(folder: Path, **more: str) -> dict[str, str]:
    """Return variables that all hold a secret; each service that they name refuses it."""
    return {
        "VAR_DIR": str(folder / "var"),
        "REDIS_URL": f"unix://{folder}/redis.sock?password={of('redis')}",
        "EMAIL_URL": f"smtp://planted%40example.org:{of('mail')}@127.0.0.1:9",
        "SECRET_KEY": PLANTED["key"],
        "MAIL_WEBHOOK_SECRET": f"hook:{PLANTED['webhook']}",
        "ANYMAIL": json.dumps({"POSTMARK_SERVER_TOKEN": PLANTED["anymail"]}),
        "AUTHENTICATOR_KEYS": PLANTED["authenticator"],
        "ADMINS": "ops@example.org",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        **more,
    }


def found(*texts: str) -> list[str]:
    """Return the places with a secret, in so many letters around it."""
    return [text[max(0, hit.start() - 80) : hit.end() + 40] for text in texts for hit in TRACE.finditer(text)]


def mails(folder: Path) -> list[str]:
    return [path.read_text() for path in (folder / "var" / "mail").glob("*")]


@pytest.fixture
def locked_redis(tmp_path: Path) -> Iterator[Process]:
    """A Redis that wants the planted password."""
    redis = redis_process(tmp_path)
    redis.start()
    Redis(unix_socket_path=f"{tmp_path}/redis.sock").config_set("requirepass", PLANTED["redis"])
    redis.ready = lambda: redis_answers(tmp_path / "redis.sock")
    yield redis
    redis.stop()


def test_the_search_finds_what_is_planted() -> None:
    assert len(found(*PLANTED.values())) == len(NAMES)
    assert found(of("mail")) and found(json.dumps(PLANTED)) and not found("nothing")


SHOW = """
import logging
known = {name: getattr(one, "handlers", []) for name, one in logging.root.manager.loggerDict.items()}
print({name for name, found in known.items() if any(type(one) is not logging.NullHandler for one in found)})
print([type(handler).__name__ for handler in logging.root.handlers])
"""


def test_no_handler_but_ours_is_left(tmp_path: Path) -> None:
    """Not even with addresses to mail to: Django's handler would mail each error with all settings."""
    done = run("shell", "--no-imports", "-c", SHOW, VAR_DIR=str(tmp_path), ADMINS="ops@example.org")
    assert done.stdout.splitlines()[-2:] == ["set()", "['Lines']"]
    assert not settings.ADMINS and not settings.MANAGERS


def run(*command: str, **env: str) -> subprocess.CompletedProcess[str]:
    own = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", **env}
    return subprocess.run(
        [sys.executable, "manage.py", *command], check=False, env=own, cwd=ROOT, capture_output=True, text=True
    )


def test_no_setting_is_an_address(tmp_path: Path) -> None:
    """What libraries need of them (the database, the cache, the ring) is hidden in reports."""
    show = "from django.views.debug import get_exception_reporter_filter as f; print(f(None).get_safe_settings())"
    address = f"postgres://u:{of('database')}@127.0.0.1/none"
    done = run("shell", "--no-imports", "-c", show, **variables(tmp_path, DATABASE_URL=address))
    assert "'USE_TZ': True" in done.stdout
    assert not found(done.stdout, done.stderr)
    ask = "from config import settings as s; print([n for n in dir(s) if n.isupper() and '-Zq9' in str(getattr(s, n))])"
    done = run("shell", "--no-imports", "-c", ask, **variables(tmp_path, DATABASE_URL=address))
    needed = "['ANYMAIL', 'CACHES', 'DATABASES', 'EMAIL_HOST_PASSWORD', 'SECRET_KEY']"
    assert done.stdout.splitlines()[-1] == needed


@pytest.mark.parametrize(
    "wrong",
    [
        {"DATABASE_URL": f"postgres://u:{PLANTED['database']}@host:5432/name"},
        {"DATABASE_URL": f"nonsense://u:{of('database')}@host/name"},
        {"DATABASE_URL": f"postgres://u:{of('database')}@host:port/name"},
        {"REDIS_URL": f"redis://:{PLANTED['redis']}@host"},
        {"REDIS_URL": f"nonsense://:{of('redis')}@host"},
        {"EMAIL_URL": f"nonsense://u:{of('mail')}@host"},
        {"EMAIL_URL": f"smtp://u:{PLANTED['mail']}@host:port"},
        {"ANYMAIL": f"{{'TOKEN': '{PLANTED['anymail']}'}}"},
        {"ANYMAIL": f'["{PLANTED["anymail"]}"]'},
        {"SENTRY_DSN": f"https://{PLANTED['key'].split('/')[0]}@"},
    ],
)
def test_a_variable_that_cannot_be_read_is_named_and_not_quoted(tmp_path: Path, wrong: dict[str, str]) -> None:
    done = run("check", VAR_DIR=str(tmp_path), **wrong)
    assert done.returncode
    assert next(iter(wrong)) in done.stderr
    assert not found(done.stdout, done.stderr)


def provoke(site: Site) -> list[str]:
    """Have requests and a socket fail in all ways that the addresses offer; return the pages."""
    pages = ["/tells", "/fails/secret", "/where", "/", "/healthz", "/nowhere"]
    answers = [get(f"{site.url}{page}", timeout=20) for page in pages]
    assert answers[0][0] == 500

    async def visit(path: str) -> None:
        try:
            async with websockets.connect(site.url.replace("http", "ws") + path, origin=site.url) as socket:
                await socket.send('{"beat": true}')
                await asyncio.wait_for(socket.recv(), 5)
        except (OSError, websockets.WebSocketException, TimeoutError):
            pass

    for path in ("/ws/?match=1", "/ws/fails/"):
        asyncio.run(visit(path))
    return [body.decode() for _status, body in answers]


@pytest.mark.parametrize(("debug", "store"), [("false", "open"), ("false", "refused"), ("true", "open")])
def test_whatever_fails_nothing_is_told(
    new_site: Callable[..., Site], tmp_path: Path, locked_redis: Process, debug: str, store: str
) -> None:
    """The database and perhaps Redis refuse the password; requests, a socket, tasks and a command fail."""
    (tmp_path / "var").mkdir()
    password = of("redis") + ("" if store == "open" else "-wrong")
    site = new_site(
        **variables(
            tmp_path,
            DEBUG=debug,
            REDIS_URL=f"unix://{tmp_path}/redis.sock?password={password}",
            DATABASE_URL=f"postgres://planted:{of('database')}@127.0.0.1:9/none",
        )
    )
    site.web.command = [sys.executable, "-m", "tests.operation.failing"]
    site.web.start()
    pages = provoke(site)
    site.web.stop()
    site.worker.ready = lambda: True
    site.worker.command = [*site.worker.command, "-I", "tests.operation.failing"]
    site.worker.start()
    said = run("shell", "--no-imports", "-c", ASK, **site.env)
    failed = "no good at all" if store == "open" else "(?i)invalid username"
    wait_until(lambda: re.search(failed, site.worker.output()), "the worker's error", 90)
    site.worker.stop()
    command = run("check_matches", **site.env)
    assert command.returncode
    web, worker = site.web.output(), site.worker.output()
    assert ("Traceback" in pages[0]) is (debug == "true")
    missed = ["/fails/<str:secret>", "no good at all", "OperationalError", "socket failed"]
    assert [told for told in missed if told not in web] == []
    assert "OperationalError" in command.stdout + command.stderr
    assert not found(*pages, web, worker, said.stdout, said.stderr, command.stdout, command.stderr)
    assert not mails(tmp_path)


def test_what_is_masked() -> None:
    assert (
        masking.without_secrets("at amqp://u:pass@host/0, http://host/a") == "at amqp://(hidden)@host/0, http://host/a"
    )
    assert masking.without_secrets("redis://:p%40ss@host and a@b") == "redis://(hidden)@host and a@b"
    assert masking.without_secrets("smtp://u:p@ss/x@host") == "smtp://(hidden)@host"
    masking.hide('a key with "quotes" & <signs>')
    for form in ('a key with "quotes" & <signs>', "a key with &quot;quotes&quot; &amp; &lt;signs&gt;"):
        assert masking.without_secrets(f"it is {form}.") == "it is (hidden)."
    line = json.dumps({"event": 'a key with "quotes" & <signs>'})
    assert masking.without_secrets(line) == '{"event": "(hidden)"}'


@pytest.mark.parametrize("left", [9, 16, 30])
def test_a_long_variable_is_cut_after_its_secrets_are_hidden(left):
    """Wherever Django cuts it, half a secret was left: it was shown when the settings had grown to that length."""
    secret = "-".join(("planted", "half", "of", "which", "nobody", "knows"))
    masking.hide(secret)
    everything = ["x" * (4096 - len("['") - left), secret]
    everything = {"".join(everything): 1}
    try:
        raise ValueError("no good")
    except ValueError:
        report = Report(None, *sys.exc_info())
    shown = report.get_traceback_html()
    assert [shown[hit.start() - 60 : hit.end() + 20] for hit in re.finditer(secret[:left], shown)] == []
    assert len(everything) == 1
