"""Channels in the member's own order: the next one is called at once when the former failed, and none twice."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from accounts.services import bounces
from config.lib import clock as site_clock
from games import tasks
from games.models import CallChoice, Device, Kind, Mail, Match, Notice, Push, Seat, WebhookCall
from games.services import channel_order
from games.services.channels import channels_of
from games.services.mail import delivery as mails
from games.services.mail import planning
from games.services.push import delivery as pushes
from games.services.push import devices
from games.services.webhooks import keeping
from games.services.webhooks import planning as webhooks
from tests.factories import asked, browser_of, guest, seated
from tests.mailing import HOUR, MINUTE, prefer

pytestmark = pytest.mark.usefixtures("clock")
State = Mail.State


def made() -> tuple[str, list[str], list[str]]:
    """Return the states of the one mail, of messages to devices and of calls of webhooks."""
    state = Mail.objects.get(expires_at=None).state
    return (
        state,
        list(Push.objects.values_list("state", flat=True)),
        list(WebhookCall.objects.values_list("state", flat=True)),
    )


@pytest.mark.outgrown
def test_who_chose_nothing_is_called_everywhere_at_once(mover, clock):
    clock.forward(MINUTE)
    planning.sweep()
    webhooks.sweep()
    assert made() == (State.WAITING, [State.WAITING], [State.WAITING])


@pytest.mark.outgrown
@pytest.mark.parametrize("order", ["mail devices webhooks", "webhooks devices mail", "devices webhooks mail"])
def test_the_first_that_works_is_the_only_one(mover, order, postbox, service, receiver, push, hook):
    channel_order.choose(mover, **{name: place for place, name in enumerate(order.split(), 1)})
    for _ in range(2):
        planning.sweep()
        webhooks.sweep()
        mails.send_due(), push(), hook()
    told = {"mail": len(postbox.kept), "devices": len(service.kept), "webhooks": len(receiver.calls)}
    assert told == {"mail": 0, "devices": 0, "webhooks": 0} | {order.split()[0]: 1}
    assert asked(Match.objects.get()).reached_at


@pytest.mark.outgrown
def test_each_that_fails_hands_on_at_once(mover, postbox, service, receiver, push, hook):
    channel_order.choose(mover, mail=1, devices=2, webhooks=3)
    planning.sweep()
    webhooks.sweep()
    assert made() == (State.WAITING, [], [])
    postbox.rcpt_answers = ["550 5.1.1 no such user"]
    mails.send_due()
    assert made() == (State.FAILED, [State.WAITING], [])
    service.answers = [410]
    push()
    assert made() == (State.FAILED, [State.FAILED], [State.WAITING])
    assert hook() == 1
    assert len(receiver.calls) == 1


@pytest.mark.outgrown
def test_a_webhook_that_is_gone_hands_on_at_once(mover, receiver, service, push, hook):
    channel_order.choose(mover, webhooks=1, devices=2, mail=3)
    planning.sweep()
    assert made() == (State.PUSHED, [], [State.WAITING])
    receiver.answer(410)
    hook()
    assert made() == (State.PUSHED, [State.WAITING], [State.DROPPED])
    assert push() == 1
    assert made()[0] == State.PUSHED


def test_a_webhook_that_fails_hands_on_within_ten_minutes(mover, receiver, clock, hook):
    channel_order.choose(mover, webhooks=1, devices=2, mail=2)
    planning.sweep()
    receiver.answer(500, 500, 500, 500)
    for _ in range(8):
        hook()
        clock.forward(MINUTE + 1)
    assert made() == (State.WAITING, [State.WAITING], [State.WAITING])
    assert len(receiver.calls) == 4


def test_who_asks_to_be_left_alone_for_long_hands_on_at_once(mover, service, push):
    channel_order.choose(mover, devices=1, mail=2)
    planning.sweep()
    service.answers = [(429, {"Retry-After": "3600"})]
    push()
    assert made()[:2] == (State.WAITING, [State.WAITING])


@pytest.mark.parametrize("what", ["muted", "removed", "webhook removed"])
def test_a_channel_that_its_member_takes_away_hands_on(mover, what, service, push):
    first = "webhooks" if what == "webhook removed" else "devices"
    channel_order.choose(mover, **{"mail": 2, "devices": 3, first: 1})
    planning.sweep()
    if what == "muted":
        devices.change(user=mover, device_id=Device.objects.get().pk, muted=True)
        push()
    elif what == "removed":
        pushes.remove(user=mover, device_id=Device.objects.get().pk)
    else:
        keeping.remove(user_id=mover.pk, hook_id=mover.webhooks.get().pk)
    assert Mail.objects.get().state == State.WAITING


def test_a_place_without_a_channel_is_passed_over(mover):
    Device.objects.all().delete()
    channel_order.choose(mover, devices=1, mail=2)
    planning.sweep()
    assert made()[:2] == (State.WAITING, [])


@pytest.mark.outgrown
def test_a_bounce_that_is_learnt_later_hands_on(mover, postbox, service, push):
    channel_order.choose(mover, mail=1, devices=2)
    planning.sweep()
    assert mails.send_due() == 1
    assert made()[:2] == (State.SENT, [])
    bounces.turn_off(mover.email, "bounced: no such user")
    assert made()[:2] == (State.SENT, [State.WAITING])
    bounces.turn_off(mover.email, "bounced: no such user")
    assert push() == 1
    assert len(service.kept) == 1


def test_a_mail_marked_as_spam_had_arrived(mover, postbox):
    channel_order.choose(mover, mail=1, devices=2)
    planning.sweep()
    mails.send_due()
    bounces.turn_off(mover.email, "complained: abuse")
    assert made()[:2] == (State.SENT, [])


@pytest.mark.outgrown
def test_an_address_that_comes_to_fail_while_a_mail_waits(mover, postbox, service, push):
    """Of another mail, say: what waits is told by the others, and what they tell is not deleted as out of date."""
    channel_order.choose(mover, mail=1, devices=2)
    planning.sweep()
    prefer(mover, mail_broken_at=planning.clock.now(), mail_broken_why="refused: 550")
    mails.send_due()
    assert made()[:2] == (State.PUSHED, [State.WAITING])
    assert push() == 1
    assert [one.told["title"] for one in service.kept] == ["Your turn"]


@pytest.mark.outgrown
def test_a_device_that_is_lost_as_the_sweep_writes_to_it(mover, service, push):
    """The sweep found it; it went before its message was there to be failed with it."""
    channel_order.choose(mover, devices=1, mail=2)
    planning.sweep()
    devices.lose(Device.objects.get(), "HTTP 410")
    assert push() == 0
    assert made()[:2] == (State.WAITING, [State.FAILED])
    assert mails.send_due() == 1


def test_what_webhooks_do_not_tell_is_mailed(mover, match):
    channel_order.choose(mover, webhooks=1, mail=2, devices=3)
    Notice.objects.create(user=mover, match=match, kind=Kind.LAPSED)
    planning.sweep()
    assert made() == (State.WAITING, [], [State.WAITING])


@pytest.mark.outgrown
@pytest.mark.parametrize(("order", "wanted"), [("mail devices", ["waiting"]), ("devices mail", ["waiting"])])
def test_what_nobody_tried_for_ten_minutes_goes_on(mover, order, wanted, clock):
    """A mail server or push service that is away is asked about one call, and not about all the others."""
    channel_order.choose(mover, **{name: place for place, name in enumerate(order.split(), 1)})
    planning.sweep()
    clock.forward(9 * MINUTE)
    tasks.sweep_notices()
    assert (Mail.objects.get().state, Push.objects.count()) in [(State.WAITING, 0), (State.PUSHED, 1)]
    clock.forward(2 * MINUTE)
    for _ in range(2):
        tasks.sweep_notices()
    assert made()[:2] == (State.WAITING, wanted)


def test_what_waits_for_morning_is_not_overdue(mover, clock):
    channel_order.choose(mover, mail=1, devices=2)
    planning.sweep()
    minute = site_clock.now().hour * 60 + site_clock.now().minute
    prefer(mover, quiet_from=minute, quiet_until=(minute + 60) % 1440)
    for _ in range(9):
        mails.send_due()
        clock.forward(5 * MINUTE)
    tasks.sweep_notices()
    assert made()[:2] == (State.WAITING, [])


def test_of_several_matches_the_one_that_no_device_was_told_is_mailed(mover, ann, bob, service, clock, push):
    while Seat.objects.filter(user=mover, ask__isnull=False).count() < 2:
        seated(ann, bob)
    Notice.objects.all().delete()
    clock.forward(HOUR)
    channel_order.choose(mover, devices=1, mail=2)
    planning.sweep()
    service.answers = [201, 400]
    push()
    state, sent, _called = made()
    assert (state, sorted(sent)) == (State.WAITING, [State.FAILED, State.SENT])


def test_a_webhook_with_a_place_of_a_member_whom_nothing_else_reaches(mover, receiver, hook):
    """Else nothing plans it: mails and devices are what its order hangs on."""
    channel_order.choose(mover, webhooks=2)
    Device.objects.all().delete()
    prefer(mover, email="")
    planning.sweep()
    webhooks.sweep()
    assert (hook(), len(receiver.calls)) == (1, 1)


@pytest.mark.outgrown
@pytest.mark.django_db(transaction=True)
def test_many_learn_of_a_failure_at_once(mover, service):
    """Of the sweep, of a sender, of a provider: one message to each device, one call of each webhook."""
    channel_order.choose(mover, mail=1, devices=2, webhooks=2)
    planning.sweep()
    prefer(mover, mail_broken_at=planning.clock.now(), mail_broken_why="bounced")
    mail = Mail.objects.get()

    def learn(number: int) -> None:
        try:
            webhooks.sweep() if number % 3 == 0 else channel_order.go_on([mail])
            planning.sweep() if number % 4 == 0 else None
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(learn, range(16)))
    assert (Push.objects.count(), WebhookCall.objects.count(), Mail.objects.count()) == (1, 1, 1)


def test_the_page(ann, service):
    browser = browser_of(ann)
    page = browser.get("/settings/mails/").content.decode()
    assert "Who comes first" in page
    answer = browser.post("/settings/mails/", {"order": "1", "mail": "2", "devices": "1", "webhooks": "3"}, follow=True)
    assert "Saved." in answer.content.decode()
    assert channel_order.places_of(ann) == {"mail": 2, "devices": 1, "webhooks": 3}
    ann.refresh_from_db()
    assert ann.mail_rhythm == "each"


def test_the_list_is_in_that_order(mover):
    channel_order.choose(mover, mail=2)
    assert [one.name for one in channels_of(mover)] == ["Chrome, Android", "Mail", "x"]


@pytest.mark.parametrize("wrong", [{"mail": "0"}, {"mail": "4"}, {"devices": "x"}, {"webhooks": "-1"}, {"mail": ""}])
def test_a_place_that_is_none_is_refused(ann, wrong):
    sent = {"order": "1", "mail": "2", "devices": "1", "webhooks": "0"} | wrong
    answer = browser_of(ann).post("/settings/mails/", sent)
    assert answer.status_code == 400
    assert not CallChoice.objects.exists()


@pytest.mark.django_db
def test_a_guest_has_no_order():
    browser_of(guest()).post("/settings/mails/", {"order": "1", "mail": "2"})
    assert not CallChoice.objects.exists()


def test_what_the_site_lacks_is_not_asked(ann, settings):
    channel_order.choose(ann, devices=2)
    settings.PUSH = False
    browser = browser_of(ann)
    assert "place_devices" not in browser.get("/settings/mails/").content.decode()
    browser.post("/settings/mails/", {"order": "1", "mail": "3", "webhooks": "0"})
    assert channel_order.places_of(ann) == {"mail": 3, "devices": 2, "webhooks": 0}
