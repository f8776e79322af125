"""What stands on other people's pages: a match in a frame, the picture of its table. They know nobody, and nobody them.

No cookie is read: whoever is logged in sees there what a stranger sees. None is set. The frame's own answer alone, and
only where it shows something, may stand in a frame (`FRAMED`); every other page stays as it was.
"""

import re
from typing import Any

from csp.utils import build_policy
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

ADDRESSES = re.compile(r"/matches/[0-9]+/(embed/|table\.(svg|png))")
SOCKET = "/ws/watch/"
FRAMED = "may_be_framed"  # set by the view on its answer
DIRECTIVES = {
    "default-src": ["'none'"],
    "form-action": ["'none'"],
    "frame-ancestors": ["*"],
    "connect-src": ["'self'"],
    "font-src": ["'self'"],
}


class WithoutCookies(MiddlewareMixin):
    """Take the cookies from a request for what stands elsewhere, and from its answer."""

    def process_request(self, request: HttpRequest) -> None:
        if ADDRESSES.fullmatch(request.path_info):
            request.META.pop("HTTP_COOKIE", None)
            request.COOKIES = {}  # in place of what Django would read

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if ADDRESSES.fullmatch(request.path_info):
            response.cookies.clear()
            kept = [name for name in response.headers.get("Vary", "").split(", ") if name.lower() not in ("", "cookie")]
            response.headers["Vary"] = ", ".join(kept) or "Accept-Language"
        return response


class SocketWithoutCookies:
    """Take the cookies from the handshake of a socket by which a frame hears that something changed."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        if scope["path"] == SOCKET:
            scope = scope | {"headers": [pair for pair in scope["headers"] if pair[0].lower() != b"cookie"]}
        return await self.app(scope, receive, send)


def policy() -> str:
    """Return the content policy of an answer that may stand in a frame."""
    return str(build_policy(update=None, replace=DIRECTIVES))
