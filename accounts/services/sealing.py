"""The secrets of authenticator apps and recovery codes, encrypted in the database by keys kept outside of it."""

import logging
import secrets
from base64 import b32encode
from functools import cache

from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.db import transaction

log = logging.getLogger(__name__)

SECRETS = ("secret", "seed", "migrated_codes")  # in the data of an authenticator, where allauth has encrypted
SEALED = "gAAAA"  # how Fernet's tokens begin, and no plain secret of before


def encrypt(text: str) -> str:
    """Return the text encrypted by the newest key."""
    return _box(tuple(settings.AUTHENTICATOR_KEYS)).encrypt(text.encode()).decode()


def decrypt(sealed: str) -> str:
    """Return what was encrypted by any of the keys; a plain text of before as it is.

    Without the key a secret that nobody knows is returned: no code fits it, and the log says why.
    """
    if not sealed.startswith(SEALED):
        return sealed
    try:
        return _box(tuple(settings.AUTHENTICATOR_KEYS)).decrypt(sealed).decode()
    except InvalidToken:
        log.error("the key of an authenticator is missing: see AUTHENTICATOR_KEYS in docs/operation.md")
        return b32encode(secrets.token_bytes(20)).decode()


@cache
def _box(keys: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(key) for key in keys])


def seal_all() -> int:
    """Encrypt by the newest key what is not yet, so that older keys can be thrown away; return how many."""
    sealed = 0
    for pk in Authenticator.objects.exclude(type=Authenticator.Type.WEBAUTHN).values_list("pk", flat=True):
        with transaction.atomic():
            row = Authenticator.objects.select_for_update().filter(pk=pk).first()
            if row is not None and (fresh := _resealed(row.data)) != row.data:
                row.data = fresh
                row.save(update_fields=["data"])
                sealed += 1
    return sealed


def _resealed(data: dict[str, object]) -> dict[str, object]:
    """Return an authenticator's data with each secret under the newest key; as it was where no key fits."""
    fresh = dict(data)
    for name in SECRETS:
        if isinstance(text := data.get(name), str):
            fresh[name] = _renewed(text)
        elif isinstance(text, list):
            fresh[name] = [_renewed(code) for code in text]
    return fresh


def _renewed(text: str) -> str:
    newest = settings.AUTHENTICATOR_KEYS[:1]
    try:
        _box(tuple(newest)).decrypt(text)
        return text
    except InvalidToken:
        pass
    try:
        known = _box(tuple(settings.AUTHENTICATOR_KEYS))
        return encrypt(known.decrypt(text).decode() if text.startswith(SEALED) else text)
    except InvalidToken:
        return text
