"""Secrets that the site must be able to read, encrypted in the database by keys kept outside of it.

Those of authenticator apps, recovery codes, and the columns of other apps that the setting SEALED_COLUMNS names.
"""

import logging
import secrets
from base64 import b32encode
from functools import cache

from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.apps import apps
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
    text = opened(sealed)
    return b32encode(secrets.token_bytes(20)).decode() if text is None else text


def opened(sealed: str) -> str | None:
    """Return what was encrypted by any of the keys; None without the key, and the log says why."""
    try:
        return _box(tuple(settings.AUTHENTICATOR_KEYS)).decrypt(sealed).decode()
    except InvalidToken:
        log.error("the key of a secret is missing: see AUTHENTICATOR_KEYS in docs/operation.md")
        return None


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
    return sealed + sum(_seal_column(*column) for column in settings.SEALED_COLUMNS)


def _seal_column(model: str, name: str) -> int:
    """Encrypt a column by the newest key, row by row; return how many were not yet. Empty ones stay empty."""
    rows, sealed = apps.get_model(model)._default_manager.exclude(**{name: ""}), 0
    for pk, text in rows.values_list("pk", name):
        if (fresh := _renewed(text)) != text:
            sealed += rows.filter(pk=pk, **{name: text}).update(**{name: fresh})
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
