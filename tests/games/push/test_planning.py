"""Devices are called by what is planned for mails: the same notices, at the same times, once."""

from datetime import timedelta

import pytest

from games.models import Kind, Mail, Notice, Push
from games.services import channel_order
from games.services.mail import delivery as mail_delivery
from games.services.mail import planning
from games.services.push import delivery, devices
from tests.factories import asked, member, opened, seated
from tests.mailing import HOUR, MINUTE, prefer, wind
from tests.pushing import device_of

pytestmark = pytest.mark.usefixtures("clock")

State = Mail.State


def matches_of(user, number):
    """Begin so many matches in which this member is to move."""
    found = []
    while len(found) < number:
        match = seated(user, member(f"other{len(found)}-{Notice.objects.count()}"))
        if asked(match).user_id == user.pk:
            found.append(match)
    Notice.objects.all().delete()  # of a start, too
    return found


@pytest.mark.outgrown
def test_both_channels_tell_the_same_once(ann, service, clock):
    matches_of(ann, 1)
    for _ in range(2):
        device_of(ann, service)
    clock.forward(HOUR)
    planning.sweep()
    assert planning.sweep() == 0
    mail = Mail.objects.get(user=ann)
    assert mail.state == State.WAITING
    assert Push.objects.filter(mail=mail).count() == 2
    delivery.send_due()
    assert len({one.path for one in service.kept}) == 2
    assert {one.told["title"] for one in service.kept} == {"Your turn"}
    assert len({one.headers["Topic"] for one in service.kept}) == 1


@pytest.mark.outgrown
@pytest.mark.parametrize("fields", [{"email": ""}, {"mail_broken_at": "2026-01-01T00:00:00Z"}])
def test_who_reads_no_mail_is_called_all_the_same(ann, service, clock, fields):
    matches_of(ann, 1)
    prefer(ann, **fields)
    clock.forward(HOUR)
    assert not planning.sweep() or not Mail.objects.filter(user=ann).exists()
    device = device_of(ann, service)
    planning.sweep()
    mail = Mail.objects.get(user=ann)
    assert mail.state == State.PUSHED
    mail_delivery.send_due()
    assert delivery.send_due() == 1
    clock.forward(2 * HOUR)
    planning.sweep()
    assert Mail.objects.filter(user=ann).count() == 1
    devices.remove(user=ann, device_id=device.pk)
    planning.sweep()
    assert Mail.objects.filter(user=ann).count() == 1


def test_a_device_whose_session_has_ended_makes_no_rows(ann, service, clock):
    """Else a member without mail would get a row at each sweep, of which nothing can come."""
    matches_of(ann, 1)
    prefer(ann, email="")
    device_of(ann, service)
    delivery.sessions.Session.objects.all().delete()
    clock.forward(HOUR)
    planning.sweep()
    assert not Mail.objects.filter(user=ann).exists()
    delivery.forget_old()
    assert not ann.devices.exists()


def test_mail_only_after_devices_if_wished(ann, service, clock):
    matches_of(ann, 1)
    device_of(ann, service)
    channel_order.choose(ann, mail=2)
    clock.forward(HOUR)
    planning.sweep()
    assert Mail.objects.get(user=ann).state == State.PUSHED
    delivery.send_due()
    clock.forward(10 * MINUTE)
    mail_delivery.send_due()
    assert Mail.objects.get(user=ann).state == State.PUSHED


def test_a_muted_device_is_not_called_and_holds_up_no_mail(ann, service, clock):
    matches_of(ann, 1)
    device = device_of(ann, service)
    devices.change(user=ann, device_id=device.pk, muted=True)
    channel_order.choose(ann, mail=2)
    clock.forward(HOUR)
    planning.sweep()
    assert (Mail.objects.get(user=ann).state, Push.objects.count()) == (State.WAITING, 0)


def test_nobody_who_is_here_is_called(ann, service, clock):
    matches_of(ann, 1)
    device_of(ann, service)
    clock.forward(HOUR)
    prefer(ann, seen_at=planning.clock.now())
    planning.sweep()
    assert not Push.objects.exists()


def test_one_until_the_next_visit(ann, service, clock):
    prefer(ann, mail_rhythm="visit")
    matches_of(ann, 1)
    device_of(ann, service)
    clock.forward(HOUR)
    planning.sweep()
    matches_of(ann, 1)
    clock.forward(HOUR)
    planning.sweep()
    assert Push.objects.count() == 1


@pytest.mark.parametrize(("number", "told"), [(3, 3), (5, 1)])
def test_several_matches_at_once(ann, service, clock, number, told):
    matches_of(ann, number)
    Notice.objects.all().delete()
    device_of(ann, service)
    clock.forward(HOUR)
    planning.sweep()
    delivery.send_due()
    assert len(service.kept) == told
    if told == 1:
        assert service.kept[0].told | {"waiting": None} == {
            "title": "News from 5 matches",
            "body": "Yum EXTRA.",
            "tag": "all",
            "url": "/",
            "asks": False,
            "lang": "en",
            "count": 5,
            "waiting": None,
        }


def test_the_daily_call(ann, service, clock):
    matches_of(ann, 2)
    prefer(ann, mail_rhythm="daily", digest_hour=0, language="fr")
    device_of(ann, service)
    clock.forward(HOUR)
    planning.sweep()
    delivery.send_due()
    (got,) = service.kept
    assert (got.told["tag"], got.told["lang"], got.told["count"]) == ("all", "fr", 2)


def test_an_invitation(ann, bob, service, clock):
    match = opened(bob, invited=[ann])
    device_of(ann, service)
    clock.forward(HOUR)
    planning.sweep()
    delivery.send_due()
    (got,) = service.kept
    assert (got.told["title"], got.told["asks"]) == ("You are invited to a match", True)
    assert got.told["waiting"] == [match.pk]
    assert match.token not in str(got.told)


def test_no_secret_and_no_number_of_another_is_told_to_the_push_service(ann, service, clock):
    (match,) = matches_of(ann, 1)
    device_of(ann, service)
    clock.forward(HOUR)
    planning.sweep()
    delivery.send_due()
    (got,) = service.kept
    assert not {"ann", str(match.pk)} & set(got.headers.values())
    assert "ann" not in str(got.claims)


def test_switched_off(ann, service, clock, settings):
    matches_of(ann, 1)
    device_of(ann, service)
    clock.forward(HOUR)
    settings.PUSH = False
    planning.sweep()
    assert (Mail.objects.get(user=ann).state, Push.objects.count()) == (State.WAITING, 0)
    assert Kind.TURN in Notice.objects.filter(user=ann).values_list("kind", flat=True)


@pytest.mark.outgrown
def test_a_mail_that_nobody_takes_holds_up_no_device(ann, service, clock):
    """A mailbox may be full, or the mail server away, for a day; the telephone is called meanwhile."""
    matches_of(ann, 1)
    device_of(ann, service)
    clock.forward(HOUR)
    planning.sweep()
    stuck = Mail.objects.get(user=ann)
    delivery.send_due()
    told = list(Notice.objects.all())
    (match,) = matches_of(ann, 1)
    Notice.objects.bulk_create(told)
    clock.forward(MINUTE)
    planning.sweep()
    assert Mail.objects.filter(user=ann).count() == 1  # ten minutes are nobody's delay
    clock.forward(10 * MINUTE)
    planning.sweep()
    fresh = Mail.objects.exclude(pk=stuck.pk).get(user=ann)
    assert (fresh.state, fresh.match_id) == (State.PUSHED, match.pk)
    delivery.send_due()
    assert service.kept[-1].told["url"] == f"/matches/{match.pk}/"
    clock.forward(HOUR)
    planning.sweep()
    assert Mail.objects.filter(user=ann).count() == 2


@pytest.mark.outgrown
def test_nor_the_reminders_of_its_own_match(ann, service, clock):
    (match,) = matches_of(ann, 1)
    device_of(ann, service)
    clock.forward(HOUR)
    planning.sweep()
    delivery.send_due()
    clock.forward(2 * HOUR)
    wind(match.seats.get(user=ann), left=timedelta(hours=1), bank=timedelta(days=3))
    planning.sweep()
    delivery.send_due()
    assert service.kept[-1].told["title"] == "Your time is almost up"
