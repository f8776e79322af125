"""Nobody's view depends on what that viewer may not know, to the byte."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import msgspec
import pytest
from msgspec.structs import fields, replace

from games.engine import Game, plain
from games.rules import games, get_game
from tests import FULL
from tests.rules.playing import positions, setups
from tests.rules.secrets import HIDING, VARIANTS


def leaks(game: Game[Any], state: Any, variants: Callable[[Any, int | None], Iterator[Any]]) -> list[int | None]:
    """The viewers whose view or prompt tells a state from one that they may not tell it from."""
    found: list[int | None] = []
    for viewer in (None, *range(game.seat_count(state))):
        seen = sight(game, state, viewer)
        if any(sight(game, variant, viewer) != seen for variant in variants(state, viewer)):
            found.append(viewer)
    return found


def sight(game: Game[Any], state: Any, viewer: int | None) -> bytes:
    prompt = None if viewer is None else game.prompt(state, viewer)
    return msgspec.json.encode([game.view(state, viewer), prompt])


def test_every_game_says_what_it_hides():
    assert {slug for slug in games() if get_game(slug).secret} == HIDING


@pytest.mark.thin(12)
@pytest.mark.parametrize(("slug", "seats", "options"), setups())
def test_no_view_tells_a_secret(slug, seats, options):
    game = get_game(slug)
    for state in islice(positions(game, seats, options, seed=seats), None, None, 1 if FULL else 3):
        assert leaks(game, state, VARIANTS[slug]) == []


def test_a_planted_leak_is_caught():
    """If who started were known to seat 0 alone, the view, which shows it to all, would tell the others."""
    game = get_game("yum-extra")

    def starter_is_secret(state: Any, viewer: int | None) -> Iterator[Any]:
        if viewer != 0:
            yield replace(state, starter=1 - state.starter)

    state = next(positions(game, 2, {}, seed=0))
    assert leaks(game, state, starter_is_secret) == [None, 1]


@pytest.mark.parametrize("slip", ["dice", "loose", "answers"])
def test_a_slip_of_yam_menteur_would_be_caught(slip, monkeypatch):
    game = get_game("yam-menteur")
    honest = type(game).shown
    monkeypatch.setattr(
        type(game),
        "shown",
        lambda self, state, seat: {**honest(self, state, seat), "slip": getattr(state, slip)},
    )
    states = positions(game, 3, {}, seed=3)
    assert any(leaks(game, state, VARIANTS["yam-menteur"]) for state in states)


@pytest.mark.parametrize(
    ("slip", "options"),
    [
        ("hands", {}),
        ("selected", {}),
        ("tokens", {}),
        ("wishes", {}),
        ("piles", {}),
        ("pictures", {"mode": "cooperative"}),
        ("clues", {"mode": "cooperative"}),
    ],
)
def test_a_slip_of_yesss_would_be_caught(slip, options, monkeypatch):
    game = get_game("yesss")
    honest = type(game).shown
    monkeypatch.setattr(
        type(game),
        "shown",
        lambda self, state, seat: {**honest(self, state, seat), "slip": plain(getattr(state, slip))},
    )
    states = positions(game, 4, options, seed=3)
    assert any(leaks(game, state, VARIANTS["yesss"]) for state in states)


def test_yum_extra_keeps_no_chance_in_its_state():
    """Its whole state is what the view shows: with nothing hidden there is nothing to vary."""
    game = get_game("yum-extra")
    state = next(positions(game, 2, {}, seed=0))
    assert [field.name for field in fields(state)] == [
        *("scratch", "starter", "active", "sheets", "dice", "rolls", "combo", "white", "last", "over"),
    ]
