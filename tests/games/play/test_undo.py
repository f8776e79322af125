"""Undoing a sweep: matches that it ended wrongly go on, with dice that nobody knows yet."""

from hashlib import sha256
from random import Random

import pytest

from games.engine import verify
from games.management.commands.check_matches import problems
from games.models import Match, Seat, Turn
from games.queries.play import seats_of
from games.record import record_of, state_at
from games.rules import get_game
from games.services.operation.undo import undo_sweep
from games.services.play import moves
from tests.factories import asked, fresh, play_on, played_on, seat, seated, submit
from tests.games.lessons import Learner

ROLL = {"type": "roll"}
REOPENED: list[int] = []


def reopened(match) -> None:
    REOPENED.append(match.pk)


@pytest.fixture(autouse=True)
def hooks(settings, django_user_model, ann, bob, cem):
    REOPENED.clear()
    settings.ON_MATCH_REOPENED = ["tests.games.play.test_undo.reopened"]
    django_user_model.objects.update(vacation_by_itself=False)


def done(**counts: int) -> dict[str, int]:
    return {"restored": 0, "returned": 0, "left": 0, "failed": 0} | counts


def ended_by_the_clock(hours, ann, bob, *, turns=7) -> tuple:
    """Return a live match that a sweep ended, as it was before, and the sweep."""
    match = play_on(seated(ann, bob, pace="live"), Random(61), turns=turns)
    hours.go_by(minutes=6)
    sweep = hours.sweep()
    assert fresh(match).status == Match.Status.ENDED
    return match, sweep


def is_whole(match) -> bool:
    """Whether numbers have no gaps and a replay leads to the stored state."""
    match = fresh(match)
    numbers = list(match.log.order_by("number").values_list("number", flat=True))
    state = state_at(match, seats_of(match), match.turns)
    return numbers == list(range(1, match.turns + 1)) and match.game.dump(state) == bytes(match.state)


def test_a_match_that_ended_goes_on(hours, ann, bob):
    before, sweep = ended_by_the_clock(hours, ann, bob)
    assert undo_sweep(sweep) == done(restored=1)
    match = fresh(before)
    assert (match.status, match.ending, match.ended_at, match.outcome) == ("running", "", None, None)
    assert (match.turns, bytes(match.state)) == (before.turns, bytes(before.state))
    assert [(s.bot, s.left, s.absent, s.rank, s.score, s.run_outs) for s in seats_of(match)] == [
        ("", None, False, None, None, 0)
    ] * 2
    assert match.paused_at is not None  # live: nobody may be there
    moves.wish_pause(match_id=match.pk, user=ann, wish=False)
    mover = asked(match)
    assert mover.deadline == mover.runs_from + match.pace.cap
    assert is_whole(match)
    assert [match.pk] == REOPENED
    sweep.refresh_from_db()
    assert sweep.undone_at is not None


def test_the_prepared_draws_of_a_lesson_that_are_undone_are_forgotten(hours, ann):
    learner = Learner(ann, "yum-extra")
    hours.go_by(days=15)
    sweep = hours.sweep()
    match = fresh(learner.match)
    assert match.turns == 2  # the clock rolled and wrote; the dice were the lesson’s
    assert match.prepared == [[0, 0], [1, 0]]
    undo_sweep(sweep)
    assert fresh(match).prepared == [[0, 0]]
    moves.skip_lesson(match_id=match.pk, user=ann)
    match = played_on(match, Random(64))
    assert verify(record_of(match, seats_of(match)), get_game).sound


def test_the_dice_come_from_a_fresh_seed_and_the_record_says_from_where(hours, ann, bob):
    before, sweep = ended_by_the_clock(hours, ann, bob)
    undo_sweep(sweep)
    match = fresh(before)
    assert bytes(match.server_seed) != bytes(before.server_seed)
    running = record_of(match, seats_of(match))
    assert running["commitment"] == before.commitment
    assert match.commitments == [(0, before.commitment)]  # that of the chain's next would be the seed before
    assert running["reseeds"] == [{"after": 7, "times": 1, "seed": None}]
    assert running["seed"] is None
    match = played_on(match, Random(62))
    record = record_of(match, seats_of(match))
    assert verify(record, get_game).sound, verify(record, get_game).problem
    assert problems(match) == []
    assert record["reseeds"] == [{"after": 7, "times": 1, "seed": bytes(match.server_seed).hex()}]
    assert sha256(bytes(match.server_seed)).hexdigest() == record["seed"]


def test_a_changed_reseed_is_found(hours, ann, bob):
    before, sweep = ended_by_the_clock(hours, ann, bob)
    undo_sweep(sweep)
    match = played_on(fresh(before), Random(63))
    record = record_of(match, seats_of(match))
    (reseed,) = record["reseeds"]
    other = "00" * 32
    assert "next of the chain" in verify(record | {"reseeds": [reseed | {"seed": other}]}, get_game).problem
    for wrong in ([], [reseed | {"after": 5}], [reseed | {"after": 12}], [reseed | {"seed": None}]):
        assert not verify(record | {"reseeds": wrong}, get_game).sound


def test_before_the_first_move(hours, ann, bob):
    before, sweep = ended_by_the_clock(hours, ann, bob, turns=0)
    undo_sweep(sweep)
    match = played_on(fresh(before), Random(64))
    assert problems(match) == []
    assert [reseed["after"] for reseed in record_of(match, seats_of(match))["reseeds"]] == [0]


@pytest.mark.outgrown
def test_a_turn_played_for_a_member_is_taken_back_and_told(hours, ann, bob):
    match = seated(ann, bob)
    mover = asked(match)
    hours.go_by(days=3, seconds=6)
    sweep = hours.sweep()
    played = list(match.log.order_by("number").values_list("move", flat=True))
    assert undo_sweep(sweep) == done(restored=1)
    assert (fresh(match).turns, asked(match).number) == (0, mover.number)
    assert [turn["move"] for turn in match.time_outs.get().undone] == played
    assert asked(match).run_outs == 0
    assert REOPENED == []
    submit(match, asked(match), ROLL)
    assert is_whole(match)


def test_bots_turns_since_are_taken_back(hours, ann, bob):
    match = seated(ann, bob, bots=["easy"])
    Seat.objects.filter(match=match).update(run_outs=1)
    match = play_on(match, Random(65), until=lambda m: asked(m).is_in)
    late, turns = asked(match).number, match.turns
    hours.go_by(days=3, seconds=6)
    sweep = hours.sweep()
    play_on(fresh(match), Random(66), turns=30, until=lambda m: asked(m).is_in)
    assert fresh(match).turns > turns
    assert undo_sweep(sweep) == done(restored=1)
    assert (fresh(match).turns, asked(match).number, asked(match).bot) == (turns, late, "")
    assert asked(match).run_outs == 1
    assert is_whole(match)


@pytest.mark.outgrown
def test_people_have_moved_since(hours, ann, bob, cem):
    match = seated(ann, bob, cem)
    Seat.objects.filter(match=match).update(run_outs=1)
    late = asked(match).number
    hours.go_by(days=3, seconds=6)
    sweep = hours.sweep()
    match = play_on(fresh(match), Random(67), until=lambda m: m.log.filter(by="person").exists())
    turns = match.turns
    assert undo_sweep(sweep) == done(returned=1)
    back = seat(match, late)
    assert (back.bot, back.left, back.absent, back.run_outs) == ("", None, False, 1)
    assert fresh(match).turns == turns
    match = played_on(fresh(match), Random(68))
    assert seat(match, late).rank is not None
    assert problems(match) == []


def test_played_to_the_end_since(hours, ann, bob, cem):
    match = seated(ann, bob, cem)
    Seat.objects.filter(match=match).update(run_outs=1)
    hours.go_by(days=3, seconds=6)
    sweep = hours.sweep()
    match = played_on(fresh(match), Random(69))
    assert undo_sweep(sweep) == done(left=1)
    assert fresh(match).version == match.version
    assert problems(fresh(match)) == []


@pytest.mark.outgrown
def test_called_off_since(hours, ann, bob, cem):
    match = seated(ann, bob, cem)
    Seat.objects.filter(match=match).update(run_outs=1)
    hours.go_by(days=3, seconds=6)
    sweep = hours.sweep()
    for other in match.seats.filter(bot="").select_related("user"):
        moves.wish_call_off(match_id=match.pk, user=other.user, wish=True)
    assert undo_sweep(sweep) == done(left=1)
    assert fresh(match).ending == "called_off"


@pytest.mark.outgrown
def test_another_has_resigned_since_and_so_ended_it(hours, ann, bob, cem):
    """Who was sent away wrongly plays on against the one who is left."""
    match = seated(ann, bob, cem)
    Seat.objects.filter(match=match).update(run_outs=1)
    late = asked(match).number
    hours.go_by(days=3, seconds=6)
    sweep = hours.sweep()
    resigned = match.seats.filter(bot="").order_by("number").select_related("user").first()
    moves.resign(match_id=match.pk, user=resigned.user)
    assert fresh(match).status == "ended"
    assert undo_sweep(sweep) == done(restored=1)
    assert (fresh(match).status, asked(match).number) == ("running", late)
    assert seat(match, resigned.number).bot == "strong"
    match = played_on(fresh(match), Random(75))
    assert seat(match, resigned.number).rank == 3
    assert problems(match) == []


def test_several_time_outs_in_one_match(hours, ann, bob, cem):
    """Three sweeps, one after another; the first one undone takes the later ones with it."""
    match = seated(ann, bob, cem)
    sweeps = []
    for _ in range(3):
        hours.go_by(days=3, seconds=6)
        sweeps.append(hours.sweep())
    assert match.time_outs.count() == 3
    assert undo_sweep(sweeps[0]) == done(restored=1)
    assert fresh(match).turns == 0
    assert [s.run_outs for s in seats_of(match)] == [0, 0, 0]
    assert undo_sweep(sweeps[2]) == undo_sweep(sweeps[1]) == done()
    assert problems(played_on(fresh(match), Random(70))) == []


@pytest.mark.outgrown
def test_the_last_of_several_alone(hours, ann, bob, cem):
    match = seated(ann, bob, cem)
    hours.go_by(days=3, seconds=6)
    hours.sweep()
    turns = fresh(match).turns
    hours.go_by(days=3, seconds=6)
    assert undo_sweep(hours.sweep()) == done(restored=1)
    assert fresh(match).turns == turns
    assert match.log.exclude(by=Turn.By.PERSON).count() == turns
    assert sorted(s.run_outs for s in seats_of(match)) == [0, 0, 1]
    assert is_whole(match)


@pytest.mark.outgrown
def test_restored_twice(hours, ann, bob):
    before, sweep = ended_by_the_clock(hours, ann, bob)
    undo_sweep(sweep)
    moves.wish_pause(match_id=before.pk, user=ann, wish=False)
    match = played_on(fresh(before), Random(71), turns=5)
    hours.go_by(minutes=6)
    undo_sweep(hours.sweep())
    assert [spent["until"] for spent in fresh(match).earlier_seeds] == [before.turns, match.turns]
    match = played_on(fresh(match), Random(72))
    assert problems(match) == []


@pytest.mark.outgrown
def test_restored_twice_at_one_turn(hours, ann, bob):
    before, sweep = ended_by_the_clock(hours, ann, bob)
    undo_sweep(sweep)
    moves.wish_pause(match_id=before.pk, user=ann, wish=False)
    hours.go_by(minutes=6)
    undo_sweep(hours.sweep())
    assert fresh(before).turns == 7
    assert problems(played_on(fresh(before), Random(73))) == []


@pytest.mark.outgrown
def test_undone_twice_is_undone_once(hours, ann, bob):
    before, sweep = ended_by_the_clock(hours, ann, bob)
    undo_sweep(sweep)
    match = played_on(fresh(before), Random(74), turns=3)
    assert undo_sweep(sweep) == done()
    assert fresh(before).turns == match.turns


def test_who_resigned_after_a_turn_was_played_for_them_stays_away(hours, ann, bob, cem):
    match = seated(ann, bob, cem)
    mover = asked(match)
    hours.go_by(days=3, seconds=6)
    sweep = hours.sweep()
    moves.resign(match_id=match.pk, user=mover.user)
    assert undo_sweep(sweep) == done(restored=1)
    assert seat(match, mover.number).left == 1


@pytest.mark.outgrown
def test_a_broken_match_keeps_no_other_from_its_undo(hours, ann, bob):
    broken = seated(ann, bob, pace="live")
    well = seated(ann, bob, pace="live")
    hours.go_by(minutes=6)
    sweep = hours.sweep()
    Match.objects.filter(pk=broken.pk).update(setup_draws=[[9]])
    assert undo_sweep(sweep) == done(restored=1, failed=1)
    assert (fresh(well).status, fresh(broken).status) == ("running", "ended")
    Match.objects.filter(pk=broken.pk).update(setup_draws=broken.setup_draws)
    assert undo_sweep(sweep) == done(restored=1)
