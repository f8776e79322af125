"""What leaves for addresses that members name: to public hosts alone, and bounded (config/lib/outgoing.py)."""

import datetime
import socket
import ssl
import struct
import threading
import time
from contextlib import closing

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from config.lib import outgoing


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]"])
def test_nothing_is_said_to_a_host_that_is_not_public(host, server):
    server.answers(b"HTTP/1.1 200 OK\r\n\r\n")
    with pytest.raises(outgoing.Refused, match="not public"):
        outgoing.post(f"https://{host}:{server.port}/", b"", {})
    assert not server.met


class Server:
    """A server that says what it is told to, whatever it is asked, and keeps what it was asked."""

    def __init__(self):
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        self.met = []
        self.tls = None

    def answers(self, *parts, pause=0.0, resets=False):
        """Answer every request with these parts, one after the other, and end as one does, or by a reset."""
        self.parts, self.pause, self.resets = parts, pause, resets
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                one, _address = self.listening.accept()
            except OSError:
                return
            with closing(one):
                try:
                    stream = self.tls.wrap_socket(one, server_side=True) if self.tls else one
                    self.met.append(stream.recv(65536))
                    for part in self.parts:
                        stream.sendall(part)
                        time.sleep(self.pause)
                    if self.resets:
                        one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    else:
                        stream.shutdown(socket.SHUT_RDWR)
                except OSError:
                    continue

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"


@pytest.fixture
def server():
    server = Server()
    yield server
    server.listening.close()


@pytest.fixture
def ours(server, monkeypatch):
    """The server, as the one private server that tests may call."""
    monkeypatch.setenv("OUTGOING_TEST_BASE", server.url)
    return server


def test_what_is_sent_and_what_comes_back(ours):
    ours.answers(b"HTTP/1.1 201 Created\r\nRetry-After: 7\r\nContent-Length: 2\r\n\r\nhi")
    answer = outgoing.post(f"{ours.url}/a/b?c=d", b"body", {"TTL": "60"})
    assert (answer.status, answer.headers["retry-after"]) == (201, "7")
    [asked] = ours.met
    assert asked.startswith(b"POST /a/b?c=d HTTP/1.1\r\n")
    assert f"Host: 127.0.0.1:{ours.port}".encode() in asked
    assert b"TTL: 60" in asked


def test_a_redirect_is_an_answer_and_not_followed(ours):
    ours.answers(f"HTTP/1.1 307 Temporary Redirect\r\nLocation: {ours.url}/other\r\n\r\n".encode())
    assert outgoing.post(f"{ours.url}/", b"", {}).status == 307
    assert len(ours.met) == 1


def test_a_proxy_of_the_environment_is_not_used(ours, monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    ours.answers(b"HTTP/1.1 204 No Content\r\n\r\n")
    assert outgoing.post(f"{ours.url}/", b"", {}).status == 204


CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
ENDLESS = [
    pytest.param(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 100_000, id="body"),
    pytest.param(CHUNKED, (b"1;" + b"x" * 60_000 + b"\r\na\r\n") * 3, id="long lines of chunks"),
    pytest.param(CHUNKED + b"0\r\n", b"a:b\r\n" * 20_000, id="headers after the body"),
]


@pytest.mark.parametrize(("begin", "again"), ENDLESS)
def test_what_follows_the_headers_is_not_read(ours, begin, again):
    """Five seconds of headers after the body were as many of the worker's processor time."""
    ours.answers(begin, *[again] * 2000)
    began = time.thread_time()
    assert outgoing.post(f"{ours.url}/", b"", {}, seconds=4).status == 200
    assert time.thread_time() - began < 0.5


def test_an_answer_in_drops_is_cut_when_the_time_is_over(ours):
    ours.answers(*[b"HTTP/1.1 100 Continue\r\n\r\n"] * 100, pause=0.1)
    began = time.monotonic()
    with pytest.raises(outgoing.Unanswered):
        outgoing.post(f"{ours.url}/", b"", {}, seconds=0.5)
    assert time.monotonic() - began < 6


KIND = b'200\r\nContent-Type: multipart/x; a="' + b";" * 65_400


@pytest.mark.parametrize("head", [b"100 Continue\r\n\r\nHTTP/1.1 " * 1000, KIND], ids=["none", "long"])
def test_a_flood_of_answers_that_are_none_is_not_read(ours, head):
    """Five seconds of it were half of them the worker's processor time; and so were the semicolons of one field."""
    ours.answers(b"HTTP/1.1 " + head + b"200 OK\r\n\r\n")
    began = time.process_time()
    with pytest.raises(outgoing.Unanswered):
        outgoing.post(f"{ours.url}/", b"", {})
    assert time.process_time() - began < 0.5


@pytest.mark.parametrize("drop", [b"X: y\r\n", b"\r\nx"])
def test_what_follows_a_status_in_drops_keeps_the_status(ours, drop):
    ours.answers(b"HTTP/1.1 201 Created\r\nContent-Length: 1000\r\n", *[drop] * 100, pause=0.1)
    began = time.monotonic()
    assert outgoing.post(f"{ours.url}/", b"", {}, seconds=0.5).status == 201
    assert time.monotonic() - began < 6


@pytest.mark.parametrize(("said", "status"), [(b"HTTP/1.1 201 Created\r\nX: y", 201), (b"", None)])
def test_a_connection_that_is_reset_keeps_the_status_that_came(ours, said, status):
    """Cutting one in drops is answered by a reset, now and then before the end of what had come is read."""
    ours.answers(said, resets=True)
    try:
        came = outgoing.post(f"{ours.url}/", b"", {}, seconds=5).status
    except outgoing.Unanswered:
        came = None
    assert came == status


def test_silence_after_the_question_is_doubtful(ours):
    ours.answers(pause=0)
    with pytest.raises(outgoing.Unanswered):
        outgoing.post(f"{ours.url}/", b"", {}, seconds=1)


def test_nobody_there_is_certain(ours):
    ours.listening.close()
    with pytest.raises(outgoing.Unreachable):
        outgoing.post(f"{ours.url}/", b"", {})


def test_a_name_that_nobody_has():
    with pytest.raises(outgoing.Unreachable):
        outgoing.post("https://nobody.invalid/", b"", {})


def test_a_name_whose_server_does_not_answer_takes_no_longer_than_all_else(monkeypatch):
    free = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_where, **_kind: list(range(free.wait(10) - 1)))
    began = time.monotonic()
    with pytest.raises(outgoing.Unreachable):
        outgoing.post("https://slow.example/", b"", {}, seconds=0.3)
    assert time.monotonic() - began < 6
    free.set()


def test_another_port_of_our_host_is_not_the_one_that_tests_may_call(ours):
    with pytest.raises(outgoing.Refused):
        outgoing.post(f"http://127.0.0.1:{ours.port + 1}/", b"", {})
    with pytest.raises(outgoing.Refused):
        outgoing.post(f"{ours.url}@127.0.0.1/", b"", {})


def test_who_raises_before_it_is_sent_sends_nothing(ours):
    def stop():
        raise LookupError

    ours.answers(b"HTTP/1.1 200 OK\r\n\r\n")
    with pytest.raises(LookupError):
        outgoing.post(f"{ours.url}/", b"", {}, before=stop)
    assert ours.met in ([], [b""])


def test_a_host_with_one_private_address_among_others_is_refused(server, monkeypatch):
    def found(host, port, **_kind):
        return [(2, 1, 6, "", (address, port)) for address in ("1.1.1.1", "127.0.0.1")]

    server.answers(b"HTTP/1.1 200 OK\r\n\r\n")
    monkeypatch.setattr(socket, "getaddrinfo", found)
    with pytest.raises(outgoing.Refused, match=r"127\.0\.0\.1 is not public"):
        outgoing.post(f"https://push.example:{server.port}/", b"", {})
    assert not server.met


def test_a_name_is_looked_up_once_so_that_it_cannot_lead_elsewhere_afterwards(server, monkeypatch):
    asked = []

    def found(host, port, **_kind):
        asked.append(host)
        return [(2, 1, 6, "", ("192.0.2.1" if len(asked) == 1 else "127.0.0.1", port))]

    server.answers(b"HTTP/1.1 200 OK\r\n\r\n")
    monkeypatch.setattr(socket, "getaddrinfo", found)
    monkeypatch.setattr(outgoing, "is_public", lambda address: str(address) == "192.0.2.1")
    with pytest.raises(outgoing.Unreachable):
        outgoing.post(f"https://push.example:{server.port}/", b"", {}, seconds=0.5)
    assert asked == ["push.example"]
    assert not server.met


def test_a_name_of_thousands_of_addresses_opens_few_connections(ours, monkeypatch):
    """Its owner chooses how many there are, and each may be somebody else's; all files of the process were open."""
    ours.listening.close()
    met, connect = [], socket.socket.connect
    monkeypatch.setattr(socket.socket, "connect", lambda one, target: (met.append(target), connect(one, target)))
    found = [(2, 1, 6, "", ("127.0.0.1", ours.port))] * 3000
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_where, **_kind: found)
    with pytest.raises(outgoing.Unreachable):
        outgoing.post(f"{ours.url}/", b"", {})
    assert len(met) == outgoing.MOST_TRIED


def certificate(folder, host):
    """Write key and certificate of a host that nobody vouches for but itself; return their file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    day = datetime.timedelta(days=1)
    present = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(present - day)
        .not_valid_after(present + day)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    form = serialization.PrivateFormat.TraditionalOpenSSL
    path = folder / f"{host}.pem"
    private = key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return path


@pytest.mark.parametrize("host", ["localhost", "other.example"])
def test_the_certificate_is_looked_at_by_the_hosts_name(host, server, tmp_path, monkeypatch):
    file = certificate(tmp_path, host)
    server.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.tls.load_cert_chain(file)
    named = []
    server.tls.sni_callback = lambda _socket, name, _context: named.append(name)
    server.answers(b"HTTP/1.1 201 Created\r\n\r\n")
    monkeypatch.setenv("OUTGOING_TEST_BASE", f"https://localhost:{server.port}")
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    if host == "localhost":
        assert outgoing.post(f"https://localhost:{server.port}/", b"", {}).status == 201
    else:
        with pytest.raises(outgoing.Unreachable, match="certificate"):
            outgoing.post(f"https://localhost:{server.port}/", b"", {})
    assert named == ["localhost"]


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        *[("90", 90), (" 90 ", 90), ("1.5", 1), ("0", 0), ("Sun, 29 Nov 2026 12:01:30 GMT", 90)],
        *[("", None), ("soon", None), ("²", None), ("٣", None), ("-1", None), ("9" * 30, None), ("Sun, 99 Nov", None)],
    ],
)
def test_how_long_a_server_asks_to_be_left_alone(said: str, seconds: int | None) -> None:
    now = datetime.datetime(2026, 11, 29, 12, 0, tzinfo=datetime.UTC)
    found = outgoing.Answer(429, {"Retry-After": said}).retry_after(now)
    assert found == (None if seconds is None else datetime.timedelta(seconds=seconds))
