"""Whatever is called hangs, mail server, devices and webhooks at once: no other task waits for any of it."""

import socket
import time

import pytest

from config.lib import clock
from games.models import Push, Webhook, WebhookCall
from games.services.mail.notices import post
from games.services.operation import site_status
from games.services.push import devices
from games.services.webhooks import keeping
from tests.factories import member
from tests.games.webhooks.receiver import Receiver
from tests.processes import wait_until
from tests.pushing import Browser, logged_in

HANGS = 5.0  # seconds, of each call; the mail server never greets
WATCHED = 40.0
PROMPT = 8.0  # seconds between two tasks of the kind that comes every five

pytestmark = pytest.mark.proof


@pytest.fixture
def receiver(monkeypatch):
    server = Receiver()
    server.hangs = HANGS
    monkeypatch.setenv("OUTGOING_TEST_BASE", server.base)
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def mute():
    """Return the port of a mail server that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0), backlog=50) as server:
        yield server.getsockname()[1]


def test_other_tasks_are_done_while_all_senders_hang(receiver, mute, new_site):
    for number in range(6):
        one = member(f"called-{number}")
        keys = Browser(f"{receiver.base}/push/{number}").keys()
        device = devices.add(user=one, session_key=logged_in(one), name="phone", **keys)
        Push.objects.create(device=device)
        for name in ("well", "failing"):
            keeping.add(user_id=one.pk, name=name, format="json", address=f"{receiver.base}/{name}/{number}")
        post(to=one.email, subject="x", text="x", html="x", kind="webhook", user=one, life=None)
    for hook in Webhook.objects.all():
        WebhookCall.objects.create(hook=hook, kind="test")
    Webhook.objects.filter(name="failing").update(failing_since=clock.now())
    site = new_site(EMAIL_URL=f"smtp://127.0.0.1:{mute}", OUTGOING_TEST_BASE=receiver.base)
    site.worker.ready = lambda: True
    site.worker.start()
    wait_until(lambda: len({call.path[:5] for call in receiver.calls}) == 3, "all to be called")
    end, latest = time.monotonic() + WATCHED, 0.0
    while time.monotonic() < end:
        latest = max(latest, site_status.heartbeat_age() or 0.0)
        time.sleep(0.2)
    assert latest < PROMPT
