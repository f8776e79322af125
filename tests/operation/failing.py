"""The real server with views and a socket that fail, and a task that does; their errors hold all secrets there are."""

from celery import shared_task
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import path

from config.lib.redis import TASKS, address
from config.server import main
from games.sockets.urls import websocket_urlpatterns
from tests.operation import addresses


def tell() -> None:
    """Fail with every secret in the text and in variables."""
    everything = {name: getattr(settings, name) for name in dir(settings) if name.isupper()}
    redis_url = address(TASKS)
    password = settings.DATABASES["default"]["PASSWORD"]
    raise ValueError(f"no good at all: {redis_url} {password} {everything!r}")


def telling(request: HttpRequest) -> HttpResponse:
    tell()
    return HttpResponse()


class Telling(AsyncWebsocketConsumer):
    """A socket that fails when it opens."""

    async def connect(self) -> None:
        tell()


@shared_task
def fails(secret: str) -> None:
    tell()


if __name__ == "__main__":
    settings.ROOT_URLCONF = "tests.operation.addresses"
    addresses.urlpatterns.insert(0, path("tells", telling))
    websocket_urlpatterns.insert(0, path("ws/fails/", Telling.as_asgi()))
    main()
