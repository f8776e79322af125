"""The clock of whoever no channel reached waits for a day, once a match, and the others read why."""

from datetime import timedelta
from random import Random

import pytest

from accounts.models import User
from accounts.services import bounces, visits
from config.lib import clock as present
from games.models import Kind, Mail, Notice, Push, Seat, TimeOut, WebhookCall
from games.services.clocks.time_outs import judge
from games.services.operation.site_status import match_figures
from games.services.push import devices
from games.services.webhooks import keeping
from tests.factories import asked, browser_of, fresh, play_on, seated, submit
from tests.mailing import prefer
from tests.pushing import device_of

DAY = timedelta(days=1)
ROLL = {"type": "roll"}
State = Mail.State


@pytest.fixture(autouse=True)
def no_days_off_by_themselves(ann, bob):
    User.objects.update(vacation_by_itself=False)


@pytest.fixture
def match(ann, bob, hours):
    return seated(ann, bob)


def mailed(match, state, kind=Kind.REMINDER, attempts=1) -> Mail:
    """A mail about the open question, that has come so far."""
    mover = asked(match)
    mail = Mail.objects.create(user=mover.user, match=match, kind=kind, state=state, attempts=attempts)
    Notice.objects.create(user=mover.user, match=match, kind=kind, ask=mover.ask, mail=mail)
    return mail


def refuse(match) -> None:
    bounces.turn_off(asked(match).user.email, bounces.REFUSED + "no such user")


def waits(match, hours) -> bool:
    """Return whether the clock waits at the deadline, instead of running out."""
    hours.go_by(days=3, seconds=6)
    hours.sweep()
    assert Seat.objects.filter(waited_ask__isnull=False).exists() is not TimeOut.objects.exists()
    return not TimeOut.objects.exists()


def shown(match, person) -> str:
    return browser_of(person).get(f"/matches/{match.pk}/table/").content.decode()


@pytest.mark.outgrown
def test_a_clock_waits_a_day_once_and_the_others_read_why(match, hours, eve):
    mover = asked(match)
    other = match.seats.exclude(pk=mover.pk).get().user
    refuse(match)
    assert waits(match, hours)
    waiting = asked(match)
    assert (waiting.ask, waiting.waited_ask) == (mover.ask, mover.ask)
    assert abs(waiting.deadline - present.now() - DAY) < timedelta(seconds=5)
    assert 'could not be reached: the clock waits <span class="end">until' in shown(match, other)
    assert "be reached" not in shown(match, eve)
    hours.go_by(hours=23)
    hours.sweep()
    assert not TimeOut.objects.exists()
    hours.go_by(hours=1, seconds=6)
    hours.sweep()
    assert TimeOut.objects.get().seat == mover.number
    assert "be reached" not in shown(match, other)


def test_who_comes_meanwhile_reads_it_and_plays(match, hours):
    mover = asked(match)
    refuse(match)
    assert waits(match, hours)
    assert 'we could not reach you: your clock waits <span class="end">until' in shown(match, mover.user)
    submit(match, mover, ROLL)
    assert fresh(match).turns == 1
    assert "be reached" not in shown(match, match.seats.exclude(pk=mover.pk).get().user)
    Seat.objects.filter(pk=mover.pk).update(deadline=present.now() - DAY, runs_from=present.now() - 9 * DAY)
    assert asked(match).pk == mover.pk
    hours.sweep()
    assert TimeOut.objects.exists()  # once a match


@pytest.mark.outgrown
@pytest.mark.parametrize(("apart", "is_held"), [(0, True), (20, True), (30, False), (29 * 24, False), (31 * 24, True)])
def test_one_day_in_thirty_over_all_matches(match, hours, ann, bob, apart, is_held):
    """Whoever has their address refuse our mails gains no day in each of their matches, one after the other."""
    mover = asked(match)
    refuse(match)
    assert waits(match, hours)
    hours.go_by(hours=apart)
    other = seated(ann, bob)
    while asked(other).user_id != mover.user_id:
        other = seated(ann, bob)
    late = present.now() - timedelta(seconds=6)
    about = {"asked_at": late - 3 * DAY, "runs_from": late - 3 * DAY, "deadline": late}
    other.seats.filter(user=mover.user).update(**about)
    judge(match_id=other.pk)
    assert TimeOut.objects.filter(match=other).exists() is not is_held


@pytest.mark.parametrize(
    ("state", "attempts", "is_held"),
    [
        (State.FAILED, 20, True),
        (State.WAITING, 5, True),
        (State.WAITING, 0, False),
        (State.SENT, 1, False),
        (State.UNKNOWN, 1, False),
        (State.HANDED, 1, False),
        (State.DROPPED, 0, False),
    ],
)
def test_what_became_of_the_mail(match, hours, state, attempts, is_held):
    mailed(match, state, attempts=attempts)
    assert waits(match, hours) is is_held


def test_one_mail_of_two_arrived(match, hours):
    mailed(match, State.SENT, Kind.TURN)
    mailed(match, State.FAILED, Kind.REMINDER)
    assert not waits(match, hours)


def test_a_mail_that_bounced_after_it_was_taken(match, hours):
    mailed(match, State.SENT)
    refuse(match)
    assert waits(match, hours)


def test_a_mail_about_another_question_says_nothing(match, hours):
    mailed(match, State.FAILED)
    Notice.objects.update(ask=99)
    assert not waits(match, hours)


@pytest.mark.parametrize("state", ["sent", "failed", "sending"])
def test_a_mail_of_one_a_day(match, hours, state):
    hours.go_by(hours=1)
    Mail.objects.create(user=asked(match).user, kind="digest", state=state)
    hours.go_by(days=-1 / 24)
    assert waits(match, hours) is (state == "failed")


def test_no_mail_at_all_was_due(match, hours):
    assert not waits(match, hours)


@pytest.mark.parametrize(
    "wish",
    [
        {"mail_off": ["turn", "reminder"]},
        {"mail_broken_why": "complained: spam"},
        {"seen_at": "now"},
        {"is_guest": True},
    ],
)
def test_not_for_who_wanted_no_calls_or_was_here(match, hours, wish):
    refuse(match)
    if "seen_at" in wish:
        wish = {"seen_at": present.now()}
    prefer(asked(match).user, **wish)
    assert not waits(match, hours)


def test_not_for_who_was_here_a_moment_ago(match, hours):
    refuse(match)
    hours.go_by(days=2)
    visits.note(asked(match).user_id)
    hours.go_by(days=1, seconds=6)
    hours.sweep()
    assert TimeOut.objects.exists()


@pytest.mark.parametrize(("before", "is_held"), [(15, False), (60, True)])
def test_not_for_whose_own_move_led_to_the_question(match, hours, before, is_held):
    """A visit is recorded each 20 seconds: who rolled, saw what is asked now and left was here."""
    refuse(match)
    visits.note(asked(match).user_id)
    hours.go_by(seconds=before)
    match.seats.filter(ask__isnull=False).update(asked_at=present.now())
    assert waits(match, hours) is is_held


@pytest.mark.parametrize(("wish", "is_held"), [("none", False), ("reminders", True)])
def test_a_match_that_is_quiet(match, hours, wish, is_held):
    refuse(match)
    match.seats.update(notices=wish)
    assert waits(match, hours) is is_held


@pytest.mark.parametrize(
    ("state", "attempts", "is_held"),
    [("sent", 1, False), ("failed", 8, True), ("waiting", 2, True), ("unknown", 1, False)],
)
def test_a_device(match, hours, service, state, attempts, is_held):
    refuse(match)
    device = device_of(asked(match).user, service)
    Push.objects.create(device=device, mail=mailed(match, State.PUSHED), state=state, attempts=attempts)
    assert waits(match, hours) is is_held


def test_a_device_that_is_gone_and_one_that_was_not_tried(match, hours, service):
    refuse(match)
    mover = asked(match).user
    devices.lose(device_of(mover, service, "Old phone"), "HTTP 410")
    device_of(mover, service)
    assert not waits(match, hours)


def test_not_for_who_has_no_confirmed_address_whatever_else_fails(match, hours, service):
    mover = asked(match)
    device = device_of(mover.user, service)
    prefer(mover.user, email="")
    Push.objects.create(device=device, mail=mailed(match, State.PUSHED), state="failed", attempts=8)
    devices.lose(device, "HTTP 410")
    keeping.add(user_id=mover.user_id, name="x", format="slack", address="https://slack.example/x")
    about = {"match": match, "kind": "reminder", "ask": mover.ask}
    WebhookCall.objects.create(hook=mover.user.webhooks.get(), state="failed", attempts=4, **about)
    assert not waits(match, hours)


@pytest.mark.parametrize(("state", "attempts", "is_held"), [("sent", 1, False), ("waiting", 4, True), (None, 0, False)])
def test_a_webhook(match, hours, state, attempts, is_held):
    refuse(match)
    mover = asked(match)
    keeping.add(user_id=mover.user_id, name="x", format="slack", address="https://slack.example/x")
    if state:
        about = {"match": match, "kind": "reminder", "ask": mover.ask}
        WebhookCall.objects.create(hook=mover.user.webhooks.get(), state=state, attempts=attempts, **about)
    assert waits(match, hours) is is_held


def test_live_clocks_never_wait(ann, bob, hours):
    match = seated(ann, bob, pace="live")
    refuse(match)
    hours.go_by(minutes=6)
    hours.sweep()
    assert TimeOut.objects.exists()


def test_it_comes_before_a_day_off(match, hours):
    User.objects.update(vacation_by_itself=True)
    refuse(match)
    assert waits(match, hours)
    assert asked(match).user.vacation == []
    hours.go_by(days=1, seconds=6)
    hours.sweep()
    assert len(asked(match).user.vacation) == 1


def test_in_games_with_secrets_its_owner_alone_reads_it(ann, bob, hours):
    match = seated(ann, bob, bots=["easy"], game_slug="yam-menteur")
    match = play_on(match, Random(1), until=lambda match: asked(match).user_id is not None)
    mover = asked(match)
    match.seats.filter(pk=mover.pk).update(waited_ask=mover.ask)
    assert "be reached" not in shown(match, match.seats.exclude(pk=mover.pk).get(bot="").user)
    assert "we could not reach you" in shown(match, mover.user)


def test_the_operation_page_counts_them(match, hours):
    def count() -> int:
        return next(one.number for one in match_figures() if "no call reached" in str(one.label))

    assert count() == 0
    refuse(match)
    assert waits(match, hours)
    assert count() == 1
    submit(match, asked(match), ROLL)
    assert count() == 0
