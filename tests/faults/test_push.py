"""PUSH: real workers, killed, and Redis emptied, and a real push service: nothing twice, nothing missing.

The expected calls are known by construction: each member below owes one decision and is called about it once.
PROOF=full runs the long profile.
"""

import time
from collections import Counter

import pytest
from redis import Redis

from config.lib import clock as site_clock
from config.lib.redis import TASKS, address
from games.models import Notice, Push
from games.services.mail import planning
from games.services.push import delivery
from tests import FULL
from tests.factories import member, seated
from tests.mailing import HOUR, prefer
from tests.processes import wait_until
from tests.pushing import PushService, device_of

PEOPLE = 400 if FULL else 30
KILLS = 40 if FULL else 3
EACH = 10  # every so many kills Redis loses all that it has

pytestmark = [pytest.mark.both, pytest.mark.usefixtures("clock")]

State = Push.State


@pytest.fixture
def service(monkeypatch):
    """A push service that takes a moment over each message, so that whoever is killed is killed at work."""
    service = PushService()
    service.on_post = lambda: time.sleep(0.03)
    monkeypatch.setenv("OUTGOING_TEST_BASE", service.url)
    yield service
    service.stop()


@pytest.fixture
def crowd(db, clock, service) -> dict[str, int]:
    """Members without mail who each owe one decision in a match of their own: the path of their device, and match."""
    expected = {}
    for number in range(PEOPLE):
        someone = member(f"member{number}")
        match = seated(someone, bots=["easy"])
        match.seats.update(ask=None, asked_at=None, deadline=None, runs_from=None)
        match.seats.filter(user=someone).update(ask=500, asked_at=site_clock.now())
        prefer(someone, email="")
        expected[device_of(someone, service).endpoint.removeprefix(service.url)] = match.pk
    Notice.objects.all().delete()
    clock.forward(HOUR)
    return expected


def complaints(expected: dict[str, int], service: PushService) -> list[str]:
    """Compare what arrived with what should have: twice, missing (but in doubt, and shown so), or wrong."""
    arrived = Counter(one.path for one in service.kept)
    endpoints = Push.objects.filter(state=State.UNKNOWN).values_list("device__endpoint", flat=True)
    doubtful = {endpoint.removeprefix(service.url) for endpoint in endpoints}
    found = [f"{count} calls to {path}" for path, count in arrived.items() if count > 1]
    found += [f"none to {path}" for path in expected if path not in arrived and path not in doubtful]
    found += [f"wrong match {one.told}" for one in service.kept if one.told["tag"] != f"match-{expected[one.path]}"]
    return found


def all_settled(expected: dict[str, int]) -> bool:
    return Push.objects.filter(state__in=[State.SENT, State.UNKNOWN]).count() >= len(expected)


@pytest.mark.proof
@pytest.mark.usefixtures("transactional_db")
def test_workers_killed_and_redis_emptied_while_devices_are_called(crowd, service, new_site, clock):
    site = new_site(BOT_PAUSE="3600", OUTGOING_TEST_BASE=service.url)
    site.worker.ready = lambda: True
    for number in range(1, KILLS + 1):
        had = len(service.kept)
        site.worker.start()
        wait_until(lambda had=had: len(service.kept) > had + 2 or all_settled(crowd), "calls to go out")
        if number % EACH == 0 or number == KILLS:
            Redis.from_url(address(TASKS)).flushall()
        site.worker.kill()
        clock.forward(61)
    site.worker.start()
    wait_until(lambda: all_settled(crowd) or clock.forward(5), "all calls", 120)
    doubtful = delivery.push_counts()["unknown"]
    print(f"PUSH kills={KILLS} calls={len(service.kept)} doubtful={doubtful} wrong={complaints(crowd, service)}")
    assert complaints(crowd, service) == []
    assert doubtful <= KILLS


def test_a_call_that_is_sent_twice_is_caught(crowd, service):
    """The planted defect: a sender forgets what it has sent."""
    planning.sweep()
    while not all_settled(crowd):
        delivery.send_due()
    assert complaints(crowd, service) == []
    push = Push.objects.first()
    Push.objects.filter(pk=push.pk).update(state=State.WAITING)
    delivery.send_due()
    path = push.device.endpoint.removeprefix(service.url)
    assert complaints(crowd, service) == [f"2 calls to {path}"]
