"""A real HTTP server that is called, verifies what is signed and answers as it is told; ways to have it called."""

import base64
import hashlib
import hmac
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from games.models import WebhookCall
from games.services.webhooks import delivery, planning


class Receiver(ThreadingHTTPServer):
    """Keeps each call; answers with `answers`, one after the other, then 204."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.calls: list[Call] = []
        self.answers: list[tuple[int, dict[str, str], bytes]] = []
        self.hangs = 0.0
        self.on_call = lambda: None
        self.base = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: whoever calls may be killed meanwhile."""

    def answer(self, *statuses: int, headers: dict[str, str] | None = None, body: bytes = b"") -> None:
        self.answers += [(status, headers or {}, body) for status in statuses]


class Call:
    """One request: its path, its headers and its body."""

    def __init__(self, path: str, headers: Any, body: bytes) -> None:
        self.path, self.headers, self.body = path, headers, body

    @property
    def data(self) -> dict[str, Any]:
        return json.loads(self.body)

    def is_signed_by(self, secret: str) -> bool:
        """Verify as https://www.standardwebhooks.com says, written here anew; a call of long ago is none."""
        key = base64.b64decode(secret.removeprefix("whsec_"))
        at = self.headers["webhook-timestamp"]
        signed = f"{self.headers['webhook-id']}.{at}.{self.body.decode()}".encode()
        wanted = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        return hmac.compare_digest(wanted, self.headers["webhook-signature"])


class Handler(BaseHTTPRequestHandler):
    server: Receiver
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.calls.append(Call(self.path, self.headers, body))
        self.server.on_call()
        time.sleep(self.server.hangs)
        status, headers, said = self.server.answers.pop(0) if self.server.answers else (204, {}, b"")
        try:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)
        except OSError:
            self.close_connection = True

    def do_GET(self) -> None:
        self.server.calls.append(Call(self.path, self.headers, b"GET"))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *words: Any) -> None:
        """Say nothing."""


def call() -> None:
    """Plan what is due and make the calls, of both lanes."""
    planning.sweep()
    for failing in (False, True):
        delivery.send_due(failing=failing)


def states() -> list[str]:
    return list(WebhookCall.objects.order_by("pk").values_list("state", flat=True))
