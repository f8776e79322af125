"""Error pages of 403 (CSRF), 405 and 500; those of 400, 403 and 404 are Django's own views."""

import logging
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import url_has_allowed_host_and_scheme

log = logging.getLogger(__name__)

PLAIN = (
    "<!doctype html><title>Club Y</title><h1>A die fell off the table</h1>"
    "<p>Something broke on our side. Please try again in a moment.</p><p><a href='/'>Club Y</a></p>"
)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return the page for a form that is too old, with a link back to it."""
    log.info("csrf refused", extra={"reason": reason})
    back = request.headers.get("Referer", "")
    if url_has_allowed_host_and_scheme(back, {request.get_host()}):
        parts = urlsplit(back)
        back = f"{parts.path}?{parts.query}" if parts.query else parts.path
    else:
        back = ""
    return render(request, "403_csrf.html", {"back": back}, status=403)


class WrongMethod(MiddlewareMixin):
    """Give Django's empty 405 responses a page."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if response.status_code == 405 and not response.streaming and not response.content:
            response.content = render_to_string("405.html", request=request)
        return response


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the page of an internal error, or plain HTML when even that fails."""
    try:
        return HttpResponseServerError(render_to_string("500.html"))
    except Exception:
        log.exception("the page of the error failed too")
        return HttpResponseServerError(PLAIN)
