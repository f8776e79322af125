"""The one socket address."""

from django.urls import path

from games.consumers import Doorbell

websocket_urlpatterns = [path("ws/", Doorbell.as_asgi())]
