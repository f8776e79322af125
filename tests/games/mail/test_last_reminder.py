"""The last reminder, two hours before the end, also reaches whoever has a page open."""

from datetime import timedelta

import pytest

from accounts.services import visits
from config.lib import clock as site_clock
from tests import FULL
from tests.factories import asked
from tests.mailing import HOUR, prefer, send, wind

pytestmark = pytest.mark.usefixtures("clock")


@pytest.mark.thin(1)
@pytest.mark.parametrize(("rhythm", "mails"), [("each", 1), ("visit", 1), ("daily", 0)])
def test_the_last_reminder_comes_to_who_is_here_too(waiting, clock, rhythm, mails):
    """A page may be open that nobody looks at: of what else there is, nothing is mailed."""
    mover = asked(waiting)
    days = 3 if FULL else 1
    wind(mover, left=timedelta(days=days), bank=timedelta(days=3))
    prefer(mover.user, mail_rhythm=rhythm)
    times = []
    for _ in range(days * 24):
        visits.note(mover.user_id)
        times += [site_clock.now() for _ in send()]
        clock.forward(HOUR)
    end = asked(waiting).deadline
    assert [round((end - at) / timedelta(hours=1), 1) for at in times] == [2.0] * mails


def test_in_quiet_hours_the_last_reminder_waits_too(waiting, clock):
    mover = asked(waiting)
    send()
    wind(mover, left=timedelta(hours=1, minutes=55), bank=timedelta(days=3))
    hour = site_clock.now().hour
    prefer(mover.user, quiet_from=hour * 60, quiet_until=(hour + 1) % 24 * 60, time_zone="UTC")
    visits.note(mover.user_id)
    assert send() == []
    clock.forward(HOUR)
    assert len(send()) == 1
