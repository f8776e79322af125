"""Which mails are made, when, and for whom: the refusals as much as the mails."""

from datetime import timedelta
from itertools import pairwise
from random import Random

import pytest
from django.core import mail

from accounts.services import visits
from config.lib import clock as site_clock
from games.models import Kind, Mail, Match, Notice, TimeOut
from games.services.lobby import closing, opening
from games.services.mail import delivery, planning
from games.services.mail.notices import note
from games.services.play import moves
from tests.factories import asked, fresh, guest, member, opened, play_on, seated, submit
from tests.mailing import DAY, HOUR, MINUTE, prefer, send

pytestmark = pytest.mark.usefixtures("clock")


@pytest.mark.outgrown
def test_your_turn_once(waiting, clock):
    (message,) = send()
    assert message.to == [asked(waiting).user.email]
    for _ in range(8):
        clock.forward(5 * HOUR)
        prefer(asked(waiting).user, mail_off=["reminder"])
        assert send() == []


def test_a_fresh_question_waits_a_moment(ann, bob, clock):
    seated(ann, bob)
    Notice.objects.all().delete()
    assert send() == []
    clock.forward(21)
    assert len(send()) == 1


def test_not_while_the_member_is_here(waiting, clock):
    visits.note(asked(waiting).user_id)
    clock.forward(4 * MINUTE)
    assert send() == []
    clock.forward(2 * MINUTE)
    assert len(send()) == 1


def test_a_visit_in_the_database_counts_when_redis_forgot(waiting, clock):
    visits.note(asked(waiting).user_id)
    assert visits.keep() == 1
    visits._redis().flushdb()
    assert send() == []
    clock.forward(6 * MINUTE)
    assert len(send()) == 1


@pytest.mark.outgrown
@pytest.mark.parametrize(
    "fields",
    [
        {"email": ""},
        {"is_active": False},
        {"is_guest": True},
        {"mail_broken_at": "2026-01-01T00:00:00Z"},
        {"mail_off": ["turn", "reminder"]},
    ],
)
def test_nothing_to_who_cannot_or_will_not_read(waiting, fields):
    prefer(asked(waiting).user, **fields)
    note(waiting, Kind.TURN, [])
    assert send() == []
    assert not Mail.objects.exists()


def test_at_most_one_mail_per_match_in_30_minutes(waiting, clock):
    first = asked(waiting).user
    assert len(send()) == 1
    seen, rng = [], Random(5)
    for _ in range(24):  # the other plays; the first is asked again and again
        play_on(fresh(waiting), rng, turns=1)
        clock.forward(5 * MINUTE)
        seen += [(m.to[0], site_clock.now()) for m in send()]
    for who in {to for to, _at in seen} | {first.email}:
        times = [at for to, at in seen if to == who]
        assert all(b - a >= planning.APART for a, b in pairwise(times))


@pytest.mark.outgrown
def test_all_waiting_matches_in_one_mail(ann, bob, clock):
    matches = [seated(ann, bob) for _ in range(3)]
    Notice.objects.all().delete()
    for match in matches:
        match.seats.update(ask=None, asked_at=None)
        match.seats.filter(number=0).update(ask=99, asked_at=site_clock.now())
    clock.forward(HOUR)
    (message,) = send()
    assert all(f"/matches/{match.pk}/" in message.body for match in matches)
    assert Mail.objects.count() == 1
    assert Notice.objects.count() == 3


@pytest.mark.outgrown
def test_stale_is_never_sent(waiting, ann, bob):
    planning.sweep()
    mover = asked(waiting)
    moves.resign(match_id=waiting.pk, user=mover.user)
    Notice.objects.filter(kind=Kind.ENDED).delete()
    assert delivery.send_due() == 0
    assert Mail.objects.get().state == Mail.State.DROPPED
    assert not Notice.objects.exists()
    assert mail.outbox == []


def test_facts(ann, bob, cem, clock):
    """Invited, started, ended: to whom it is news, in that order."""
    match = opened(ann, size=2, invited=[cem], access=Match.Access.OPEN)
    assert [m.to for m in send()] == [[cem.email]]
    opening.join(match_id=match.pk, user=bob)
    assert [m.to for m in send()] == [[ann.email]]
    clock.forward(HOUR)
    mail.outbox.clear()
    send()
    moves.resign(match_id=match.pk, user=bob)
    (message,) = send()
    assert message.to == [ann.email]
    assert "The match has ended by resignation." in message.body


@pytest.mark.outgrown
def test_who_saw_the_last_turn_needs_no_news_of_the_end(ann, clock):
    match = play_on(seated(ann, bots=["easy"]), Random(3))
    assert match.status == Match.Status.ENDED
    match.seats.filter(user=ann).update(seen=match.turns)
    clock.forward(HOUR)
    assert send() == []
    assert Mail.objects.get().state == Mail.State.DROPPED


def test_who_did_not_see_it_is_told(ann, clock):
    match = play_on(seated(ann, bots=["easy"]), Random(3))
    match.seats.filter(user=ann).update(seen=match.turns - 1)
    clock.forward(HOUR)
    assert len(send()) == 1


@pytest.mark.outgrown
def test_an_invitation_taken_back_is_not_told(ann, cem):
    match = opened(ann, invited=[cem])
    closing.decline(match_id=match.pk, user=cem)
    (message,) = send()  # to her who invited
    assert message.to == [ann.email] and "The invitation to your table was declined by cem." in message.body


@pytest.mark.outgrown
def test_an_invitation_is_told_once(ann, cem, clock):
    match = opened(ann, invited=[cem])
    assert len(send()) == 1
    closing.decline(match_id=match.pk, user=cem)
    send()  # to her who invited
    clock.forward(DAY + 1)
    opening.invite(match_id=match.pk, user=ann, guests=[cem])
    assert send() == []


def test_news_tells_the_open_question_too(ann, bob, clock):
    match = seated(ann, bob)
    match.seats.update(ask=None, asked_at=None)
    match.seats.filter(number=0).update(ask=50, asked_at=site_clock.now())
    clock.forward(HOUR)
    (message,) = send()
    assert "The match has started." in message.body
    clock.forward(HOUR)
    assert send() == []


def test_one_mail_until_the_next_visit(waiting, ann, bob, clock):
    mover = asked(waiting).user
    prefer(mover, mail_rhythm="visit", seen_at=site_clock.now() - timedelta(hours=1))
    assert len(send()) == 1
    other = seated(bob, ann)
    clock.forward(5 * HOUR)
    note(other, Kind.PLAYED, [mover.pk], ask=1)
    assert [m for m in send() if m.to == [mover.email]] == []
    visits.note(mover.pk)
    clock.forward(HOUR)
    mine = [m for m in send() if m.to == [mover.email]]
    assert len(mine) == 1
    assert "played for you" in mine[0].body


def test_one_who_fails_holds_up_no_other(ann, bob, cem, eve, clock, monkeypatch):
    one, other = seated(ann, bob), seated(cem, eve)
    clock.forward(HOUR)
    broken = asked(one).user_id
    honest = planning.plan_mails_for
    monkeypatch.setattr(planning, "plan_mails_for", lambda pk: 1 / 0 if pk == broken else honest(pk))
    assert {m.to[0] for m in send()} >= {asked(other).user.email}


def test_a_day_off_is_told_although_the_question_is_answered(waiting):
    mover = asked(waiting)
    note(waiting, Kind.VACATION, [mover.user_id], ask=site_clock.now().toordinal())
    waiting.seats.update(ask=None, asked_at=None, deadline=None, runs_from=None)
    assert not TimeOut.objects.exists()
    (message,) = send()
    assert message.to == [mover.user.email]
    assert "a day off was taken" in message.body


def test_nothing_to_a_guest(clock, db):
    gus = guest()
    play_on(seated(gus, bots=["easy"]), Random(3))
    clock.forward(HOUR)
    assert send() == []
    assert not Notice.objects.exists()


def test_what_is_true_of_a_time_out(waiting, ann):
    note(waiting, Kind.PLAYED, [ann.pk], ask=7)
    note(waiting, Kind.ABSENT, [ann.pk], ask=8)
    told = [m for m in send() if m.to == [ann.email]]
    assert len(told) == 1
    assert "played for you" in told[0].body
    assert "a bot plays on" not in told[0].body  # Ann is not absent


@pytest.mark.outgrown
@pytest.mark.parametrize(
    ("rated", "returned", "offered", "soon"),
    [(False, False, True, False), (True, False, True, True), (False, True, False, False)],
)
def test_a_seat_is_offered_back_as_long_as_it_can_be_had(waiting, ann, rated, returned, offered, soon):
    waiting.seats.filter(user=ann).update(absent=True, bot="strong", left=1, left_at=0, returned=returned)
    Match.objects.update(rated=rated)
    note(waiting, Kind.ABSENT, [ann.pk], ask=8)
    (body,) = (" ".join(m.body.split()) for m in send() if m.to == [ann.email])
    assert "a bot plays on in your seat" in body
    assert ("You can take it back, once" in body, "Do so soon" in body) == (offered, soon)


def test_counts(waiting, clock):
    assert delivery.mail_counts() == {"waiting": 0, "failed": 0, "unknown": 0, "oldest_waiting": None}
    planning.sweep()
    counts = delivery.mail_counts()
    assert (counts["waiting"], counts["oldest_waiting"]) == (1, Mail.objects.get().created_at)
    member("dan")


def test_matches_that_begin_together_share_one_mail(ann, bob, clock):
    tables = [opened(ann, size=2, access=Match.Access.OPEN) for _ in range(6)]
    for table in tables:
        opening.join(match_id=table.pk, user=bob)
    clock.forward(HOUR)
    planning.sweep()
    delivery.send_due()
    told = [message for message in mail.outbox if message.to == [ann.email]]
    assert [message.subject for message in told] == ["Your turn to roll (and 5 more matches)"]
    assert all(f"/matches/{table.pk}/" in told[0].body for table in tables)


@pytest.mark.outgrown
def test_who_has_moved_already_is_not_told_that_it_started(ann, bob, clock):
    match = opened(ann, size=2, access=Match.Access.OPEN)
    opening.join(match_id=match.pk, user=bob)
    mover = asked(match)
    Notice.objects.filter(kind=Kind.STARTED).update(user=mover.user)
    submit(match, mover, {"type": "roll"})
    clock.forward(HOUR)
    assert "has started" not in "".join(message.body for message in send())


def test_nobody_fills_a_mailbox_by_proposing_again_and_again(waiting, clock):
    mover, other = asked(waiting).user, next(s.user for s in waiting.seats.all() if s.ask is None)
    assert len(send()) == 1
    clock.forward(31 * MINUTE)
    for _ in range(20):
        moves.wish_pause(match_id=waiting.pk, user=other, wish=True)
        clock.forward(2 * MINUTE)
        send()
        moves.wish_pause(match_id=waiting.pk, user=other, wish=False)
    assert Mail.objects.filter(user=mover).count() == 2
    moves.wish_call_off(match_id=waiting.pk, user=other, wish=True)
    clock.forward(31 * MINUTE)
    assert [message.to for message in send()] == [[mover.email]]


def test_invitations_that_come_together_share_one_mail(ann, bob, cem, eve, clock):
    """Nobody fills a mailbox by opening tables and closing them either."""
    tables = [opened(host, size=2, access="invitation", invited=[bob]) for host in (ann, cem)]
    (message,) = send()
    assert all(f"/matches/{match.pk}/" in message.body for match in tables)
    for number in range(3):
        host = member(f"host-{number}")
        match = opened(host, size=2, access="invitation", invited=[bob])
        clock.forward(2 * MINUTE)
        assert send() == []
        closing.leave(match_id=match.pk, user=host)
    last = opened(eve, size=2, access="invitation", invited=[bob])
    clock.forward(25 * MINUTE)
    (message,) = send()
    assert f"/matches/{last.pk}/" in message.body and f"/matches/{match.pk}/" not in message.body
