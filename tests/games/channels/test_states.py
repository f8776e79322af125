"""Each channel's state, in words, in its member's settings."""

import html
import re
from datetime import timedelta

import pytest

from accounts.services import bounces
from config.lib import clock as present
from games.models import Device, Mail, Webhook
from games.services.channels import channels_of
from games.services.push import delivery as pushes
from games.services.push import devices
from games.services.webhooks import delivery as calls
from games.services.webhooks import keeping
from tests.factories import asked, browser_of, guest, seated
from tests.mailing import DAY, HOUR, prefer, send
from tests.pushing import device_of

pytestmark = pytest.mark.usefixtures("clock")


def states(person) -> dict[str, tuple[str, bool]]:
    person.refresh_from_db()
    return {one.name: (one.said.replace("\xa0", " "), one.fails) for one in channels_of(person)}


@pytest.mark.outgrown
def test_a_mail_that_arrived(ann, bob, postbox, clock):
    mover = asked(seated(ann, bob)).user
    assert states(mover) == {"Mail": ("Not called yet.", False)}
    clock.forward(HOUR)
    send()
    clock.forward(3 * HOUR)
    assert states(mover) == {"Mail": ("Works: last reached 3 hours ago.", False)}


def test_mail_that_is_not_taken(ann, bob, postbox, clock):
    mover = asked(seated(ann, bob)).user
    clock.forward(HOUR)
    postbox.rcpt_answers = ["450 4.2.1 busy"]
    send()
    clock.forward(3 * HOUR)
    assert states(mover)["Mail"] == ("The last mail, 3 hours ago, has not been taken yet. We go on trying.", True)
    for state, said in (
        ("failed", "The last mail, 3 hours ago, did not arrive."),
        ("unknown", "Whether the last mail, 3 hours ago, arrived is unknown."),
    ):
        Mail.objects.filter(user=mover).update(state=state)
        assert states(mover)["Mail"] == (said, True)


def test_an_address_that_was_refused(ann, clock):
    bounces.turn_off(ann.email, bounces.REFUSED + "no such user")
    clock.forward(2 * DAY)
    assert states(ann)["Mail"] == ("A mail was refused 2 days ago: none is sent any more.", True)
    bounces.try_again(ann.pk)
    bounces.turn_off(ann.email, "complained: spam")
    assert states(ann)["Mail"] == ("A mail was marked as spam just now: none is sent any more.", True)
    prefer(ann, email="")
    assert states(ann)["Mail"] == ("Your address is not confirmed: no mail is sent to it.", True)


def test_a_device(ann, service, clock):
    device = device_of(ann, service)
    name = device.name
    assert states(ann)[name] == ("Not called yet.", False)
    pushes.test(device)
    service.answers = [(500, {})]
    pushes.send_due()
    clock.forward(HOUR)
    assert states(ann)[name] == ("Never reached, first tried 1 hour ago.", True)
    pushes.send_due()
    clock.forward(HOUR)
    assert states(ann)[name] == ("Works: last reached 1 hour ago.", False)
    pushes.test(device)
    service.answers = [(500, {})]
    pushes.send_due()
    Device.objects.update(reached_at=present.now() - timedelta(days=200))
    assert states(ann)[name] == ("Does not answer: last reached 6 months ago.", True)
    devices.change(user=ann, device_id=device.pk, muted=True)
    assert states(ann)[name] == ("Muted.", False)
    devices.lose(device, "HTTP 410")
    assert states(ann)[name] == ("Gone, we heard just now: open the site there, and add it again.", True)


def test_a_webhook(ann, receiver, clock, settings):
    keeping.add(user_id=ann.pk, name="json", format="json", address=receiver.base + "/hook")
    hook = Webhook.objects.get()
    assert states(ann)["json"] == ("Not called yet.", False)
    keeping.try_out(user_id=ann.pk, hook_id=hook.pk)
    assert calls.send_due(failing=False) == 1
    clock.forward(HOUR)
    assert states(ann)["json"] == ("Works: last reached 1 hour ago.", False)
    Webhook.objects.update(failing_since=present.now() - timedelta(days=2))
    assert states(ann)["json"] == ("Fails, for the first time 2 days ago. We go on trying.", True)
    Webhook.objects.update(off_at=present.now())
    assert states(ann)["json"] == ("Turned off just now, as it failed.", True)
    settings.WEBHOOKS = False
    assert set(states(ann)) == {"Mail"}


def test_the_page_tells_its_member_alone(ann, bob, service):
    keeping.add(user_id=ann.pk, name="<b>mine</b>", format="slack", address="https://slack.example/x")
    device = device_of(ann, service)
    page = browser_of(ann).get("/settings/mails/").content.decode()
    shown = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())
    assert "How you are called" in shown
    assert device.name in shown and "<b>mine</b>" in shown and "<b>mine</b>" not in page
    for other in (bob, guest()):
        page = browser_of(other).get("/settings/mails/").content.decode()
        assert device.name not in page and "mine&lt;" not in page


def test_in_french(ann):
    bounces.turn_off(ann.email, "refused: x")
    prefer(ann, language="fr")
    page = browser_of(ann).get("/settings/mails/", HTTP_ACCEPT_LANGUAGE="fr").content.decode()
    assert "Comment on vous prévient" in page
