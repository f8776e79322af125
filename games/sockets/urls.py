"""The addresses of sockets."""

from django.urls import path, re_path

from games.sockets.page import NoSocket, PageSocket

websocket_urlpatterns = [
    path("ws/", PageSocket.as_asgi()),
    path("ws/watch/", PageSocket.as_asgi()),  # of frames: nobody's cookies come this far (config.embeds)
    re_path("", NoSocket.as_asgi()),
]
