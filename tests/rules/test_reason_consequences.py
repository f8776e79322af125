"""What reasons say that an answer costs and brings, beside what it does."""

from itertools import product

import pytest
from msgspec.structs import replace

from games.engine import PASS, ScriptedChance, SeededChance
from games.rules import get_game
from games.rules.yes.data import COUNTRIES, GOAL, NO_CARDS, OBJECTIVES, RED, YES_CARDS
from games.rules.yes.harm import COSTS
from games.rules.yes.outlook import Sight, paid_by_yes
from games.rules.yes.reasons import Question
from games.rules.yesss.reasons import possible
from games.rules.yum_extra.sheet import Row, points
from games.rules.yum_extra.state import State as YumState
from tests.rules import yam, yay_match, yes_match, yesss_match
from tests.rules.playing import positions
from tests.rules.test_yum_extra import sheet as yum_sheet
from tests.rules.yes_match import FACE, acted, drawn, table


def told(game, state, seat, say):
    return [reason for reason in game.reasons(game.view(state, seat)) if reason["say"] == say]


@pytest.mark.parametrize(
    ("own", "claim"),
    [
        ({}, ("full_house", 25)),
        ({"sixes": (None, 1)}, ("sixes", 18)),
        ({"sixes": (18, 1)}, ("sixes", 24)),
        ({"fives": 25, "sixes": (None, 0), "fours": 20}, ("sixes", 24)),  # with the bonus
        ({"fives": 25, "sixes": (18, 1), "fours": 20}, ("sixes", 24)),  # which goes
        ({}, ("yam", 50)),
        ({"chance": (20, 2)}, ("chance", 30)),
    ],
)
@pytest.mark.parametrize("is_true", [True, False])
def test_a_doubt_costs_and_brings_what_is_told(own, claim, is_true):
    cell, points = claim
    true = {"full_house": [6, 6, 6, 2, 2], "sixes": [6, 6, 6, 6, 1], "yam": [4] * 5, "chance": [6] * 5}
    state = yam.begun()
    rows = {name: row if isinstance(row, tuple) else (row, 0) for name, row in own.items()}
    rows = {name: (None, 2) if row[1] == 2 else row for name, row in rows.items()}
    state = replace(state, sheets=(state.sheets[0], yam.sheet(**rows), state.sheets[2]))
    state = yam.announced(state, true[cell] if is_true else [1, 2, 2, 3, 4], cell, points)
    [bluff], [truth] = (told(yam.game, state, 1, say) for say in ("bluff", "true"))
    before = state.sheets[1].total
    after = yam.answered(state, doubters=[1])
    change = after.sheets[1].total - before
    assert change == (-truth["lost"] if is_true else bluff["gain"])
    assert after.sheets[1].row(cell).barred == (truth["bars"] or truth["barred"] if is_true else truth["barred"])
    assert yam.answered(state).sheets[1].total == before


def test_each_use_of_a_combo_changes_totals_as_told():
    game = get_game("yum-extra")
    sheets = (
        yum_sheet(twos=Row(6), sixes=Row(12), yum=Row(0)),
        yum_sheet(twos=Row(8), fours=Row(16), sixes=Row(18)),
    )
    seen = set()
    for dice, white in [((1, 6, 2, 5, 3), white) for white in range(1, 7)] + [
        ((3, 4, 3, 5, 2), 4),
        ((5, 4, 5, 6, 4), 4),
    ]:
        state = YumState("forced", 0, 1, sheets, dice=dice, rolls=1, combo=0, white=white)
        if game.prompt(state, 0)["moves"] == [PASS]:
            continue
        for use in told(game, state, 0, "use"):
            kind, seat = use["privilege"], use["seat"]
            move = {"type": kind, "cell": use["cell"]} | ({} if seat is None else {"seat": seat})
            move |= {"into": use["into"]} if kind == "transform" else {}
            after, _events = game.apply(state, 0, move, SeededChance(b"combo"))
            assert after.sheets[0].total - state.sheets[0].total == use["gain"]
            assert state.sheets[1].total - after.sheets[1].total == use["loss"]
            seen.add(kind)
    assert seen == {"erase", "steal", "double", "triple", "swap", "transform"}


def test_what_the_dice_would_write_is_what_they_write():
    game = get_game("yum-extra")
    state = YumState("forced", 0, 0, (yum_sheet(), yum_sheet()), dice=(6, 6, 6, 2, 2), rolls=3)
    [now] = told(game, state, 0, "now")
    assert now["rows"]
    for cell, given, _usual in now["rows"]:
        after, _events = game.apply(state, 0, {"type": "score", "cell": cell}, SeededChance(b"score"))
        assert after.sheets[0].total == given


def test_every_open_row_in_which_the_dice_give_something_is_told_the_most_points_first():
    game = get_game("yum-extra")
    state = YumState("forced", 0, 0, (yum_sheet(twos=Row(6)), yum_sheet()), dice=(3, 3, 3, 2, 1), rolls=1)
    [now] = told(game, state, 0, "now")
    assert [(cell, given) for cell, given, _usual in now["rows"]] == [
        ("three_kind", 12),
        ("high_roll", 12),
        ("threes", 9),
        ("ones", 1),
    ]


def test_the_touched_cells_take_and_cross_out_what_is_told():
    marks = {(3, 3): yay_match.num(1, 5), (2, 4): yay_match.num(1, 7), (5, 3): yay_match.num(1, 16)}
    state, _events = yay_match.play(yay_match.match(marks), yay_match.throw(), chance=yay_match.draws((4, 4, 4)))
    [places] = told(yay_match.game, state, 0, "places")
    assert (places["touched"], places["enterable"], places["crossing"]) == (3, 2, [((3, 4), 2)])
    for cell, count in places["crossing"]:
        _state, events = yay_match.play(state, yay_match.at("write", *cell))
        assert len(events[0]["crossed"]) == count


def test_each_no_card_about_money_costs_what_is_told():
    game = get_game("yes")
    own = {0: ["china", "germany", "canada", "peru"], 1: ["japan"], 2: ["sweden", "kenya"]}
    for card in NO_CARDS:
        state = table(owns=own, cash=[450_000, 210_000, 100_000], hands={0: ["yes_18"]})
        asked, _told = drawn(state, card)
        assert asked.phase == "ignore"
        harm = [*told(game, asked, 0, "costs"), *told(game, asked, 0, "losing")]
        before = asked.cash[0]
        after, _events = game.apply(asked, 0, {"type": "suffer"}, SeededChance(b"no"))
        if card in COSTS:
            assert [reason["amount"] for reason in harm] == [before - after.cash[0]]
        else:
            assert before == after.cash[0]
            assert bool(harm) == (card in ("no_13", "no_14", "no_15", "no_16", "no_17", "no_18"))


def test_the_mean_of_yes_cards_is_that_of_their_payments():
    state = table(owns={0: ["china", "germany", "canada"]}, cash=[200_000, 300_000, 100_000])
    paid = []
    for card in YES_CARDS:
        after, events = drawn(state, card) if card not in ("yes_15", "yes_16", "yes_17") else (state, None)
        own = sum(amount for _from, to, amount in events.paid() if to == 0) if events else 0
        paid.append(own)
        assert after
    assert sum(paid) == sum(paid_by_yes(Sight(get_game("yes").view(state, 0))))


def test_the_marker_pays_what_is_told():
    game = get_game("yes")
    own = {0: ["peru", "canada"], 1: ["japan", "nigeria"], 2: ["sweden", "kenya"]}
    for marker in range(12):
        state, _events = acted(table(owns=own, marker=marker), "cash")
        if state.phase != "advance":
            assert state.phase == "bid"
            [worth] = told(game, state, 1, "worth_a_bid")
            assert worth["amount"] == max(_moved(game, state, 1, steps) for steps in (1, 2, 3))
            continue
        spaces = told(game, state, 0, "space")
        for steps, reason in enumerate(spaces, 1):
            after, _events = game.apply(state, 0, {"type": "advance", "steps": steps}, SeededChance(b"cash"))
            change = after.cash[0] - state.cash[0]
            pays = reason["space"]["pays"] in ("you", "both")
            assert change == (reason["space"]["share"] if pays else 0)


def _moved(game, state, seat, steps):
    """What a seat is paid if its bid wins the marker and moves it so far, its bid aside."""
    before = state.cash[seat]
    for other in list(state.to_move):
        move = {"type": "bid", "amount": 10_000, "steps": steps} if other == seat else {"type": "bid", "amount": 0}
        state, _events = game.apply(state, other, move, SeededChance(b"bid"))
    return state.cash[seat] - before + 10_000


def test_a_purchase_leaves_what_is_told_and_the_red_die_asks_within_the_range():
    game = get_game("yes")
    own = {0: ["canada"], 1: ["japan", "mexico"], 2: ["guatemala"]}
    state, _events = acted(table(owns=own, objectives={0: ("four_north_america", "six_kinds")}), "buy")
    purchases = told(game, state, 0, "purchase")
    assert [each["goals"] for each in purchases] == [["four_north_america"], ["four_north_america", "six_kinds"]]
    for each in purchases:
        move = {"type": "buy", "country": each["country"], "gamble": False}
        after, _events = game.apply(state, 0, move, SeededChance(b"buy"))
        assert after.cash[0] == each["left"]
    [gamble] = told(game, state, 0, "gamble")
    prices = []
    for face in range(1, 7):
        move = {"type": "buy", "country": gamble["country"], "gamble": True}
        after, _events = game.apply(state, 0, move, ScriptedChance([[face]]))
        prices.append(state.cash[0] - after.cash[0])
    assert (gamble["least"], gamble["most"]) == (min(prices), max(prices))
    assert gamble["mean"] == round(sum(prices) / 6, -3)
    assert gamble["cheaper"] == sum(price < 30_000 for price in prices)
    assert set(prices[:5]) == set(RED)


def test_cards_that_no_objective_misses_can_go():
    """Of each card of a seat in matches played at random: giving it up leaves every objective as near as before."""
    game = get_game("yes")
    for state in [*positions(game, 3, {}, seed=3, end=False)][:120:8]:
        for seat in game.to_move(state):
            asked = Question(game.view(state, seat))
            goals = {goal["id"]: goal for goal in asked.hints["objectives"][seat]}
            for card in asked.mine:
                owners = tuple(None if index == card.index else owner for index, owner in enumerate(state.owners))
                less = game.hints(game.view(replace(state, owners=owners), seat))["objectives"][seat]
                if card in asked.spare(asked.mine):
                    left = {goal["id"]: goal for goal in less}
                    assert all(left[each]["met"] for each in goals if goals[each]["met"] and each != "wealth")
            assert all(reason["missing"] == GOAL - state.cash[seat] for reason in told(game, state, seat, "million"))


def test_every_pair_that_is_to_be_guessed_is_among_those_that_are_counted():
    game = get_game("yesss")
    for state in positions(game, 4, {}, seed=5, end=False):
        if state.phase != "propose":
            continue
        for seat in game.to_move(state):
            view = game.view(state, seat)
            known = {tuple(token["pair"]) for token in view["tokens"] if "pair" in token}
            hidden = {
                token.pair for token, seen in zip(state.tokens, view["tokens"], strict=True) if "pair" not in seen
            }
            assert possible(view) == 21 - len(known) >= len(hidden)
            assert not hidden & {number for number in range(21) if tuple(yesss_match.PAIRS[number]) in known}


def test_brains_go_to_whom_the_reasons_say():
    state = yesss_match.dealt(4)
    game = yesss_match.game
    for seat in range(4):
        state = yesss_match.apply(state, seat, {"type": "select", "pair": yesss_match.PAIRS[3 * seat]})
    token = next(n for n, token in enumerate(state.tokens) if token.receiver == 0)
    [word] = told(game, state, 0, "word")
    assert (word["guessers"], word["keepers"]) == (2, [state.tokens[token].selector])
    state = yesss_match.apply(state, 0, {"type": "word", "token": token, "word": "mer"})
    right, wrong = (seat for seat in range(4) if seat not in (0, word["keepers"][0]))
    state = yesss_match.word(state, next(n for n, token in enumerate(state.tokens) if token.announcer == right))
    [objection] = told(game, state, right, "object")
    assert (objection["needed"], objection["of"]) == (2, 2)
    pair = yesss_match.PAIRS[state.tokens[token].pair]
    state = yesss_match.apply(state, right, {"type": "guess", "token": token, "pair": pair})
    state = yesss_match.apply(state, wrong, {"type": "object", "token": token})
    assert [state.brains[seat] for seat in (0, right, wrong, word["keepers"][0])] == [1, 1, 0, 1]


def test_the_extra_for_one_die_gives_a_row_as_often_as_is_told():
    game = get_game("yum-extra")
    dice = (1, 2, 3, 4, 6)
    state = YumState("forced", 0, 0, (yum_sheet(), yum_sheet()), dice=dice, rolls=3)
    [extra] = told(game, state, 0, "extra")
    [(cell, rule, least, chance)] = extra["rows"]
    rolls = [[points((*dice[:die], face, *dice[die + 1 :]))[rule] for face in range(1, 7)] for die in range(5)]
    assert chance == max(sum(given >= least for given in each) / 6 for each in rolls)
    assert cell == "long_straight"


def test_the_white_die_rolled_again_lets_one_use_a_combo_with_the_numbers_that_are_told():
    game = get_game("yum-extra")
    sheets = (yum_sheet(twos=Row(6)), yum_sheet(fours=Row(8)))
    state = YumState("forced", 0, 1, sheets, dice=(1, 2, 2, 5, 1), rolls=1, combo=0, white=4)
    [again] = told(game, state, 0, "again")
    usable = []
    for white in range(1, 7):
        moves = game.prompt(replace(state, white=white), 0)["moves"]
        usable += [white] if {move["type"] for move in moves} - {"extra", "pass"} else []
    assert (again["numbers"], again["ways"]) == (usable, len(usable))


def test_a_card_on_sale_brings_the_mean_of_the_red_dice():
    game = get_game("yes")
    state, _events = acted(table(owns={0: ["canada"], 1: ["japan"]}), "sell")
    [price] = told(game, state, 0, "price")
    faces = [*RED, 100_000]
    pairs = [max(pair) for pair in product(faces, repeat=2)]
    assert (price["mean"], price["best"]) == (round(sum(faces) / 6, -3), round(sum(pairs) / 36, -3))


def test_as_many_new_objectives_would_be_met_as_are_told():
    game = get_game("yes")
    own = {0: ["canada", "guatemala", "mexico", "bahamas", "panama"], 1: ["japan"]}
    state = table(owns=own, cash=[200_000, 200_000, 200_000])
    [exchange] = told(game, state, 0, "exchange")
    kept = state.objectives[0]
    unseen = [each for each in OBJECTIVES if each not in kept]
    met = [each for each in unseen if replace(state, objectives=((each, kept[1]), *state.objectives[1:])).met(0)]
    assert (exchange["of"], exchange["met"]) == (len(unseen), len(met))
    assert exchange["held"] == sum(len(held) for held in state.objectives[1:])
    assert exchange["of"] - exchange["held"] == len(state.decks.objective)
    assert met


def test_a_country_is_useful_where_it_brings_an_objective_nearer():
    """For the objectives that count goods, what is had grows; of each card of the deck."""
    game = get_game("yes")
    aims = ("four_europe", "six_kinds")
    state = table(owns={0: ["canada"], 1: ["japan"]}, objectives={0: aims})
    state = yes_match.play(state, (0, {"type": "roll"}), draws=[[FACE["country"], FACE["no"]]])
    [die] = [each for each in told(game, state, 0, "die") if each["action"] == "country"]
    useful = 0
    for country in COUNTRIES:
        if state.owners[country.index] is None:
            owners = tuple(0 if index == country.index else owner for index, owner in enumerate(state.owners))
            after = game.hints(game.view(replace(state, owners=owners), 0))["objectives"][0]
            before = game.hints(game.view(state, 0))["objectives"][0]
            useful += any(new["have"] > old["have"] for new, old in zip(after, before, strict=True))
    assert (die["count"], die["useful"]) == (28, useful)


def test_as_many_cards_win_at_once_as_are_told():
    """From the deck and from another; each purchase and each draw is really made."""
    game = get_game("yes")
    own = ["germany", "italy", "mexico", "kenya", "panama"]
    state = table(owns={0: own, 1: ["china", "japan"]}, objectives={0: ("trio", "four_factory")}, cash=[90_000, 0, 0])
    state = yes_match.play(state, (0, {"type": "roll"}), draws=[[FACE["country"], FACE["buy"]]])
    dice = {die["action"]: die for die in told(game, state, 0, "die")}
    won = {"deck": 0, "other": 0}
    for country in COUNTRIES:
        if state.owners[country.index] != 0:
            owners = tuple(0 if index == country.index else owner for index, owner in enumerate(state.owners))
            has_won = len(replace(state, owners=owners).met(0)) == 2
            won["deck" if state.owners[country.index] is None else "other"] += has_won
    assert (dice["country"]["wins"], dice["buy"]["wins"]) == (won["deck"], won["other"]) == (3, 1)


def test_the_end_of_yay_is_as_many_cells_away_as_is_told():
    marks = {(row, col): yay_match.num(row % 2, 7) for row in range(8) for col in range(8) if (row * 3 + col) % 4}
    state = yay_match.match(marks)
    [end] = told(yay_match.game, state, 0, "end")
    free = {(row, col) for row in range(8) for col in range(8)} - marks.keys()
    lines = [sum(row == at or col == to for row, col in free) for at in range(8) for to in range(8)]
    assert end["left"] == min(lines)
    assert (end["own"], end["best"]) == (len(state.board.valid(0)), len(state.board.valid(1)))


def test_who_changes_no_place_gets_and_gives_pairs_as_is_told():
    game = yesss_match.game
    state = next(state for state in positions(game, 4, {}, seed=2, end=False) if state.phase == "swap")
    seat = game.to_move(state)[0]
    [places] = told(game, state, seat, "places")
    while state.phase == "swap":
        state, _events = game.apply(state, game.to_move(state)[0], PASS, SeededChance(b"swap"))
    assert game.hints(game.view(state, seat))["neighbour"] == places["to"]
    assert game.hints(game.view(state, places["from"]))["neighbour"] == seat


def test_who_owes_a_word_and_guesses_is_told_of_the_word_alone_until_it_is_said():
    game = yesss_match.game
    state = yesss_match.selected(yesss_match.dealt(4))
    own = [number for number, token in enumerate(game.view(state, 0)["tokens"]) if token["announcer"] == 0]
    for number in range(4):
        state = state if number in own else yesss_match.word(state, number)
    assert {reason["say"] for reason in game.reasons(game.view(state, 0))} == {"word", "refuse", "standing"}
    for number in own:
        state = yesss_match.word(state, number)
    assert {reason["say"] for reason in game.reasons(game.view(state, 0))} == {"guess", "blind", "object", "standing"}
