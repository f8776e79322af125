"""MAIL: real workers, killed and crowded, and a real mail server: nothing twice, nothing missing.

The expected mails are known by construction: each member below owes one decision and is to hear of it once.
PROOF=full runs the long profile.
"""

import threading
import time
from collections import Counter
from datetime import timedelta

import pytest
from django.db import connection
from redis import Redis

from config.lib import clock as site_clock
from config.lib.redis import TASKS, address
from games.models import Kind, Mail, Notice, Seat
from games.services.mail import delivery, planning
from games.services.mail.notices import note
from tests import FULL
from tests.factories import member, seated
from tests.mailing import HOUR, Postbox, wind
from tests.processes import Site, wait_until

PEOPLE = 400 if FULL else 30
KILLS = 40 if FULL else 3
CROWDED_SECONDS = 600 if FULL else 8

pytestmark = [pytest.mark.both, pytest.mark.usefixtures("clock", "transactional_db")]

State = Mail.State
SETTLED = [State.SENT, State.UNKNOWN, State.FAILED, State.DROPPED]


@pytest.fixture
def postbox():
    """A mail server that takes a moment over each mail, so that whoever is killed is killed at work."""
    box = Postbox()
    box.on_data = lambda: time.sleep(0.03)
    box.start()
    yield box
    box.controller.stop()


@pytest.fixture
def crowd(clock) -> dict[str, int]:
    """Members who each owe one decision in a match of their own: address and match."""
    expected = {}
    for number in range(PEOPLE):
        someone = member(f"member{number}")
        match = seated(someone, bots=["easy"])
        match.seats.update(ask=None, asked_at=None, deadline=None, runs_from=None)
        match.seats.filter(user=someone).update(ask=500, asked_at=site_clock.now())
        expected[someone.email] = match.pk
    Notice.objects.all().delete()
    clock.forward(HOUR)
    return expected


def complaints(expected: dict[str, int], postbox: Postbox) -> list[str]:
    """Compare what arrived with what should have: twice, missing (but in doubt, and shown so), or wrong."""
    arrived = Counter(mail["To"] for mail in postbox.kept)
    doubtful = set(Mail.objects.filter(state=State.UNKNOWN).values_list("user__email", flat=True))
    found = [f"{count} mails to {address}" for address, count in arrived.items() if count > 1]
    found += [f"none to {address}" for address in expected if address not in arrived and address not in doubtful]
    found += [f"nobody asked {address}" for address in arrived if address not in expected]
    return found


def through(postbox: Postbox) -> dict[str, str]:
    return {"EMAIL_URL": f"smtp://127.0.0.1:{postbox.port}", "BOT_PAUSE": "3600"}


def working(site: Site) -> None:
    """Start the site's worker without its web server; what it does shows that it is ready."""
    site.worker.ready = lambda: True
    site.worker.start()


def all_settled(expected: dict[str, int]) -> bool:
    return Mail.objects.filter(state__in=SETTLED).count() >= len(expected)


@pytest.mark.proof
def test_workers_killed_while_mails_go_out(crowd, postbox, new_site, clock):
    site = new_site(**through(postbox))
    for _ in range(KILLS):
        had = len(postbox.kept)
        working(site)
        wait_until(lambda had=had: len(postbox.kept) > had + 2 or all_settled(crowd), "mails to go out")
        site.worker.kill()
        clock.forward(61)
    working(site)
    wait_until(lambda: all_settled(crowd) or clock.forward(5), "all mails", 120)
    doubtful = Mail.objects.filter(state=State.UNKNOWN).count()
    print(f"MAIL kills={KILLS} mails={len(postbox.kept)} doubtful={doubtful} wrong={complaints(crowd, postbox)}")
    assert complaints(crowd, postbox) == []
    assert doubtful <= KILLS
    assert len({mail["Message-ID"] for mail in postbox.kept}) == len(postbox.kept)


@pytest.mark.proof
def test_two_beats_and_three_workers(crowd, postbox, new_site, clock):
    """At sixty-fold speed the schedule is run down by all of them; every mail is made and sent by one."""
    sites = [new_site(**through(postbox)) for _ in range(3)]
    sites[2].worker.command.remove("-B")
    for site in sites:
        working(site)
    end = time.monotonic() + CROWDED_SECONDS
    while time.monotonic() < end or (not all_settled(crowd) and time.monotonic() < end + 180):
        clock.forward(6)
        time.sleep(0.1)
    print(f"MAIL beats=2 workers=3 mails={len(postbox.kept)} wrong={complaints(crowd, postbox)}")
    assert complaints(crowd, postbox) == []
    assert Mail.objects.filter(state=State.SENT).count() == len(crowd)


@pytest.mark.proof
def test_redis_flushed_with_50_reminders_pending(postbox, new_site, clock):
    expected = {}
    people = [member(f"late{number}") for number in range(50)]
    for someone in people:
        match = seated(someone, bots=["easy"])
        match.seats.update(ask=None, asked_at=None, deadline=None)
        match.seats.filter(user=someone).update(ask=500, asked_at=site_clock.now())
        expected[someone.email] = match.pk
    told = Mail.objects.create(user=people[0], kind="turn", state=State.SENT)
    Notice.objects.all().delete()
    clock.forward(50 * HOUR)
    for seat in Seat.objects.filter(ask=500).select_related("match", "user"):
        note(seat.match, Kind.TURN, [seat.user_id], ask=500)
        wind(seat, left=timedelta(hours=17), bank=timedelta(hours=72))
    Notice.objects.update(mail=told)
    site = new_site(**through(postbox))
    working(site)
    wait_until(lambda: len(postbox.kept) >= 5, "the first reminders")
    Redis.from_url(address(TASKS)).flushall()
    wait_until(lambda: len(postbox.kept) >= 50, "all reminders")
    clock.forward(60)
    Redis.from_url(address(TASKS)).flushall()
    time.sleep(3)
    assert complaints(expected, postbox) == []
    assert set(Notice.objects.filter(kind=Kind.REMINDER).values_list("ask", flat=True)) == {500}


def test_a_mail_without_its_unique_row_is_caught(crowd, postbox, settings, monkeypatch):
    """The planted defect: mails are made, and nothing keeps that they were."""
    settings.EMAIL_BACKEND = "config.mail.Smtp"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", postbox.port
    address, match_id = next(iter(crowd.items()))
    Seat.objects.exclude(match_id=match_id).update(ask=None)
    honest = planning._mail

    def forgetful(user, notices, **options):
        made = honest(user, notices, **options)
        Notice.objects.update(ask=0)
        monkeypatch.setattr("games.services.mail.relevance.is_relevant", lambda notice: True)
        Mail.objects.update(created_at=site_clock.now() - timedelta(hours=3))
        return made

    monkeypatch.setattr(planning, "_mail", forgetful)
    for _ in range(2):
        planning.sweep()
        delivery.send_due()
        Notice.objects.all().delete()
        Mail.objects.update(sent_at=site_clock.now() - timedelta(hours=3))  # so that the next is not too soon
    assert f"2 mails to {address}" in complaints({address: match_id}, postbox)


@pytest.mark.thin(0)
def test_many_sweeps_at_once(crowd, postbox):
    """Four threads make mails of the same crowd: each member gets one."""
    threads = [threading.Thread(target=_swept) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Mail.objects.count() == len(crowd)
    assert Notice.objects.count() == len(crowd)


def _swept() -> None:
    try:
        while planning.sweep():  # each ends after some seconds
            pass
    finally:
        connection.close()
