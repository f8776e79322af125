"""YAM menteur: what the sharp bot believes, doubts and claims, of what everybody sees and of its own dice alone."""

from random import Random

from msgspec.structs import replace

from games.engine import SeededChance
from games.rules import get_game
from games.rules.yam_menteur.bluffing import Stage
from games.rules.yam_menteur.sheet import COMBINATIONS, Row, Sheet, points

game = get_game("yam-menteur")
TIMES = 200


def thrown(dice, tries=3):
    """A match of four in which the first thrower has those dice after so many tries."""
    state = game.setup(seats=4, options={}, chance=SeededChance(b"claims"))
    return replace(state, tries=tries, dice=tuple(dice), loose=(0, 1, 2, 3, 4))


def claimed(state, combination, points_):
    move = {"type": "announce", "combination": combination, "points": points_}
    return game.apply(state, state.thrower, move, SeededChance(b""))[0]


def doubts(state, seat):
    """How often the sharp bot in that seat doubts what was announced."""
    bot, rng, view = game.bot("strong"), Random(1), game.view(state, seat)
    return sum(bot.choose(view, rng)["doubt"] for _ in range(TIMES)) / TIMES


def other(state):
    return (state.thrower + 1) % 4


def test_hardly_a_false_yam_escapes_three_seats_and_a_modest_claim_is_doubted_seldom():
    state = thrown([1, 2, 3, 5, 6])
    believed = 1 - doubts(claimed(state, "yam", 50), other(state))
    assert believed**3 < 0.25
    assert doubts(claimed(state, "chance", 17), other(state)) < 0.2


def test_whoever_was_caught_often_is_believed_less():
    state = thrown([1, 2, 3, 5, 6])
    tally = [
        replace(each, announced=6, doubted=6, caught=6 * (seat == state.thrower))
        for seat, each in enumerate(state.tally)
    ]
    liar = claimed(replace(state, tally=tuple(tally)), "full_house", 25)
    honest = claimed(replace(state, tally=(replace(state.tally[0], announced=6, doubted=6),) * 4), "full_house", 25)
    assert doubts(liar, other(state)) > doubts(honest, other(state)) + 0.1


def test_where_a_doubt_is_free_and_may_win_it_doubts():
    state = thrown([1, 2, 3, 5, 6])
    rows = [Row(None, 2) if name == "yam" else Row() for name in COMBINATIONS]
    barred = tuple(Sheet(tuple(rows)) if seat == other(state) else sheet for seat, sheet in enumerate(state.sheets))
    assert doubts(claimed(replace(state, sheets=barred), "yam", 50), other(state)) > 0.9


def test_it_lies_seldom_with_good_dice_and_never_claims_less_than_it_has():
    state = thrown([6, 6, 6, 5, 5])
    bot, rng, held = game.bot("strong"), Random(2), points(state.dice)
    said = [bot.choose(game.view(state, state.thrower), rng) for _ in range(TIMES)]
    assert all(move["points"] >= held[move["combination"]] for move in said)
    assert sum(move["points"] > held[move["combination"]] for move in said) < TIMES / 10


def test_with_poor_dice_it_says_now_this_and_now_that():
    state = thrown([1, 2, 2, 4, 6])
    bot, rng = game.bot("strong"), Random(3)
    said = {str(bot.choose(game.view(state, state.thrower), rng)) for _ in range(TIMES)}
    assert len(said) > 3


def test_what_it_believes_hangs_on_no_dice():
    poor, rich = (Stage(game.view(thrown(dice), 0)) for dice in ([1, 2, 2, 4, 6], [6, 6, 6, 6, 6]))
    assert poor.true == rich.true


def worth(state, seat, move):
    return game.worth(game.view(state, seat), move)


def test_what_an_answer_a_claim_and_a_try_are_worth():
    state = thrown([6, 6, 6, 6, 2], tries=2)
    thrower = state.thrower
    true, lie = ({"type": "announce", "combination": "four_kind", "points": points_} for points_ in (24, 29))
    assert worth(state, thrower, true) > worth(state, thrower, lie)
    again = {"type": "roll", "dice": [4]}
    assert worth(state, thrower, again) > worth(state, thrower, {"type": "roll", "dice": [0, 1, 2, 3]})
    yams = [thrown([6] * 5), thrown([1, 2, 3, 5, 6])]
    claims = [worth(yam, yam.thrower, {"type": "announce", "combination": "yam"}) for yam in yams]
    assert claims[0] > claims[1]
    yam = claimed(thrown([1, 2, 3, 5, 6]), "yam", 50)
    seat = other(yam)
    assert worth(yam, seat, {"type": "answer", "doubt": False}) == 0
    assert worth(yam, seat, {"type": "answer", "doubt": True}) > worth(
        claimed(thrown([1, 2, 3, 5, 6]), "chance", 12), seat, {"type": "answer", "doubt": True}
    )


def test_every_legal_move_has_a_worth_that_says_nothing_of_hidden_dice():
    for dice in ([1, 2, 3, 5, 6], [6, 6, 6, 6, 6]):
        state = claimed(thrown(dice), "four_kind", 24)
        found = [worth(state, other(state), {"type": "answer", "doubt": doubt}) for doubt in (True, False)]
        assert found == [
            worth(claimed(thrown([1] * 5), "four_kind", 24), other(state), {"type": "answer", "doubt": True}),
            0,
        ]
