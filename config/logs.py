"""Structured logs: one JSON line per request, move and error, without personal data and secrets."""

import contextlib
import logging
import re
import sys
import threading
import time
import traceback
from collections.abc import Callable, MutableMapping
from types import TracebackType
from typing import Any

import msgspec
import structlog
from django.http import HttpRequest, HttpResponse

from config import sentry
from config.lib import error_counts, metrics, tracing
from config.lib.masking import without_secrets

Event = MutableMapping[str, Any]

log = structlog.get_logger("request")
WATCHING = {"/healthz", "/livez", "/readyz", "/metrics"}
OF_BROKER = ("celery.worker.consumer", "celery.beat")  # who says that the broker is away
SELDOM = 60.0  # seconds
_E_MAIL = re.compile(r"[^\s@<>\"'(=]+@[^\s@<>\"')]+")
_PEER = re.compile(r"\btcp[46]:\S+")  # how the library of sockets says from where one came
_ROW = re.compile(r"DETAIL: .*", re.DOTALL)  # PostgreSQL quotes the row that broke a constraint


def _without_people(text: str) -> str:
    told = _PEER.sub("(network address)", _ROW.sub("DETAIL: (left out)", without_secrets(text)))
    return _E_MAIL.sub("(address)", told)


def _add_traceback(logger: Any, method: str, event: Event) -> Event:
    error = event.pop("exc_info", None)
    if error is True:
        error = sys.exc_info()
    elif isinstance(error, BaseException):
        error = (type(error), error, error.__traceback__)
    if error and error[0]:
        event["traceback"] = _without_people("".join(traceback.format_exception(*error)))
        event["_error"] = error[1]
    return event


def _route(request: HttpRequest) -> str:
    """Return the request's URL pattern, as its URL may hold secrets."""
    match = request.resolver_match
    return f"/{match.route}" if match else "(none)"


def _foreign(logger: Any, method: str, event: Event) -> Event:
    """Convert a line of a library; one about a request gets its route instead of its URL."""
    record: logging.LogRecord = event["_record"]
    event["logger"] = record.name
    if left_out := getattr(record, "left_out", 0):
        event["left_out"] = left_out
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


class _Seldom(logging.Filter):
    """Lets through once a minute what Celery says of a broker that is away: it tries, and says so, again and again."""

    def __init__(self) -> None:
        super().__init__()
        self.told: dict[tuple[str, object], tuple[float, int]] = {}  # by line: when it was last, and how many since

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the line is to be written; it tells how many like it were left out."""
        if not record.name.startswith(OF_BROKER):
            return True
        key, now = (record.name, record.msg), time.monotonic()
        at, left_out = self.told.get(key, (now - SELDOM, 0))
        if now - at < SELDOM:
            self.told[key] = at, left_out + 1
            return False
        self.told[key] = now, 0
        if left_out:
            record.left_out = left_out
        return True


def _tell(logger: Any, method: str, event: Event) -> Event:
    """Count an error for the operation page, and send it to Sentry if there is one."""
    error = event.pop("_error", None)
    if error is not None and event.get("level") in ("error", "critical"):
        route = str(event.get("route") or event.get("task") or "")
        error_counts.note_soon(error_counts.kind_of(error), route, str(event.get("request_id", "")))
        metrics.count("club_errors", type(error).__name__)
        sentry.send(error)
    return event


def _adds_something(record: logging.LogRecord) -> bool:
    """Return whether a library's line adds to the request's own, as only a crash does."""
    if record.name.startswith("django.security.DisallowedModelAdmin"):
        return False
    return record.name != "django.request" or (record.levelno >= logging.ERROR and bool(record.exc_info))


def _encode(event: Event, **options: Any) -> str:
    return without_secrets(msgspec.json.encode(event, enc_hook=str).decode())


class Lines(logging.StreamHandler[Any]):
    """Lines on standard output; one that cannot be made is told without what it was made of."""

    def handleError(self, record: logging.LogRecord) -> None:
        structlog.get_logger(__name__).error("a line could not be written", logger=record.name, line=record.lineno)


_COMMON: list[Any] = [
    structlog.contextvars.merge_contextvars,
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
    """Send every line from the level on, the libraries' too, to standard output, and nowhere else."""
    level = logging.getLevelName(str(settings["level"]).upper())
    render = structlog.processors.JSONRenderer(_encode)
    structlog.configure(
        processors=[*_COMMON, _tell, render],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        # Each line in one write, its end included: the libraries' lines are written beside it, by other threads.
        logger_factory=structlog.WriteLoggerFactory(Lenient()),  # type: ignore[arg-type]
        cache_logger_on_first_use=True,
    )
    handler = Lines(Lenient())
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*_COMMON],
            processors=[_foreign, _tell, structlog.stdlib.ProcessorFormatter.remove_processors_meta, render],
        )
    )
    handler.addFilter(_adds_something)
    handler.addFilter(_calmed)
    handler.addFilter(_Seldom())
    for logger in list(logging.root.manager.loggerDict.values()):
        if isinstance(logger, logging.Logger):  # Django's own mail each error, and write to standard error
            logger.handlers.clear()
            logger.propagate = True
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level if level != logging.INFO else logging.WARNING)  # libraries log too much
    sentry.set_up()
    sys.excepthook, threading.excepthook = _last_words, _last_words_of_thread


def _last_words(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Write what ends the program: as a line, and for the person at the terminal."""
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
        return
    structlog.get_logger(__name__).critical("ended by an error", exc_info=error)
    sys.stderr.write(without_secrets("".join(traceback.format_exception_only(kind, error))))


def _last_words_of_thread(ended: threading.ExceptHookArgs) -> None:
    if ended.exc_value is not None and not isinstance(ended.exc_value, SystemExit):
        structlog.get_logger(__name__).error("a thread ended by an error", exc_info=ended.exc_value)


class RequestLog:
    """Number each request, and log one line: method, route, status, milliseconds; none for a look at the health."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        start = time.perf_counter()
        number = tracing.begin(tracing.told(request.headers))
        try:
            response = self.get_response(request)
            response.headers[tracing.HEADER] = number
            took, route = time.perf_counter() - start, _route(request)
            method, status = request.method or "", response.status_code
            metrics.request_answered(route=route, method=method, status=status, seconds=took)
            if route not in WATCHING:  # a start asks many times, monitoring all day; their answers say it all
                log.info("request", method=method, route=route, status=status, ms=round(took * 1000, 1))
            return response
        finally:
            tracing.end()

    def process_view(self, request: HttpRequest, *view: Any) -> None:
        """Have the route in each line from here on."""
        tracing.add(route=_route(request))
