"""Middleware for the security headers, which are the same for every response and built once."""

from functools import cached_property

from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from csp.utils import build_policy
from django.http import HttpRequest
from django.http.response import HttpResponseBase

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
