"""Bots move by the worker: at its ring, and by a sweep when the ring was lost."""

from random import Random

import pytest

from config.lib import clock as present
from games import tasks
from games.engine import RecordedChance
from games.models import Match, PlayedKey, Turn
from games.services.play import bots, moves
from tests.factories import asked, fresh, opened, random_move, seat, seated, submit

LONG = 4  # seconds after which a ring was lost
PAUSE = 0.9


def against_a_bot(person, **wishes) -> Match:
    """A match whose first question is the bot's."""
    while True:
        match = seated(person, bots=["easy"], **wishes)
        if asked(match).bot:
            return match


@pytest.fixture
def rung(monkeypatch):
    """What the worker was rung for: (match, seconds)."""
    calls = []
    monkeypatch.setattr("games.broadcast._post", lambda task, match_id, after: calls.append((match_id, after)))
    return calls


def play_bots_out(match) -> None:
    for _ in range(200):
        if not bots.play_bots(match_id=match.pk):
            return
    raise AssertionError("the bots never come to an end")


def test_no_such_match(db):
    assert not bots.play_bots(match_id=404)


def test_a_table_that_waits(ann):
    assert not bots.play_bots(match_id=opened(ann, bots=["easy"]).pk)


def test_a_match_that_has_ended(ann):
    match = against_a_bot(ann)
    moves.resign(match_id=match.pk, user=ann)
    assert not bots.play_bots(match_id=match.pk)
    assert not match.log.exists()


@pytest.mark.outgrown
def test_a_clock_that_was_put_back_holds_no_bot_up(ann, clock, settings):
    settings.BOT_PAUSE = PAUSE
    match = against_a_bot(ann)
    clock.forward(-3600)
    assert not match.log.exists()
    assert bots.sweep_bots() == 1


@pytest.mark.outgrown
def test_a_person_is_never_played_for(ann):
    match = against_a_bot(ann)
    play_bots_out(match)
    assert asked(match).user == ann
    assert (0, "bot") not in set(match.log.values_list("seat", "by"))


def test_a_bot_moves(ann):
    match = against_a_bot(ann)
    assert bots.play_bots(match_id=match.pk)
    turn = match.log.get()
    assert (turn.seat, turn.by) == (1, Turn.By.BOT)
    assert not PlayedKey.objects.exists()
    assert fresh(match).turns == 1


@pytest.mark.outgrown
def test_rung_twice_at_once_it_moves_once(ann, monkeypatch):
    """While the bot thinks, another worker plays: what was thought is dropped."""
    match = against_a_bot(ann)
    game = match.game.bot("easy")

    class Slow:
        def choose(self, view, rng):
            monkeypatch.undo()
            bots.play_bots(match_id=match.pk)
            return game.choose(view, rng)

    monkeypatch.setattr(type(match.game), "bot", lambda self, level: Slow())
    assert not bots.play_bots(match_id=match.pk)
    assert fresh(match).turns == 1


def test_the_bot_of_who_left_moves(ann, bob, cem):
    match = seated(ann, bob, cem)
    mover = asked(match)
    moves.resign(match_id=match.pk, user=mover.user)
    assert bots.play_bots(match_id=match.pk)
    assert match.log.get().seat == mover.number


def test_the_worker_is_rung_after_commit(ann, rung, django_capture_on_commit_callbacks, settings, monkeypatch):
    settings.BOT_PAUSE, now = PAUSE, present.now()
    monkeypatch.setattr(present, "now", lambda: now)  # a slow machine would let the pause pass
    with django_capture_on_commit_callbacks(execute=True):
        match = against_a_bot(ann)
    match_id, seconds = rung[-1]
    assert match_id == [match.pk]
    assert PAUSE - 0.2 < seconds <= PAUSE
    rung.clear()
    with django_capture_on_commit_callbacks(execute=True):
        assert not bots.play_bots(match_id=match.pk)
    assert rung == []


def test_the_sweep_leaves_time_for_the_ring(ann):
    match = against_a_bot(ann)
    assert bots.sweep_bots() == 0
    assert not match.log.exists()


def test_the_sweep_plays_when_the_ring_was_lost(ann, clock):
    match = against_a_bot(ann)
    clock.forward(LONG)
    assert bots.sweep_bots() == 1
    assert match.log.count() == 1


def test_the_sweep_has_nothing_to_do(ann, bob, clock):
    seated(ann, bob)
    clock.forward(LONG)
    assert bots.sweep_bots() == 0


def test_one_match_that_fails_holds_up_no_other(ann, clock, capfd):
    first, broken, last = (against_a_bot(ann) for _ in range(3))
    Match.objects.filter(pk=broken.pk).update(state=b"no state")
    clock.forward(LONG)
    assert bots.sweep_bots() == 2
    assert (first.log.count(), broken.log.count(), last.log.count()) == (1, 0, 1)


@pytest.mark.outgrown
def test_many_that_fail_hold_up_no_other(ann, clock, monkeypatch):
    """More broken matches than a sweep takes at once, all older than the one that works."""
    monkeypatch.setattr(bots, "BATCH", 3)
    broken = [against_a_bot(ann) for _ in range(4)]
    Match.objects.filter(pk__in=[match.pk for match in broken]).update(state=b"no state")
    clock.forward(1)
    good = against_a_bot(ann)
    clock.forward(LONG)
    for _ in range(50):
        bots.sweep_bots()
        if good.log.exists():
            return
    raise AssertionError("never played")


def test_a_bot_that_fails_leaves_the_match_as_it_was(ann, clock, monkeypatch):
    match = against_a_bot(ann)
    before = bytes(match.state)

    def roll(self, n, sides=6):
        raise RuntimeError("the dice fell off the table")

    monkeypatch.setattr(RecordedChance, "roll", roll)
    clock.forward(LONG)
    assert bots.sweep_bots() == 0
    assert (bytes(fresh(match).state), fresh(match).turns) == (before, 0)
    assert asked(match).ask == 1


def test_the_tasks(ann, clock):
    match = against_a_bot(ann)
    tasks.play_bots(match.pk)
    assert match.log.count() == 1
    clock.forward(LONG)
    tasks.sweep_bots()
    tasks.lapse_open_matches()
    assert seat(match, 1).bot == "easy"


def test_a_whole_match_against_bots(ann):
    match = seated(ann, bots=["strong", "easy"])
    for number in range(500):
        play_bots_out(match)
        mover = asked(match)
        if mover is None:
            break
        move = match.game.default_move(match.game.load(bytes(fresh(match).state)), mover.number)
        submit(match, mover, move, key=f"key-{number}")
    assert fresh(match).ending == Match.Ending.PLAYED


@pytest.mark.parametrize(("pace", "least", "most"), [("live", 0.8 * PAUSE, PAUSE), ("3d", 2, 3)])
def test_a_bot_thinks_for_a_few_seconds_but_not_in_live_matches(
    ann, rung, django_capture_on_commit_callbacks, settings, pace, least, most
):
    match = seated(ann, bots=["easy"], pace=pace)
    play_bots_out(match)
    settings.BOT_PAUSE = PAUSE
    rung.clear()
    rng = Random(7)
    while not asked(match).bot:
        mover = asked(match)
        move = random_move(fresh(match), mover.number, rng)
        with django_capture_on_commit_callbacks(execute=True):
            submit(match, mover, move, key=f"k{mover.ask}")
    ((_match, seconds),) = rung
    assert least <= seconds <= most


def claim_to_seven_bots(ann) -> Match:
    """A match of Ann and seven bots, all of whom are asked whether they believe her."""
    match = seated(ann, bots=["easy"] * 7, game_slug="yam-menteur")
    for number in range(100):
        play_bots_out(match)
        mover = asked(match)
        if match.game.load(bytes(fresh(match).state)).thrower == 0:
            return match
        submit(match, mover, {"type": "answer", "doubt": False}, key=f"key-{number}")
    raise AssertionError("Ann never throws")


@pytest.mark.outgrown
def test_seven_bots_that_are_asked_at_once_move_one_after_another(
    ann, rung, clock, django_capture_on_commit_callbacks, settings
):
    """However often the worker is rung, and however late it comes: one step, then a pause, and one ring each."""
    match = claim_to_seven_bots(ann)
    settings.BOT_PAUSE = PAUSE
    for step, move in enumerate(({"type": "roll"}, {"type": "announce", "combination": "yam"})):
        submit(match, asked(match), move, key=f"ann-{step}")
    before = fresh(match).turns
    assert not bots.play_bots(match_id=match.pk)
    clock.forward(60)  # the worker was away
    for step in range(1, 8):
        rung.clear()
        with django_capture_on_commit_callbacks(execute=True):
            assert [bots.play_bots(match_id=match.pk) for _twice in range(3)] == [True, False, False]
            assert bots.sweep_bots() == 0
        assert fresh(match).turns == before + step
        assert [match_id for match_id, _seconds in rung] == [[match.pk]] * (len(rung) and 1)
        clock.forward(PAUSE)
    assert sorted(match.log.filter(number__gt=before).values_list("seat", flat=True)) == [*range(1, 8)]


def test_nobody_moves_while_all_look_at_what_was_revealed(ann, clock, monkeypatch, settings):
    match = against_a_bot(ann, pace="live")
    settings.BOT_PAUSE = PAUSE
    clock.forward(PAUSE)
    monkeypatch.setattr(type(match.game), "pauses_after", lambda self, events: True)
    monkeypatch.setattr(type(match.game), "to_move", lambda self, state: [1])
    happened = [{"type": "pass", "seat": 1}]
    monkeypatch.setattr(type(match.game), "apply", lambda self, state, *rest, now: (state, happened))
    assert bots.play_bots(match_id=match.pk)
    clock.forward(2)
    assert not bots.play_bots(match_id=match.pk)
    clock.forward(1)
    assert bots.play_bots(match_id=match.pk)


def test_a_game_against_time_says_how_long_a_bot_takes(ann, clock, monkeypatch, settings):
    settings.BOT_PAUSE = PAUSE
    monkeypatch.setattr("games.engine.Game.bot_delay", lambda self, view, level, rng: 7.5)
    match = against_a_bot(ann, pace="live")
    clock.forward(7)
    assert not bots.play_bots(match_id=match.pk)
    clock.forward(0.6)
    assert bots.play_bots(match_id=match.pk)


@pytest.mark.outgrown
@pytest.mark.parametrize("fault", ["refused", "broken"])
def test_a_bot_without_a_move_that_the_rules_accept_makes_the_default_move(ann, monkeypatch, fault):
    match = against_a_bot(ann)

    class Wild:
        def choose(self, view, rng):
            if fault == "broken":
                raise RuntimeError("no idea")
            return {"type": "no such move"}

    monkeypatch.setattr(type(match.game), "bot", lambda self, level: Wild())
    default = match.game.default_move(match.game.load(bytes(match.state)), 1)
    assert bots.play_bots(match_id=match.pk)
    assert match.log.get().move == default
