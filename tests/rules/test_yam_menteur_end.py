"""YAM menteur: whose turn, the end, time-outs, orders, what is shown; the rules told a second time."""

from collections import defaultdict
from random import Random

import pytest

from games.engine import IllegalMove, SeededChance, replay_steps, sample_move
from games.rules import get_game
from games.rules.yam_menteur.sheet import CLAIMS, COMBINATIONS, points
from tests.rules.playing import recorded_match
from tests.rules.yam import announced, apply, begun, closed, game, sheet, tried, turn, with_sheets

ROLL = {"type": "roll"}
FULL = [3, 3, 3, 5, 5]
JUNK = [1, 2, 2, 4, 6]


def row(state, seat, combination):
    return game.view(state, None)["sheets"][seat][combination]


# ——— Whose turn, and the end
def test_the_seat_to_the_left_throws_and_closed_sheets_are_passed_over():
    state = turn(begun(4), JUNK, "chance", 15)
    assert state.thrower == 1
    state = with_sheets(begun(4), s1=closed(), s3=closed())
    state = turn(state, JUNK, "chance", 15)
    assert (state.thrower, game.view(state, None)["final_turns"]) == (2, [2, 0])


def test_the_first_closed_sheet_gives_every_open_one_a_last_turn():
    state = with_sheets(begun(4), s0=closed("chance"), s2=closed("yam", "ones"))
    state = turn(state, JUNK, "chance", 15)
    assert game.view(state, None)["final_turns"] == [1, 2, 3]
    state = turn(state, JUNK, "chance", 15)
    assert game.view(state, None)["final_turns"] == [2, 3]
    state = turn(state, JUNK, "ones", 1)
    state = turn(state, JUNK, "chance", 15)
    view = game.view(state, None)
    assert (view["phase"], view["to_move"], view["final_turns"]) == ("over", [], [])
    assert row(state, 2, "yam")["open"]  # one turn more, and no other


def test_a_doubter_closes_first_and_the_thrower_has_the_last_turn():
    state = turn(with_sheets(begun(4), s2=closed("chance")), JUNK, "chance", 20, doubters=[2])
    assert game.view(state, None)["final_turns"] == [1, 3, 0]


def test_a_cell_closed_before_its_last_turn_comes_is_passed_over():
    state = with_sheets(begun(4), s0=closed("chance"), s2=closed("fives"), s3=closed("fives", "ones"))
    state = turn(state, JUNK, "chance", 15)
    state = turn(state, JUNK, "fives", 25, doubters=[2, 3])  # seat 2 writes its last
    assert (state.thrower, game.view(state, None)["final_turns"]) == (3, [3])


def test_a_cross_can_close_a_sheet():
    state = turn(with_sheets(begun(), s1=sheet_but(closed("fives"), 1)), [5, 5, 1, 2, 3], "fives", 10, [1])
    assert game.view(state, None)["final_turns"] == [2, 0]


def sheet_but(full, crosses):
    rows = {name: row.points for name, row in zip(COMBINATIONS, full.rows, strict=True) if row.points}
    return sheet(**rows, fives=(None, crosses))


def test_all_sheets_closed_at_once_end_it():
    state = with_sheets(begun(), s0=closed("chance"), s1=closed(), s2=closed())
    state = turn(state, JUNK, "chance", 15)
    assert game.phase(state) == "over"
    with pytest.raises(IllegalMove) as error:
        apply(state, 1, ROLL)
    assert error.value.code == "over"


def test_the_highest_total_wins_and_equal_totals_share():
    state = with_sheets(begun(), s0=closed("chance"), s1=closed(), s2=closed())
    state = turn(state, JUNK, "chance", 5)
    total = sum(CLAIMS[name][0] for name in COMBINATIONS)
    assert game.outcome(state) == {"ranks": [1, 1, 1], "scores": [total] * 3, "winners": [0, 1, 2]}


def test_after_the_end_the_last_dice_are_open_to_all():
    state = turn(with_sheets(begun(), s0=closed("chance"), s1=closed(), s2=closed()), JUNK, "chance", 15)
    for viewer in (None, 0, 1, 2):
        view = game.view(state, viewer)
        assert (view["dice"], view["locked"], view["last"]["dice"]) == (JUNK, [], None)


# ——— Time-outs
@pytest.mark.parametrize(
    ("dice", "mine", "announces"),
    [
        (FULL, sheet(), ("full_house", 25)),
        (FULL, sheet(full_house=25), ("three_kind", 19)),
        (JUNK, sheet(chance=20), ("sixes", 6)),
        ([2, 2, 1, 1, 4], sheet(chance=20), ("twos", 4)),  # as many in fours: the first
        ([2, 2, 1, 1, 4], closed("ones", "fives"), ("ones", 2)),
        ([2, 2, 3, 3, 4], closed("fives", "four_kind", "yam"), ("fives", 5)),
        ([2, 2, 3, 3, 4], closed("sixes", "four_kind"), ("four_kind", 5)),
        ([2, 2, 3, 3, 4], closed("yam", "full_house"), ("full_house", 25)),
    ],
)
def test_out_of_time_with_dice(dice, mine, announces):
    state = tried(with_sheets(begun(), s0=mine), dice)
    move = game.default_move(state, 0)
    assert (move["type"], move["combination"], move["points"]) == ("announce", *announces)


def test_out_of_time_before_a_try_and_as_an_answer():
    assert game.default_move(begun(), 0) == ROLL
    assert game.default_move(begun(), 1) is None
    claimed = announced(begun(), JUNK, "yam")
    assert game.default_move(claimed, 1) == {"type": "answer", "doubt": False}
    assert game.default_move(claimed, 0) is None


# ——— Standing orders
@pytest.mark.parametrize(
    ("orders", "claim", "answer"),
    [
        ({}, ("ones", 1), None),
        ({"believe_up_to": 15}, ("fives", 15), False),
        ({"believe_up_to": 15}, ("chance", 16), None),
        ({"believe_up_to": None}, ("ones", 1), None),
        ({"believe_up_to": 0}, ("ones", 1), None),
        ({"doubt": ["yam"]}, ("yam", 50), True),
        ({"doubt": ["yam"]}, ("chance", 5), None),
        ({"believe": ["yam"]}, ("yam", 50), False),
        ({"doubt": ["yam"], "believe": ["yam"], "believe_up_to": 50}, ("yam", 50), True),
        ({"doubt": [], "believe": ["ones"], "believe_up_to": 3}, ("ones", 5), False),
        ({"pass_always": True}, ("ones", 1), None),
    ],
)
def test_the_first_order_that_fits_answers(orders, claim, answer):
    game.check_orders(orders)
    view = game.view(announced(begun(), JUNK, *claim), 1)
    expected = None if answer is None else {"type": "answer", "doubt": answer}
    assert game.ordered_move(view, orders) == expected


@pytest.mark.parametrize(
    ("orders", "crosses", "answer"),
    [
        ({"doubt": ["sixes"], "spare_second": True}, 0, True),
        ({"doubt": ["sixes"], "spare_second": True}, 1, False),
        ({"doubt": ["sixes"], "spare_second": True}, 2, True),
        ({"doubt_players": [0], "spare_second": True}, 1, False),
        ({"believe": ["sixes"], "doubt_free": True}, 2, True),
        ({"believe": ["sixes"], "doubt_free": True}, 1, False),
        ({"believe_players": [0], "doubt": ["sixes"]}, 0, False),
        ({"doubt_players": [0], "believe_up_to": 50}, 0, True),
        ({"ask_players": [0], "doubt": ["sixes"], "believe_up_to": 50}, 0, None),
        ({"ask_players": [2], "doubt_players": [2]}, 0, None),
        ({"doubt": ["sixes"], "doubt_from": [{"row": "sixes", "points": 18}]}, 0, True),
        ({"doubt": ["sixes"], "doubt_from": [{"row": "sixes", "points": 24}]}, 0, None),
        ({"doubt": ["sixes"], "doubt_from": [{"row": "sixes", "points": 24}], "believe_up_to": 20}, 0, False),
        ({"doubt_from": [{"row": "sixes", "points": 6}]}, 0, None),
    ],
)
def test_orders_by_player_by_points_and_by_what_a_doubt_costs(orders, crosses, answer):
    """Seat 0 claims 18 in Sixes; seat 1 has so many crosses there. From top to bottom, the first that fits."""
    game.check_orders(orders)
    claimed = with_sheets(announced(begun(), JUNK, "sixes", 18), s1=sheet(sixes=(None, crosses)))
    expected = None if answer is None else {"type": "answer", "doubt": answer}
    assert game.ordered_move(game.view(claimed, 1), orders) == expected


def test_orders_never_throw_or_announce():
    orders = {"believe_up_to": 50, "doubt": ["yam"]}
    for state in (begun(), tried(begun(), JUNK), announced(begun(), JUNK, "yam")):
        assert game.ordered_move(game.view(state, 0), orders) is None


@pytest.mark.parametrize(
    "orders",
    [
        {"believe_up_to": -1},
        {"believe_up_to": 51},
        {"believe_up_to": 1.0},
        {"believe_up_to": True},
        {"believe_up_to": "15"},
        {"doubt": None},
        {"doubt": "yam"},
        {"doubt": ["yum"]},
        {"doubt": ["yam", "yam"]},
        {"believe": [1]},
        {"doubt_from": [{"row": "yam", "points": 50}]},
        {"doubt_from": [{"row": "ones", "points": 0}]},
        {"doubt_players": [8]},
        {"ask_players": ["1"]},
        {"doubt_free": 1},
    ],
)
def test_orders_that_are_none(orders):
    with pytest.raises(ValueError, match=next(iter(orders))):
        game.check_orders(orders)


# ——— View
def test_shown_dice_stay_until_the_next_throwers_first_try():
    state = turn(begun(), FULL, "full_house", doubters=[1])
    assert [game.view(state, viewer)["dice"] for viewer in (None, 0, 1, 2)] == [FULL] * 4
    assert (game.view(state, 1)["tries"], game.view(state, 1)["locked"]) == (0, [])
    state = tried(state, JUNK)
    assert [game.view(state, viewer)["dice"] for viewer in (None, 0, 1, 2)] == [None, None, JUNK, None]


def test_tally():
    state = turn(begun(), FULL, "full_house", doubters=[1])
    state = turn(state, JUNK, "yam", doubters=[0, 2])
    state = turn(state, JUNK, "chance", 15)
    assert game.view(state, None)["tally"] == [
        {"announced": 1, "doubted": 1, "caught": 0, "doubts": 1, "doubts_right": 1},
        {"announced": 1, "doubted": 1, "caught": 1, "doubts": 1, "doubts_right": 0},
        {"announced": 1, "doubted": 0, "caught": 0, "doubts": 1, "doubts_right": 1},
    ]
    before = announced(state, FULL, "yam")
    assert game.view(before, None)["tally"] == game.view(state, None)["tally"]


def test_the_true_dice_of_a_settled_turn_are_forgotten_if_nobody_saw_them():
    """The state holds no more than somebody may still be shown."""
    assert game.dump(turn(begun(), JUNK, "yam")) == game.dump(turn(begun(), FULL, "yam"))


# ——— The rules told a second time, from the spec and from what is public and what the dice were
class Referee:
    """Keeps the sheets of a match by itself."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.points = [dict.fromkeys(COMBINATIONS) for _ in range(seats)]
        self.crosses = [defaultdict(int) for _ in range(seats)]

    def barred(self, seat, name):
        return self.crosses[seat][name] >= 2

    def open(self, seat, name):
        return self.points[seat][name] is None and not self.barred(seat, name)

    def is_closed(self, seat):
        return not any(self.open(seat, name) for name in COMBINATIONS)

    def settle(self, thrower, dice, name, claimed, doubters):
        true = points(tuple(dice))[name] >= claimed
        if true or not doubters:
            self.points[thrower][name] = claimed
        if doubters and not true:
            self.cross(thrower, name)
        for seat in doubters:
            if true:
                self.cross(seat, name)
            elif self.open(seat, name) and name != "yam":
                self.points[seat][name] = claimed

    def cross(self, seat, name):
        self.crosses[seat][name] += 1
        if self.barred(seat, name):
            self.points[seat][name] = None

    def total(self, seat):
        written = {name: score or 0 for name, score in self.points[seat].items()}
        upper = sum(written[name] for name in COMBINATIONS[:6])
        return sum(written.values()) + (35 if upper >= 63 else 0)


@pytest.mark.parametrize("seats", [3, 5, 8])
@pytest.mark.parametrize("seed", range(6))
def test_a_second_keeping_of_the_sheets_agrees(seats, seed):
    rng, chance = Random(seed), SeededChance(bytes([seed, seats]))
    state = game.setup(seats=seats, options={}, chance=chance)
    referee, doubts, last_turns, throws = Referee(seats), {}, None, []
    while waiting := game.to_move(state):
        seat = rng.choice(waiting)
        thrower, dice, claim = state.thrower, state.dice, state.claim
        move = sample_move(game.prompt(state, seat), rng)
        if move["type"] == "roll" and not state.tries:
            throws.append(seat)
        if move["type"] == "answer":
            doubts[seat] = move["doubt"]
        state, events = game.apply(state, seat, move, chance)
        if not any(event["type"] == "settled" for event in events):
            continue
        doubters = sorted(seat for seat, doubt in doubts.items() if doubt)
        assert len(doubts) == seats - 1
        referee.settle(thrower, dice, claim.combination, claim.points, doubters)
        doubts = {}
        sheets = game.view(state, None)["sheets"]
        for other in range(seats):
            assert sheets[other]["total"] == referee.total(other)
            for name in COMBINATIONS:
                assert sheets[other][name] == {
                    "points": referee.points[other][name],
                    "crosses": min(2, referee.crosses[other][name]),
                    "barred": referee.barred(other, name),
                    "open": referee.open(other, name),
                }
        if last_turns is None and any(referee.is_closed(other) for other in range(seats)):
            last_turns = [(thrower + step) % seats for step in range(1, seats + 1)]
            throws = []
    # Every seat in its order, once; those passed over had closed before.
    assert throws == [seat for seat in last_turns if seat in throws]
    assert all(referee.is_closed(seat) for seat in last_turns if seat not in throws)


def test_what_comes_to_light_after_the_end():
    """Each turn's dice, from moves and draws alone, are those that the replay has."""
    record = recorded_match("yam-menteur", 4, {}, seed=3)
    turns, held, before = [], {}, None
    for number, state, events in replay_steps(record, get_game):
        if number:
            move = record["moves"][number - 1]
            turns.append((number, move["move"], move["draws"], events))
        if any(event["type"] == "settled" for event in events):
            held[number] = before
        before = state.dice
    shown = game.unveiled(turns)
    assert {number: tuple(each["dice"]) for number, each in shown.items()} == held
    for each in shown.values():
        assert each["true"] == (points(tuple(each["dice"]))[each["combination"]] >= each["points"])
        assert each["throws"][-1] == each["dice"]


def test_an_ended_match_hides_nothing():
    state = tried(begun(), JUNK)
    for viewer in (None, 0, 1):
        assert game.opened(state, viewer)["dice"] == JUNK
    claimed = apply(announced(begun(), JUNK, "yam"), 1, {"type": "answer", "doubt": True})
    assert game.opened(claimed, 2)["answers"] == [None, True, None]


def test_what_is_not_settled_is_counted():
    state = tried(begun(), JUNK)
    assert game.unsettled(begun()) == 0
    assert game.unsettled(state) == 1
    claimed = announced(begun(), JUNK, "yam")
    assert game.unsettled(apply(claimed, 1, {"type": "answer", "doubt": True})) == 3
    assert game.unsettled(turn(begun(), JUNK, "yam")) == 0
