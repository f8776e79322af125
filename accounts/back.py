"""Where a form leads once it is done: back to where the person was, never off the site."""

from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme


def led_back(request: HttpRequest, otherwise: str) -> HttpResponseRedirect:
    """Return the way to the posted `next` if it is an address of this site, else to the view of that name.

    Django's `redirect` would take an address without a slash for a view's name, and fail.
    """
    target = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    return HttpResponseRedirect(target if safe else reverse(otherwise))
