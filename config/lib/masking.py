"""Passwords and keys taken out of what is written down: log lines, pages of errors, reports."""

import html
import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any
from urllib.parse import parse_qsl, quote, unquote

from django.core.exceptions import ImproperlyConfigured

HIDDEN = "(hidden)"
SHORTEST = 6  # characters of what is hidden wherever it stands; shorter ones are words
ADDRESSES = ("DATABASE_URL", "REDIS_URL", "EMAIL_URL")
LISTS = ("SECRET_KEY", "AUTHENTICATOR_KEYS", "MAIL_WEBHOOK_SECRET", "SENTRY_DSN")
_SECRET_NAME = re.compile(r"API|KEY|TOKEN|SECRET|PASS|SID", re.I)
_USER_INFO = re.compile(r"\b([a-z][a-z0-9+.-]*://)[^\s/@\"'<>]*:[^\s\"'<>]*@", re.I)

_kept: set[str] = set()


def hide(*secrets: str) -> None:
    """Hide these from now on wherever they stand."""
    _kept.update(secrets)
    _known.cache_clear()


def without_secrets(text: str) -> str:
    """Return the text without the site's passwords and keys, and without those in any address in it."""
    for secret in _known():
        if secret in text:
            text = text.replace(secret, HIDDEN)
    return _USER_INFO.sub(rf"\1{HIDDEN}@", text) if "://" in text else text


@contextmanager
def readable(name: str) -> Iterator[None]:
    """Read a variable within; ImproperlyConfigured, which names it and quotes nothing of it, when that fails."""
    try:
        yield
    except Exception:
        raise ImproperlyConfigured(f"{name} cannot be read: docs/operation.md says what it looks like.") from None


@cache
def _known() -> list[str]:
    """Return the secrets as they may be written, the longest first, as one may hold another."""
    plain = {secret for secret in (*_environment(), *_kept) if len(secret) >= SHORTEST}
    written = {form for secret in plain for form in _forms(secret)}
    return sorted(written, key=lambda form: (-len(form), form))


def _forms(secret: str) -> Iterable[str]:
    """Return how a secret is written in texts, addresses, HTML, JSON and Python."""
    return {secret, quote(secret, safe=""), html.escape(secret), json.dumps(secret)[1:-1], repr(secret)[1:-1]}


def _environment() -> Iterator[str]:
    for name in ADDRESSES:
        yield from _of_address(os.environ.get(name, ""))
    for name in LISTS:
        value = os.environ.get(name, "")
        yield from (value, *value.split(","), value.partition(":")[2] if "://" not in value else "")
    yield from _of_json(os.environ.get("ANYMAIL", ""))


def _of_address(address: str) -> Iterator[str]:
    """Return the passwords of an address, even of one that nobody can read."""
    user, at, _host = address.partition("://")[2].rpartition("@")
    password = user.partition(":")[2] if at else ""
    yield from (password, unquote(password))
    yield from (value for name, value in parse_qsl(address.partition("?")[2]) if _SECRET_NAME.search(name))


def _of_json(text: str) -> Iterator[str]:
    try:
        yield from _of_names("", json.loads(text or "{}"))
    except ValueError:
        yield text
        yield from re.findall(r"[^\s\"'{}:,]{16,}", text)


def _of_names(name: str, value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _of_names(str(key), inner)
    elif isinstance(value, str) and _SECRET_NAME.search(name):
        yield value
