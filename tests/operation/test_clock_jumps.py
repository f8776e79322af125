"""The whole site while its machine's clock is set: nobody is timed out, nobody gets time, mails go on, health tells."""

import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from accounts.models import User
from config.lib import clock as present
from games.models import Heartbeat, Mail, Outage
from games.services.clocks import outages
from games.services.operation.site_status import BEAT_KEY, _redis
from tests.clocks import Clock
from tests.factories import asked, fresh, member, seated
from tests.processes import Site, get, wait_until

pytestmark = pytest.mark.operation

FOUR_DAYS = 4 * 86_400


@pytest.fixture
def whole_site(new_site: Callable[..., Site], clock: Clock) -> Iterator[Site]:
    _redis.delete(BEAT_KEY)
    site = new_site()
    site.web.start()
    site.worker.start()
    wait_until(lambda: Heartbeat.objects.filter(name=outages.SWEEP).exists(), "a sweep")
    wait_until(lambda: Heartbeat.objects.filter(name=outages.WEB).exists(), "a web server")
    Heartbeat.objects.update(since=present.now().replace(year=2020))
    yield site
    Heartbeat.objects.all().delete()


def said(site: Site) -> str:
    return str(json.loads(get(f"{site.url}/healthz")[1]).get("clock"))


def mail_to(user: User) -> Mail:
    return Mail.objects.create(user=user, kind="sanction", message={"to": "a@b.example", "subject": "x", "text": "x"})


def test_four_days_forward_and_back_then_back_an_hour(whole_site: Site, clock: Clock) -> None:
    match = seated(member("ann"), member("bob"))
    deadline = asked(match).deadline
    clock.set_by(FOUR_DAYS)
    end = time.monotonic() + 25
    wait_until(lambda: "forward" in said(whole_site), "the alarm")
    wait_until(lambda: time.monotonic() > end, "a sweep or two")
    clock.set_by(-FOUR_DAYS)
    wait_until(lambda: "back" in said(whole_site), "the second alarm")
    clock.set_by(-3600)
    mail = mail_to(match.seats.first().user)
    swept = Heartbeat.objects.get(name=outages.SWEEP).at

    def goes_on() -> bool:
        beat = Heartbeat.objects.get(name=outages.SWEEP).at
        return beat != swept and beat <= present.now() and not Mail.objects.filter(pk=mail.pk, state="waiting").exists()

    wait_until(goes_on, "a sweep and a mail")  # promised: 30 s, on a machine that does nothing else
    assert not Outage.objects.exists()
    assert not fresh(match).time_outs.exists()
    assert asked(match).deadline == deadline


@pytest.mark.both
def test_a_web_server_apart_from_the_databases_clock_says_so(
    new_site: Callable[..., Site], standing_site: Site, tmp_path: Path
) -> None:
    standing_site.web.stop()  # its heart would beat beside that of the other, by another clock
    Heartbeat.objects.all().delete()  # its last one, that came after the tables were emptied
    (tmp_path / "clock").write_text("0 7")
    site = new_site(CLOCK_OFFSET_FILE=str(tmp_path / "clock"))
    site.web.start()
    other = "the database" if os.environ.get("DATABASE_URL") else "Redis"
    assert said(site) == f"is 7 s ahead of that of {other}"
    assert not os.environ.get("DATABASE_URL") or not Heartbeat.objects.filter(name=outages.WEB).exists()
