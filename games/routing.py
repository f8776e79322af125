"""Addresses of sockets."""

websocket_urlpatterns = []
