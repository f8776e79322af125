"""The API put together: the routes that the setting API_ROUTES names, of whatever app."""

from typing import Any, NoReturn

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from ninja import NinjaAPI
from ninja.errors import ValidationError

from games.api import openapi, problems
from games.api.kit import Rendered, Sent
from games.api.problems import Problem

LIFETIME = 300  # seconds for which a program need not ask again what the API is


class Api(NinjaAPI):
    """Ninja's, whose errors the door tells, and which shows no pages of its own."""

    def on_exception(self, request: HttpRequest, exc: Any) -> NoReturn:
        """Raise what the door tells the program."""
        raise problems.of_errors(exc.errors) if isinstance(exc, ValidationError) else exc


api = Api(
    title="Club Y",
    version="1",
    description=openapi.ABOUT,
    docs_url=None,
    openapi_url=None,
    urls_namespace="api-v1",
    renderer=Rendered(),
    parser=Sent(),
    servers=[{"url": settings.SITE_URL.rstrip("/")}],
)
for path in settings.API_ROUTES:
    api.add_router("", import_string(path))


@api.get("/openapi.json", include_in_schema=False)
def document(request: HttpRequest) -> HttpResponse:
    """Return the description of the API (OpenAPI 3.1), in the language asked for."""
    kept = {"Cache-Control": f"public, max-age={LIFETIME}"}
    return HttpResponse(openapi.document(request.LANGUAGE_CODE), content_type="application/json", headers=kept)


@api.get("/stream", include_in_schema=False)
def stream(request: HttpRequest) -> NoReturn:
    """Say to who asks for the stream as for a page that it is a WebSocket."""
    words = _("This is the stream, a WebSocket: come in with an upgrade of the connection, at the same address.")
    raise Problem(426, "upgrade_required", words, headers={"Upgrade": "websocket", "Connection": "Upgrade"})
