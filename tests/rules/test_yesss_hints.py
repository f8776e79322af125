"""What the page of YESSS! is told beside the view: drawn from the view alone, and right."""

from tests.rules.yesss_match import apply, dealt, game, guess, racing, selected, true_pair, view, word


def hints(state, seat=None):
    return game.hints(view(state, seat))


def test_one_s_own_seat_comes_first_and_pairs_go_to_the_neighbour():
    left, right = dealt(4), dealt(4, direction=2)
    table = view(left)["table"]
    place = table.index(2)
    assert hints(left, 2)["around"] == table[place:] + table[:place]
    assert hints(left)["around"] == table
    directions = {view(state)["direction"]: state for state in (left, right)}
    assert hints(directions["left"], 2)["neighbour"] == table[(place + 1) % 4]
    assert hints(directions["right"], 2)["neighbour"] == table[place - 1]


def test_words_in_play_are_for_somebody_to_say_or_to_guess():
    state = selected(dealt(4))
    for seat in range(4):
        announced = [n for n, token in enumerate(state.tokens) if token.announcer == seat]
        assert hints(state, seat)["to_say"] == announced
        plays = [n for n in range(4) if n not in announced]
        kept = [n for n in plays if state.tokens[n].keeper == seat]
        assert [play["number"] for play in hints(state, seat)["own"]] == announced
        assert [play["number"] for play in hints(state, seat)["plays"]] == [n for n in plays if n not in kept] + kept
    assert [play["number"] for play in hints(state)["plays"]] == [0, 1, 2, 3]
    state = word(state, 0)
    token = state.tokens[0]
    for seat in token.guessers:
        assert hints(state, seat)["to_guess"] == [0]
    assert hints(state, token.keeper)["to_guess"] == []
    assert hints(state)["waiting"][0] == token.guessers


def test_words_to_answer_stand_before_those_that_one_has_answered_and_one_s_own():
    state = word(word(selected(dealt(5)), 0), 1)
    seat = next(n for n in state.tokens[0].guessers if n in state.tokens[1].guessers)
    for number in state.words_owed(seat):
        state = word(state, number)
    plays = [play["number"] for play in hints(guess(state, seat, 0, [1, 2]), seat)["plays"]]
    assert plays.index(1) < plays.index(0) < plays.index(next(n for n in plays if state.tokens[n].announcer == seat))
    assert plays[-1] == next(n for n in plays if state.tokens[n].announcer == seat)


def test_what_came_to_light_says_who_was_right_and_what_it_brought():
    state = word(selected(dealt(5)), 0)
    token = state.tokens[0]
    first, second, third = token.guessers
    state = guess(state, first, 0, true_pair(state, 0))
    state = guess(state, second, 0, "object")
    wrong = next(pair for pair in ([1, 2], [1, 3]) if pair != true_pair(state, 0))
    state = guess(state, third, 0, wrong)
    told, *others = hints(state)["plays"]
    assert [play["revealed"] for play in others] == [False] * 4
    assert [answer["pictures"] for answer in told["guesses"]] == [
        told["pictures"],
        None,
        [state.pictures[place - 1] for place in wrong],
    ]
    assert {answer["seat"]: answer["is_right"] for answer in told["guesses"]} == {
        first: True,
        second: False,
        third: False,
    }
    assert (told["number"], told["right"], told["wrong"], told["misses"]) == (0, 1, 2, 1)
    assert told["pictures"] == [state.pictures[place - 1] for place in told["pair"]]


def test_a_race_tells_own_words_from_those_of_others_and_pairs_by_their_fate():
    state = apply(racing(3), 0, {"type": "clue", "pair": [1, 2], "word": "journey"})
    state = apply(state, 1, {"type": "clue", "pair": [1, 3], "word": "forest"})
    assert (hints(state, 0)["own"], hints(state, 0)["open"]) == ([0], [1])
    assert hints(state)["open"] == [0, 1]
    assert hints(state, 0)["slots"] == [(1, 1), (2, None)]
    state = apply(state, 1, {"type": "answer", "clue": 0, "pair": [1, 2]})
    state = apply(state, 2, {"type": "answer", "clue": 1, "pair": [6, 7]})
    fates = {tuple(each["pair"]): each["fate"] for each in hints(state)["pairs"]}
    assert (fates[1, 2], fates[6, 7], fates[2, 3]) == ("found", "lost", "")
    assert [clue["seat"] for clue in hints(state)["missed_first"]] == [1, 0]
