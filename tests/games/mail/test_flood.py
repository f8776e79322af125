"""Never more than one mail in ten minutes to somebody who has not come, reminders apart, whatever happens meanwhile."""

from contextlib import suppress
from datetime import timedelta
from itertools import pairwise
from random import Random

import pytest

from accounts.services import visits
from games.models import Kind, Mail, Notice
from games.queries.play import seats_of
from games.services.chat import lines
from games.services.lobby import closing
from games.services.mail import delivery, planning
from games.services.mail.notices import note
from games.services.play import moves
from games.services.refusals import NotAsked
from tests import FULL
from tests.factories import asked, member, opened, seated
from tests.mailing import MINUTE, prefer, send, wind

pytestmark = pytest.mark.usefixtures("clock")
TEN = timedelta(minutes=10)
FLOOD = 100 if FULL else 45  # minutes


def mails_of(user) -> list[Mail]:
    return list(Mail.objects.filter(user=user, state=Mail.State.SENT).order_by("sent_at"))


def is_reminder(mail) -> bool:
    return all(notice.kind in ("reminder", "reminder2") for notice in mail.notices.all())


@pytest.mark.thin(0)
def test_a_flood_of_everything(ann, clock):
    """Hours in which strangers invite, propose, write, mention, play and resign, every minute or so."""
    prefer(ann, chat_mails=True)
    drawn, others = Random(7), [member(f"other-{number}") for number in range(8)]
    matches = [seated(ann, other) for other in others[:6]]
    for minute in range(FLOOD):
        other, match = drawn.choice(others), drawn.choice(matches)
        mate = next(s.user for s in seats_of(match) if s.user_id != ann.pk)
        match minute % 6:
            case 0:
                with suppress(NotAsked):
                    opened(other, size=2, access="invitation", invited=[ann])
            case 1:
                moves.wish_pause(match_id=match.pk, user=mate, wish=drawn.random() < 0.5)
            case 2:
                lines.say(match=match, seats=seats_of(match), user=mate, text="hello @ann" if minute % 4 else "hello")
            case 3:
                match.seats.filter(user=ann).update(ask=1000 + minute, asked_at=asked(match).asked_at)
            case 4:
                note(match, Kind.VACATION, [ann.pk], ask=minute)
            case 5 if minute % 30 == 5:
                matches[0].seats.filter(user=ann).update(ask=2000 + minute, asked_at=asked(match).asked_at)
                wind(matches[0].seats.get(user=ann), left=timedelta(hours=3), bank=timedelta(days=1))
        clock.forward(MINUTE)
        planning.sweep(whole=minute % 5 == 0)
        delivery.send_due()
    sent = [mail for mail in mails_of(ann) if not is_reminder(mail)]
    assert len(sent) > FLOOD // 15
    assert all(later.sent_at - earlier.sent_at >= TEN for earlier, later in pairwise(mails_of(ann)) if later in sent)
    clock.forward(40 * MINUTE)
    send()
    clock.forward(11 * MINUTE)
    send()
    left = Notice.objects.filter(user=ann, mail=None).exclude(kind=Kind.MENTIONED)
    assert not left.exists()


def test_who_has_come_meanwhile_is_written_to_again(ann, bob, clock):
    first, second = seated(ann, bob), seated(ann, bob)
    note(first, Kind.VACATION, [ann.pk], ask=1)
    assert [ann.email] in [message.to for message in send()]
    clock.forward(MINUTE)
    visits.note(ann.pk)
    clock.forward(6 * MINUTE)
    note(second, Kind.VACATION, [ann.pk], ask=2)
    assert [ann.email] in [message.to for message in send()]


def test_who_has_not_is_written_to_after_ten_minutes_of_everything_at_once(ann, bob, clock):
    matches = [seated(ann, bob) for _ in range(3)]
    Mail.objects.create(user=ann, kind="turn", state=Mail.State.SENT, sent_at=asked(matches[0]).asked_at)
    for number, match in enumerate(matches):
        note(match, Kind.VACATION, [ann.pk], ask=number)
    clock.forward(9 * MINUTE)
    planning.sweep()
    assert Notice.objects.filter(user=ann, mail=None, kind=Kind.VACATION).count() == 3
    clock.forward(2 * MINUTE)
    planning.sweep()
    assert Mail.objects.filter(user=ann).count() == 2
    assert Notice.objects.filter(user=ann, mail=None).count() == 0


def test_a_reminder_comes_all_the_same(waiting, clock):
    mover = asked(waiting)
    Mail.objects.create(user=mover.user, kind="ended", state=Mail.State.SENT, sent_at=planning.clock.now())
    wind(mover, left=timedelta(hours=1, minutes=50), bank=timedelta(days=1))
    planning.sweep()
    kinds = Notice.objects.filter(user=mover.user, mail__isnull=False).values_list("kind", flat=True)
    assert sorted(kinds) == ["reminder", "reminder2"]


def test_while_a_mail_waits_for_its_server_all_else_waits_for_the_next(ann, bob, clock):
    match = seated(ann, bob)
    Mail.objects.create(user=ann, kind="turn")
    note(match, Kind.VACATION, [ann.pk], ask=1)
    clock.forward(30 * MINUTE)
    planning.sweep()
    assert Mail.objects.filter(user=ann).count() == 1


@pytest.mark.thin(0)
def test_tables_opened_and_closed_again_and_again(ann, clock):
    for number in range(30 if FULL else 12):
        host = member(f"host-{number}")
        table = opened(host, size=2, access="invitation", invited=[ann])
        clock.forward(MINUTE)
        send()
        closing.leave(match_id=table.pk, user=host)
    assert 1 <= Mail.objects.filter(user=ann).count() <= 2


@pytest.mark.thin(0)
def test_who_is_mentioned_each_half_hour_is_reminded_all_the_same(ann, bob, clock):
    """Else whoever plays against somebody could talk their reminders away."""
    match = seated(ann, bob)
    seat = match.seats.get(user=ann)
    match.seats.filter(pk=seat.pk).update(ask=70, asked_at=planning.clock.now())
    clock.forward(MINUTE)
    planning.sweep()
    delivery.send_due()
    wind(seat, left=timedelta(hours=4), bank=timedelta(days=3))
    for _half_hour in range(7):
        lines.say(match=match, seats=seats_of(match), user=bob, text="@ann are you there?")
        clock.forward(31 * MINUTE)
        planning.sweep()
        delivery.send_due()
    told = Notice.objects.filter(user=ann, mail__state=Mail.State.SENT).values_list("kind", flat=True)
    assert {Kind.REMINDER, Kind.REMINDER2} <= set(told)
