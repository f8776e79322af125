"""The pages one sees when something is wrong, and the security headers of every answer."""

import logging
import sys
from functools import cached_property
from urllib.parse import urlsplit

from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from csp.utils import build_policy
from django.core.exceptions import BadRequest, DisallowedHost, SuspiciousOperation
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    HttpResponseNotAllowed,
    HttpResponseServerError,
)
from django.http.multipartparser import MultiPartParserError
from django.http.request import split_domain_port
from django.http.response import HttpResponseBase
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import url_has_allowed_host_and_scheme
from django.views import defaults

from config import unavailable
from config.lib import tracing
from config.lib.texts import written
from games.api import problems
from games.api.door import is_programs

log = logging.getLogger(__name__)

PLAIN = (
    "<!doctype html><title>Club Y</title><h1>A die fell off the table</h1>"
    "<p>Something broke on our side. Please try again in a moment.</p>"
    "<p>If you write to us about it, tell us this number: {number}</p><p><a href='/'>Club Y</a></p>"
)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return the page for a form that is too old, with a link back to it."""
    log.info("csrf refused", extra={"reason": reason})
    back = request.headers.get("Referer", "")
    parts = urlsplit(back) if url_has_allowed_host_and_scheme(back, {request.get_host()}) else None
    if parts is not None and not parts.path.startswith("//"):  # by itself it would be the address of another site
        back = f"{parts.path}?{parts.query}" if parts.query else parts.path
    else:
        back = ""
    answer = render(request, "403_csrf.html", {"back": back, "written": written(request.POST)}, status=403)
    answer["X-Token"] = get_token(request)  # for the page's script, which sends the form anew
    return answer


class RightHost(MiddlewareMixin):
    """Refuse a host that is not the site's, as Django does, and a port that cannot be."""

    def process_request(self, request: HttpRequest) -> None:
        host = request.get_host()
        port = split_domain_port(host)[1]
        if len(port) > 5 or int(port or 0) > LARGEST_PORT:
            raise DisallowedHost(host)


class WrongMethod(MiddlewareMixin):
    """Give Django's empty 405 responses a page, and TRACE, which no page needs, the same one everywhere."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        return HttpResponseNotAllowed(["GET", "HEAD", "POST"]) if request.method == "TRACE" else None

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if response.status_code == 405 and not response.streaming and not response.content:
            response.content = render_to_string("405.html", request=request)
        return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the page for what is no request for this site, in the language that its sender's browser asks for."""
    with translation.override(translation.get_language_from_request(request)):
        if is_programs(request):
            return problems.answer(problems.unreadable())
        return HttpResponseBadRequest(render_to_string("400.html"))


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the page for an address where nothing is; Django's reads the form, which may be none that can be read."""
    try:
        return defaults.page_not_found(request, exception)
    except UNREADABLE as error:
        return bad_request(request, error)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the page for what this person may not; likewise."""
    try:
        return defaults.permission_denied(request, exception)
    except UNREADABLE as error:
        return bad_request(request, error)


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the page of an internal error, or of a database that cannot; plain HTML when even that fails."""
    try:
        if is_programs(request):
            return problems.answer(problems.ours(unavailable.reason(sys.exc_info()[1]), tracing.current()))
        if (busy := unavailable.answer(sys.exc_info()[1])) is not None:
            return busy
        return HttpResponseServerError(render_to_string("500.html", {"number": tracing.current()}))
    except Exception:
        log.exception("the page of the error failed too")
        return HttpResponseServerError(PLAIN.format(number=tracing.current()))


UNREADABLE = (BadRequest, SuspiciousOperation, MultiPartParserError)
LARGEST_PORT = 65535
NO_DEVICES = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"


class ContentPolicy(CSPMiddleware):
    """django-csp's middleware without nonces and exceptions."""

    @cached_property
    def policy(self) -> str:
        return build_policy()

    def process_request(self, request: HttpRequest) -> None:
        """Prepare nothing."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        response.headers[HEADER] = self.policy
        response.headers.setdefault("X-Frame-Options", "DENY")  # on static files too
        response.headers["Permissions-Policy"] = NO_DEVICES
        return response
