"""A game's own clock (the race of YESSS!): it starts, stands for nobody, and ends the match by itself."""

from random import Random

import pytest
import time_machine

from config.lib import clock as present
from games import tasks
from games.clocks import at_ms
from games.management.commands.check_matches import problems
from games.models import Heartbeat, Match, Turn
from games.services.clocks import game_clock
from games.services.operation import undo
from games.services.operation.site_status import match_figures
from games.services.play import bots, moves
from games.services.play.match_transaction import MatchTransaction
from games.services.refusals import ClockOfTheGame, Illegal, NotRunning
from tests.factories import fresh, play_on, seat, seated, state_of, submit

READY = {"type": "ready"}
CLUE = {"type": "clue", "pair": [3, 4], "word": "journey"}
RACE = {"mode": "cooperative"}


@pytest.fixture
def still():
    """Time that passes by the test's own steps alone: a tenth of a second is long on a busy machine."""
    with time_machine.travel(present.now(), tick=False):
        yield


@pytest.fixture
def rung(monkeypatch):
    """What the worker would be rung for after each commit: (task, seconds)."""
    calls = []
    monkeypatch.setattr("games.broadcast._post", lambda task, arguments, after: calls.append((task, after)))
    monkeypatch.setattr("games.broadcast.transaction.on_commit", lambda ring, robust: ring())
    return calls


@pytest.fixture(autouse=True)
def no_days_off_by_themselves(django_user_model, ann, bob, cem):
    django_user_model.objects.update(vacation_by_itself=False)


def waiting_race(*people, **wishes) -> Match:
    options = RACE | wishes.pop("options", {})
    return seated(*people, game_slug="yesss", options=options, **wishes)


def race(*people, **wishes) -> Match:
    """A race that has begun."""
    match = waiting_race(*people, **wishes)
    for number, _person in enumerate(people):
        submit(match, seat(match, number), READY, key=f"ready-{number}")
    return fresh(match)


@pytest.mark.outgrown
def test_the_clock_starts_when_all_are_ready_and_seats_clocks_stand(ann, bob, rung):
    match = waiting_race(ann, bob)
    assert match.ends_at is None
    assert seat(match, 0).deadline is not None
    submit(match, seat(match, 0), READY)
    assert fresh(match).ends_at is None
    submit(match, seat(match, 1), READY, key="key-2")
    match = fresh(match)
    started = match.log.get(number=2).at
    assert match.ends_at == at_ms(started + 180_000)
    assert [(s.deadline, s.runs_from) for s in match.seats.all()] == [(None, None)] * 2
    assert all(s.ask is not None for s in match.seats.all())
    [after] = [after for task, after in rung if task == "games.tasks.time_up"]
    assert 178 < after <= 180


def test_clues_and_answers_keep_everybodys_question_and_ring_nothing_anew(ann, bob, cem, rung):
    match = race(ann, bob, cem)
    rung.clear()
    asks = {s.number: s.ask for s in match.seats.all()}
    submit(match, seat(match, 0), CLUE)
    later = {s.number: s.ask for s in match.seats.all()}
    assert (later[1], later[2]) == (asks[1], asks[2])
    assert later[0] != asks[0]
    submit(match, seat(match, 1), {"type": "answer", "clue": 0, "pair": [3, 4]}, key="a")
    assert state_of(fresh(match)).score == 1
    assert [task for task, _after in rung if task == "games.tasks.time_up"] == []
    with pytest.raises(Illegal):
        submit(match, seat(match, 2), {"type": "answer", "clue": 0, "pair": [3, 4]}, key="late")


@pytest.mark.outgrown
def test_it_ends_by_itself(ann, bob, clock):
    match = race(ann, bob)
    submit(match, seat(match, 0), CLUE)
    clock.forward(180.5)
    assert game_clock.time_up(match_id=match.pk)
    match = fresh(match)
    assert (match.status, match.ending, match.ends_at) == (Match.Status.ENDED, Match.Ending.PLAYED, None)
    assert match.outcome == {"ranks": [1, 1], "scores": [0, 0], "winners": [0, 1]}
    last = match.log.order_by("number").last()
    assert (last.seat, last.by, last.move) == (None, Turn.By.CLOCK, {"type": "time_up"})
    assert not problems(match)
    assert not game_clock.time_up(match_id=match.pk)
    assert fresh(match).log.count() == last.number


@pytest.mark.outgrown
def test_too_early_it_rings_again(ann, bob, rung, clock):
    match = race(ann, bob)
    rung.clear()
    clock.forward(100)
    assert not game_clock.time_up(match_id=match.pk)
    [(task, after)] = rung
    assert task == "games.tasks.time_up"
    assert 78 < after <= 80.3
    assert fresh(match).status == Match.Status.RUNNING


@pytest.mark.outgrown
def test_no_such_match_and_no_such_clock(ann, bob, cem):
    assert not game_clock.time_up(match_id=404)
    assert not game_clock.time_up(match_id=seated(ann, bob).pk)
    assert not game_clock.time_up(match_id=waiting_race(ann, bob).pk)
    assert not game_clock.time_up(match_id=race(ann, bob, options={"minutes": 0}).pk)


@pytest.mark.outgrown
def test_a_move_counts_by_when_its_request_arrived(ann, bob, clock, still):
    match = race(ann, bob)
    end = present.now_ms() + 180_000
    clock.forward(180.1)
    made, ask = seat(match, 0), seat(match, 1).ask
    moves.submit_move(match_id=match.pk, user=ann, ask=made.ask, key="in-time", move=CLUE, received=end - 200)
    with pytest.raises(Illegal) as refused:
        submit(match, seat(match, 1), CLUE, key="too-late")
    assert refused.value.code == "over"
    assert not game_clock.time_up(match_id=match.pk)  # others may be on their way
    clock.forward(0.4)
    assert game_clock.time_up(match_id=match.pk)
    with pytest.raises(NotRunning):
        moves.submit_move(match_id=match.pk, user=bob, ask=ask, key="later", move=CLUE, received=end - 200)


@pytest.mark.outgrown
def test_the_sweep_sees_to_clocks_that_run_out_and_those_about_to(ann, bob, clock, monkeypatch):
    match = race(ann, bob)
    sent = []
    monkeypatch.setattr(tasks.time_up, "apply_async", lambda args, **how: sent.append((args, how)))
    tasks.sweep_deadlines()
    assert sent == []
    clock.forward(175)
    tasks.sweep_deadlines()
    [(arguments, how)] = sent
    assert arguments == (match.pk,)
    assert 4 < how["countdown"] <= 5.3
    clock.forward(60)
    assert game_clock.due_soon() == [(match.pk, 0.0)]


@pytest.mark.outgrown
def test_one_that_fails_is_set_aside_and_shown(ann, bob, clock, monkeypatch):
    match = race(ann, bob)
    clock.forward(180.5)
    with monkeypatch.context() as broken:
        broken.setattr(MatchTransaction, "save", lambda self: 1 / 0)
        assert not game_clock.time_up(match_id=match.pk)
    assert fresh(match).trouble == "ZeroDivisionError"
    assert game_clock.due_soon() == []
    clock.forward(700)
    overdue = next(figure for figure in match_figures() if "race" in str(figure.label))
    assert (overdue.number, overdue.is_bad) == (1, True)
    assert game_clock.due_soon() == [(match.pk, 0.0)]
    assert game_clock.time_up(match_id=match.pk)


@pytest.mark.outgrown
def test_an_outage_ends_a_race_late_but_times_nobody_out(ann, bob, hours, clock):
    match = race(ann, bob)
    submit(match, seat(match, 0), CLUE)
    clock.forward(3600)  # nobody beats
    hours.beat()
    hours.sweep()
    assert fresh(match).status == Match.Status.RUNNING
    for match_id, _seconds in game_clock.due_soon():
        assert game_clock.time_up(match_id=match_id)
    assert fresh(match).ending == Match.Ending.PLAYED
    assert not match.time_outs.exists()
    assert [s.rank for s in match.seats.all()] == [1, 1]


@pytest.mark.outgrown
def test_a_pause_neither_begins_nor_outlives_its_start(ann, bob):
    match = waiting_race(ann, bob)
    for person in (ann, bob):
        moves.wish_pause(match_id=match.pk, user=person, wish=True)
    assert fresh(match).paused_at is not None
    submit(match, seat(match, 0), READY)
    submit(match, seat(match, 1), READY, key="key-2")
    assert fresh(match).paused_at is None
    with pytest.raises(ClockOfTheGame):
        moves.wish_pause(match_id=match.pk, user=ann, wish=True)
    moves.wish_pause(match_id=match.pk, user=ann, wish=False)
    assert [s.runs_from for s in match.seats.all()] == [None, None]


@pytest.mark.outgrown
def test_whoever_resigns_leaves_a_bot_and_the_race_goes_on(ann, bob, cem, rung):
    match = race(ann, bob, cem)
    moves.resign(match_id=match.pk, user=ann)
    assert fresh(match).ends_at == match.ends_at
    assert bots.play_bots(match_id=match.pk)
    assert match.log.order_by("number").last().seat == 0


def test_ready_in_time_or_a_bot_is_in_a_live_match(ann, bob, cem, hours):
    match = waiting_race(ann, bob, cem)
    submit(match, seat(match, 0), READY)
    submit(match, seat(match, 1), READY, key="key-2")
    hours.go_by(seconds=330)
    hours.sweep()
    assert seat(match, 2).absent
    assert bots.play_bots(match_id=match.pk)
    assert fresh(match).ends_at is not None


@pytest.mark.outgrown
def test_a_time_out_before_the_race_is_undone_with_its_clock(ann, bob, hours):
    match = waiting_race(ann, bob)
    Match.objects.update(pace_slug="1d")  # as tables were that opened when a race could have any pace
    submit(match, seat(match, 0), READY)
    hours.go_by(days=1, hours=1)
    sweep = hours.sweep()
    assert fresh(match).ends_at is not None  # the default move was "ready"
    assert undo.undo_sweep(sweep)["restored"] == 1
    match = fresh(match)
    assert (match.ends_at, state_of(match).phase) == (None, "ready")
    assert seat(match, 1).deadline is not None


@pytest.mark.outgrown
def test_without_a_clock_it_is_correspondence(ann, bob, hours):
    match = race(ann, bob, options={"minutes": 0}, pace="1d")
    assert match.ends_at is None
    assert all(s.deadline is not None for s in match.seats.all())
    submit(match, seat(match, 0), CLUE)
    submit(match, seat(match, 0), {"type": "stop"}, key="stop-0")
    assert (seat(match, 0).ask, seat(match, 0).deadline) == (None, None)
    hours.go_by(days=1, hours=1)
    hours.sweep()
    match = fresh(match)
    assert match.status == Match.Status.ENDED
    assert match.log.order_by("number").last().move == {"type": "stop"}


def test_a_race_is_never_rated_and_the_team_shares_its_rank(ann, bob):
    match = race(ann, bob, rated=True, options={"minutes": 0})
    assert not match.rated
    match = play_on(match, Random(4))
    assert match.status == Match.Status.ENDED
    assert len({s.score for s in match.seats.all()}) == 1
    assert {s.rank for s in match.seats.all()} == {1}


@pytest.mark.outgrown
def test_bots_play_a_race_with_a_person_and_wait_for_the_answers(ann, rung):
    match = waiting_race(ann, bots=["strong"])
    submit(match, seat(match, 0), READY)
    assert bots.play_bots(match_id=match.pk)  # ready
    assert bots.play_bots(match_id=match.pk)  # a word
    turns = fresh(match).turns
    assert not bots.play_bots(match_id=match.pk)  # it waits
    assert bots.sweep_bots() == 0
    assert fresh(match).turns == turns
    submit(match, seat(match, 0), CLUE, key="clue")
    assert bots.play_bots(match_id=match.pk)
    assert match.log.order_by("number").last().move["type"] == "answer"


@pytest.mark.outgrown
def test_bots_are_quiet_after_the_deadline(ann, clock, rung):
    match = waiting_race(ann, bots=["strong"])
    submit(match, seat(match, 0), READY)
    assert bots.play_bots(match_id=match.pk)
    clock.forward(181)
    assert not bots.play_bots(match_id=match.pk)
    assert state_of(fresh(match)).clues == ()


@pytest.mark.outgrown
def test_heartbeats_are_untouched(ann, bob, clock):
    """A race's end needs none: it comes also before the web server first beat."""
    Heartbeat.objects.all().delete()
    match = race(ann, bob)
    clock.forward(181)
    assert game_clock.time_up(match_id=match.pk)
