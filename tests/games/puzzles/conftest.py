from datetime import timedelta
from random import Random

import pytest

from games.models import Puzzle
from games.queries.puzzles import today
from games.services.puzzles import making
from tests.factories import played_on, seated


@pytest.fixture(autouse=True)
def _short(monkeypatch) -> None:
    """Let matches that the site plays itself be looked at no longer than has to be."""
    monkeypatch.setattr(making, "LONGEST", 30)


@pytest.fixture
def ended(ann, bob, clock):
    """A public match of Ann and Bob, played to its end two days ago."""
    match = played_on(seated(ann, bob), Random(1))
    clock.forward(timedelta(days=2).total_seconds())
    return match


@pytest.fixture
def puzzle(ended) -> Puzzle:
    """Today's puzzle, from the match of Ann and Bob."""
    found = making.make(today())
    assert found.match == ended
    return found
