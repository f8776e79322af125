"""That a call about somebody's question arrived, the others at the table are told; by which channel, nobody is."""

from datetime import timedelta

import pytest

from accounts.services import bounces
from games.models import Mail, Notice, Seat
from games.services.mail import planning
from games.services.mail.notices import note_reached
from games.services.push import delivery as pushes
from games.services.webhooks import delivery as calls
from games.services.webhooks import keeping
from games.services.webhooks import planning as webhooks
from tests.factories import asked, browser_of, seated, submit
from tests.mailing import HOUR, prefer, send
from tests.pushing import device_of

pytestmark = pytest.mark.usefixtures("clock")
SAID = "reminder delivered 3 hours ago"


def shown(match, person) -> str:
    return browser_of(person).get(f"/matches/{match.pk}/table/").content.decode().replace("\xa0", " ")


@pytest.fixture
def match(ann, bob, clock):
    match = seated(ann, bob)
    Notice.objects.all().delete()
    clock.forward(HOUR)
    return match


def others_of(match) -> object:
    return Seat.objects.exclude(pk=asked(match).pk).get(match=match).user


@pytest.mark.outgrown
def test_a_mail(match, postbox, clock, eve):
    send()
    clock.forward(3 * HOUR)
    assert SAID in shown(match, others_of(match))
    for person in (asked(match).user, eve, None):
        assert "delivered" not in shown(match, person)


def test_a_mail_that_was_refused_or_may_not_have_arrived(match, postbox):
    postbox.rcpt_answers = ["550 5.1.1 no such user"]
    send()
    assert asked(match).reached_at is None
    assert "delivered" not in shown(match, others_of(match))


@pytest.mark.outgrown
def test_a_mail_of_which_a_bounce_is_learnt_later(match, postbox, clock):
    """The mail server took it, and another one further on did not."""
    send()
    clock.forward(3 * HOUR)
    assert SAID in shown(match, others_of(match))
    bounces.turn_off(asked(match).user.email, "bounced: no such user")
    assert "delivered" not in shown(match, others_of(match))


def test_a_bounce_where_a_device_was_reached_too(match, service, clock):
    device_of(asked(match).user, service)
    planning.sweep()
    assert pushes.send_due() == 1
    clock.forward(HOUR)
    note_reached(asked(match).user_id, [(match.pk, asked(match).ask)])  # by a mail, later
    clock.forward(2 * HOUR)
    bounces.turn_off(asked(match).user.email, "bounced: no such user")
    assert SAID in shown(match, others_of(match))


def test_a_mail_marked_as_spam_had_arrived(match, postbox, clock):
    send()
    clock.forward(3 * HOUR)
    bounces.turn_off(asked(match).user.email, "complained: abuse")
    assert SAID in shown(match, others_of(match))


def test_a_mail_of_one_a_day(match, clock):
    prefer(asked(match).user, mail_rhythm="daily", digest_hour=0)
    clock.forward(24 * HOUR)
    assert len(send()) == 1
    assert Mail.objects.get().kind == "digest"
    assert asked(match).reached_at


def test_a_mail_about_something_else(match, clock):
    prefer(asked(match).user, mail_off=["turn"])
    Notice.objects.create(user=asked(match).user, match=match, kind="vacation", ask=asked(match).ask)
    assert len(send()) == 1
    assert asked(match).reached_at is None


def test_a_device(match, service, clock):
    prefer(asked(match).user, email="")
    device_of(asked(match).user, service)
    planning.sweep()
    assert pushes.send_due() == 1
    clock.forward(3 * HOUR)
    assert SAID in shown(match, others_of(match))


def test_a_device_that_does_not_take_it(match, service):
    device_of(asked(match).user, service)
    prefer(asked(match).user, email="")
    planning.sweep()
    service.answers = [(500, {})]
    assert pushes.send_due() == 0
    assert asked(match).reached_at is None


def test_a_webhook(ann, bob, receiver, clock):
    for person in (ann, bob):
        keeping.add(user_id=person.pk, name="x", format="json", address=receiver.base + "/hook")
        prefer(person, email="")
    match = seated(ann, bob)
    clock.forward(HOUR)
    assert webhooks.sweep() == 1 and calls.send_due(failing=False) == 1
    clock.forward(3 * HOUR)
    assert SAID in shown(match, others_of(match))


def test_a_new_question_is_not_told_yet(match, clock):
    send()
    mover, other = asked(match), others_of(match)
    assert mover.reached_at
    clock.forward(1)
    submit(match, mover, {"type": "roll"})
    assert asked(match).user_id == mover.user_id
    assert "delivered" not in shown(match, other)


def test_a_call_that_arrives_after_the_answer_is_noted_nowhere(match, clock):
    mover = asked(match)
    clock.forward(1)
    submit(match, mover, {"type": "roll"})
    note_reached(mover.user_id, [(match.pk, mover.ask)])
    assert not Seat.objects.filter(reached_at__isnull=False).exists()


def test_live_matches_tell_nothing(ann, bob, clock):
    match = seated(ann, bob, pace="live")
    Seat.objects.update(reached_at=asked(match).asked_at + timedelta(seconds=1))
    assert "delivered" not in shown(match, others_of(match))
