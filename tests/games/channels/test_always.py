"""Webhooks that had a place in the order and are called always again, beside the other channels."""

import pytest

from config.lib import clock as site_clock
from games.models import Kind, Seat, WebhookCall
from games.services import channel_order
from games.services.mail import delivery as mails
from games.services.mail import planning
from games.services.webhooks import planning as webhooks
from tests.mailing import HOUR, MINUTE

pytestmark = pytest.mark.usefixtures("clock")


@pytest.mark.outgrown
def test_webhooks_that_are_called_always_again_tell_what_comes_later_alone(mover, postbox, receiver, clock, hook):
    channel_order.choose(mover, mail=1, devices=1, webhooks=2)
    planning.sweep()
    mails.send_due()
    channel_order.choose(mover, webhooks=channel_order.ALWAYS)
    clock.forward(MINUTE)
    webhooks.sweep()
    assert (hook(), WebhookCall.objects.count()) == (0, 0)  # the question of before was told by mail
    seat = Seat.objects.get(user=mover, ask__isnull=False)
    clock.forward((seat.deadline - site_clock.now()).total_seconds() - HOUR)
    webhooks.sweep()
    assert list(WebhookCall.objects.values_list("kind", flat=True)) == [Kind.REMINDER2]  # which is due only now
    Seat.objects.filter(pk=seat.pk).update(ask=seat.ask + 1, asked_at=site_clock.now(), deadline=None)
    clock.forward(MINUTE)
    webhooks.sweep()
    assert WebhookCall.objects.filter(kind=Kind.TURN).count() == 1


def test_saving_the_order_once_more_changes_nothing(mover, clock):
    """Else who is at the settings while a question waits for its 20 s would never be called about it."""
    channel_order.choose(mover, webhooks=channel_order.ALWAYS)
    clock.forward(MINUTE)
    webhooks.sweep()
    assert WebhookCall.objects.count() == 1
