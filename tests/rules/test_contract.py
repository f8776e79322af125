"""What every game promises (spec: engine.md), at every seat count and with every option."""

import json
from functools import cache
from itertools import islice, product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import (
    IllegalMove,
    RecordedChance,
    SeededChance,
    UnknownRules,
    replay,
    replay_steps,
    sample_move,
    verify,
)
from games.rules import games, get_game
from tests import FULL
from tests.rules.playing import fewest, positions, random_step, recorded_match, setups

every_setup = pytest.mark.parametrize(("slug", "seats", "options"), setups())
every_game = pytest.mark.parametrize("slug", games())

MUTATIONS, EXAMPLES = (10_000, 300) if FULL else (1_000, 30)
COMMON = {"game", "seats", "phase", "to_move", "you", "prompt", "outcome"}
CODES = {"over", "not_your_turn", "unknown_move", "bad_field", "illegal", "bad_word"}
VALUES = [None, True, False, 0, 1, 2, 3, 4, 5, -1, 400.0, 1.0, float("nan"), float("inf"), 10**40, "", "x"]
VALUES += ["ones", "yum", "\ud800", [], [0], [0, 0], [1.0], [True], [7], [[0]], {}, {"a": []}, (0,), b"x"]


FIELDS = ["dice", "die", "cell", "seat", "into", "extra", "combination", "points", "doubt"]
FIELDS += ["x", "y", "row", "col"]
FIELDS += ["pair", "token", "word", "clue"]
VALUES += ["yam", "chance", 25, 50, 51]
VALUES += [[1, 2], [2, 1], [6, 7], [1, 8], [1.0, 2], [True, 2], [1, 2, 3], "mer", "un", "a b", "é" * 41]
FIELDS += ["amount", "steps", "country", "gamble", "bank", "yes", "give", "take", "objective"]
VALUES += [10_000, 15_000, "japan", "trio"]


class NoChance:
    """A refused move never draws."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"a refused move asked chance to {name}")


@pytest.mark.thin(12)
@every_setup
def test_random_play_ends_and_every_promise_holds_at_each_step(slug, seats, options):
    """In short at every third."""
    game = get_game(slug)
    for number, state in enumerate(positions(game, seats, options, seed=seats)):
        if number % 3 and game.to_move(state) and not FULL:
            continue
        dumped = game.dump(state)
        json.loads(dumped)
        assert game.load(dumped) == state
        assert game.dump(game.load(dumped)) == dumped
        waiting = game.to_move(state)
        assert waiting == sorted(set(waiting))
        assert bool(waiting) == (game.outcome(state) is None)
        for seat in (None, *range(seats)):
            look_at_view(game, state, seat, waiting)
        assert game.dump(state) == dumped


def look_at_view(game, state, seat, waiting):
    view = game.view(state, seat)
    assert json.loads(json.dumps(view)) == view
    assert view.keys() >= COMMON
    assert view["game"] == game.slug
    assert view["you"] == seat
    assert view["to_move"] == waiting
    assert (view["phase"] == "over") == (not waiting)
    assert view["outcome"] == game.outcome(state)
    assert (view["prompt"] is not None) == (seat in waiting)
    if seat in waiting:
        assert view["prompt"] == game.prompt(state, seat)
        assert view["prompt"].keys() == {"phase", "moves", "optional"}
        passing = {"type": "pass"} in view["prompt"]["moves"]
        assert view["prompt"]["optional"] == passing
        default = game.default_move(state, seat)
        if default is None:
            assert game.deadline(state) is not None  # the game's own clock ends what nobody answers
        else:
            game.apply(state, seat, default, SeededChance(b"default"))
    elif seat is not None:
        assert game.prompt(state, seat) is None
        assert game.default_move(state, seat) is None


@pytest.mark.thin(12)
@every_setup
def test_mutated_moves_are_accepted_or_refused_by_name(slug, seats, options):
    """What is refused draws nothing; nothing changes the state that was given."""
    game = get_game(slug)
    rng = Random(seats)
    states = list(positions(game, seats, options, seed=10 + seats, end=False))
    for state in states:
        dumped = game.dump(state)
        waiting = game.to_move(state)
        for _ in range(min(200, 1 + MUTATIONS // len(states))):
            seat = rng.choice(waiting)
            move = mutated(sample_move(game.prompt(state, seat), rng), game.moves.types, rng)
            try:
                game.apply(state, seat, move, NoChance())
            except IllegalMove as error:
                assert error.code in CODES - {"over", "not_your_turn"}
                assert str(error)
            except AssertionError:
                game.apply(state, seat, move, SeededChance(b"accepted"))
        assert game.dump(state) == dumped


def mutated(move, types, rng):
    """The move with one thing changed: another type, a field left out, added or with another value."""
    move = dict(move)
    change = rng.randrange(4)
    if change == 0:
        move["type"] = rng.choice([*types, *VALUES])
    elif change == 1:
        move.pop(rng.choice(list(move)))
    elif change == 2:
        move[rng.choice([*FIELDS, "", 3, None])] = rng.choice(VALUES)
    else:
        move[rng.choice(list(move))] = rng.choice(VALUES)
    return move


@pytest.mark.thin(12)
@every_setup
def test_a_match_replays_to_the_same_end(slug, seats, options):
    record = recorded_match(slug, seats, options, seed=77)
    game = get_game(slug)
    assert verify(record, get_game).sound
    steps = [game.progress(state) for _n, state, _events in replay_steps(record, get_game)]
    assert all(len(progress) == seats for progress in steps)
    final = replay(record, get_game)
    assert game.to_move(final) == []
    assert sorted(game.outcome(final)) == ["ranks", "scores", "winners"]
    assert steps[-1] == game.outcome(final)["scores"]


@pytest.mark.thin(12)
@every_setup
def test_default_moves_alone_finish_a_match(slug, seats, options):
    game = get_game(slug)
    chance = SeededChance(b"default")
    state = game.setup(seats=seats, options=options, chance=chance)
    while waiting := game.to_move(state):
        seat, move, now = waiting[0], game.default_move(state, waiting[0]), 0
        if move is None:
            seat, move, now = None, {"type": "time_up"}, game.deadline(state)
        state, _ = game.apply(state, seat, move, chance, now)
    assert game.outcome(state)


@pytest.mark.thin(12)
@every_setup
def test_events_are_json_and_have_a_type(slug, seats, options):
    game = get_game(slug)
    rng = Random(1)
    chance = RecordedChance(SeededChance(b"events"))
    state = game.setup(seats=seats, options=options, chance=chance)
    while waiting := game.to_move(state):
        _move, state, events = random_step(game, state, rng.choice(waiting), rng, chance)
        assert events
        assert json.loads(json.dumps(events)) == events
        assert all(isinstance(event["type"], str) for event in events)


@every_game
def test_refusals_come_in_their_order(slug):
    game = get_game(slug)
    *_, running, over = positions(game, fewest(game), {}, seed=3)
    mover = game.to_move(running)[0]
    junk = {"type": "no such move", "x": 1}
    known = {"type": game.moves.types[0], "no such field": 1}

    def code(state, seat, move):
        with pytest.raises(IllegalMove) as refused:
            game.apply(state, seat, move, NoChance())
        return refused.value.code

    for seat in (mover, None, 99, "0"):
        assert code(over, seat, junk) == "over"
    for seat in (99, -1, "0", True, 0.0, float("nan"), [], {}, 10**30, *range(fewest(game))):
        if type(seat) is not int or seat not in game.to_move(running):
            assert code(running, seat, junk) == "not_your_turn"
    for move in (junk, {}, None, 1, "roll", [], {"type": None}, {"type": []}, {"type": {}}, {3: 4}):
        assert code(running, mover, move) == "unknown_move"
    assert code(running, mover, known) == "bad_field"
    if game.deadline(running) is None:
        assert code(running, None, {"type": "time_up"}) == "not_your_turn"


@pytest.mark.thin(17)
@every_game
@pytest.mark.parametrize("seats", [0, 1, 9, -2, 10**30, 2.0, True, None, "2", [], float("nan")])
def test_setup_names_a_bad_seat_count(slug, seats):
    with pytest.raises(ValueError, match=r"^seats: "):
        get_game(slug).setup(seats=seats, options={}, chance=NoChance())


@pytest.mark.thin(77)
@every_game
@pytest.mark.parametrize("junk", VALUES, ids=repr)
def test_setup_names_a_bad_option(slug, junk):
    game = get_game(slug)
    with pytest.raises(ValueError, match="no_such"):
        game.setup(seats=game.min_seats, options={"no_such": junk}, chance=NoChance())
    for name in game.option_fields:
        mode = game.option_fields[name].get("only", {})
        with pytest.raises(ValueError, match=f"^{name}: "):
            game.setup(seats=fewest(game), options={**mode, name: [junk]}, chance=NoChance())
    if junk != {}:
        with pytest.raises(ValueError, match=r"^'?(options|a)"):
            game.setup(seats=game.min_seats, options=junk, chance=NoChance())


@every_game
def test_options_have_defaults_that_they_allow(slug):
    game = get_game(slug)
    defaults = game.full_options(game.max_seats, {})
    assert all(
        field["default"] == defaults[name]
        for name, field in game.option_fields.items()
        if "default" in field and name in defaults
    )
    chosen = game.setup(seats=game.max_seats, options=defaults, chance=SeededChance(b""))
    assert chosen == game.setup(seats=game.max_seats, options={}, chance=SeededChance(b""))


def test_an_unknown_game_is_said_to_be_unknown():
    for slug in ("", "yum_extra", "chess", "../yum-extra"):
        with pytest.raises(UnknownRules, match="unknown game"):
            get_game(slug)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(VALUES),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)


@cache
def states_of(slug: str) -> list[Any]:
    """The states of one match of as many as can play."""
    game = get_game(slug)
    return list(positions(game, game.max_seats, {}, seed=4))


@pytest.mark.thin(2)
@every_game
@settings(max_examples=EXAMPLES, deadline=None)
@given(data=st.data())
def test_whatever_is_sent_ends_in_a_refusal_or_a_move(slug, data):
    game = get_game(slug)
    state = data.draw(st.sampled_from(states_of(slug)))
    fields = st.dictionaries(st.sampled_from(FIELDS), anything)
    moves = st.builds(lambda kind, rest: {"type": kind, **rest}, st.sampled_from(game.moves.types), fields)
    move = data.draw(moves | anything)
    seat = data.draw(st.sampled_from([*game.to_move(state), *range(game.max_seats)]) | anything)
    try:
        game.apply(state, seat, move, SeededChance(b"junk"))
    except IllegalMove as error:
        assert error.code in CODES


@pytest.mark.thin(21)
@pytest.mark.parametrize(
    ("slug", "seats", "options", "level"),
    [
        pytest.param(*setup, level, marks=[pytest.mark.proof] if level != "easy" and setup[2] else [])
        for setup, level in product(setups(), ("easy", "regular", "strong"))
    ],
)
def test_bots_finish(slug, seats, options, level):
    game = get_game(slug)
    bot = game.bot(level)
    rng = Random(7)
    chance = SeededChance(b"bots")
    state = game.setup(seats=seats, options=options, chance=chance)
    while waiting := game.to_move(state):
        seat = rng.choice(waiting)
        state, _ = game.apply(state, seat, bot.choose(game.view(state, seat), rng), chance)
    assert game.outcome(state)


@every_game
def test_an_unknown_level_is_a_key_error(slug):
    with pytest.raises(KeyError):
        get_game(slug).bot("perfect")


@every_game
def test_orders_are_checked_by_name(slug):
    game = get_game(slug)
    game.check_orders({})
    game.check_orders({"pass_always": True})
    for orders in (None, [], {"no_such": True}, {"pass_always": 1}, {"pass_always": None}, {3: 4}):
        with pytest.raises(ValueError, match=r"order|pass_always"):
            game.check_orders(orders)
    for name in game.orders:
        for junk in (1.5, "x", {"a": 1}, [[]]):
            with pytest.raises(ValueError, match=f"^{name}: "):
                game.check_orders({name: junk})


@pytest.mark.thin(12)
@every_setup
def test_passing_always_passes_whatever_may_be_passed(slug, seats, options):
    """In short at every third position."""
    game = get_game(slug)
    for state in islice(positions(game, seats, options, seed=8), None, None, 1 if FULL else 3):
        for seat in range(seats):
            view = game.view(state, seat)
            ordered = game.ordered_move(view, {"pass_always": True})
            optional = view["prompt"] is not None and view["prompt"]["optional"]
            assert ordered == ({"type": "pass"} if optional else None)
            assert game.ordered_move(view, {}) is None
