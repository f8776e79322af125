"""The pages one sees when something is wrong; those of 400, 404 and 403 are Django's own views."""

import logging
from collections.abc import Callable
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.http import url_has_allowed_host_and_scheme

log = logging.getLogger(__name__)

PLAIN = (
    "<!doctype html><title>Club Y</title><h1>A die fell off the table</h1>"
    "<p>Something broke on our side. Please try again in a moment.</p><p><a href='/'>Club Y</a></p>"
)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Say that a form was too old, with a way back to its page."""
    log.info("csrf refused", extra={"reason": reason})
    back = request.headers.get("Referer", "")
    if url_has_allowed_host_and_scheme(back, {request.get_host()}):
        parts = urlsplit(back)
        back = f"{parts.path}?{parts.query}" if parts.query else parts.path
    else:
        back = ""
    return render(request, "403_csrf.html", {"back": back}, status=403)


class WrongMethod:
    """Gives Django's refusals of a method, which are empty, a page in words."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code == 405 and not response.streaming and not response.content:
            response.content = render_to_string("405.html", request=request)
        return response


def server_error(request: HttpRequest) -> HttpResponse:
    """Say that it is our fault; in plain words when even the page for it cannot be made."""
    try:
        return HttpResponseServerError(render_to_string("500.html"))
    except Exception:
        log.exception("the page of the error failed too")
        return HttpResponseServerError(PLAIN)
