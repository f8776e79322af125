"""Each request in its member's language and time zone."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers


class Preferences:
    """Activate the member's language and zone; a visitor's language is the cookie's, else the browser's."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user = request.user
        member = user.is_authenticated
        language = user.language if member else translation.get_language_from_request(request)
        zone = ZoneInfo(user.time_zone) if member else None
        request.LANGUAGE_CODE = language
        with translation.override(language), timezone.override(zone):
            response = self.get_response(request)
        response.headers.setdefault("Content-Language", language)
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
        return response
