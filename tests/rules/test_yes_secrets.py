"""¥€$: what a view keeps to itself, and that a slip would be caught."""

import json

import pytest

from games.rules import get_game
from tests.rules.playing import positions
from tests.rules.secrets import VARIANTS
from tests.rules.test_secrecy import leaks
from tests.rules.yes_match import act, bid, drawn, interest, offer, play, table

game = get_game("yes")


@pytest.mark.parametrize("slip", ["objectives", "hands", "decks", "auction", "sale"])
def test_a_slip_would_be_caught(slip, monkeypatch):
    honest = type(game).shown
    monkeypatch.setattr(
        type(game),
        "shown",
        lambda self, state, seat: {**honest(self, state, seat), "slip": repr(getattr(state, slip))},
    )
    assert any(leaks(game, state, VARIANTS["yes"]) for state in positions(game, 4, {}, seed=3))


def test_sealed_answers_show_in_nobodys_view():
    """Not even in the view of whoever gave them: it needs no reminder of what it cannot change."""
    auction = act(table(3, owns={1: ["mexico"], 2: ["brazil"]}), "cash", (1, bid(70_000, 2)))
    sale = act(table(3, owns={0: ["mexico"]}), "sell", (0, offer("mexico")), (1, interest(True)))
    for viewer in (None, 0, 1, 2):
        assert "70000" not in json.dumps(game.view(auction, viewer)["auction"])
        assert game.view(sale, viewer)["sale"]["answered"] == [1]
    assert (game.unsettled(auction), game.unsettled(sale)) == (1, 1)
    assert game.unsettled(play(auction, (2, bid(0)))) == 0
    assert game.unsettled(play(sale, (2, interest(False)), draws=[[1]])) == 0


def test_an_ended_match_lies_open():
    state, _ = drawn(table(3, hands={1: ["yes_20"]}, cash=[950_000, 0, 0]), "yes_04")
    for viewer in (None, 0, 1, 2):
        view = game.view(state, viewer)
        assert view["objectives"] == [list(own) for own in state.objectives]
        assert view["hands"] == [[], ["yes_20"], []]
        assert view["prompt"] is None


def test_a_moment_of_an_ended_match_lies_open_too():
    state = table(3, owns={1: ["mexico"], 2: ["brazil"]}, hands={1: ["yes_20"]})
    auction = act(state, "cash", (1, bid(70_000, 2)))
    opened = game.opened(auction, None)
    assert opened["auction"] == {"answered": [1], "bids": [{"seat": 1, "amount": 70_000, "steps": 2}]}
    assert opened["hands"] == [[], ["yes_20"], []]
    assert opened["objectives"] == [list(own) for own in state.objectives]
    sale = act(table(3, owns={0: ["mexico"]}), "sell", (0, offer("mexico")), (1, interest(True)))
    assert game.opened(sale, 0)["sale"]["interested"] == [1]


def test_the_end_tells_which_objectives_were_put_back():
    turns = [
        (1, {"type": "roll"}, [[1, 2]], []),
        (2, {"type": "exchange", "objective": "trio"}, [], []),
        (7, {"type": "put_back", "objective": "wealth"}, [], []),
    ]
    assert game.unveiled(turns) == {2: {"objective": "trio"}, 7: {"objective": "wealth"}}


def test_events_name_no_hidden_card():
    """Over whole matches: no objective, and of the cards that are kept only their use."""
    for seed in range(6):
        for state in positions(game, 5, {}, seed=seed):
            spectator = json.dumps({**game.view(state, None), "outcome": None})
            hidden = [card for own in (*state.objectives, *state.hands) for card in own]
            if not state.over:
                assert not any(f'"{card}"' in spectator for card in hidden)
