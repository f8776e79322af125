"""What macros made is kept by all their arguments: a table drawn with what is kept is the table drawn anew."""

import re
from itertools import count
from random import Random

import pytest

from config import jinja
from games.queries.play import seats_of
from games.rules import get_game
from games.viewing import Viewing
from tests.factories import fresh, member, played_on, seated
from tests.rules.playing import fewest

GAMES = ("yam-menteur", "yay", "yes", "yesss", "yum-extra")
KEY = re.compile(r'(name="key" value=")[^"]*')


def drawn(match, user) -> str:
    viewing = Viewing(user, match, seats_of(match))
    return KEY.sub(r"\1", viewing.fragment(viewing.table()))


@pytest.mark.thin(2)
@pytest.mark.parametrize("game", GAMES)
def test_what_is_kept_is_what_would_be_drawn(game, db, monkeypatch):
    people = [member(name) for name in "abcdef"[: fewest(get_game(game))]]
    match = seated(*people, game_slug=game)
    numbers = count()
    for seed in range(12):
        match = played_on(match, Random(seed), turns=2)
        kept = [drawn(match, person) for person in people]
        with monkeypatch.context() as anew:
            anew.setattr(jinja, "encoded", lambda _arguments: b"%d" % next(numbers))
            assert [drawn(fresh(match), person) for person in people] == kept
