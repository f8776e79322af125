"""Why one is asked: every question of every game has its reasons, soon, few, and from what its seat may know alone."""

import json
from time import process_time

import pytest

from games.rules import games, get_game
from tests import FULL
from tests.rules.playing import positions, setups
from tests.rules.secrets import VARIANTS

EXPLAINED = [slug for slug in games() if get_game(slug).explains]
SLOWEST = 0.15  # s
MOST = 5  # lines


@pytest.mark.thin(4)
@pytest.mark.parametrize(
    ("slug", "seats", "options"), [each for each in setups() if each[0] in EXPLAINED][:: 1 if FULL else 3]
)
def test_every_question_has_reasons_from_its_seats_view_alone(slug, seats, options):
    game, at = get_game(slug), 0
    for state in positions(game, seats, options, seed=7, end=False):
        for seat in game.to_move(state):
            at += 1
            view = game.view(state, seat)
            before = json.dumps(view)
            since = process_time()
            reasons = game.reasons(view)
            assert process_time() - since < SLOWEST
            assert 1 <= len(reasons) <= MOST
            assert json.dumps(view) == before
            told = json.dumps(reasons)
            if at % 10 == 0 or FULL:
                for other in VARIANTS[slug](state, seat):
                    assert json.dumps(game.reasons(game.view(other, seat))) == told
        if at > 150 and not FULL:
            break


def test_a_game_without_reasons_says_so():
    assert EXPLAINED
    for slug in set(games()) - set(EXPLAINED):
        assert get_game(slug).reasons({}) == []
