"""`/metrics`, for the addresses that the operator names."""

import ipaddress

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from games.services.operation import metrics

PASSED_ON = ("X-Forwarded-For", "Forwarded", "X-Real-Ip", "Via")


def page(request: HttpRequest) -> HttpResponse:
    """Return the figures as Prometheus reads them; 404 for all who may not know that they are there."""
    if not may_ask(request):
        raise Http404
    return _figures(request)


@require_safe
def _figures(request: HttpRequest) -> HttpResponse:
    return HttpResponse(metrics.text(), content_type=metrics.TYPE, headers={"Cache-Control": "no-store"})


def may_ask(request: HttpRequest) -> bool:
    """Return whether the request comes from a network of METRICS_ALLOWED.

    One that a proxy passed on, whom nobody trusts, does not: its sender may be anybody.
    """
    if not settings.ALLAUTH_TRUSTED_PROXY_COUNT and any(name in request.headers for name in PASSED_ON):
        return False
    try:
        address = ipaddress.ip_address(get_adapter().get_client_ip(request))
    except PermissionDenied:
        return False
    return any(address in network for network in settings.METRICS_ALLOWED)
