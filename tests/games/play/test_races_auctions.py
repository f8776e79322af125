"""A whole table of ¥€$ bids at the same instant, by real HTTP at a real server: all bids stand, one wins.

`ROUNDS=200` makes the long run.
"""

from random import Random
from typing import Any

import pytest

from games.models import Match
from tests.factories import fresh, member, played_on, seated, state_of
from tests.games.play import test_races_sealed
from tests.games.play.at_once import Tab
from tests.games.play.test_races_sealed import ROUNDS, owing, problems_while_running

pytestmark = pytest.mark.both

SIZE = 6


@pytest.fixture
def people(site):
    return [member(f"member-{number}") for number in range(SIZE)]


def auctioned(people, match: Match, rng: Random) -> Match:
    """The match, or the next one, at an auction to which all others are asked; played there at random."""
    while not is_there(state_of(match := played_on(match, rng, until=is_there))):
        match = seated(*people, game_slug="yes")
    return match


def is_there(state: Any) -> bool:
    return state.phase == "bid" and len(state.to_move) == SIZE - 1


def some_bid(state: Any, seat: int, rng: Random) -> dict[str, Any]:
    amount = rng.choice([0, 10_000, 20_000, state.cash[seat]])
    amount = min(amount, state.cash[seat])
    return {"type": "bid", "amount": amount, **({"steps": rng.randint(1, 3)} if amount else {})}


def test_a_whole_table_bids_at_once(people, at_once, rng):
    """The actor posts too, and is refused; half of the bids are sent twice."""
    tabs = {person.pk: Tab(person) for person in people}
    match = seated(*people, game_slug="yes")
    for number in range(ROUNDS):
        match = auctioned(people, match, rng)
        before = state_of(match)
        seats, turns = owing(match), match.turns
        bids = {seat.number: some_bid(before, seat.number, rng) for seat in seats}
        posts = [
            tabs[seat.user_id].move(match, seat.ask, f"{number}", bids[seat.number])
            for seat in seats
            for _twice in range(1 + seat.number % 2)
        ]
        posts.append(tabs[people[before.actor].pk].move(match, 1, f"late-{number}", {"type": "roll"}))
        rng.shuffle(posts)
        answers = at_once(posts)
        assert sorted(answer.status_code for answer in answers) == [200] * (len(posts) - 1) + [409]
        match = fresh(match)
        made = list(match.log.filter(number__gt=turns).order_by("number"))
        assert match.turns == turns + SIZE - 1
        assert {turn.seat: turn.move for turn in made} == bids
        assert not any(turn.events[1:] for turn in made[:-1])
        one_wins(before, state_of(match), bids, made[-1].events)
        assert test_races_sealed.asked(match) or match.status == Match.Status.ENDED
    assert not problems_while_running(match)


def one_wins(before: Any, after: Any, bids: dict[int, dict[str, Any]], events: list[dict[str, Any]]) -> None:
    """The opened bids are those that were sent, clockwise; the highest alone is paid, or the actor picks."""
    [opened] = [event["bids"] for event in events if event["type"] == "bids"]
    assert [each["seat"] for each in opened] == before.clockwise(before.actor)
    sent = {seat: (bid["amount"], bid.get("steps")) for seat, bid in bids.items()}
    assert {each["seat"]: (each["amount"], each["steps"]) for each in opened} == sent
    most = max(amount for amount, _steps in sent.values())
    best = [seat for seat, (amount, _steps) in sent.items() if amount == most]
    paid = [event for event in events if event["type"] == "pay" and event["why"] == "bid"]
    moved = [event for event in events if event["type"] == "marker"]
    if not most or len(best) > 1:
        assert (paid, moved) == ([], [])
        assert (after.phase, after.actor) == ("accept" if most else "advance", before.actor)
        return
    assert [(event["from"], event["to"], event["amount"]) for event in paid] == [(best[0], before.actor, most)]
    assert (moved[0]["seat"], moved[0]["steps"]) == (best[0], sent[best[0]][1])
