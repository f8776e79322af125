"""What is sent to devices as it leaves: what has changed meanwhile, and which device comes first."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session

from config.lib import clock as site_clock
from games.models import Device, Mail, Match, Push
from games.services import channel_order
from games.services.mail import delivery as mail_delivery
from games.services.mail import planning
from games.services.push import delivery, devices
from tests.factories import member
from tests.mailing import MINUTE, prefer
from tests.pushing import device_of

pytestmark = pytest.mark.usefixtures("clock")

State = Mail.State


def state() -> str:
    return Push.objects.get().state


@pytest.mark.parametrize("why", ["muted", "log-out", "password", "topic", "removed", "banned"])
def test_unwanted_meanwhile(device, service, why):
    if why == "muted":
        devices.change(user=device.user, device_id=device.pk, muted=True)
    elif why == "log-out":
        delivery.sessions.Session.objects.all().delete()
    elif why == "password":
        prefer(device.user, password="!")
    elif why == "topic":
        prefer(device.user, mail_off=["turn"])
    elif why == "removed":
        devices.remove(user=device.user, device_id=device.pk)
    else:
        prefer(device.user, is_active=False)
    assert delivery.send_due() == 0
    assert service.asked == 0
    assert not Push.objects.exclude(state=State.DROPPED).exists()


def test_quiet_hours_that_began_meanwhile(device, service, clock):
    now = site_clock.now()
    minute = now.hour * 60 + now.minute
    prefer(device.user, quiet_from=minute, quiet_until=(minute + 60) % 1440)
    assert delivery.send_due() == 0
    assert (state(), Push.objects.get().attempts) == (State.WAITING, 0)
    clock.forward(66 * MINUTE)
    assert delivery.send_due() == 1


def test_who_is_on_the_site_meanwhile_is_not_called(device, service):
    prefer(device.user, seen_at=site_clock.now())
    assert (delivery.send_due(), service.asked, state()) == (0, 0, State.DROPPED)


def test_the_mail_comes_when_no_device_was_reached(device, service):
    Push.objects.all().delete()
    Mail.objects.all().delete()
    channel_order.choose(device.user, mail=2)
    device_of(device.user, service)
    planning.sweep()
    assert Mail.objects.get().state == State.PUSHED
    service.answers = [410, 404]
    delivery.send_due()
    mail = Mail.objects.get()
    assert (mail.state, mail.error) == (State.WAITING, "")
    assert mail_delivery.send_due() == 1


@pytest.mark.outgrown
def test_devices_that_fail_are_called_after_those_that_answer(device, service, clock):
    """Else somebody with ten devices that hang would have everybody wait."""
    Device.objects.update(failed_at=site_clock.now())
    other = device_of(member("else"), service)
    delivery.test(other)
    Push.objects.filter(device=device).update(next_try_at=site_clock.now() - timedelta(hours=1))
    delivery.send_due()
    assert [one.told["tag"] for one in service.kept] == ["test", f"match-{Match.objects.get().pk}"]


@pytest.mark.outgrown
def test_of_a_device_whose_session_ends_meanwhile_the_mail_is_sent(device, service, clock):
    mail = Mail.objects.get()
    Mail.objects.update(state=State.PUSHED)
    Session.objects.all().delete()
    delivery.send_due()
    mail.refresh_from_db()
    assert (mail.state, Device.objects.exists(), service.asked) == (State.WAITING, False, 0)
