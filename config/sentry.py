"""Errors to Sentry, if `SENTRY_DSN` names one: the trace and the route, nothing of anybody.

None of its integrations is on: what is sent is built here, from what may be said.
"""

import os
from importlib import import_module
from typing import Any

from config.lib import masking, tracing
from config.lib.version import VERSION

_sdk: Any = None
_SAID = ("event_id", "timestamp", "level", "platform", "release", "sdk")
_OF_FRAME = ("filename", "function", "module", "lineno", "in_app", "context_line", "pre_context", "post_context")


def set_up() -> None:
    """Send errors from now on, if there is an address to send them to; ImproperlyConfigured if it cannot be read."""
    dsn = os.environ.get("SENTRY_DSN", "")
    if not dsn:
        return
    global _sdk  # noqa: PLW0603
    _sdk = import_module("sentry_sdk")  # only here: it takes time and memory of each process
    with masking.readable("SENTRY_DSN"):
        _sdk.init(
            dsn=dsn,
            release=release(),
            send_default_pii=False,
            include_local_variables=False,
            max_request_body_size="never",
            max_breadcrumbs=0,
            default_integrations=False,
            auto_enabling_integrations=False,
            auto_session_tracking=False,
            server_name="",
            before_send=_what_may_be_said,
        )


def release() -> str:
    """Return the version as Sentry names it, with `BUILD` if that is set."""
    build = os.environ.get("BUILD", "")
    return f"club-y@{VERSION}+{build}" if build else f"club-y@{VERSION}"


def send(error: BaseException) -> None:
    """Send an error in the background, unless there is no Sentry."""
    if _sdk is not None:
        _sdk.capture_exception(error)


def _what_may_be_said(event: Any, hint: dict[str, Any]) -> Any:
    """Return the event with the route for its URL, and without texts of errors, which may quote anything."""
    about = tracing.about()
    said = {name: event[name] for name in _SAID if name in event}
    said["transaction"] = about.get("route") or about.get("task") or ""
    said["tags"] = {name: value for name, value in about.items() if name in ("request_id", "route", "task")}
    said["exception"] = {"values": [_without_texts(one) for one in event.get("exception", {}).get("values", [])]}
    return said


def _without_texts(error: dict[str, Any]) -> dict[str, Any]:
    frames = (error.get("stacktrace") or {}).get("frames", [])
    kept = [{name: frame[name] for name in _OF_FRAME if name in frame} for frame in frames]
    return {"type": error.get("type"), "module": error.get("module"), "stacktrace": {"frames": kept}}
