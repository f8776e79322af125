"""The socket of a frame knows nobody: whoever's cookie comes along, it hears of public matches alone."""

import json

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator

from config.asgi import application
from tests.factories import member, seated, session_of

pytestmark = pytest.mark.django_db(transaction=True)
in_thread = sync_to_async(thread_sensitive=True)


@in_thread
def private_of_ann() -> tuple[int, str]:
    ann, bob = member("ann"), member("bob")
    return seated(ann, bob, access="link").pk, session_of(ann)["sessionid"]


@pytest.mark.parametrize(("path", "sees"), [("/ws/watch/", False), ("/ws/", True)])
async def test_no_cookie_opens_a_private_match(path, sees):
    number, session = await private_of_ann()
    headers = [(b"host", b"localhost"), (b"origin", b"http://localhost"), (b"Cookie", f"sessionid={session}".encode())]
    socket = WebsocketCommunicator(application, f"{path}?match={number}", [(n.lower(), v) for n, v in headers])
    await socket.connect(timeout=5)
    message = await socket.receive_output(timeout=5)
    if sees:
        assert "who" in json.loads(message["text"])
    else:
        assert (message["type"], message["code"]) == ("websocket.close", 4404)
    await socket.disconnect()
