"""The bots of YESSS! understand each other, and what people type; `make bench` plays 500 matches."""

from random import Random
from statistics import fmean

import pytest

from games.engine import permits
from games.rules.yesss.bot import Strong, lexicon
from games.rules.yesss.data import LANGUAGES
from tests.bench.bots import wins
from tests.bench.yesss import guesses, race, raced, typed
from tests.rules.playing import positions
from tests.rules.yesss_match import answer, answered, apply, clue, dealt, game, laid, racing, selected, view, word


@pytest.mark.proof
@pytest.mark.parametrize("language", LANGUAGES)
def test_four_strong_bots_guess_more_than_60_percent_right(language):
    hits = [hit for number in range(12) for hit in guesses(language, "strong", number)]
    assert fmean(hits) > 0.75


@pytest.mark.thin(1)
@pytest.mark.parametrize("language", LANGUAGES)
def test_strong_understands_more_than_60_percent_of_words_that_two_pictures_share(language):
    both, _either, without = typed(language)
    assert fmean(both) > 0.7
    assert without < len(both) / 2


@pytest.mark.proof
@pytest.mark.parametrize("language", LANGUAGES)
def test_strong_understands_better_than_easy_and_races_well(language):
    easy = [hit for number in range(12) for hit in guesses(language, "easy", number)]
    assert fmean(easy) < 0.4
    assert fmean(race(language, number) for number in range(4)) > 8


@pytest.mark.proof
def test_strong_wins_most_matches_against_three_easy():
    """25 % would be chance; `make bench` plays 400 matches."""
    assert fmean(wins(game, game.bot("strong"), game.bot("easy"), 4, 24)) > 0.6


@pytest.mark.thin(2)
@pytest.mark.parametrize("level", ["easy", "regular", "strong"])
@pytest.mark.parametrize("seats", [2, 6])
def test_in_a_race_bots_take_as_long_as_people_however_many_there_are(level, seats):
    told = list(raced("en", level, seats, 1))
    last, said, answers = dict.fromkeys(range(seats), 0), {}, 0
    for at, seat, event in told:
        if event["type"] in ("clue", "closed"):
            assert at - last[seat] >= 4500
            last[seat] = at
        if event["type"] == "clue":
            said[event["clue"]] = at
        elif event["type"] == "closed":
            assert at - said[event["clue"]] >= 2000
            answers += 1
    times = sorted(at for at, _seat, event in told if event["type"] == "closed")
    assert len(set(times)) == answers >= 12
    assert times[11] > 45_000  # of 21; whoever plays beside them has found theirs by then


def test_bots_pause_where_a_pair_came_to_light():
    assert game.pauses_after([{"type": "answered"}, {"type": "revealed"}])
    assert not game.pauses_after([{"type": "answered"}])


def test_a_bot_that_nothing_presses_has_the_usual_pace():
    rng = Random(1)
    assert game.bot_delay(view(laid(2), 0), "strong", rng) is None
    assert game.bot_delay(view(racing(2, minutes=0), 0), "strong", rng) is None
    assert game.bot_delay(view(selected(dealt(4)), 0), "strong", rng) is None
    assert 4.5 <= game.bot_delay(view(racing(2), 0), "strong", rng) <= 7.5
    assert 18 <= game.bot_delay(view(racing(7), 0), "easy", rng) <= 27
    said = clue(racing(2), 0, [1, 2])
    assert game.bot_delay(view(said, 0), "strong", rng) == 0  # it waits, and is given a time when it need not


def test_in_a_race_a_bot_answers_what_was_there_before_its_own_word_and_nothing_the_moment_it_is_said():
    rng = Random(1)

    def kind(state, seat):
        return Strong().choose(view(state, seat), rng)["type"]

    one = clue(racing(2), 0, [1, 2], "journey")
    assert kind(one, 1) == "clue"
    both = clue(one, 1, [1, 3], "forest")
    assert kind(both, 0) == kind(both, 1) == "answer"
    found = answer(both, 0, 1, [1, 3])
    assert kind(found, 1) == "answer"  # the first word was there before its own
    assert kind(answer(both, 1, 0, [1, 2]), 0) == "clue"


def test_a_word_that_no_list_has_is_understood_by_its_looks():
    words = lexicon("fr")
    bee, volcano = 0, 31
    for said in ("abeilles", "ABEILLE", "Abeil'le", "bee", "Biene"):
        goes = words.affinities(said)
        assert goes[bee] > goes[volcano]
        assert goes[bee] > 0.3
    assert max(words.affinities("xyzzyx")) == 0


@pytest.mark.parametrize("level", ["easy", "regular", "strong"])
def test_after_a_void_word_a_bot_never_says_it_again(level):
    for number in range(12):
        rng, state = Random(number), selected(dealt(4))
        said = word(state, 0, game.bot(level).choose(view(state, 1), rng).get("word", "journey"))
        void = answered(said, 0, objecting=(2, 3))
        assert view(void)["tokens"][0]["voided"] == said.tokens[0].word
        again = {game.bot(level).choose(view(void, 1), rng)["word"] for _ in range(20)}
        assert said.tokens[0].word not in again


def test_after_a_void_word_strong_says_another():
    state = selected(dealt(4))
    rng = Random(3)
    first = {Strong().choose(view(state, 1), rng).get("word") for _ in range(30)}
    said = word(state, 0, next(iter(first - {None})))
    void = answered(said, 0, objecting=(2, 3))
    again = {Strong().choose(view(void, 1), rng)["word"] for _ in range(30)}
    assert not first & again


@pytest.mark.thin(2)
@pytest.mark.parametrize("level", ["easy", "regular", "strong"])
@pytest.mark.parametrize("minutes", [0, 3])
def test_bots_choose_from_the_prompt_all_through_a_race(level, minutes):
    bot, rng = game.bot(level), Random(2)
    for state in positions(game, 4, {"mode": "cooperative", "minutes": minutes}, seed=6, end=False):
        for seat in game.to_move(state):
            seen = view(state, seat)
            move = bot.choose(seen, rng)
            assert permits(seen["prompt"], move)
            apply(state, seat, move)
