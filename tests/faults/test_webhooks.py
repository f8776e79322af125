"""WEBHOOKS: real workers, killed at work, and a real server: nothing twice, nothing missing, the doubtful shown.

PROOF=full runs the long profile.
"""

import time
from collections import Counter

import pytest

from config.lib import clock as site_clock
from games.models import Mail, Notice, WebhookCall
from games.services.webhooks import keeping
from tests import FULL
from tests.factories import member, seated
from tests.faults.test_mail import working
from tests.games.webhooks.receiver import Receiver
from tests.mailing import HOUR
from tests.processes import wait_until

PEOPLE = 200 if FULL else 20
KILLS = 20 if FULL else 3
State = Mail.State

pytestmark = [pytest.mark.both, pytest.mark.proof, pytest.mark.usefixtures("clock", "transactional_db")]


@pytest.fixture
def receiver(monkeypatch):
    """A server that takes a moment over each call, so that whoever is killed is killed at work."""
    server = Receiver()
    server.on_call = lambda: time.sleep(0.05)
    monkeypatch.setenv("OUTGOING_TEST_BASE", server.base)
    yield server
    server.shutdown()
    server.server_close()


def all_settled() -> bool:
    return WebhookCall.objects.filter(state__in=[State.SENT, State.UNKNOWN]).count() >= PEOPLE


def test_workers_killed_while_calls_go_out(receiver, new_site, clock):
    for number in range(PEOPLE):
        someone = member(f"member{number}")
        address = f"{receiver.base}/{number}"
        keeping.add(user_id=someone.pk, name="mine", format="json", address=address)
        match = seated(someone, bots=["easy"])
        match.seats.update(ask=None, asked_at=None, deadline=None, runs_from=None)
        match.seats.filter(user=someone).update(ask=500, asked_at=site_clock.now())
    Notice.objects.all().delete()
    clock.forward(HOUR)
    site = new_site(BOT_PAUSE="3600")
    for _ in range(KILLS):
        had = len(receiver.calls)
        working(site)
        wait_until(lambda had=had: len(receiver.calls) > had + 2 or all_settled(), "calls to go out", 90)
        site.worker.kill()
        clock.forward(61)
    working(site)
    wait_until(lambda: all_settled() or clock.forward(5), "all calls", 180)
    arrived = Counter(one.path for one in receiver.calls)
    twice = [path for path, count in arrived.items() if count > 1]
    doubtful = set(WebhookCall.objects.filter(state=State.UNKNOWN).values_list("hook__user__username", flat=True))
    missing = [n for n in range(PEOPLE) if f"/{n}" not in arrived and f"member{n}" not in doubtful]
    print(
        f"WEBHOOKS kills={KILLS} calls={len(receiver.calls)} doubtful={len(doubtful)} twice={twice} missing={missing}"
    )
    assert (twice, missing) == ([], [])
    assert len(doubtful) <= KILLS
