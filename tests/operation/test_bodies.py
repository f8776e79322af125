"""Bodies that are too large are refused, in words, before they are read; real connections to the real server."""

import errno
import socket
import time
from urllib.parse import quote, urlsplit

import pytest
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport

from config.bodies import LARGEST, LARGEST_MAIL, LARGEST_RECORD, LINGER, MAIL, SANDBOX, WordyChannel
from config.server import LARGEST_FRAME
from games.broadcast import match_changed
from games.forms.play import MOST_NOTES
from games.models import Match
from tests.factories import member, seated
from tests.games.mail.test_receiver import seconds_of
from tests.processes import wait_until

HEAD = "POST /language/ HTTP/1.1\r\nHost: {}\r\nContent-Type: application/x-www-form-urlencoded\r\n"


@pytest.fixture
def line(site, transactional_db):
    """A connection to the server, and the beginning of a post to it."""
    parts = urlsplit(site.url)
    with socket.create_connection((parts.hostname, parts.port), timeout=LINGER + 8) as connection:
        yield connection, HEAD.format(parts.netloc)


def answer(connection: socket.socket) -> str:
    found = b""
    while part := connection.recv(65536):
        found += part
    return found.decode()


def test_a_large_body_is_refused_at_its_header(line):
    connection, head = line
    connection.sendall(f"{head}Content-Length: {300 * 1024 * 1024}\r\n\r\n".encode())  # and not a byte of it
    said = answer(connection)
    assert said.startswith("HTTP/1.1 413 ")
    assert "This is too large. Nothing was read or changed." in said and "C’est trop volumineux." in said


@pytest.mark.parametrize(("more", "status"), [(f"Content-Length: {2 * LARGEST}", 413), ("Odd: a\x0bb", 400)])
def test_what_the_server_answers_by_itself_has_the_headers(line, more, status):
    connection, head = line
    connection.sendall(f"{head}Connection: close\r\n{more}\r\n\r\n".encode())
    said = answer(connection)
    assert said.startswith(f"HTTP/1.1 {status} ")
    for name in ("Content-Security-Policy: default-src 'none'", "X-Content-Type-Options: nosniff", "Referrer-Policy: "):
        assert name.lower() in said.lower()


def test_a_body_that_comes_in_chunks_is_cut(line):
    connection, head = line
    connection.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    sent = 0
    try:
        while sent < 64 * LARGEST:
            connection.sendall(chunk)
            sent += len(chunk)
    except OSError:  # the server has closed the connection
        pass
    else:
        assert answer(connection).startswith("HTTP/1.1 413 ")


@pytest.mark.parametrize("path", ["/livez", "/ws/"])
def test_a_cookie_of_backslashes_costs_nothing(site, path):
    """Python takes them apart one by one, in a copy of all that is left each."""
    parts = urlsplit(site.url)
    cookie = 'a="' + "\\" * 15_000 + '"'
    upgrade = f"Origin: {site.url}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    more = f"{upgrade}Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" if path == "/ws/" else ""
    before = seconds_of(site.web.child.pid)
    for _time in range(8):
        with socket.create_connection((parts.hostname, parts.port), timeout=20) as connection:
            connection.sendall(
                f"GET {path} HTTP/1.1\r\nHost: {parts.netloc}\r\n{more}Cookie: {cookie}\r\n\r\n".encode()
            )
            assert connection.recv(12) == (b"HTTP/1.1 101" if more else b"HTTP/1.1 200")
    assert seconds_of(site.web.child.pid) - before < 1


def test_a_body_as_large_as_may_be_is_read(line):
    connection, head = line
    body = b"language=xx&more=" + b"x" * (LARGEST - 17)
    connection.sendall(f"{head}Connection: close\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
    assert answer(connection).startswith("HTTP/1.1 403 ")  # read: its token is missing


def test_the_longest_notes_fit():
    assert len(quote("😀" * MOST_NOTES)) + 1000 < LARGEST


@pytest.mark.parametrize(("length", "status"), [(LARGEST + 1, 404), (LARGEST_MAIL + 1, 413)])
def test_a_mail_providers_body_may_be_larger(line, length, status):
    connection, head = line
    head = head.replace("/language/", f"{MAIL.decode()}nobody/inbound/")
    connection.sendall(f"{head}Connection: close\r\nContent-Length: {length}\r\n\r\n".encode() + b"x" * length)
    assert answer(connection).startswith(f"HTTP/1.1 {status} ")


@pytest.mark.parametrize(("length", "status"), [(LARGEST + 1, 403), (LARGEST_RECORD + 1, 413)])
def test_a_record_that_is_brought_may_be_larger(line, length, status):
    connection, head = line
    head = head.replace("/language/", SANDBOX.decode())
    connection.sendall(f"{head}Connection: close\r\nContent-Length: {length}\r\n\r\n".encode() + b"x" * length)
    assert answer(connection).startswith(f"HTTP/1.1 {status} ")


def test_a_frame_of_a_socket_is_small():
    assert LARGEST_FRAME <= 4096


def test_a_page_that_reads_nothing_is_let_go(site):
    """Else tables would pile up in the server's memory for it, as fast as the match goes on."""
    match = seated(member("ann"), member("bob"), game_slug="yes")
    with socket.socket() as page:
        page.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        page.connect(("localhost", site.port))
        page.sendall(HANDSHAKE.format(match.pk, urlsplit(site.url).netloc, site.url).encode())
        for version in range(100, 250):
            Match.objects.filter(pk=match.pk).update(version=version)
            match_changed(match.pk, version)
            time.sleep(0.02)
        page.settimeout(5)
        with pytest.raises(ConnectionResetError):
            while page.recv(65536):
                pass


def test_who_asks_on_and_reads_nothing_is_let_go(site):
    """Else the answers to requests that came in one piece would pile up in the server's memory."""
    with socket.socket() as page:
        page.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        page.connect(("localhost", site.port))
        page.sendall(f"GET / HTTP/1.1\r\nHost: {urlsplit(site.url).netloc}\r\n\r\n".encode() * 400)
        told = (socket.SOL_SOCKET, socket.SO_ERROR)
        wait_until(lambda: page.getsockopt(*told) == errno.ECONNRESET, "the end of the connection", 30)


PING, BEGIN, PART = b"\x89\xfd\0\0\0\0" + b"x" * 125, b"\x01\x80\0\0\0\0", b"\x00\x80\0\0\0\0"


@pytest.mark.parametrize(("begin", "more"), [(PING, PING * 2000), (BEGIN, PART * 2000)], ids=["pings", "parts"])
def test_a_page_that_sends_frames_without_end_is_let_go(site, begin, more):
    """Else answers to pings would pile up in the server's memory, and each of its seconds be used up by one page."""
    match = seated(member("ann"), member("bob"))
    with socket.socket() as page:
        page.settimeout(5)
        page.connect(("localhost", site.port))
        page.sendall(HANDSHAKE.format(match.pk, urlsplit(site.url).netloc, site.url).encode())
        assert b" 101 " in page.recv(65536)
        page.sendall(begin)
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            for _time in range(100):
                page.sendall(more)
                time.sleep(0.01)


HANDSHAKE = (
    "GET /ws/?match={}&table=1 HTTP/1.1\r\nHost: {}\r\nOrigin: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


POST = "POST /language/ HTTP/1.1\r\nContent-Length: 9000\r\n"


@pytest.mark.parametrize("begin", ["G", "GET /", f"{POST}X-Drip: ", f"{POST}\r\n"])
def test_a_request_that_drips_is_cut_off(begin):
    """However often a byte comes: else few machines would hold every connection of the server for a day."""
    channel, time, transport = WordyChannel(), Clock(), StringTransport()
    channel.callLater, channel.timeOut = time.callLater, 60  # type: ignore[assignment, method-assign]
    channel.makeConnection(transport)
    time.advance(59)  # a kept connection may be idle that long before its next request
    channel.dataReceived(begin.encode())
    for _second in range(58):
        time.advance(1)
        channel.dataReceived(b"x")
    assert not transport.disconnecting
    time.advance(2)
    assert transport.disconnecting
