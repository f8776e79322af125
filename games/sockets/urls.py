"""The addresses of sockets."""

from django.urls import path, re_path

from games.sockets.page import NoSocket, PageSocket

websocket_urlpatterns = [path("ws/", PageSocket.as_asgi()), re_path("", NoSocket.as_asgi())]
