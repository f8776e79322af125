"""A message to one browser by its push service: encrypted for it alone (RFC 8291), signed as the site's (RFC 8292)."""

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import timedelta
from functools import cache
from typing import NamedTuple
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from py_vapid import Vapid02

from config.lib import clock

SIGNED_FOR = timedelta(hours=12)  # push services take a day at most
LONGEST = 3_993  # bytes of a message before encryption, which every push service takes
PUBLIC_KEY, SECRET = 65, 16  # bytes of a browser's keys


class Browser(NamedTuple):
    """Where one browser is reached, and its keys, as it tells them (base64url)."""

    endpoint: str
    public_key: str
    secret: str


def site_key() -> str:
    """Return the public key that browsers subscribe with, as base64url."""
    public = _vapid(settings.VAPID_KEY).public_key
    return _text(public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def are_keys(public_key: str, secret: str) -> bool:
    """Return whether these are a browser's keys, as it writes them: a point of P-256, and 16 bytes."""
    try:
        point, rest = _bytes(public_key), _bytes(secret)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        return False
    is_plain = (_text(point), _text(rest)) == (public_key.rstrip("="), secret.rstrip("="))  # else of any length
    return is_plain and len(point) == PUBLIC_KEY and len(rest) == SECRET


def encrypted(message: bytes, browser: Browser) -> bytes:
    """Return a message that this browser alone can read. ValueError when it is longer than 3 993 bytes."""
    if len(message) > LONGEST:
        raise ValueError("too long to be pushed")
    once = ec.generate_private_key(ec.SECP256R1())
    key, secret = _bytes(browser.public_key), _bytes(browser.secret)
    sealed: bytes = http_ece.encrypt(message, salt=os.urandom(16), private_key=once, dh=key, auth_secret=secret)
    return sealed


def headers(browser: Browser, *, life: timedelta, urgency: str, topic: str) -> dict[str, str]:
    """Return the headers of a message (RFC 8030): how long it is kept, how urgent it is, and which one it replaces."""
    parts = urlsplit(browser.endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int((clock.now() + SIGNED_FOR).timestamp()),
        "sub": _operator(),
    }
    signed: dict[str, str] = _vapid(settings.VAPID_KEY).sign(claims)
    return signed | {
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(max(0, int(life.total_seconds()))),
        "Urgency": urgency,
        "Topic": topic,
    }


def _operator() -> str:
    """Return where a push service may turn to: the site itself, or the sender of its mails where that has no name."""
    site = settings.SITE_URL.rstrip("/")
    if site.startswith("https://") and not urlsplit(site).port:
        return str(site)
    return f"mailto:{settings.DEFAULT_FROM_EMAIL.rpartition('<')[2].rstrip('>')}"


@cache
def _vapid(key: str) -> Vapid02:
    return Vapid02.from_raw(key.rstrip("=").encode())


def _bytes(text: str) -> bytes:
    """Return what base64url stands for, padded or not. ValueError."""
    return urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()
