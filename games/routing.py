"""The one socket address; whoever knocks elsewhere is told."""

from django.urls import path, re_path

from games.consumers import Doorbell, NoSocket

websocket_urlpatterns = [path("ws/", Doorbell.as_asgi()), re_path("", NoSocket.as_asgi())]
