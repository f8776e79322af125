"""What the tests of push share: a real push service, and a device that is to be called."""

from datetime import timedelta

import pytest

from games.models import Notice
from games.services.mail import planning
from tests.factories import asked, seated
from tests.mailing import HOUR, wind
from tests.pushing import device_of


@pytest.fixture
def device(db, ann, bob, clock, service):
    """The device of a member for whom a match waits; the message waits."""
    match = seated(ann, bob)
    Notice.objects.all().delete()
    device = device_of(asked(match).user, service)
    clock.forward(HOUR)
    wind(asked(match), left=timedelta(days=2, hours=4, minutes=30), bank=timedelta(days=3))
    assert planning.sweep() == 1
    return device
