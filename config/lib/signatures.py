"""The site's own signature (Ed25519), by which anybody can tell what it published from what was changed since.

The first of RECORD_KEYS signs; the public half of each stays listed, so that what an older one signed can be checked.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from django.conf import settings

PUBLIC = "public:"
"""What stands before a key of which the site has kept the public half alone: it signs nothing any more."""


def sign(message: bytes) -> dict[str, str]:
    """Return the signature of a message by the newest key: the key's public half, and the value, as base64url."""
    private = _private(settings.RECORD_KEYS[0])
    return {"key": _text(private.public_key()), "value": _encoded(private.sign(message))}


def public_keys() -> list[str]:
    """Return the public half of each key as base64url, the one that signs now first."""
    return [_public(text) for text in settings.RECORD_KEYS]


def is_signed(message: bytes, key: str, value: str) -> bool:
    """Return whether the value is the signature of the message by the private half of this public key."""
    try:
        Ed25519PublicKey.from_public_bytes(_decoded(key)).verify(_decoded(value), message)
    except (InvalidSignature, ValueError):
        return False
    return True


@cache
def _private(text: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(_decoded(text))


@cache
def _public(text: str) -> str:
    return text.removeprefix(PUBLIC) if text.startswith(PUBLIC) else _text(_private(text).public_key())


def _text(key: Ed25519PublicKey) -> str:
    return _encoded(key.public_bytes_raw())


def _encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def _decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
