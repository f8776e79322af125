"""Several seats asked at once (YAM menteur): questions stay, answers stay sealed, bots look anew."""

from random import Random

import pytest

from games.engine import Game
from games.management.commands.check_matches import problems
from games.models import Match, Turn
from games.queries.play import seats_of
from games.services.play import bots, moves
from games.services.play.match_transaction import MatchTransaction
from games.services.refusals import Illegal, StaleQuestion
from games.table import table_for
from tests.factories import asked, browser_of, fresh, seat, seated, state_of, submit
from tests.games.play.test_bots import play_bots_out

BELIEVE, DOUBT = {"type": "answer", "doubt": False}, {"type": "answer", "doubt": True}


@pytest.fixture
def four(ann, bob, cem, eve):
    return [ann, bob, cem, eve]


def announced(match: Match, combination: str = "yam") -> Match:
    """The match after one try and a claim by whoever throws."""
    for step, move in enumerate(({"type": "roll"}, {"type": "announce", "combination": combination})):
        thrower = asked(match)
        submit(match, thrower, move, key=f"{combination}-{fresh(match).turns}-{step}")
    return fresh(match)


def asks(match: Match) -> dict[int, int]:
    return dict(match.seats.filter(ask__isnull=False).values_list("number", "ask"))


def test_others_answers_renew_nobodys_question(four):
    match = announced(seated(*four, game_slug="yam-menteur"))
    before = asks(match)
    times = dict(match.seats.values_list("number", "asked_at"))
    assert len(before) == len(set(before.values())) == 3
    first, second, third = before
    submit(match, seat(match, second), BELIEVE)
    assert asks(match) == {first: before[first], third: before[third]}
    submit(match, seat(match, first), DOUBT, key="key-2")
    assert asks(match) == {third: before[third]}
    assert seat(match, third).asked_at == times[third]
    submit(match, seat(match, third), DOUBT, key="key-3")
    assert len(asks(match)) == 1
    assert max(before.values()) < next(iter(asks(match).values()))


def test_a_move_of_nobody_renews_no_question_of_the_one_seat_that_is_asked(four, monkeypatch):
    """A game's own clock may move while a single seat owes an answer: it goes on owing the same one."""
    match = announced(seated(*four, game_slug="yam-menteur"))
    first, second, _third = asks(match)
    submit(match, seat(match, first), BELIEVE)
    submit(match, seat(match, second), BELIEVE, key="key-2")
    before = asks(match)

    def unmoved(self, state, number, move, chance, now=0):
        assert number is None
        return state, [{"type": "tick"}]

    monkeypatch.setattr(Game, "apply", unmoved)
    playing = MatchTransaction(fresh(match), seats_of(match))
    playing.make(None, {"type": "time_up"}, by=Turn.By.PERSON, at=0)
    playing.save()
    assert asks(match) == before


def test_an_answer_to_a_question_of_another_turn_is_stale(four):
    match = announced(seated(*four, game_slug="yam-menteur"))
    number, old = next(iter(asks(match).items()))
    for other in list(asks(match)):
        submit(match, seat(match, other), BELIEVE, key=f"key-{other}")
    with pytest.raises(StaleQuestion):
        submit(match, seat(match, number), DOUBT, ask=old, key="again")


def test_a_thrower_cannot_answer_and_an_answerer_cannot_throw(four):
    match = announced(seated(*four, game_slug="yam-menteur"))
    number = next(iter(asks(match)))
    with pytest.raises(Illegal) as refused:
        submit(match, seat(match, number), {"type": "roll"})
    assert refused.value.code == "illegal"


def test_each_bot_answers_its_own_question_from_the_table_as_it_then_is(ann, monkeypatch):
    """Three bots are asked at once. Each looks anew, after the one before it has answered."""
    match = claim_to_bots(ann)
    seen = []
    honest = type(match.game).view

    def watched(self, state, number):
        if number is not None:
            seen.append((number, list(state.answered)))
        return honest(self, state, number)

    monkeypatch.setattr(type(match.game), "view", watched)
    for _bot in range(3):
        assert bots.play_bots(match_id=match.pk)
    looked = list(dict.fromkeys((number, tuple(given)) for number, given in seen if number in (1, 2, 3)))
    assert [one for one in looked if len(one[1]) == one[0] - 1] == [(1, ()), (2, (1,)), (3, (1, 2))]
    assert list(match.log.filter(by=Turn.By.BOT).order_by("number").values_list("seat", flat=True))[-3:] == [
        1,
        2,
        3,
    ]


def test_a_bot_whose_question_was_answered_meanwhile_does_nothing(ann, monkeypatch):
    match = claim_to_bots(ann)
    game = match.game.bot("easy")

    class Slow:
        def choose(self, view, rng):
            if view["you"] == 1:
                monkeypatch.undo()
                bots.play_bots(match_id=match.pk)
            return game.choose(view, rng)

    turns = fresh(match).turns
    monkeypatch.setattr(type(match.game), "bot", lambda self, level: Slow())
    for _bot in range(3):
        bots.play_bots(match_id=match.pk)
    answers = match.log.filter(number__gt=turns, number__lte=turns + 3)
    assert sorted(answers.values_list("seat", flat=True)) == [1, 2, 3]


def claim_to_bots(ann) -> Match:
    """A match of Ann against three bots, who are asked whether they believe her."""
    match = seated(ann, bots=["easy"] * 3, game_slug="yam-menteur")
    for _ in range(20):
        play_bots_out(match)
        mover = asked(match)
        if state_of(fresh(match)).thrower == 0:
            return announced(match)
        submit(match, mover, BELIEVE, key=f"key-{fresh(match).turns}")
    raise AssertionError("Ann never throws")


def test_orders_answer_sealed_and_the_log_tells_their_owner_alone(four):
    match = seated(*four, game_slug="yam-menteur")
    thrower = asked(match).number
    orderly, *others = [number for number in range(4) if number != thrower]
    moves.give_orders(match_id=match.pk, user=four[orderly], orders={"doubt": ["yam"]})
    match = announced(match)
    assert sorted(asks(match)) == others
    assert match.log.get(seat=orderly).by == "orders"
    assert told_by(match) == ["", "", ""]
    assert told_by(match, others[0]) == ["", "", ""]
    assert told_by(match, orderly) == ["", "", "orders"]
    for number in others:
        submit(match, seat(match, number), BELIEVE, key=f"key-{number}")
    assert told_by(match)[2] == "person"
    assert told_by(match, orderly)[2] == "orders"
    settled = match.log.order_by("number").last().events[1]
    assert settled["doubters"] == [orderly]


def told_by(match: Match, viewer: int | None = None) -> list[str]:
    """By whom each turn was made, as a page of the match tells this seat, or a watcher."""
    own = None if viewer is None else seat(match, viewer)
    from_page = table_for(fresh(match), seats_of(match), own, list(match.log.order_by("number")))
    return [entry["by"] for entry in from_page["log"]]


def test_changed_orders_answer_the_open_question_where_wanted(four):
    match = announced(seated(*four, game_slug="yam-menteur"), "small_straight")
    number = next(iter(asks(match)))
    moves.give_orders(match_id=match.pk, user=four[number], orders={"believe_up_to": 29})
    assert number in asks(match)
    ask = seat(match, number).ask
    form = {"believe_up_to": "30"}
    html = browser_of(four[number]).post(f"/matches/{match.pk}/orders/", form).content.decode()
    assert "<b>I believe it (30 in Small straight)</b>" in html
    moves.give_orders(match_id=match.pk, user=four[number], orders={"believe_up_to": 30}, answer=ask)
    assert number not in asks(match)


def test_what_an_ended_match_lays_open(four):
    match = announced(seated(*four, game_slug="yam-menteur"))
    assert table_for(match, seats_of(match), None, list(match.log.all()))["unveiled"] == {}
    for number in list(asks(match)):
        submit(match, seat(match, number), BELIEVE, key=f"key-{number}")
    for person in four:
        moves.wish_call_off(match_id=match.pk, user=person, wish=True)
    shown = table_for(fresh(match), seats_of(match), None, list(match.log.all()))
    [turn] = shown["unveiled"].values()
    drawn = match.log.order_by("number").first().draws[0]
    assert (turn["dice"], turn["doubters"], turn["true"]) == (drawn, [], len(set(drawn)) == 1)


@pytest.mark.thin(0)
def test_a_whole_match_by_services_replays(ann, bob):
    rng = Random(5)
    match = seated(ann, bob, bots=["easy", "strong"], game_slug="yam-menteur")
    for number in range(2000):
        play_bots_out(match)
        mover = asked(match)
        if mover is None:
            break
        view = match.game.view(state_of(fresh(match)), mover.number)
        submit(match, mover, match.game.bot("strong").choose(view, rng), key=f"key-{number}")
    match = fresh(match)
    assert match.ending == Match.Ending.PLAYED
    assert problems(match) == []
