"""Making a move: who may, which question it answers, and that a post sent twice is played once."""

from datetime import timedelta
from random import Random

import pytest
from django.contrib.auth.models import AnonymousUser

from games.models import Match, PlayedKey, Turn
from games.services import posts
from games.services.lobby import opening
from games.services.play import moves
from games.services.refusals import Illegal, NotRunning, NotYourSeat, StaleQuestion
from tests.factories import asked, fresh, opened, play_on, random_move, seat, seated, submit, waiting

ROLL = {"type": "roll"}


@pytest.fixture
def match(ann, bob):
    return seated(ann, bob)


@pytest.mark.parametrize("who", ["stranger", "visitor"])
def test_not_your_seat(match, eve, who):
    with pytest.raises(NotYourSeat) as refused:
        submit(match, asked(match), ROLL, user=eve if who == "stranger" else AnonymousUser())
    assert refused.value.status == 403
    assert not Turn.objects.exists()


def test_not_your_turn(match):
    mover, other = asked(match), waiting(match)
    with pytest.raises(StaleQuestion) as refused:
        submit(match, other, ROLL, ask=mover.ask)
    assert refused.value.status == 409
    assert not Turn.objects.exists()


def test_a_table_that_waits(ann):
    match = opened(ann)
    with pytest.raises(NotRunning):
        submit(match, seat(match, 0), ROLL, ask=1)


def test_a_match_that_has_ended(match, ann, bob):
    mover = asked(match)
    moves.resign(match_id=match.pk, user=waiting(match).user)
    with pytest.raises(NotRunning) as refused:
        submit(match, mover, ROLL)
    assert refused.value.status == 409


@pytest.mark.both
@pytest.mark.parametrize("ask", [0, 2, 999_999_999])
def test_a_question_that_is_not_open(match, ask):
    with pytest.raises(StaleQuestion):
        submit(match, asked(match), ROLL, ask=ask)
    assert fresh(match).turns == 0


def test_an_old_tab(match):
    """A different move, with a key of its own, that answers the question before: nothing is played."""
    mover = asked(match)
    submit(match, mover, ROLL, key="first")
    before = fresh(match)
    with pytest.raises(StaleQuestion):
        submit(match, mover, {"type": "roll", "dice": [0]}, key="second")
    assert (fresh(match).version, fresh(match).turns) == (before.version, 1)


@pytest.mark.thin(1)
@pytest.mark.both
@pytest.mark.parametrize(
    ("move", "code"),
    [
        ({"type": "score", "cell": "ones"}, "illegal"),
        ({"type": "pass"}, "illegal"),
        ({"type": "win"}, "unknown_move"),
        ({"type": "score"}, "bad_field"),
        ({"type": "score", "cell": "\ud800"}, "bad_field"),
        ({"type": "roll", "dice": [0, 0]}, "bad_field"),
        ({"type": "roll", "dice": [0.0]}, "bad_field"),
        ({}, "unknown_move"),
        (None, "unknown_move"),
        ([ROLL], "unknown_move"),
        ("roll", "unknown_move"),
    ],
)
def test_what_the_rules_refuse(match, move, code):
    before = fresh(match)
    with pytest.raises(Illegal) as refused:
        submit(match, asked(match), move)
    assert (refused.value.status, refused.value.code) == (409, code)
    assert str(refused.value.sentence).endswith(".")
    assert not Turn.objects.exists()
    assert (fresh(match).version, bytes(fresh(match).state)) == (before.version, bytes(before.state))


@pytest.mark.both
def test_a_key_used_before_for_another_question(match):
    """No browser does this; it is refused, and nothing breaks."""
    submit(match, asked(match), ROLL, key="again")
    mover = asked(match)
    with pytest.raises(StaleQuestion):
        submit(match, mover, {"type": "roll", "dice": [0]}, key="again")
    assert fresh(match).turns == 1
    assert asked(match).ask == mover.ask


def test_a_seat_that_was_left_cannot_move(ann, bob, cem):
    match = seated(ann, bob, cem)
    mover = asked(match)
    moves.resign(match_id=match.pk, user=mover.user)
    with pytest.raises(NotYourSeat):
        submit(match, mover, ROLL)


def test_who_left_does_not_learn_of_a_post_played_before(ann, bob, cem):
    match = seated(ann, bob, cem)
    mover = asked(match)
    submit(match, mover, ROLL)
    moves.resign(match_id=match.pk, user=mover.user)
    with pytest.raises(NotYourSeat):
        submit(match, mover, ROLL)


@pytest.mark.both
def test_a_move(match):
    mover = asked(match)
    playing = submit(match, mover, ROLL, key="key")
    turn = match.log.get()
    assert (turn.number, turn.seat, turn.by, turn.move) == (1, mover.number, "person", ROLL)
    assert PlayedKey.objects.values_list("seat", "key", "number").get(match=match) == (mover.number, "key", 1)
    assert len(turn.draws) == 1
    assert turn.events[0]["dice"] == turn.draws[0]
    stored = fresh(match)
    assert (stored.turns, stored.asks, stored.draws) == (1, 2, 2)
    assert stored.version == match.version + 1
    assert stored.moved_at > stored.started_at
    assert bytes(playing.match.state) == bytes(stored.state)
    assert asked(match).ask == 2
    assert asked(match).seen == 1
    assert waiting(match).seen == 0


@pytest.mark.both
def test_the_same_post_twice_is_one_turn(match):
    mover = asked(match)
    first = submit(match, mover, ROLL)
    again = submit(match, mover, ROLL)
    assert again.match.turns == first.match.turns == 1
    assert [s.ask for s in again.seats] == [s.ask for s in first.seats]
    assert again.match.version == first.match.version


def test_the_same_post_again_long_after(match):
    """The same post is harmless however far the match is by then."""
    mover = asked(match)
    submit(match, mover, ROLL, key="once")
    play_on(match, Random(1), turns=20)
    turns = fresh(match).turns
    assert submit(match, mover, ROLL, key="once").match.turns == turns


@pytest.mark.both
def test_the_same_post_again_a_day_later(match, clock):
    """Its key is forgotten by then: it is told that the question is no longer open, and plays nothing."""
    mover = asked(match)
    submit(match, mover, ROLL, key="once")
    clock.forward(timedelta(hours=23).total_seconds())
    posts.forget_old()
    assert submit(match, mover, ROLL, key="once").match.turns == 1
    clock.forward(timedelta(hours=1.1).total_seconds())
    posts.forget_old()
    assert not PlayedKey.objects.exists()
    with pytest.raises(StaleQuestion):
        submit(match, mover, ROLL, key="once")
    assert fresh(match).turns == 1


@pytest.mark.both
def test_the_same_post_as_the_former_release_played(match):
    """While two releases run side by side, the other's keys lie with the turns."""
    mover = asked(match)
    submit(match, mover, ROLL, key="once")
    PlayedKey.objects.all().delete()
    match.log.update(key="once")
    assert submit(match, mover, ROLL, key="once").match.turns == 1


def test_the_last_post_again_after_the_end(match):
    rng = Random("the end")
    while (mover := asked(match)) is not None:
        last = (mover, random_move(fresh(match), mover.number, rng), f"key-{mover.ask}")
        submit(match, last[0], last[1], key=last[2])
    again = submit(match, last[0], last[1], key=last[2])
    assert again.match.status == Match.Status.ENDED
    assert again.match.turns == match.log.count()


@pytest.mark.both
def test_two_seats_may_use_the_same_key(ann, bob):
    match = seated(ann, bob)
    rng = Random(3)
    movers = set()
    while movers != {0, 1}:
        mover = asked(match)
        key = "shared" if mover.number not in movers else f"key-{mover.ask}"
        movers.add(mover.number)
        submit(match, mover, random_move(fresh(match), mover.number, rng), key=key)
    assert PlayedKey.objects.filter(match=match, key="shared").count() == 2


def test_the_end(ann, bob):
    match = play_on(seated(ann, bob), Random(5))
    assert (match.status, match.ending) == (Match.Status.ENDED, Match.Ending.PLAYED)
    assert match.ended_at
    seats = list(match.seats.order_by("number"))
    assert [s.rank for s in seats] == match.outcome["ranks"]
    assert [s.score for s in seats] == match.outcome["scores"]
    assert all(s.ask is None and s.asked_at is None for s in seats)


@pytest.mark.both
def test_dice_depend_on_the_nonces(ann, bob):
    match = opening.create_match(creator=ann, game_slug="yum-extra", size=2, nonce="a")
    seed = bytes(match.server_seed)
    other = opening.create_match(creator=ann, game_slug="yum-extra", size=2, nonce="b")
    Match.objects.filter(pk=other.pk).update(server_seed=seed)
    dice = []
    for table in (match, other):
        opening.join(match_id=table.pk, user=bob, nonce="c")
        submit(table, asked(table), ROLL)
        dice.append((fresh(table).setup_draws, table.log.get().draws))
    assert dice[0] != dice[1]


def test_another_move_under_a_used_key_is_not_taken_for_played(ann, bob):
    match = seated(ann, bob)
    seat = asked(match)
    ask = seat.ask
    submit(match, seat, {"type": "roll"}, key="one")
    with pytest.raises(StaleQuestion):
        submit(match, seat, {"type": "score", "cell": "high_roll"}, key="one", ask=ask)
    assert match.log.count() == 1
