"""Structured logs: one JSON line per request, move and error, without personal data."""

import contextlib
import logging
import re
import sys
import time
import traceback
from collections.abc import Callable, MutableMapping
from typing import Any

import msgspec
import structlog
from django.http import HttpRequest, HttpResponse

Event = MutableMapping[str, Any]

log = structlog.get_logger("request")
HEALTH = {"/healthz", "/livez", "/readyz"}
_E_MAIL = re.compile(r"[^\s@<>\"'(=]+@[^\s@<>\"')]+")
_ROW = re.compile(r"DETAIL: .*", re.DOTALL)  # PostgreSQL quotes the row that broke a constraint


def _without_people(text: str) -> str:
    return _E_MAIL.sub("(address)", _ROW.sub("DETAIL: (left out)", text))


def _add_traceback(logger: Any, method: str, event: Event) -> Event:
    error = event.pop("exc_info", None)
    if error is True:
        error = sys.exc_info()
    elif isinstance(error, BaseException):
        error = (type(error), error, error.__traceback__)
    if error and error[0]:
        event["traceback"] = _without_people("".join(traceback.format_exception(*error)))
    return event


def _route(request: HttpRequest) -> str:
    """Return the request's URL pattern, as its URL may hold secrets."""
    match = request.resolver_match
    return f"/{match.route}" if match else "(none)"


def _foreign(logger: Any, method: str, event: Event) -> Event:
    """Convert a line of a library; one about a request gets its route instead of its URL."""
    record: logging.LogRecord = event["_record"]
    event["logger"] = record.name
    if isinstance(request := getattr(record, "request", None), HttpRequest):
        kind = record.name.removeprefix("django.security.")
        is_refusal = kind != record.name
        event["event"] = f"refused: {kind}" if is_refusal else f"answered {getattr(record, 'status_code', 500)}"
        event["route"] = _route(request)
    else:
        event["event"] = _without_people(str(event["event"]))
    return event


def _calmed(record: logging.LogRecord) -> bool:
    """Let a refused request be a warning in one line: no error of ours, and it may come a thousand times a minute."""
    if record.name.startswith("django.security."):
        record.levelno, record.levelname, record.exc_info = logging.WARNING, "WARNING", None
    return True


def _adds_something(record: logging.LogRecord) -> bool:
    """Return whether a library's line adds to the request's own, as only a crash does."""
    if record.name.startswith("django.security.DisallowedModelAdmin"):
        return False
    return record.name != "django.request" or (record.levelno >= logging.ERROR and bool(record.exc_info))


def _encode(event: Event, **options: Any) -> str:
    return msgspec.json.encode(event, enc_hook=str).decode()


_COMMON: list[Any] = [
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso"),
    _add_traceback,
]


class Lenient:
    """Standard output, whose lines are dropped when they cannot be written: a full disk is no reason to fail."""

    def write(self, text: str) -> None:
        with contextlib.suppress(OSError):
            sys.stdout.write(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError):
            sys.stdout.flush()


def configure(settings: dict[str, Any]) -> None:
    """Send every line from the level on, the libraries' too, to standard output."""
    level = logging.getLevelName(str(settings["level"]).upper())
    render = structlog.processors.JSONRenderer(_encode)
    structlog.configure(
        processors=[structlog.contextvars.merge_contextvars, *_COMMON, render],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(Lenient()),  # type: ignore[arg-type]
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(Lenient())
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*_COMMON],
            processors=[_foreign, structlog.stdlib.ProcessorFormatter.remove_processors_meta, render],
        )
    )
    handler.addFilter(_adds_something)
    handler.addFilter(_calmed)
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level if level != logging.INFO else logging.WARNING)  # libraries log too much


class RequestLog:
    """Log one line per request: method, route, status, milliseconds; none for a look at the site's health."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        start = time.perf_counter()
        response = self.get_response(request)
        took = round((time.perf_counter() - start) * 1000, 1)
        if (
            route := _route(request)
        ) not in HEALTH:  # a start asks many times, monitoring all day; its answer says it all
            log.info("request", method=request.method, route=route, status=response.status_code, ms=took)
        return response
