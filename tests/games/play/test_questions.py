"""An open question in words, as mails and lists tell it: of every game, in both languages, at many moments."""

from collections import Counter
from itertools import islice

import pytest
from django.utils import translation

from games import questions
from games.engine import permits
from games.engine.prompt import few_moves
from games.queries.play import seats_of
from games.rules import games, get_game
from games.table import table_for
from tests.factories import as_many, seated
from tests.rules.playing import option_choices, positions
from tests.rules.secrets import VARIANTS

LOOKS = {"en": 60, "fr": 8}


def moments(match, options, most):
    """Yield the match in memory at many moments, with its seats, of which those asked have a question."""
    seats = seats_of(match)
    for state in islice(positions(match.game, len(seats), options, seed=7), most):
        match.state = match.game.dump(state)
        for seat in seats:
            seat.ask = 1 if seat.number in match.game.to_move(state) else None
        if any(seat.ask for seat in seats):
            yield seats


@pytest.mark.thin(3)
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("slug", games())
def test_every_question_is_told(slug, language, ann, bob, cem):
    match = seated(*as_many(slug, ann, bob, cem), game_slug=slug)
    answered = 0
    with translation.override(language):
        for options in option_choices(match.game):
            if match.game.is_live(options) or not _is_possible(match, options):
                continue
            match.options = match.game.full_options(match.size, options)
            for seats in moments(match, options, LOOKS[language]):
                watched = table_for(match, seats, None)
                for seat in (one for one in seats if one.ask):
                    table = table_for(match, seats, seat)
                    whole, subject = questions.question_of(table), questions.subject_of(watched, seat.number)
                    assert 0 < len(subject) < 100
                    assert all(line.text and line.html for line in whole)
                    answers = questions.answers_of(table)
                    answered += len(answers)
                    assert all(permits(table["view"]["prompt"], answer.move) for answer in answers)
                    assert len({answer.words for answer in answers} - {""}) == len(answers)
                    kinds = Counter(answer.move["type"] for answer in answers)
                    alone = [one for one in answers if kinds[one.move["type"]] == 1]  # its kind says no target
                    assert all(one.outcome for one in alone) or slug == "sample-game", answers
    assert answered or slug == "yay"


@pytest.mark.parametrize("slug", games())
def test_a_subject_tells_what_watchers_know_and_no_more(slug, ann, bob, cem):
    """Lock screens show it: the reader's own secrets are none of it."""
    match = seated(*as_many(slug, ann, bob, cem), game_slug=slug)
    for seats in moments(match, match.options, 40):
        state = match.game.load(match.state)
        asked = [seat.number for seat in seats if seat.ask]
        told = [questions.subject_of(table_for(match, seats, None), seat) for seat in asked]
        for variant in islice(VARIANTS[slug](state, None), 3):
            watched = table_for(match, seats, None, state=variant)
            assert [questions.subject_of(watched, seat) for seat in asked] == told


def _is_possible(match, options) -> bool:
    try:
        match.game.full_options(match.size, options)
    except ValueError:
        return False
    return True


def test_the_few_moves_of_a_prompt():
    def few(*moves):
        return few_moves({"phase": "", "moves": list(moves), "optional": False}, 4)

    assert few({"type": "roll"}) == [{"type": "roll"}]
    yes, no = {"type": "answer", "doubt": True}, {"type": "answer", "doubt": False}
    assert few({"type": "answer", "doubt": {"one_of": [True, False]}}) == [yes, no]
    assert len(few({"type": "bid", "points": {"min": 10, "max": 40, "step": 10}})) == 4
    assert few({"type": "bid", "points": {"min": 10, "max": 10**9}}) == []
    assert few({"type": "one", "of": {"one_of": list(range(5))}}) == []
    assert few(*({"type": name, "of": {"one_of": [1, 2]}} for name in "abc")) == []
    assert few({"type": "word", "word": {"text": {"max_length": 9}}}, {"type": "pass"}) == []
    assert few({"type": "keep", "dice": {"subset_of": [0, 1], "min": 1}}) == []
    assert few({"type": "claim", "points": {"one_of": [25]}, "may_omit": ["points"]}) == [
        {"type": "claim", "points": 25}
    ]


def test_a_game_that_says_nothing_is_told_all_the_same(ann, bob):
    match = seated(ann, bob, game_slug="sample-game")
    seats = seats_of(match)
    asked = next(seat for seat in seats if seat.ask)
    table = table_for(match, seats, asked)
    assert questions.question_of(table) == []
    assert questions.subject_of(table_for(match, seats, None), asked.number) == "Your turn in Sample Race"
    assert [answer.words for answer in questions.answers_of(table)] == ["Roll", "Play"]
    assert get_game("sample-game").answers(table["view"]) == [{"type": "roll"}, {"type": "play"}]


def test_few_announcements_are_buttons_like_other_answers(ann, bob, cem):
    """With a row or two left and no try a mail offers what may be announced."""
    match = seated(ann, bob, cem, game_slug="yam-menteur")
    game, seats = match.game, seats_of(match)
    for state in positions(game, len(seats), {}, seed=3):
        owing = game.to_move(state)
        few = game.answers(game.view(state, owing[0])) if owing else []
        if any(move["type"] == "announce" for move in few):
            break
    match.state, seats[owing[0]].ask = game.dump(state), 1
    told = questions.answers_of(table_for(match, seats, seats[owing[0]]))
    assert told and all(answer.words for answer in told)
