"""HTTP requests to addresses that members name: public hosts by https alone, bounded in time and size.

One connection for each request, so that there is nothing to be led on by: no redirect is followed, no proxy or
password of the environment is used, no cookie is kept, and nothing is decompressed. The name is looked up once, and
the connection goes to the very address that was looked at: a name that leads elsewhere a moment later leads nowhere.
"""

import contextlib
import ipaddress
import os
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any, NamedTuple, cast
from urllib.parse import SplitResult, urlsplit

SECONDS = 10.0  # for all of it, the look-up of the name too
MOST_INTERIM = 10  # answers "100 Continue" before it
LONGEST_HEAD = 16_000  # bytes of an answer's status and headers
MOST_TRIED = 6  # addresses of a name: its owner chooses how many it has
URL_LENGTH = 2048
NAT64 = ipaddress.ip_network("64:ff9b::/96")
UNICAST = ipaddress.ip_network("2000::/3")  # what of IPv6 is given out to the public
# What IANA does not list as global, and a Python that we run on takes for public.
SPECIAL = [
    ipaddress.ip_network(network)
    for network in ("192.0.0.0/24", "192.88.99.0/24", "2001::/23", "2001:db8::/32", "3fff::/20")
]

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class Answer(NamedTuple):
    """What a server answered: the headers' names are found in any case. Nobody needs the body, which is not read."""

    status: int
    headers: Mapping[str, str]

    def retry_after(self, now: datetime) -> timedelta | None:
        """Return for how long the server asks to be left alone (RFC 9110, 10.2.3); None when it does not say."""
        said = self.headers.get("Retry-After", "").strip()
        seconds = said.partition(".")[0]  # some have fractions
        try:
            is_number = seconds.isascii() and seconds.isdigit()
            return timedelta(seconds=int(seconds)) if is_number else parsedate_to_datetime(said) - now
        except (ValueError, TypeError, OverflowError):
            return None


class Refused(ValueError):
    """The address is not one that is called; its text says why."""


class Unreachable(OSError):
    """Nothing was sent: the name is unknown, nobody listens, or the certificate is another's."""


class Unanswered(OSError):
    """Something was sent, and no answer came in time: whether it was received is unknown."""


def post(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    seconds: float = SECONDS,
    before: Callable[[], None] = lambda: None,
) -> Answer:
    """Post the body; return the answer, whatever its status.

    `before` is called once the server is reached, and before anything is sent to it; what it raises ends the request.
    Raise Refused, Unreachable or Unanswered.
    """
    parts = _allowed(url)
    connection = _Connection(parts, seconds)
    with contextlib.closing(connection), connection.bounded():
        try:
            connection.connect()
        except Refused:
            raise
        except (OSError, ValueError) as error:  # ssl's errors are OSError; no name of a host is ValueError
            raise Unreachable(_words(error)) from error
        before()
        try:
            return _exchange(connection, parts, body, headers)
        except (OSError, HTTPException) as error:
            raise Unanswered(_words(error)) from error


def check(url: str) -> None:
    """Look at an address as far as that needs no network. Raise Refused, its text the reason."""
    _allowed(url)


def is_private(url: str) -> bool:
    """Return whether an address names, as it stands, a host that only this machine or its network can reach.

    A name that leads to one is found when it is called.
    """
    parts = _allowed(url)
    host = (parts.hostname or "").rstrip(".")
    if _is_ours(parts):
        return False
    try:
        return not is_public(ipaddress.ip_address(host))
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def is_public(address: Address) -> bool:
    """Return whether this is one address of the public internet, also where it stands for another of IPv4."""
    inner = _inner(address)
    if inner is not address:
        return is_public(inner)
    if not address.is_global or any(address in network for network in SPECIAL):
        return False
    return address in UNICAST if address.version == 6 else not (address.is_multicast or address.is_reserved)


def _inner(address: Address) -> Address:
    """Return the IPv4 address that an IPv6 one leads to by mapping, NAT64 or 6to4; else itself."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or address


def _allowed(url: str) -> SplitResult:
    """Return the parts of an address that may be called. Raise Refused."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise Refused("no address") from error
    if len(url) > URL_LENGTH or not url.isascii() or not url.isprintable() or " " in url:
        raise Refused("too long, or with other than ASCII letters")
    if not parts.hostname or port == 0:
        raise Refused("no host")
    if parts.username is not None or parts.password is not None:
        raise Refused("with a password")
    if parts.scheme != "https" and not _is_ours(parts):
        raise Refused("not https")
    return parts


def _is_ours(parts: SplitResult) -> bool:
    """Return whether this is the one private server that tests may name."""
    base = urlsplit(os.environ.get("OUTGOING_TEST_BASE", ""))
    return bool(base.hostname) and parts[:2] == base[:2]


def _words(error: Exception) -> str:
    """Return an error in a few words."""
    return (str(error) or type(error).__name__)[:200]


class _Head:
    """The lines with which an answer begins, which are short: Python looks at all of a header for each semicolon."""

    def __init__(self, file: Any) -> None:
        self._file, self._left = file, LONGEST_HEAD

    def readline(self, most: int) -> bytes:
        try:
            line: bytes = self._file.readline(min(most, self._left + 1))
        except OSError:
            if self._left == LONGEST_HEAD:
                raise
            return b""  # cut or reset after its first line: the status has come, and stands
        self._left -= len(line)
        if self._left < 0:
            raise HTTPException("a long head")
        return line

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


class _Response(HTTPResponse):
    """A response that ends a row of "100 Continue": to read them is work, and a server may send them without end."""

    begun = 0

    def __init__(self, *connection: Any, **how: Any) -> None:
        super().__init__(*connection, **how)
        self.fp = cast(Any, _Head(self.fp))

    def _read_status(self) -> tuple[str, int, str]:
        self.begun += 1
        if self.begun > MOST_INTERIM:
            raise HTTPException("no answer, but that it will come")
        return super()._read_status()  # type: ignore[misc,no-any-return]


class _Connection(HTTPConnection):
    """A connection to a checked address, which is cut when its time is over."""

    auto_open = 0
    response_class = _Response

    def __init__(self, parts: SplitResult, seconds: float) -> None:
        self._tls = parts.scheme == "https"
        self._private = _is_ours(parts)
        self._seconds = seconds
        self._cut = threading.Event()
        self._held: list[socket.socket] = []
        self.default_port = 443 if self._tls else 80
        super().__init__(parts.hostname or "", parts.port or self.default_port, timeout=seconds)

    @contextlib.contextmanager
    def bounded(self) -> Iterator[None]:
        """Cut the connection when the time is over: a server that sends a byte now and then meets no other limit."""
        timer = threading.Timer(self._seconds, self._end)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            for held in self._held:
                held.close()

    def connect(self) -> None:
        """Look up the name, look at every address, and connect to the first that answers."""
        found = _looked_up(self.host, self.port, self._seconds)
        for *_kind, target in found:
            address = ipaddress.ip_address(target[0])
            if not self._private and not is_public(address):
                raise Refused(f"{address} is not public")
        self.sock = self._reach(found)
        if self._tls:
            self.sock = ssl.create_default_context().wrap_socket(self.sock, server_hostname=self.host)

    def _reach(self, found: list[tuple]) -> socket.socket:
        """Return a socket to the first of these addresses that answers, of the first few. Raise OSError of the last."""
        failure: OSError = OSError("no address")
        for family, kind, protocol, _name, target in found[:MOST_TRIED]:
            reached = socket.socket(family, kind, protocol)
            reached.settimeout(self._seconds / 2)
            self._held.append(reached.dup())  # of its own, as TLS takes the other over
            try:
                if self._cut.is_set():
                    raise TimeoutError("timed out")
                reached.connect(target)
            except OSError as error:
                reached.close()
                failure = error
            else:
                return reached
        raise failure

    def _end(self) -> None:
        self._cut.set()
        for held in self._held:
            with contextlib.suppress(OSError):
                held.shutdown(socket.SHUT_RDWR)


def _looked_up(host: str, port: int, seconds: float) -> list[Any]:
    """Return what the system finds of a name, by a thread of its own: nothing else ends a look-up. Raise OSError."""
    found: Future[list[Any]] = Future()

    def look_up() -> None:
        try:
            found.set_result(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except Exception as error:
            found.set_exception(error)

    threading.Thread(target=look_up, name="look-up", daemon=True).start()
    return found.result(seconds)


def _exchange(connection: _Connection, parts: SplitResult, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Send the request over what is connected, and read the answer."""
    target = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
    connection.request("POST", target, body, dict(headers))
    response = connection.getresponse()
    return Answer(response.status, cast(Mapping[str, str], response.headers))
