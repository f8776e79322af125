"""On which request, socket or task this thread or coroutine works: its number is in all its log lines."""

import re
import uuid
from collections.abc import Mapping

from django.conf import settings
from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars

HEADER = "X-Request-ID"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{8,64}")


def begin(told: str = "", **about: str) -> str:
    """Return the number of what begins here: the one that was `told`, if it is a short token, else a new one.

    `about` stands in each line until `end`: the route, or the name of the task.
    """
    number = told if _TOKEN.fullmatch(told) else uuid.uuid4().hex[:12]
    clear_contextvars()
    bind_contextvars(request_id=number, **about)
    return number


def add(**about: str) -> None:
    """Say more in each line from here on."""
    bind_contextvars(**about)


def end() -> None:
    """Say nothing more: the thread does something else from here on."""
    clear_contextvars()


def current() -> str:
    """Return the number of what goes on here; "" outside of requests, sockets and tasks."""
    return str(get_contextvars().get("request_id", ""))


def about() -> dict[str, str]:
    """Return all that is said of what goes on here."""
    return {name: str(value) for name, value in get_contextvars().items()}


def told(headers: Mapping[str, str]) -> str:
    """Return the number that a trusted proxy gave the request; "" without one."""
    return headers.get(HEADER, "") if settings.ALLAUTH_TRUSTED_PROXY_COUNT else ""
