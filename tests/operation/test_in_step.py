"""Answers without a body have none: a proxy that keeps a connection stays in step with the server on it."""

import json
import socket
from urllib.parse import urlsplit

import pytest

from tests import factories

pytestmark = pytest.mark.operation


class Line:
    """One kept connection, read answer by answer; what is left over begins the next one."""

    def __init__(self, url: str, cookies: dict[str, str]) -> None:
        parts = urlsplit(url)
        self.host, self.rest = parts.netloc, b""
        self.cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
        self.socket = socket.create_connection((parts.hostname, parts.port), timeout=10)

    def send(self, method: str, address: str, **headers: str) -> None:
        lines = [f"{method} {address} HTTP/1.1", f"Host: {self.host}", f"Cookie: {self.cookie}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())

    def head(self) -> tuple[int, dict[str, str]]:
        """Return the next answer's status and headers; what follows them is no part of it."""
        lines = self._until(b"\r\n\r\n").decode().split("\r\n")
        assert lines[0].startswith("HTTP/1.1 "), f"out of step: {lines[0][:80]}"
        return int(lines[0].split()[1]), {
            name.lower(): value for name, value in (line.split(": ", 1) for line in lines[1:] if line)
        }

    def whole(self) -> tuple[int, bytes]:
        """Return the next answer's status and body."""
        status, headers = self.head()
        if headers.get("transfer-encoding") != "chunked":
            return status, self._bytes(int(headers["content-length"]))
        body = b""
        while size := int(self._until(b"\r\n"), 16):
            body += self._bytes(size)
            self._until(b"\r\n")
        self._until(b"\r\n")
        return status, body

    def _until(self, end: bytes) -> bytes:
        while end not in self.rest:
            self._more()
        found, self.rest = self.rest.split(end, 1)
        return found

    def _bytes(self, count: int) -> bytes:
        while len(self.rest) < count:
            self._more()
        found, self.rest = self.rest[:count], self.rest[count:]
        return found

    def _more(self) -> None:
        part = self.socket.recv(65536)
        assert part, "the server closed the connection"
        self.rest += part


@pytest.fixture
def line(site, ann):
    return Line(site.url, factories.session_of(ann))


HEADS = {  # 0: this or that
    "/": 200,
    "/rules/yum-extra/": 404,
    "/games/yum-extra/": 200,
    "/static/site/site.css": 0,
    "/favicon.ico": 200,
    "/healthz": 0,
    "/nowhere/": 404,
    "/language/": 405,
    "/admin/": 302,
    "/settings/data/": 200,
    "/settings/data/club-y.json": 405,
    "/matches/": 200,
    "/present/": 0,
    "/matches/1/": 404,
    "/.well-known/change-password": 302,
    "/%00/": 404,
}


def kept_files(site) -> list[str]:
    """Return the addresses of the largest static files, of which one at least is sent in several parts."""
    names = json.loads((site.folder / "static" / "staticfiles.json").read_text())["paths"].values()
    largest = sorted(names, key=lambda name: (site.folder / "static" / name).stat().st_size)[-3:]
    assert (site.folder / "static" / largest[-1]).stat().st_size > 2**16
    return [f"/static/{name}" for name in largest]


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
def test_an_answer_to_head_has_no_body(line, site, encoding):
    wrong = {}
    for address, status in (HEADS | dict.fromkeys(kept_files(site), 200)).items():
        line.send("HEAD", address, Accept_Encoding=encoding)
        line.send("GET", "/robots.txt")
        found, _headers = line.head()
        assert b"User-agent" in line.whole()[1], address
        if status and found != status:
            wrong[address] = found
    assert not wrong


def test_what_the_server_refuses_has_no_body_for_head_either(line):
    line.send("HEAD", "/", Odd="a\x0bb")
    line.send("GET", "/robots.txt")
    assert line.head()[0] == 400
    assert b"User-agent" in line.whole()[1]


def test_nothing_new_has_no_body_and_no_length(line, site):
    for address in kept_files(site):
        line.send("GET", address)
        line.whole()
        line.send("GET", address, If_Modified_Since="Tue, 01 Jan 2399 00:00:00 GMT")
        line.send("GET", "/robots.txt")
        status, headers = line.head()
        assert (status, headers.keys() & {"content-length", "transfer-encoding"}) == (304, set())
        assert b"User-agent" in line.whole()[1]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_no_news_has_no_body_and_no_length(line, ann, bob, method):
    match = factories.seated(ann, bob)
    line.send(method, f"/matches/{match.pk}/table/?have={match.version}")
    line.send("GET", "/robots.txt")
    status, headers = line.head()
    assert (status, headers.keys() & {"content-length", "transfer-encoding"}) == (204, set())
    assert b"User-agent" in line.whole()[1]


def test_a_part_of_a_file_is_that_part(line):
    line.send("GET", "/favicon.ico")
    _status, whole = line.whole()
    line.send("GET", "/favicon.ico", Range="bytes=100-399", Accept_Encoding="gzip")
    assert line.whole() == (206, whole[100:400])
