"""Standing orders: sealed, checked, and followed the moment the seat comes to move."""

from random import Random

import pytest

from games.models import Turn
from games.services.play import moves
from games.services.refusals import BadOrders, NotRunning, NotYourSeat
from tests.factories import asked, combo_turn_of, fresh, is_combo_turn_of, opened, play_on, seat, seated

PASS = {"pass_always": True}


def give(match, user, orders):
    moves.give_orders(match_id=match.pk, user=user, orders=orders)


def test_a_stranger_gives_no_orders(ann, bob, eve):
    match = seated(ann, bob)
    with pytest.raises(NotYourSeat):
        give(match, eve, PASS)


def test_before_the_start(ann):
    with pytest.raises(NotRunning):
        give(opened(ann), ann, PASS)


def test_after_the_end(ann, bob):
    match = seated(ann, bob)
    moves.resign(match_id=match.pk, user=bob)
    with pytest.raises(NotRunning):
        give(match, ann, PASS)


def test_who_left(ann, bob, cem):
    match = seated(ann, bob, cem)
    moves.resign(match_id=match.pk, user=cem)
    with pytest.raises(NotYourSeat):
        give(match, cem, PASS)


@pytest.mark.parametrize(
    "orders",
    [
        {"win": True},
        {"pass_always": "yes"},
        {"pass_always": 1},
        {"keep_extra": None},
        {"privileges": "erase"},
        {"privileges": ["erase", "erase"]},
        {"privileges": ["theft"]},
        {"privileges": [["erase"]]},
        ["pass_always"],
        None,
    ],
)
def test_orders_that_the_game_has_not(ann, bob, orders):
    match = seated(ann, bob)
    give(match, ann, PASS)
    with pytest.raises(BadOrders) as refused:
        give(match, ann, orders)
    assert refused.value.status == 400
    assert str(refused.value).startswith("These orders do not fit the game")
    assert seat(match, 0).orders == PASS


def test_they_replace_those_before(ann, bob):
    match = seated(ann, bob)
    give(match, ann, PASS)
    give(match, ann, {"privileges": ["steal"]})
    assert seat(match, 0).orders == {"privileges": ["steal"]}
    give(match, ann, {})
    assert seat(match, 0).orders == {}


def test_orders_that_answer_nothing_now_change_nothing(ann, bob):
    match = seated(ann, bob)
    give(match, ann, PASS)
    assert fresh(match).version == match.version
    assert not match.log.exists()


def test_they_answer_the_open_question_at_once(ann, bob):
    match = combo_turn_of(seated(ann, bob), 0, Random(11))
    turns = match.turns
    give(match, ann, PASS)
    turn = match.log.get(number=turns + 1)
    assert (turn.seat, turn.by, turn.move, turn.key) == (0, "orders", {"type": "pass"}, None)
    assert fresh(match).version > match.version
    assert not is_combo_turn_of(fresh(match), 0)


def test_they_answer_the_moment_the_seat_comes_to_move(ann, bob):
    match = seated(ann, bob)
    give(match, bob, PASS)
    match = play_on(match, Random(12), until=lambda m: is_combo_turn_of(m, 1))
    assert match.status == "ended", "Bob was asked in a combo turn although he passes always"
    passed = match.log.filter(seat=1, by=Turn.By.ORDERS)
    assert passed.count() > 2
    assert all(turn.move == {"type": "pass"} for turn in passed)
    assert not match.log.filter(seat=0, by=Turn.By.ORDERS).exists()


def test_they_never_roll_or_score(ann, bob):
    match = seated(ann, bob)
    for person in (ann, bob):
        give(match, person, {"pass_always": True, "keep_extra": True, "privileges": []})
    assert not match.log.exists()
    assert asked(match) is not None


def test_the_orders_of_a_seat_that_resigned_do_nothing(ann, bob, cem):
    match = seated(ann, bob, cem)
    give(match, bob, PASS)
    moves.resign(match_id=match.pk, user=bob)
    match = play_on(match, Random(13))
    assert not match.log.filter(seat=1, by=Turn.By.ORDERS).exists()
    assert match.log.filter(seat=1, by=Turn.By.BOT).exists()
