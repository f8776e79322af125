"""A clock that is set, forward or back, times nobody out and gives nobody time; mails and sweeps go on."""

from datetime import timedelta
from random import Random

import pytest
import time_machine
from celery.beat import Scheduler
from django.core.cache import cache

from accounts.models import User
from accounts.services import visits
from config.celery import app, every
from config.lib import clock as present
from games import tasks
from games.models import Heartbeat, Mail, Match, Notice, Outage, Sweep
from games.services.clocks import outages, time_outs
from games.services.mail import delivery, planning
from tests.clocks import Clock, Hours
from tests.factories import asked, browser_of, fresh, play_on, seated, submit
from tests.mailing import HOUR, prefer, send
from tests.processes import wait_until

ROLL = {"type": "roll"}
TWO_DAYS = 2 * 86_400


@pytest.fixture(autouse=True)
def _nothing_seen(monkeypatch):
    """Each test begins as a process does, whose clock nobody has set yet; the database's, if any, is the same one."""
    monkeypatch.setattr(present, "_watched", {"offset": present.set_offset(), "leapt_at": -float("inf")})
    monkeypatch.setattr(outages, "seconds_ahead", lambda: 0.0)
    begin(monkeypatch)


def begin(monkeypatch) -> None:
    """Let this be a process that begins now."""
    monkeypatch.setattr(outages, "_set_offsets", {})
    monkeypatch.setattr(outages, "_first_offset", present.set_offset())


@pytest.fixture
def match(ann, bob, hours: Hours) -> Match:
    made = seated(ann, bob)
    Notice.objects.all().delete()  # that it began: whoever is asked first, nobody else is mailed
    beats()
    hours.go_by(days=2)
    beats()
    return made


def beats() -> None:
    outages.beat(outages.WEB)
    outages.beat(outages.SWEEP)


def pass_by(clock: Clock, seconds: float) -> None:
    """Let time pass while the processes beat and sweep, as they do."""
    for _ in range(int(seconds / 10)):
        clock.forward(10)
        outages.beat(outages.WEB)
        for match_id in time_outs.sweep()[1]:
            time_outs.judge(match_id=match_id)


def test_two_days_forward_and_back_change_nothing(match, hours, clock):
    deadline, bank = asked(match).deadline, asked(match).bank
    clock.set_by(TWO_DAYS)
    pass_by(clock, 40)
    clock.set_by(-TWO_DAYS)
    pass_by(clock, 200)
    assert not Outage.objects.exists()
    assert not fresh(match).time_outs.exists()
    assert (asked(match).deadline, asked(match).bank) == (deadline, bank)
    assert outages.stopped_sweep() is None
    submit(match, asked(match), ROLL)


@pytest.mark.outgrown
def test_a_clock_that_stays_two_days_ahead_times_nobody_out_before_an_admin_has_looked(match, hours, clock):
    clock.set_by(TWO_DAYS)
    pass_by(clock, 200)
    assert not fresh(match).time_outs.exists()
    assert outages.stopped_sweep().due == 1
    assert Sweep.objects.filter(stopped=True).count() == 1
    assert outages.last_set().seconds == pytest.approx(TWO_DAYS, abs=1)
    outages.give_all(timedelta(days=2))
    pass_by(clock, 20)
    assert outages.stopped_sweep() is None


def test_a_sweep_by_another_process_than_saw_it_first_gives_nothing_either(match, hours, clock, monkeypatch):
    clock.set_by(TWO_DAYS)
    outages.beat(outages.WEB)
    begin(monkeypatch)
    outages.beat(outages.WEB)
    assert not Outage.objects.exists()


@pytest.mark.parametrize("begins", ["just before", "just after"])
def test_nor_does_a_process_that_begins_at_that_moment(match, hours, clock, monkeypatch, begins):
    """Its part was silent over the jump, which another part has told, or it itself has seen before its first beat."""
    bank = asked(match).bank
    if begins == "just before":
        begin(monkeypatch)
    clock.set_by(TWO_DAYS)
    if begins == "just after":
        outages.beat(outages.WEB)
        begin(monkeypatch)
    outages.beat(outages.SWEEP)
    outages.beat(outages.WEB)
    assert not Outage.objects.exists()
    assert asked(match).bank == bank


def test_what_a_part_missed_beside_the_jump_is_given_back(match, hours, clock, monkeypatch):
    clock.set_by(TWO_DAYS)
    outages.beat(outages.WEB)
    clock.forward(3600)
    begin(monkeypatch)
    outages.beat(outages.SWEEP)
    [outage] = Outage.objects.all()
    assert outage.end - outage.start == pytest.approx(timedelta(hours=1), abs=timedelta(minutes=1))


@pytest.mark.outgrown
def test_a_real_outage_is_given_back_though_the_clock_was_set_meanwhile(match, hours, clock):
    clock.forward(3 * 3600)
    clock.set_by(TWO_DAYS)
    beats()
    spans = [outage.end - outage.start for outage in Outage.objects.all()]
    assert sum(spans, timedelta()) == pytest.approx(timedelta(hours=3), abs=timedelta(minutes=1))


def test_back_an_hour_sweeps_beat_and_mails_go_on(match, hours, clock, ann):
    mail = Mail.objects.create(user=ann, kind="turn", state_at=present.now())
    clock.set_by(-3600)
    beats()
    for beat in Heartbeat.objects.filter(name__in=[outages.WEB, outages.SWEEP]):
        assert beat.at <= present.now()
    assert outages.last_set().seconds == pytest.approx(-3600, abs=1)
    delivery.recover()
    mail.refresh_from_db()
    assert mail.next_try_at <= present.now()
    pass_by(clock, 90)
    assert outages.judged_until() is not None
    assert not Outage.objects.exists()


@pytest.mark.outgrown
def test_who_was_here_while_the_clock_was_ahead_is_called_once_it_is_set_back(match, hours, clock):
    person = asked(match).user
    clock.set_by(TWO_DAYS)
    beats()
    visits.note(person.pk)
    visits.keep()
    clock.set_by(-TWO_DAYS)
    beats()
    assert User.objects.get(pk=person.pk).seen_at <= present.now()
    assert send() == []  # they were here just now
    clock.forward(10 * 60)
    assert [mail.to for mail in send()] == [[person.email]]


@pytest.mark.outgrown
@pytest.mark.parametrize(("rhythm", "later"), [(User.Rhythm.EACH, 23 * HOUR), (User.Rhythm.DAILY, 25 * HOUR)])
def test_who_was_mailed_while_the_clock_was_ahead_is_mailed_once_it_is_set_back(match, hours, clock, rhythm, later):
    person = asked(match).user
    prefer(person, mail_rhythm=rhythm, digest_hour=0)
    clock.set_by(TWO_DAYS)
    beats()
    assert [mail.to for mail in send()] == [[person.email]]
    clock.set_by(-TWO_DAYS)
    beats()
    clock.forward(later)
    assert [mail.to for mail in send()] == [[person.email]]


@pytest.mark.outgrown
def test_who_is_asked_while_the_clock_is_ahead_is_called_once_it_is_set_back(match, hours, clock):
    send()  # that it has begun
    clock.set_by(TWO_DAYS)
    beats()
    first = asked(match).number
    play_on(match, Random(1), until=lambda match: asked(match).number != first)
    clock.set_by(-TWO_DAYS)
    beats()
    clock.forward(HOUR)
    assert [asked(match).user.email] in [mail.to for mail in send()]


def test_what_redis_keeps_for_a_time_ends_when_the_clock_is_set_back(match, hours, clock):
    clock.set_by(TWO_DAYS)
    beats()
    planning.sweep()
    cache.touch(planning.LOOKED, TWO_DAYS)  # which is what the machine's clock, set back, makes of five minutes
    assert not planning.is_time_for_all()
    clock.set_by(-TWO_DAYS)
    beats()
    assert planning.is_time_for_all()


@pytest.mark.parametrize("by_itself", [True, False])
def test_as_long_as_nobody_is_timed_out_no_move_is_too_late(match, hours, clock, by_itself):
    """Neither is it refused, nor does it cost a day off."""
    User.objects.update(vacation_by_itself=by_itself)
    clock.set_by(TWO_DAYS)
    pass_by(clock, 200)
    assert outages.stopped_sweep()
    submit(match, asked(match), ROLL)
    assert not any(User.objects.values_list("vacation", flat=True))


@pytest.mark.outgrown
def test_links_mailed_while_the_clock_is_ahead_are_good_once_it_is_set_back(match, hours, clock):
    clock.set_by(TWO_DAYS)
    beats()
    first = asked(match).number
    play_on(match, Random(1), until=lambda match: asked(match).number != first)
    clock.forward(60)
    assert [asked(match).user.email] in [mail.to for mail in send()]
    before = asked(match).asked_at
    clock.set_by(-TWO_DAYS)
    beats()
    assert asked(match).asked_at == before


def test_nothing_is_planned_or_deleted_while_the_time_is_in_doubt(match, hours, clock, monkeypatch):
    done = []
    for module, name in ((tasks.planning, "sweep"), (tasks.closing, "lapse_open_matches")):
        monkeypatch.setattr(module, name, lambda name=name, **_how: done.append(name))
    clock.set_by(TWO_DAYS)
    tasks.sweep_notices()
    tasks.lapse_open_matches()
    assert done == []
    clock.set_by(-TWO_DAYS)
    tasks.sweep_notices()
    tasks.lapse_open_matches()
    assert done == ["sweep", "lapse_open_matches"]


@pytest.mark.outgrown
def test_beat_goes_on_though_the_wall_clock_is_set_back():
    told = []

    class Told(Scheduler):
        def apply_async(self, entry, producer=None, advance=True, **options):
            told.append(entry.name)

    quick = {"quick": {"task": "games.tasks.beat", "schedule": every(0.05)}}
    with time_machine.travel("2026-03-01 12:00", tick=True) as traveller:
        scheduler = Told(app=app, lazy=True)
        scheduler.producer = None
        scheduler.update_from_dict(quick)
        traveller.move_to("2026-03-01 11:00")

        def ticked() -> bool:
            scheduler.tick()
            return len(told) >= 4

        wait_until(ticked, "the fourth time")


@pytest.mark.outgrown
def test_all_of_the_schedule_goes_by_a_clock_that_nobody_sets():
    assert all(entry["schedule"].nowfun == present.steady for entry in app.conf.beat_schedule.values())


@pytest.mark.outgrown
def test_a_clock_apart_from_the_databases_judges_nobody(match, hours, clock, monkeypatch):
    monkeypatch.setattr(outages, "seconds_ahead", lambda: 7.0)
    before = Heartbeat.objects.get(name=outages.WEB).at
    clock.forward(120)
    assert outages.beat(outages.WEB) is None
    assert Heartbeat.objects.get(name=outages.WEB).at == before
    assert outages.judged_until() is None
    assert outages.is_recovering()


@pytest.mark.outgrown
def test_the_operation_page_tells_of_a_clock_that_was_set(match, hours, clock, root):
    clock.set_by(TWO_DAYS)
    beats()
    page = browser_of(root).get("/admin/operation/").content.decode()
    assert "clock was set forward by 172,800 s" in " ".join(page.split())
    assert "when the clock was set forward. The next sweep looks" in " ".join(page.split())
    clock.set_by(-TWO_DAYS - 60)
    beats()
    page = browser_of(root).get("/admin/operation/").content.decode()
    assert "clock was set back by" in page
