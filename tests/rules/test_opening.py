"""How many moves are the opening of a match: fewer where its options make it short."""

from collections import Counter
from random import Random

import pytest

from games.engine import OPENING_MOVES, SeededChance
from games.rules import get_game
from tests.rules.playing import setups

COMPETITIVE = [
    (slug, seats, options)
    for slug, seats, options in setups()
    if slug != "sample-game"
    and seats <= 3
    and not get_game(slug).is_cooperative(get_game(slug).full_options(seats, options))
]


@pytest.mark.parametrize(("slug", "seats", "options"), COMPETITIVE)
def test_a_match_that_is_given_up_after_the_opening_is_far_from_decided(slug, seats, options):
    """Whoever knows that they lose has to lose: 5 moves of each were more than one round of YESSS! has."""
    made: Counter[int] = Counter()
    game, chance, rng = get_game(slug), SeededChance(b"opening!"), Random(3)
    state, bot = game.setup(seats=seats, options=options, chance=chance), game.bot("easy")
    while moving := game.to_move(state):
        state, _events = game.apply(state, moving[0], bot.choose(game.view(state, moving[0]), rng), chance)
        made[moving[0]] += 1
    opening, whole = game.opening_moves(game.full_options(seats, options)), sorted(made.values())[-2]
    assert 2 <= opening <= OPENING_MOVES
    assert opening <= max(2, whole // 4)
