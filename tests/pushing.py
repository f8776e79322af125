"""A push service on this machine, and browsers that subscribe to it."""

import base64
import json
import secrets
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.cached_db import SessionStore

from accounts.models import User
from config.lib import clock as site_clock
from config.lib import web_push
from games.models import Device
from games.services.push import devices


def text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def data(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class Browser:
    """A browser's subscription, with the keys that only it has."""

    url: str
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(16))

    def keys(self) -> dict[str, str]:
        """Return what a page sends of it."""
        public = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": self.url, "public_key": text(public), "secret": text(self.secret)}

    def read(self, body: bytes) -> dict[str, Any]:
        """Return what was encrypted for it (RFC 8291)."""
        return json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret))


@dataclass
class Pushed:
    """A message that the push service took."""

    told: dict[str, Any]
    headers: dict[str, str]
    claims: dict[str, Any]
    path: str


class PushService:
    """A push service that keeps what it takes, having read it as the browser would, and answers as it is told.

    An answer is a status, with headers or without; None: the line breaks once the message was read.
    """

    def __init__(self) -> None:
        self.kept: list[Pushed] = []
        self.asked = 0
        self.answers: list[Any] = []  # each used once, then 201
        self.browsers: dict[str, Browser] = {}
        self.on_post = lambda: None
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                service.posted(self)

            def log_message(self, *words: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def subscribe(self) -> Browser:
        """Return a browser that is subscribed."""
        path = f"/push/{secrets.token_urlsafe(16)}"
        self.browsers[path] = browser = Browser(self.url + path)
        return browser

    def posted(self, request: Any) -> None:
        body = request.rfile.read(int(request.headers["Content-Length"]))
        self.asked += 1
        self.on_post()
        answer = self.answers.pop(0) if self.answers else 201
        status, more = answer if isinstance(answer, tuple) else (answer, {})
        if status in (201, None):
            self.keep(request, body)
        if status is None:
            request.close_connection = True
            request.connection.close()
            return
        request.send_response(status)
        for name, value in ({"Content-Length": "0"} | more).items():
            request.send_header(name, value)
        request.end_headers()

    def keep(self, request: Any, body: bytes) -> None:
        assert len(body) <= 4096
        assert request.headers["Content-Encoding"] == "aes128gcm"
        claims = self.verified(request.headers["Authorization"])
        told = self.browsers[request.path].read(body)
        self.kept.append(Pushed(told, dict(request.headers), claims, request.path))

    def verified(self, authorization: str) -> dict[str, Any]:
        """Return the claims of the site's token (RFC 8292), signed by the key with which browsers subscribed."""
        scheme, _space, rest = authorization.partition(" ")
        parts = dict(part.strip().split("=", 1) for part in rest.split(","))
        assert scheme == "vapid"
        assert parts["k"] == web_push.site_key()
        head, claims, signature = parts["t"].split(".")
        assert json.loads(data(head))["alg"] == "ES256"
        r, s = (int.from_bytes(data(signature)[at : at + 32]) for at in (0, 32))
        key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), data(parts["k"]))
        key.verify(encode_dss_signature(r, s), f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
        found = json.loads(data(claims))
        assert found["aud"] == self.url
        assert 0 < found["exp"] - site_clock.now().timestamp() <= 86_400
        assert found["sub"].startswith(("mailto:", "https://"))
        return found


def logged_in(user: User) -> str:
    """Return the key of a session of this member."""
    session = SessionStore()
    fresh = User.objects.get(pk=user.pk)
    session[SESSION_KEY], session[HASH_SESSION_KEY] = str(fresh.pk), fresh.get_session_auth_hash()
    session.create()
    return str(session.session_key)


def device_of(user: User, service: PushService, name: str = "Chrome, Android") -> Device:
    """Return a device of the member, in a session of its own."""
    device = devices.add(user=user, session_key=logged_in(user), name=name, **service.subscribe().keys())
    assert device
    return device
