"""CHANNELS: every channel in its member's own order, many failing, workers killed and Redis emptied meanwhile.

None twice on one channel, none missing but what is in doubt, and shown so. PROOF=full runs the long profile.
"""

import time
from collections import Counter
from itertools import permutations
from typing import Any

import pytest
from redis import Redis

from accounts.models import User
from config.lib import clock as site_clock
from config.lib.redis import TASKS, address
from games.models import Mail, Notice, Push, WebhookCall
from games.services import channel_order
from games.services.webhooks import keeping
from tests import FULL
from tests.factories import member, seated
from tests.faults.test_mail import through, working
from tests.mailing import HOUR, Postbox
from tests.processes import wait_until
from tests.pushing import PushService, device_of

PEOPLE = 400 if FULL else 36
KILLS = 40 if FULL else 4
EACH = 10  # every so many kills Redis loses all that it has
SENDERS = 4  # of a worker, each with one call in hand when it is killed: mails, devices, two lanes of webhooks
WITHIN = 120  # seconds after the last kill
ORDERS = list(permutations(("mail", "devices", "webhooks")))
UNDER_WAY = ("waiting", "sending", "handed")

pytestmark = [pytest.mark.both, pytest.mark.proof, pytest.mark.usefixtures("clock", "transactional_db")]


def fails(number: int, channel: str) -> bool:
    """Return whether this member's channel is gone for good; one of three always works. Few addresses, for the fuse."""
    return {"mail": number % 12 == 0, "devices": number % 2 == 1, "webhooks": number // 6 % 2 == 1}[channel]


class Elsewhere(PushService):
    """The one server that the site may call: it takes messages for devices, and calls of webhooks."""

    def __init__(self) -> None:
        super().__init__()
        self.gone: set[str] = set()
        self.arrived: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.on_post = lambda: time.sleep(0.03)

    def posted(self, request: Any) -> None:
        request.rfile.read(int(request.headers["Content-Length"]))
        self.on_post()
        is_gone = request.path in self.gone
        (self.refused if is_gone else self.arrived)[request.path] += 1
        request.send_response(410 if is_gone else 201)
        request.send_header("Content-Length", "0")
        request.end_headers()


class Refusing(Postbox):
    """A mail server that knows some addresses no more."""

    def __init__(self) -> None:
        super().__init__()
        self.gone: set[str] = set()
        self.on_data = lambda: time.sleep(0.03)

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        if address in self.gone:
            return "550 5.1.1 no such user"
        return await super().handle_RCPT(server, session, envelope, address, options)


@pytest.fixture
def elsewhere(monkeypatch):
    server = Elsewhere()
    monkeypatch.setenv("OUTGOING_TEST_BASE", server.url)
    yield server
    server.stop()


@pytest.fixture
def postbox():
    box = Refusing()
    box.start()
    yield box
    box.controller.stop()


@pytest.fixture
def crowd(clock, elsewhere, postbox) -> list[dict[str, str]]:
    """Members with every channel who each owe one decision: where each of their channels leads."""
    found = []
    for number in range(PEOPLE):
        someone = member(f"member{number}")
        keeping.add(user_id=someone.pk, name="x", format="json", address=f"{elsewhere.url}/hook/{number}")
        path = device_of(someone, elsewhere).endpoint.removeprefix(elsewhere.url)
        ways = {"mail": someone.email, "devices": path, "webhooks": f"/hook/{number}"}
        order = ORDERS[number % len(ORDERS)]
        channel_order.choose(someone, **{name: place for place, name in enumerate(order, 1)})
        for name, way in ways.items():
            if fails(number, name):
                (postbox.gone if name == "mail" else elsewhere.gone).add(way)
        match = seated(someone, bots=["easy"])
        match.seats.update(ask=None, asked_at=None, deadline=None, runs_from=None)
        match.seats.filter(user=someone).update(ask=500, asked_at=site_clock.now())
        found.append(ways)
    Notice.objects.all().delete()
    clock.forward(HOUR)
    return found


def came(elsewhere: Elsewhere, postbox: Refusing) -> Counter[str]:
    """Return how often something came each way, of calls about matches."""
    return elsewhere.arrived.copy() + Counter(mail["To"] for mail in postbox.kept if "webhook" not in mail["Subject"])


def in_doubt() -> set[str]:
    """Return the names of the members of whom a call is shown as in doubt."""
    mails = Mail.objects.filter(state="unknown", expires_at=None).values_list("user__username", flat=True)
    pushes = Push.objects.filter(state="unknown").values_list("device__user__username", flat=True)
    calls = WebhookCall.objects.filter(state="unknown").values_list("hook__user__username", flat=True)
    return {*mails, *pushes, *calls}


def complaints(crowd: list[dict[str, str]], elsewhere: Elsewhere, postbox: Refusing) -> list[str]:
    arrived, doubtful = came(elsewhere, postbox), in_doubt()
    found = [f"{count} times {way}" for way, count in arrived.items() if count > 1]
    for number, ways in enumerate(crowd):
        if f"member{number}" in doubtful:
            continue
        wanted = next(name for name in ORDERS[number % len(ORDERS)] if not fails(number, name))
        told = [name for name, way in ways.items() if arrived[way]]
        if wanted not in told or any(fails(number, name) for name in told):  # what was late went on, too
            found.append(f"member{number} by {told}, not by {wanted}")
    return found


def is_settled() -> bool:
    rows = (Mail.objects.filter(expires_at=None), Push.objects.all(), WebhookCall.objects.all())
    told = rows[0].values("user").distinct().count()
    return told == PEOPLE and not any(found.filter(state__in=UNDER_WAY).exists() for found in rows)


def test_workers_killed_and_redis_emptied_while_channels_fail(crowd, elsewhere, postbox, new_site, clock):
    site = new_site(**through(postbox), OUTGOING_TEST_BASE=elsewhere.url)
    for number in range(1, KILLS + 1):
        had = came(elsewhere, postbox).total()
        working(site)
        enough = lambda had=had: came(elsewhere, postbox).total() > had + 2 or is_settled()  # noqa: E731
        wait_until(enough, "calls to go out", 90)
        if number % EACH == 0 or number == KILLS:
            Redis.from_url(address(TASKS)).flushall()
        site.worker.kill()
        clock.forward(61)
    begun = time.monotonic()
    working(site)
    wait_until(lambda: is_settled() or clock.forward(5), "all calls", WITHIN)
    doubtful, wrong = in_doubt(), complaints(crowd, elsewhere, postbox)
    print(
        f"CHANNELS members={PEOPLE} kills={KILLS} arrived={came(elsewhere, postbox).total()} "
        f"refused={elsewhere.refused.total()} doubtful={len(doubtful)} "
        f"seconds={time.monotonic() - begun:.0f} wrong={wrong}"
    )
    assert wrong == []
    assert len(doubtful) <= SENDERS * KILLS


def test_a_failure_that_nobody_goes_on_with_is_caught(crowd, elsewhere, postbox):
    """The planted defect: a call is noted as failed, and the next channel is not called."""
    first = User.objects.get(username="member1")  # whose mail works and comes first
    assert complaints(crowd, elsewhere, postbox)[0].startswith("member0 by []")
    arrived = [next(name for name in ORDERS[n % 6] if not fails(n, name)) for n in range(PEOPLE)]
    for ways, name in zip(crowd, arrived, strict=True):
        elsewhere.arrived[ways[name]] = 1
    assert complaints(crowd, elsewhere, postbox) == []
    elsewhere.arrived[first.email] = 0
    assert complaints(crowd, elsewhere, postbox) == ["member1 by [], not by mail"]
    elsewhere.arrived[first.email] = 2
    assert complaints(crowd, elsewhere, postbox) == ["2 times member1@example.org"]
