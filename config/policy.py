"""The Content-Security-Policy of every answer; it is the same for all, so it is put together once."""

from functools import cached_property

from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from csp.utils import build_policy
from django.http import HttpRequest
from django.http.response import HttpResponseBase


class ContentPolicy(CSPMiddleware):
    """django-csp's middleware without nonces and exceptions: there are none on this site."""

    @cached_property
    def policy(self) -> str:
        """The policy that the settings describe."""
        return build_policy()

    def process_request(self, request: HttpRequest) -> None:
        """Prepare nothing."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Return the answer with the policy's header."""
        response.headers[HEADER] = self.policy
        return response
