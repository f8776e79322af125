"""¥€$: no page, mail or data tells sealed bids and interest, kept cards, or which objective was put back."""

from itertools import count
from random import Random

import pytest

from games import table
from games.models import Match
from games.queries.turns import all_turns
from tests.factories import fresh, played_on, seated, state_of
from tests.games.play.secrecy import leaks
from tests.rules.secrets import TURN_VARIANTS, VARIANTS

pytestmark = pytest.mark.usefixtures("steady")


def answered(state) -> int:
    """How many sealed answers are in, while others are not."""
    if state.phase == "bid":
        return len(state.auction.given())
    return len(state.sale.answered) if state.phase == "interest" else 0


def sealed(ann, bob, phase: str) -> Match:
    """A match in which one of two has bid, or answered an offer, after some objective was put back."""
    for seed in range(200):
        match, turns, exchanges = seated(ann, bob, bots=["easy"], game_slug="yes"), count(), []

        def is_there(state, turns=turns, exchanges=exchanges) -> bool:
            exchanges += [state.exchanged] * state.exchanged
            return next(turns) > 40 and bool(exchanges) and state.phase == phase and bool(answered(state))

        match = played_on(match, Random(seed), until=is_there)
        if match.status == Match.Status.RUNNING and put_back(match):
            break
    assert state_of(match).phase == phase and answered(state_of(match))
    match.seats.filter(number=0).update(orders={"interest": ["gold"], "veto": ["japan"]}, seen=9)
    return fresh(match)


def put_back(match: Match) -> bool:
    return any(turn.move["type"] in ("exchange", "put_back") for turn in match.log.all())


@pytest.mark.parametrize("phase", ["bid", "interest"])
def test_sealed_answers_and_hidden_cards_tell_nothing(phase, ann, bob, viewers):
    match = sealed(ann, bob, phase)
    assert len(list(VARIANTS["yes"](state_of(match), None))) > 4
    assert len([made for made in TURN_VARIANTS["yes"](list(all_turns(match)), None) if made]) > 2
    assert leaks(match, viewers) == set()


@pytest.mark.proof
def test_a_log_that_told_of_the_clock_before_all_bids_are_in_would_be_caught(ann, bob, viewers, monkeypatch):
    monkeypatch.setattr(table, "unsettled", lambda match, state: 0)
    match = sealed(ann, bob, "bid")
    assert {what for what, _who, _where in leaks(match, viewers[1:3])} == {"the hidden turns"}
