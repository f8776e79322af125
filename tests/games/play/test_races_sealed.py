"""Sealed answers that arrive at the same instant, by real HTTP at a real server: all stand, the turn is
settled once. `ROUNDS=200` makes the long run.
"""

import os
from random import Random

import pytest

from games.management.commands.check_matches import problems
from games.models import Match, PlayedKey, Seat
from games.record import state_at
from games.services.play import moves
from tests.factories import asked, fresh, member, seated, state_of, submit
from tests.games.play.at_once import Tab

pytestmark = pytest.mark.both


ROUNDS = int(os.environ.get("ROUNDS", "6"))


@pytest.fixture
def people(site):
    return [member(f"member-{number}") for number in range(8)]


def announced(people, match: Match, rng: Random, number: int) -> Match:
    """The match, or a new one after its end, with a claim that seven have to answer."""
    match = fresh(match)
    if match.status == Match.Status.ENDED:
        match = seated(*people, game_slug="yam-menteur")
    for step in range(2):
        thrower = asked(match)
        move = match.game.default_move(state_of(fresh(match)), thrower.number)
        submit(match, thrower, move, key=f"throw-{number}-{step}")
    return fresh(match)


def owing(match: Match) -> list[Seat]:
    return list(match.seats.filter(ask__isnull=False).select_related("user").order_by("number"))


def test_a_whole_table_answers_at_once(people, at_once, rng):
    """The eighth, who threw, posts too, and is refused; half of the answers are sent twice."""
    tabs = {person.pk: Tab(person) for person in people}
    match = seated(*people, game_slug="yam-menteur")
    for number in range(ROUNDS):
        match = announced(people, match, rng, number)
        thrower = state_of(match).thrower
        seats, turns = owing(match), match.turns
        assert [seat.number for seat in seats] == [n for n in range(8) if n != thrower]
        doubts = {seat.number: rng.random() < 0.4 for seat in seats}
        posts = [
            tabs[seat.user_id].move(match, seat.ask, f"{number}", {"type": "answer", "doubt": doubts[seat.number]})
            for seat in seats
            for _twice in range(1 + seat.number % 2)
        ]
        posts.append(tabs[people[thrower].pk].move(match, 1, f"late-{number}", {"type": "roll"}))
        rng.shuffle(posts)
        answers = at_once(posts)
        assert sorted(answer.status_code for answer in answers) == [200] * (len(posts) - 1) + [409]
        match = fresh(match)
        made = list(match.log.filter(number__gt=turns).order_by("number"))
        assert {turn.seat: turn.move["doubt"] for turn in made} == doubts
        assert match.turns == turns + 7
        kinds = [[event["type"] for event in turn.events] for turn in made]
        assert [("settled" in kind) for kind in kinds] == [False] * 6 + [True]
        told = made[-1].events[1]
        assert told["doubters"] == [seat for seat in sorted(doubts) if doubts[seat]]
    assert not problems_while_running(match)


def problems_while_running(match: Match) -> list[str]:
    """What a replay of the recorded turns finds wrong with the stored state."""
    wrong = [] if match.status == Match.Status.RUNNING else problems(match)
    seats = list(match.seats.order_by("number"))
    replayed = match.game.dump(state_at(match, seats, match.turns))
    return wrong + ([] if replayed == bytes(match.state) else ["the state is another"])


def test_an_answer_while_a_neighbour_resigns_and_another_gives_orders(people, at_once, rng):
    """Questions of others stay open and valid through all that happens beside them."""
    tabs = {person.pk: Tab(person) for person in people}
    match = announced(people, seated(*people, game_slug="yam-menteur"), rng, 0)
    seats = owing(match)
    leaver, orderly, *others = seats
    believe = {"type": "answer", "doubt": False}
    posts = [tabs[seat.user_id].move(match, seat.ask, "now", believe) for seat in others]
    posts.append(tabs[leaver.user_id].post(f"/matches/{match.pk}/resign/"))
    now = {"then": "answer", "ask": str(orderly.ask)}
    posts.append(tabs[orderly.user_id].post(f"/matches/{match.pk}/orders/", believe_up_to="50", **now))
    assert {answer.status_code for answer in at_once(posts)} == {200, 302}
    match = fresh(match)
    assert [seat.number for seat in owing(match)] == [leaver.number]
    assert match.log.get(seat=orderly.number, by="orders").move == believe
    assert set(PlayedKey.objects.filter(match=match, key="now").values_list("seat", flat=True)) == {
        seat.number for seat in others
    }


def test_the_last_answer_and_a_call_off_at_once(people, at_once, rng):
    tabs = {person.pk: Tab(person) for person in people}
    match = announced(people, seated(*people, game_slug="yam-menteur"), rng, 0)
    *first, last = owing(match)
    for seat in first:
        submit(match, seat, {"type": "answer", "doubt": True}, key=f"first-{seat.number}")
    for person in people[1:]:
        moves.wish_call_off(match_id=match.pk, user=person, wish=True)
    answered, agreed = at_once(
        [
            tabs[last.user_id].move(match, last.ask, "last", {"type": "answer", "doubt": False}),
            tabs[people[0].pk].post(f"/matches/{match.pk}/call-off/", wish="1"),
        ]
    )
    assert agreed.status_code in (302, 409)
    assert answered.status_code in (200, 409)
    lapsed = answered.status_code == 200 and last.user_id != people[0].pk  # with the answer of who wished it
    assert fresh(match).ending == Match.Ending.CALLED_OFF or lapsed
