"""The address to which a member answers one question of one match: signed, and fit for a local part."""

import hmac
from base64 import b32decode, b32encode
from hashlib import sha256
from typing import NamedTuple

from django.conf import settings
from django.utils.crypto import salted_hmac

from accounts.models import User
from accounts.services.mail_links import seal_of

SALT = "games.replies"
PREFIX = "reply+"
MARK = 12  # bytes of the signature
LONGEST = 64  # characters of a local part (RFC 5321, 4.5.3.1.1)


class NoReplyAddress(Exception):
    """The address is none of ours: changed, ended by its member, or never made."""


class Question(NamedTuple):
    """Who answers what: the member, the match, and the number of the question."""

    user: User
    match_id: int
    ask: int


def is_on() -> bool:
    """Return whether this site takes replies."""
    return bool(settings.REPLY_DOMAIN)


def address_for(user: User, match_id: int, ask: int) -> str:
    """Return the address by which this member answers that question."""
    told = b"".join(map(_packed, (user.pk, match_id, ask)))
    token = b32encode(told + _mark(told, user)).decode().rstrip("=").lower()
    return f"{PREFIX}{token}@{settings.REPLY_DOMAIN}"


def read(address: str) -> Question:
    """Return what a reply to this address answers, in whatever case it comes. NoReplyAddress."""
    local, _at, domain = address.strip().lower().rpartition("@")
    if not is_on() or domain != settings.REPLY_DOMAIN.lower() or not local.startswith(PREFIX) or len(local) > LONGEST:
        raise NoReplyAddress
    token = local.removeprefix(PREFIX)
    try:
        raw = b32decode(token.upper() + "=" * (-len(token) % 8))
        user_id, match_id, ask = _unpacked(raw[:-MARK])
    except ValueError as error:
        raise NoReplyAddress from error
    user = User.objects.filter(pk=user_id, is_active=True, is_guest=False).exclude(email="").first()
    if (
        user is None
        or not local.isascii()
        or not hmac.compare_digest(address_for(user, match_id, ask).partition("@")[0], local)
    ):
        raise NoReplyAddress
    return Question(user, match_id, ask)


def _mark(told: bytes, user: User) -> bytes:
    return salted_hmac(SALT, told + seal_of(user).encode(), algorithm="sha256").digest()[:MARK]


def mark_of(*parts: object) -> str:
    """Return a keyed hash of what tells one mail from others."""
    return salted_hmac(f"{SALT}.mark", "\0".join(map(str, parts)), algorithm="sha256").hexdigest()


def hidden(address: str) -> str:
    """Return a word that stands for an address, for counting how often it comes, without telling it."""
    return sha256(f"{settings.SECRET_KEY}:{address}".encode()).hexdigest()[:24]


def _packed(number: int) -> bytes:
    """Return a number in groups of seven bits, the lowest first, all but the last with the eighth set."""
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def _unpacked(raw: bytes) -> tuple[int, int, int]:
    """Return the three numbers of which this is made. ValueError."""
    numbers, number, shift = [], 0, 0
    for byte in raw:
        number |= (byte & 127) << shift
        shift += 7
        if not byte & 128:
            numbers.append(number)
            number = shift = 0
    user_id, match_id, ask = numbers
    if shift or max(user_id, match_id) >= 2**63:
        raise ValueError("no numbers of rows")
    return user_id, match_id, ask
