"""When members are reminded of the time that they have left."""

from datetime import timedelta

import pytest

from config.lib import clock as site_clock
from games.models import Mail
from games.services.mail import delivery, planning
from tests import FULL
from tests.factories import asked, seat
from tests.mailing import DAY, HOUR, MINUTE, send, wind

pytestmark = pytest.mark.usefixtures("clock")


def test_reminders(waiting, clock):
    """3 days: a mail at once, one at 18 hours left, one at 2 hours; in short looked at less often before and after."""
    wind(asked(waiting), left=timedelta(days=3), bank=timedelta(days=3))
    times = []
    for hours in range(3 * 24, 0, -1):
        if FULL or hours % 6 == 1 or hours in (72, 20, 19, 18, 17, 3, 2):
            times += [site_clock.now() for _ in send()]
        clock.forward(HOUR)
    end = asked(waiting).deadline
    left = [round((end - at) / timedelta(hours=1), 1) for at in times]
    assert left == [72.0, 18.0, 2.0]


def test_never_two_reminders_within_two_hours(waiting, clock):
    """Of 9 hours a quarter is 2 h 15 min: the second reminder would come 15 minutes after it."""
    wind(asked(waiting), left=timedelta(hours=9), bank=timedelta(hours=9))
    times = []
    for sixths in range(9 * 6, 0, -1):
        if FULL or sixths < 20 or sixths % 6 == 0:
            times += [site_clock.now() for _ in send()]
        clock.forward(10 * MINUTE)
    assert len(times) == 3
    assert times[2] - times[1] >= timedelta(hours=2)


def test_a_short_time_is_reminded_of_at_its_quarter_alone(waiting, clock):
    wind(asked(waiting), left=timedelta(hours=2), bank=timedelta(hours=2))
    count = 0
    for _ in range(24):
        count += len(send())
        clock.forward(5 * MINUTE)
    assert count == 2


@pytest.mark.outgrown
def test_no_reminder_while_the_clock_stands(waiting, clock):
    send()
    seat(waiting, asked(waiting).number)
    waiting.seats.update(deadline=None, runs_from=None)
    clock.forward(10 * DAY)
    assert send() == []


def test_a_reminder_that_was_overtaken_comes_again_when_it_is_true(waiting, clock):
    """Time is given back between making and sending: the reminder is dropped, and made again later."""
    send()
    clock.forward(3 * HOUR)
    wind(asked(waiting), left=timedelta(hours=10), bank=timedelta(hours=72))
    assert planning.sweep() == 1
    wind(asked(waiting), left=timedelta(hours=60), bank=timedelta(hours=72))
    assert delivery.send_due() == 0
    assert Mail.objects.order_by("-pk").first().state == Mail.State.DROPPED
    clock.forward(50 * HOUR)
    assert len(send()) == 1
