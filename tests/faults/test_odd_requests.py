"""ODD: generated requests of every kind at every address, and frames of every kind on lines, by everybody, to a running
web server.

No answer is a 500, none takes a second of processor time, and the server's memory stays near where it was. The seed
is printed; ODD_SEED repeats a run, ODD_SECONDS sets its length. PROOF=full runs ten minutes on each database, with
another seed each time.
"""

import contextlib
import json
import os
import re
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from urllib.parse import quote, urlencode, urlsplit

import pytest

from accounts.models import User
from config.bodies import LARGEST
from tests import FULL
from tests.factories import guest, session_of
from tests.faults import frames
from tests.hostile import LETTERS, SCRIPTS
from tests.test_permissions import ADDRESSES, OF_MATCH, stage

SECONDS = int(os.environ.get("ODD_SECONDS", "600" if FULL else "8"))
MOST_PROCESSOR = 1.0  # seconds for one request
MOST_MEMORY = 150 * 1024  # KiB above that of the start
SEED = 20261130
NO_ANSWER = (0, 1006, 1011)  # codes of an end that nobody meant
NAMES = ["guest-lynx-1", "ann", "bob", "stranger", "watcher", "blocked", "zoe", "mo", "root"]
FRESH = 100  # requests, after which all log in again: some were a log-out
METHODS = ["GET", "GET", "POST", "POST", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "BREW"]
TOKEN = "b" * 32
FIELDS = re.findall(
    r"\w+",
    """
    key ask move type token nonce name text words reason wish answers notes before orders then clear hear mute
    line back level game size pace access option_scratch invited rated bots seat login password email username
    password1 code next time_zone language colours first_day last_day rhythm digest_hour until deed member match
    report page q o p e since have hours last off confirm action_add action_send action_remove action lose_all
    session follow block created_at__year __proto__ credential passwordless game_slug rating_from rating_to
    quiet_from quiet_until
    """,
)
TEXTS = [
    *SCRIPTS,
    *LETTERS,
    *(
        "",
        " ",
        "0",
        "-1",
        "1",
        "2",
        "1e400",
        "NaN",
        "9" * 30,
        str(2**31),
        str(2**63),
        "9" * 5000,
        "٣",
        "²",
        "true",
        "null",
    ),
    *("\0", "a\0b", "\ud800", "\ufffe", "é" * 300, "x" * 20_000, "\r\nSet-Cookie: x=y", "../../etc/passwd", "%00"),
    *("[]", "{}", "[" * 3000, '{"type": "roll"}', '{"type": []}', '{"type": {"a": 1}, "cell": 1e999}', '"x"', "1"),
    *('{"type": "roll", "token": 5}', '{"type": "roll", "dice": [[[[]]]]}', "2026-02-30", "0000-00-00", "9999-12-31"),
    *("//evil.example", "http://[", "javascript:1", "ann", "bob", "Europe/Paris", "yum-extra", "strong,easy", "fr"),
]
READ = ["next", "page", "to", "game", "q", "member", "line", "match", "since", "have", "before"]  # of addresses, often
TYPES = [
    *(
        "application/x-www-form-urlencoded",
        "application/json",
        "multipart/form-data",
        "multipart/form-data; boundary=",
        "",
    ),
    *(
        "multipart/form-data; boundary=x",
        "text/plain; charset=utf-16",
        "application/x-www-form-urlencoded; charset=nope",
    ),
    *("multipart/form-data; boundary=" + "x" * 300, "multipart/related; boundary=x", "x" * 500, "application/xml"),
]
HEADERS = [
    *(
        "Accept-Language",
        "Accept-Encoding",
        "If-Modified-Since",
        "If-None-Match",
        "Range",
        "Referer",
        "Origin",
        "Cookie",
    ),
    *("X-Live", "X-CSRFToken", "X-Unasked", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "User-Agent"),
    *(
        "Host",
        "Expect",
        "Upgrade",
        "Connection",
        "X-HTTP-Method-Override",
        "Authorization",
        "Accept",
    ),
]
VALUES = [
    *(
        "",
        "x",
        "1",
        "gzip",
        "*;q=nan",
        "fr-" * 40,
        "bytes=0-,-1",
        "bytes=5-1",
        "http://",
        "http://[",
        "http://localhost/people/" + "x" * 400 + "/",
        "https://evil.example/x",
        "évil",
    ),
    *(
        "Tue, 99 Foo 2026",
        "sessionid=;csrftoken=;;=",
        "django_language=xx",
        'a="b',
        "device=x:y:z",
        "x" * 6000,
        "chunked",
    ),
    *(
        "localhost:0",
        "localhost:99999999",
        "[::1",
        "websocket",
        "keep-alive, close",
        "100-continue",
        "POST",
        "\x0b",
        "1, 2",
    ),
]

pytestmark = [pytest.mark.both, pytest.mark.proof]
stage = stage  # noqa: PLW0127 (a fixture)


class Odd:
    """A generator of requests, the same for the same seed."""

    def __init__(self, seed: int, host: str, where) -> None:
        self.rng, self.host, self.where = Random(seed), host, where

    def text(self) -> str:
        return self.rng.choice(TEXTS)

    def fields(self, known: dict[str, str]) -> list[tuple[str, str]]:
        """Return what the form would send, and some that it would not, doubled, left out or spoilt."""
        rng, sent = self.rng, [pair for pair in known.items() if self.rng.random() < 0.8]
        sent = [(name, self.text() if rng.random() < 0.3 else value) for name, value in sent]
        sent += [(rng.choice(FIELDS), self.text()) for _more in range(rng.choice([0, 1, 2, 5, 30]))]
        if rng.random() < 0.02:
            sent += [(f"f{number}", "") for number in range(1200)]
        return sent + [pair for pair in sent if rng.random() < 0.1]

    def body(self, known: dict[str, str]) -> tuple[str, bytes]:
        """Return a type and a body."""
        rng, fields = self.rng, self.fields(known)
        if rng.random() < 0.9:
            fields.append(("csrfmiddlewaretoken", TOKEN))
        form = urlencode(fields, errors="surrogatepass").encode()
        if rng.random() < 0.75:
            return TYPES[0], form
        if rng.random() < 0.5:
            parts = "".join(f'--x\r\nContent-Disposition: form-data; name="{n[:50]}"\r\n\r\n{v}\r\n' for n, v in fields)
            files = '--x\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nx\r\n' * rng.choice(
                [0, 1, 150]
            )
            return TYPES[5], f"{parts}{files}--x--\r\n".encode(errors="surrogatepass")
        bodies = [form, json.dumps(fields).encode(), b"\0\xff\xfe" * 50, b"%", b"a=%ff%fe&b=%00&=&&&", b"[" * 5000, b""]
        return rng.choice(TYPES), rng.choice(bodies)

    def path(self) -> tuple[str, dict[str, str]]:
        """Return an address with its query, and what its form would send."""
        rng, address = self.rng, self.rng.choice(ADDRESSES)
        path, known = self.where(address, rng.choice(frames.KINDS) if address in OF_MATCH else "")
        if rng.random() < 0.15:  # another value for a part of it
            value = quote(self.text()[:200], safe=rng.choice(["", "/"]), errors="replace")
            path = re.sub(r"(?<=/)(\d+|yum-extra|ann|x)(?=/)", lambda _found: value or "-", path, count=1)
        if rng.random() < 0.3:
            names = rng.choices([rng.choice(FIELDS), rng.choice(READ)], k=3)
            query = urlencode([(name, self.text()[:500]) for name in names], errors="replace")
            path += ("&" if "?" in path else "?") + query
        return path, known

    def request(self, cookie: str) -> bytes:
        rng, method, (path, known) = self.rng, self.rng.choice(METHODS), self.path()
        headers = {"Host": self.host, "Connection": "close", "Cookie": f"csrftoken={TOKEN}; {cookie}"}
        body = b""
        if method not in ("GET", "HEAD", "TRACE", "OPTIONS"):
            headers["Content-Type"], body = self.body(known)
            headers["Content-Length"] = str(len(body))
        lines = [f"{name}: {value}" for name, value in headers.items()]
        if rng.random() < 0.3:
            lines += [f"{rng.choice(HEADERS)}: {rng.choice(VALUES)}" for _more in range(rng.choice([1, 1, 3]))]
        head = "\r\n".join([f"{method} {path} HTTP/1.1", *lines]) + "\r\n\r\n"
        return head.encode("latin-1", "replace") + body


def ask(port: int, request: bytes) -> int:
    """Return the status of the answer; 0 for none within 20 seconds."""
    found = b""
    with socket.create_connection(("localhost", port), timeout=20) as line, contextlib.suppress(OSError):
        line.sendall(request)
        while part := line.recv(65536):
            found = (found + part)[:4096]
    found = found.removeprefix(b"HTTP/1.1 100 Continue\r\n\r\n")
    return int(found.split()[1]) if found else 0


def processor(pid: int) -> float:
    """Return the seconds of processor time that a process has had."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> int:
    """Return what a process has in memory, in KiB."""
    return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1])


class Trial:
    """A running web server, and what it makes of what everybody sends it."""

    def __init__(self, new_site, where, kind: str) -> None:
        seed = int(os.environ.get("ODD_SEED", "0")) or (time.time_ns() % 10**9 if FULL else SEED)
        print(f"ODD {kind}, seed {seed}")
        self.site, self.kind = new_site(), kind
        self.site.web.start()
        self.pid, self.port = self.site.web.child.pid, urlsplit(self.site.url).port
        self.odd = Odd(seed, f"localhost:{self.port}", where)
        self.seen: dict[int, int] = {}

    def run(self, one) -> None:
        """Call `one` with a cookie again and again; it returns what was sent, and the statuses of the answers."""
        faults, cookies, before, number, dearest = [], [], 0, 0, 0.0
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            if number % FRESH == 0:
                people = User.objects.filter(username__in=NAMES, is_active=True)
                cookies = ["", *("; ".join(f"{k}={v}" for k, v in session_of(user).items()) for user in people)]
            if number == 3 * FRESH:
                before = memory(self.pid)  # warm
            number += 1
            start = processor(self.pid)
            sent, statuses = one(self.odd.rng.choice(cookies))
            took = processor(self.pid) - start
            dearest = max(dearest, took)
            for status in statuses:
                self.seen[status] = self.seen.get(status, 0) + 1
            if took > MOST_PROCESSOR or any((500 <= one < 600 and one != 503) or one in NO_ANSWER for one in statuses):
                faults.append((statuses, round(took, 2), number, repr(sent)[:1500]))
        grown = memory(self.pid) - before if before else 0
        told = f"{dict(sorted(self.seen.items()))}; dearest {dearest:.2f} s; memory +{grown // 1024} MiB"
        print(f"ODD {number} {self.kind}: {told}")
        assert not faults, "\n".join(map(repr, faults[:20]))
        assert '"traceback"' not in self.site.web.output()
        assert grown < MOST_MEMORY


def test_no_request_is_an_error_or_dear(new_site, stage):
    guest("guest-lynx-1")
    trial = Trial(new_site, stage[1], "requests")

    def one(cookie: str) -> tuple[bytes, list[int]]:
        request = trial.odd.request(cookie)
        return request, [ask(trial.port, request)]

    trial.run(one)


LARGE = ["/language/", "/play/new/", "/settings/", "/accounts/login/", "/mail/events/postmark/inbound/", "/admin/"]
FORM = f"csrfmiddlewaretoken={TOKEN}&text=".encode()
MANY = FORM + b"".join(b"&f%d=x" % number for number in range(100_000))


def test_large_bodies_fill_no_memory(new_site, stage):
    """Eight at once, again and again: what Django made of a body is kept until Python looks for cycles."""
    site = new_site(MAIL_PROVIDER="postmark")
    site.web.start()
    pid, port = site.web.child.pid, urlsplit(site.url).port
    cookies = "; ".join(f"{name}={value}" for name, value in session_of(User.objects.get(username="ann")).items())
    head = f"Host: localhost:{port}\r\nConnection: close\r\nCookie: csrftoken={TOKEN}; {cookies}\r\n"

    def post(path: str, body: bytes) -> int:
        lines = f"POST {path} HTTP/1.1\r\n{head}Content-Type: {TYPES[0]}\r\nContent-Length: {len(body)}\r\n\r\n"
        return ask(port, lines.encode() + body)

    with ThreadPoolExecutor(8) as posters:
        start = memory(pid)
        for body in (FORM + b"x" * 2**20, FORM + b"%F0%9F%98%80" * (2**20 // 12), MANY):
            for length in (LARGEST, 1_000_000):  # as large as forms may be, and as mails
                paths = LARGE * 12
                statuses = set(posters.map(post, paths, [body[:length]] * len(paths)))
                assert (413 in statuses) is (length > LARGEST)
    assert memory(pid) - start < MOST_MEMORY


def test_no_frame_is_an_error_or_dear(new_site, stage):
    trial = Trial(new_site, stage[1], "lines")

    def one(cookie: str) -> tuple[object, list[int]]:
        query, said = frames.line(trial.odd), frames.said(trial.odd)
        return (query, said), frames.say(trial.port, query, said, cookie)

    path, form = stage[1]("matches/<int:match_id>/move/")
    ann = "; ".join(f"{k}={v}" for k, v in session_of(User.objects.get(username="ann")).items())
    good = json.dumps({"move": 1, "form": urlencode(form)})
    assert frames.say(trial.port, f"match={path.split('/')[2]}&table=1", [good], ann) == [200]
    trial.run(one)
    assert trial.seen[400]
