"""Messages leave for a real push service: encrypted, signed, once, whatever it says or does, and never stale."""

from datetime import timedelta

import pytest

from config.lib import clock as site_clock
from games.models import Device, Mail, Match, Push, Seat
from games.services.mail import delivery as mail_delivery
from games.services.mail import planning
from games.services.push import composing, delivery, devices
from tests.factories import asked, seated
from tests.mailing import DAY, HOUR, MINUTE, wind
from tests.pushing import device_of

pytestmark = pytest.mark.usefixtures("clock")

State = Mail.State


def state() -> str:
    return Push.objects.get().state


@pytest.mark.both
def test_it_arrives(device, service):
    assert delivery.send_due() == 1
    (got,) = service.kept
    match = Match.objects.get()
    assert got.told == {
        "title": "Your turn",
        "body": f"Yum EXTRA with {'ann' if device.user.username == 'bob' else 'bob'}. 2 days 4 h left.",
        "tag": f"match-{match.pk}",
        "url": f"/matches/{match.pk}/",
        "asks": True,
        "lang": "en",
        "count": 1,
        "waiting": [match.pk],
    }
    assert abs(int(got.headers["TTL"]) - (2 * DAY + 4.5 * HOUR)) < 60
    assert got.headers["Urgency"] == "normal"
    assert len(got.headers["Topic"]) == 32
    assert str(match.pk) != got.headers["Topic"]
    sent = Push.objects.get()
    assert (sent.state, sent.attempts, sent.error) == (State.SENT, 1, "")
    assert Device.objects.get().reached_at
    assert delivery.send_due() == 0
    assert service.asked == 1


def test_the_last_reminder_is_urgent_and_of_the_same_topic(device, service, clock):
    delivery.send_due()
    mail_delivery.send_due()
    clock.forward(3 * HOUR)
    wind(Seat.objects.get(user=device.user), left=timedelta(minutes=90), bank=timedelta(days=3))
    planning.sweep()
    delivery.send_due()
    first, last = service.kept
    assert last.told["title"] == "Your time is almost up"
    assert (last.headers["Urgency"], int(last.headers["TTL"]) <= 90 * MINUTE) == ("high", True)
    assert last.headers["Topic"] == first.headers["Topic"]
    assert last.told["tag"] == first.told["tag"]


def test_a_lock_screen_says_no_game_and_no_name_if_wished(device, service):
    devices.choose(device.user, discreet=True)
    delivery.send_due()
    (got,) = service.kept
    assert (got.told["title"], got.told["body"]) == ("Your turn", "2 days 4 h left.")


@pytest.mark.both
@pytest.mark.parametrize("status", [404, 410])
def test_a_device_that_is_gone(device, service, status, clock):
    service.answers = [status]
    delivery.send_due()
    gone = Device.objects.get()
    assert (gone.endpoint, gone.public_key, gone.secret, gone.error) == (None, "", "", f"HTTP {status}")
    assert gone.gone_at
    assert state() == State.FAILED
    assert devices.of(device.user) == [gone]  # its member sees that
    clock.forward(HOUR)
    assert delivery.send_due() == 0
    assert service.asked == 1
    clock.forward(31 * DAY)
    delivery.forget_old()
    assert not Device.objects.exists()


@pytest.mark.parametrize("status", [400, 401, 403, 413])
def test_refused_for_good(device, service, status, clock):
    service.answers = [status]
    delivery.send_due()
    clock.forward(DAY)
    delivery.send_due()
    assert (state(), service.asked) == (State.FAILED, 1)
    found = Device.objects.get()
    assert found.failed_at
    assert found.error == f"HTTP {status}"
    assert found.gone_at is None
    assert delivery.push_counts()["failed"] == 1


@pytest.mark.parametrize(("said", "waits"), [("90", 90), ("0", 60), ("", 60), ("soon", 60), ("999999999", DAY)])
def test_too_many_requests(device, service, said, waits, clock):
    service.answers = [(429, {"Retry-After": said} if said else {})]
    delivery.send_due()
    row = Push.objects.get()
    assert row.state == State.WAITING
    assert abs((row.next_try_at - site_clock.now()).total_seconds() - waits) < 5
    clock.forward(waits - 10)
    assert delivery.send_due() == 0
    if waits < HOUR:
        clock.forward(12)
        assert delivery.send_due() == 1


@pytest.mark.parametrize("status", [500, 502, 503])
def test_a_service_that_fails_is_tried_again(device, service, status, clock):
    service.answers = [status] * 2
    delivery.send_due()
    assert delivery.send_due() == 0  # not at once
    clock.forward(61)
    delivery.send_due()
    clock.forward(61)
    assert delivery.send_due() == 0
    clock.forward(61)
    assert delivery.send_due() == 1
    assert (len(service.kept), Push.objects.get().attempts) == (1, 3)
    assert Device.objects.get().failed_at is None


def test_a_service_that_fails_for_long_is_given_up(device, service, clock):
    service.answers = [503] * 100
    while state() == State.WAITING:
        delivery.send_due()
        clock.forward(HOUR)
    assert service.asked == delivery.MOST_ATTEMPTS
    assert state() == State.FAILED


def test_a_service_that_is_away_is_asked_once_a_run(device, service, clock, cem, eve):
    match = seated(cem, eve)
    device_of(asked(match).user, service)
    clock.forward(HOUR)
    planning.sweep()
    service.stop()
    delivery.send_due()
    assert sorted(Push.objects.values_list("attempts", flat=True)) == [0, 1]
    assert set(Push.objects.values_list("state", flat=True)) == {State.WAITING}


def test_new_addresses_and_those_added_again_hold_up_nobody_who_is_reached(device, service, ann, eve):
    """Else whoever adds addresses that hang, again and again, holds up everybody's calls."""
    delivery.send_due()
    known, other = Device.objects.get(pk=device.pk), service.subscribe()
    hanging = device_of(eve, service)
    Device.objects.filter(pk=hanging.pk).update(reached_at=known.reached_at, failed_at=known.reached_at)
    keys = {"endpoint": hanging.endpoint, "public_key": hanging.public_key, "secret": hanging.secret}
    new = {"user": eve, "session_key": hanging.session_key, "name": "x"}
    for more in (keys, other.keys(), service.subscribe().keys()):
        assert devices.add(**new, **more) == hanging
        for called in (hanging, known):
            delivery.test(Device.objects.get(pk=called.pk))
        service.kept.clear()
        delivery.send_due()
        assert next(pushed.path for pushed in service.kept) == known.endpoint.removeprefix(service.url)


def test_who_is_slow_to_take_a_message_holds_up_nobody(device, service, eve, monkeypatch):
    """Else a member's own server, which takes each just before it counts as away, would hold up everybody's."""
    delivery.send_due()
    known, slow = Device.objects.get(pk=device.pk), device_of(eve, service)
    delivery.test(slow)
    with monkeypatch.context() as patched:
        patched.setattr(delivery, "SLOW", 0.0)
        delivery.send_due()
    for called in (slow, known):
        delivery.test(Device.objects.get(pk=called.pk))
    service.kept.clear()
    delivery.send_due()
    assert next(pushed.path for pushed in service.kept) == known.endpoint.removeprefix(service.url)


def test_the_line_breaks_after_the_message(device, service, clock):
    """Nobody knows whether it was taken: it is shown, and never sent again by itself."""
    service.answers = [None]
    delivery.send_due()
    assert state() == State.UNKNOWN
    for _ in range(5):
        clock.forward(HOUR)
        delivery.send_due()
    assert service.asked == 1
    assert delivery.push_counts()["unknown"] == 1
    clock.forward(8 * DAY)
    assert delivery.push_counts()["unknown"] == 0  # nothing can be done about it any more


def test_an_answer_that_leads_elsewhere_is_not_followed(device, service):
    service.answers = [(307, {"Location": f"{service.url}/other"})]
    delivery.send_due()
    assert (state(), service.asked) == (State.FAILED, 1)


def test_an_address_that_is_private_by_now_is_forgotten(device, service, monkeypatch):
    monkeypatch.delenv("OUTGOING_TEST_BASE")
    Device.objects.update(endpoint="https://127.0.0.1/push/x")
    delivery.send_due()
    assert (state(), service.asked) == (State.FAILED, 0)
    assert Device.objects.get().gone_at


@pytest.mark.both
def test_a_sender_that_died_before_and_one_that_died_after(device, service, clock):
    Push.objects.update(state=State.SENDING, state_at=site_clock.now())
    assert delivery.send_due() == 0
    clock.forward(61)
    assert delivery.send_due() == 1
    Push.objects.update(state=State.HANDED, state_at=site_clock.now())
    clock.forward(119)
    delivery.send_due()
    assert state() == State.HANDED
    clock.forward(2)
    delivery.send_due()
    assert state() == State.UNKNOWN
    assert service.asked == 1


class Killed(BaseException):
    """A worker that is killed at this point."""


@pytest.mark.parametrize("point", ["claimed", "composed", "connected", "handed", "taken", "settled"])
def test_killed_at_any_point_it_arrives_once_or_is_in_doubt(device, service, clock, monkeypatch, point):
    """None twice, none missing after two minutes, and those in doubt are shown."""

    def at(owner, name, *, after):
        honest = getattr(owner, name)

        def killed(*words, **named):
            found = honest(*words, **named) if after else None
            monkeypatch.setattr(owner, name, honest)
            raise Killed(found)

        monkeypatch.setattr(owner, name, killed)

    if point == "claimed":
        at(delivery, "_waits", after=False)
    elif point == "composed":
        at(composing, "compose", after=True)
    elif point == "connected":
        at(composing, "contents_of", after=False)
    elif point == "handed":
        at(delivery.outgoing, "_exchange", after=False)
    elif point == "taken":
        at(delivery.outgoing, "_exchange", after=True)
    else:
        at(delivery, "_answered", after=True)
    with pytest.raises(Killed):
        delivery.send_due()
    for _minute in range(3):
        clock.forward(61)
        delivery.send_due()
    doubtful = state() == State.UNKNOWN
    assert len(service.kept) <= 1
    assert len(service.kept) == 1 or doubtful
    assert doubtful == (point in ("handed", "taken"))


def test_answered_while_the_service_was_connected_to(device, service, monkeypatch):
    """What would be stale is not handed over."""
    honest, looks = composing.contents_of, []

    def told_by(row):
        looks.append(row.pk)
        if len(looks) == 2:
            Seat.objects.update(ask=None, asked_at=None)
        return honest(row)

    monkeypatch.setattr(composing, "contents_of", told_by)
    delivery.send_due()
    assert (service.asked, state()) == (0, State.WAITING)
    delivery.send_due()
    assert (service.asked, state()) == (0, State.DROPPED)


def test_taken_over_by_another_sender(device, service, monkeypatch, clock):
    honest, done = composing.compose, []

    def held_up(row, told):
        message = honest(row, told)
        if not done:
            done.append(1)
            clock.forward(2 * MINUTE)
            assert delivery.send_due() == 1  # the other one
        return message

    monkeypatch.setattr(composing, "compose", held_up)
    assert delivery.send_due() == 0
    assert (state(), len(service.kept)) == (State.SENT, 1)


def test_one_that_cannot_be_composed_holds_up_no_other(device, service, clock, cem, eve, monkeypatch):
    match = seated(cem, eve)
    device_of(asked(match).user, service)
    clock.forward(HOUR)
    planning.sweep()
    first, honest = Push.objects.order_by("pk")[0], composing.compose
    monkeypatch.setattr(composing, "compose", lambda row, told: 1 / 0 if row == first else honest(row, told))
    assert delivery.send_due() == 1
    assert Push.objects.get(pk=first.pk).state == State.WAITING
