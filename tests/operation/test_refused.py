"""Requests that Django refuses: a page in words, in the reader's language, and one line of warning."""

import json
import logging
import socket
from io import BytesIO
from urllib.parse import urlsplit

import pytest
import structlog
from django.test import Client

from config import logs
from tests.processes import get

WELL = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
MANY_FIELDS = "&".join(f"f{number}=" for number in range(1100))


@pytest.fixture
def said(capsys):
    """What, called first, sends the log to the standard output of the test, and then returns its lines."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    structlog.reset_defaults()

    def lines() -> list[dict[str, object]]:
        logs.configure({"level": "INFO"})
        logs.log = structlog.get_logger("request")
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    yield lines
    root.handlers[:] = handlers
    root.setLevel(level)


def many_files(client: Client, **more):
    return client.post("/language/", {f"f{number}": BytesIO(b"x") for number in range(110)}, **more)


REFUSED = {
    "host": lambda client, **more: client.get("/", headers={"host": "evil.example"} | more["headers"]),
    "port": lambda client, **more: client.get("/", headers={"host": "localhost:99999999"} | more["headers"]),
    "long port": lambda client, **more: client.get("/", headers={"host": f"localhost:{'9' * 5000}"} | more["headers"]),
    "two hosts": lambda client, **more: client.get("/", headers={"host": "localhost,localhost"} | more["headers"]),
    "fields": lambda client, **more: client.post(
        "/language/", MANY_FIELDS, content_type="application/x-www-form-urlencoded", **more
    ),
    "files": many_files,
    "multipart": lambda client, **more: client.post("/language/", b"x", content_type="multipart/form-data", **more),
}


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("kind", REFUSED)
def test_it_is_told_in_words_and_noted_in_one_line(kind, language, said) -> None:
    client = Client(raise_request_exception=False, enforce_csrf_checks=True)
    said()
    answer = REFUSED[kind](client, headers={"accept-language": language})
    words = {"en": "We did not understand that", "fr": "Nous n’avons pas compris"}[language]
    assert answer.status_code == 400
    assert words in answer.content.decode() and f'lang="{language}"' in answer.content.decode()
    noted = said()
    assert [line["level"] for line in noted] in (["warning", "info"], ["info"])
    assert kind == "multipart" or noted[0]["event"].startswith("refused: ")
    assert not any("traceback" in line for line in noted)


@pytest.mark.django_db
def test_where_nothing_is_either() -> None:
    """The page that says so reads the form for its token."""
    client = Client(raise_request_exception=False, enforce_csrf_checks=True)
    client.cookies["csrftoken"] = "b" * 32
    form = "application/x-www-form-urlencoded"
    assert client.post("/matches/x/notes/", MANY_FIELDS, content_type=form).status_code == 400
    assert many_files(client).status_code == 400
    assert client.post("/nowhere/", {"a": "b"}).status_code == 404


def test_a_port_that_may_be_is_none_of_them(client, db) -> None:
    for host in ("localhost", "localhost:1", "localhost:65535", "127.0.0.1:8000", "[::1]:8000"):
        assert client.get("/healthz", headers={"host": host}).status_code in (200, 503), host


@pytest.mark.parametrize(
    ("head", "status"),
    [
        ("GET /" + "x" * 20_000 + " HTTP/1.1\r\nHost: localhost\r\n\r\n", 414),
        ("GET /" + "x" * 200_000, 414),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nCookie: " + "x" * 20_000 + "\r\n\r\n", 431),
        ("GET / HTTP/1.1\r\nHost: localhost\r\n" + "A: " + "x" * 9000 + "\r\nB: " + "x" * 9000 + "\r\n\r\n", 431),
        ("GET\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n", 400),
    ],
)
def test_what_the_server_cannot_read_is_told_in_words(site, head, status) -> None:
    parts = urlsplit(site.url)
    with socket.create_connection((parts.hostname, parts.port), timeout=10) as line:
        line.sendall(head.encode())
        answer = b""
        while part := line.recv(65536):
            answer += part
    head, _, body = answer.decode().partition("\r\n\r\n")
    assert head.startswith(f"HTTP/1.1 {status} ")
    assert "Content-Security-Policy: default-src 'none'" in head
    assert "lang='en'" in body and "lang='fr'" in body and "Nothing was done." in body
    assert "HTTP/1.1" not in body


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ("Sec-WebSocket-Key: short", 400),
        (f"{WELL}\r\nSec-WebSocket-Version: 99", 400),
        (f"{WELL}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: é", 403),  # as it has no origin
    ],
)
def test_a_handshake_that_is_refused_is_no_error(site, more, status) -> None:
    """Anybody could write a traceback into the log for each."""
    parts, before = urlsplit(site.url), site.web.output().count("Traceback")
    head = "GET /ws/ HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    with socket.create_connection((parts.hostname, parts.port), timeout=10) as line:
        line.sendall(f"{head}{more}\r\n\r\n".encode())
        assert line.recv(65536).startswith(f"HTTP/1.1 {status} ".encode())
        while line.recv(65536):
            pass
    assert get(f"{site.url}/livez")[0] == 200  # after the end of that connection
    assert site.web.output().count("Traceback") == before
