"""The commitment to a table's dice before there is a table: shown with its form, kept by the table made of it.

Nothing is kept of a promise: its root follows from the site's key and the promise's number, so that a page may make one
without writing anything. A number makes one table (docs/decisions/0056-dice-that-the-page-checks.md).
"""

import secrets
from typing import Any, NamedTuple

from django.core.signing import BadSignature, Signer
from django.db import IntegrityError, transaction
from django.utils.crypto import salted_hmac

from config.lib import clock
from games.engine import commit, link
from games.models import Match

LASTS = 24 * 60 * 60  # seconds that a form may be open
SALT = "a promise of dice"


class Promise(NamedTuple):
    """What a form says: its number, which only this site can have made, and the commitment that goes with it.

    `until` is when it ends (ms).
    """

    token: str
    commitment: str
    until: int


def promise() -> Promise:
    """Return a fresh promise."""
    number = secrets.token_hex(16)
    until = clock.now_ms() // 1000 + LASTS
    return Promise(Signer(salt=SALT).sign(f"{number}:{until}"), commit(link(_root(number), 0)), until * 1000)


def create(token: str = "", **facts: Any) -> Match:
    """Create a table with the dice that were promised; with fresh ones if nothing was, too long ago, or they are used.

    Of two that ask for the same at once, one gets them.
    """
    number = _number(token)
    if number is not None and not Match.objects.filter(promise=number).exists():
        try:
            with transaction.atomic():
                return Match.objects.create(**facts, **_dice(_root(number)), promise=number)
        except IntegrityError:
            if not Match.objects.filter(promise=number).exists():
                raise
    return Match.objects.create(**facts, **_dice(secrets.token_bytes(32)))


def _dice(root: bytes) -> dict[str, bytes]:
    return {"chain_root": root, "server_seed": link(root, 0)}


def _number(token: str) -> str | None:
    try:
        number, _colon, until = Signer(salt=SALT).unsign(token).partition(":")
    except BadSignature:
        return None
    return number if int(until) >= clock.now_ms() // 1000 else None


def _root(number: str) -> bytes:
    return salted_hmac(SALT, number, algorithm="sha256").digest()
