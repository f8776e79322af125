"""¥€$ on the site: a match that goes on after somebody's ruin, bids by orders, the length of a table."""

from random import Random

import pytest
from msgspec.structs import replace

from games.forms.lobby import NewMatchForm
from games.models import Match
from games.queries.play import seats_of
from games.services.play import moves
from games.table import table_for
from tests.factories import asked, browser_of, fresh, play_on, played_on, seat, seated, state_of, submit


@pytest.fixture
def four(ann, bob, cem, eve):
    return [ann, bob, cem, eve]


def stored(match: Match, state) -> Match:
    """The match in another state, in which the same seats owe the same decisions."""
    Match.objects.filter(pk=match.pk).update(state=match.game.dump(state))
    return fresh(match)


def at(phase: str, people, *, everybody: bool = False) -> Match:
    """A match in that phase; with `everybody`, one in which all but the actor are asked."""

    def is_there(state) -> bool:
        return state.phase == phase and (not everybody or len(state.to_move) == len(people) - 1)

    for seed in range(60):
        match = played_on(seated(*people, game_slug="yes"), Random(seed), until=is_there)
        if is_there(state_of(match)):
            return match
    raise AssertionError(phase)


def ruined(match: Match, number: int) -> Match:
    """The match played on until that seat, which has nothing left, is out."""
    state = state_of(match)
    goods = [country.id for country in state.goods(number)]
    owners = tuple(None if owner == number else owner for owner in state.owners)
    decks = replace(state.decks, country=(*state.decks.country, *goods))
    cash = tuple(0 if s == number else 400_000 for s in range(state.seats))
    match = stored(match, replace(state, owners=owners, decks=decks, cash=cash))
    match = played_on(match, Random(5), until=lambda state: number in state.out)
    assert state_of(match).out == (number,)
    return match


def a_match_with_ruin(people, number: int) -> Match:
    for _try in range(30):
        try:
            match = ruined(seated(*people, game_slug="yes"), number)
        except AssertionError:  # it ended before, or another was ruined first
            continue
        if match.status == Match.Status.RUNNING:
            return match
    raise AssertionError("nobody was ruined")


def test_a_match_goes_on_after_a_members_ruin(four):
    match = a_match_with_ruin(four, 1)
    assert match.status == Match.Status.RUNNING
    assert seat(match, 1).ask is None
    told = [event for turn in match.log.all() for event in turn.events if event["type"] == "out"]
    assert told == [{"type": "out", "seat": 1}]
    page = browser_of(four[1]).get(f"/matches/{match.pk}/")
    assert page.status_code == 200
    data = table_for(match, seats_of(match), seat(match, 1), [])
    assert data["view"]["out"] == [1]
    assert data["view"]["prompt"] is None
    ended = play_on(match, Random(6))
    assert ended.status == Match.Status.ENDED
    assert '<p class="reason">' in browser_of().get(f"/matches/{ended.pk}/").content.decode()
    assert not ended.log.filter(number__gt=match.turns, seat=1).exists()
    ranks = ended.outcome["ranks"]
    assert (max(ranks), ended.outcome["scores"][1]) == (ranks[1], 0)
    assert list(ended.seats.order_by("number").values_list("rank", flat=True)) == ranks


def test_who_is_ruined_may_resign_and_the_others_play_on(four):
    match = a_match_with_ruin(four, 2)
    moves.resign(match_id=match.pk, user=four[2])
    match = fresh(match)
    assert match.status == Match.Status.RUNNING
    assert asked(match).number != 2
    assert play_on(match, Random(7)).status == Match.Status.ENDED


def test_bids_by_standing_orders_are_made_at_once_and_told_to_their_owner(four):
    match = at("bid", four, everybody=True)
    owing = [each.number for each in match.seats.filter(ask__isnull=False).order_by("number")]
    orderly, *others = owing
    wishes = [{"space": space, "amount": 10_000} for space in range(12)]
    ask = seat(match, orderly).ask
    moves.give_orders(match_id=match.pk, user=four[orderly], orders={"bid": wishes}, answer=ask)
    match = fresh(match)
    made = match.log.get(number=match.turns)
    assert (made.seat, made.by, made.move["amount"]) == (orderly, "orders", 10_000)
    told = table_for(match, seats_of(match), seat(match, others[0]), [made])["log"]
    assert "orders" not in str(told)
    assert "10000" not in str(told)
    for number in others:
        submit(match, seat(match, number), {"type": "bid", "amount": 0}, key=f"key-{number}")
    match = fresh(match)
    turns = list(match.log.filter(number__gte=made.number).order_by("number"))
    told = table_for(match, seats_of(match), seat(match, others[0]), turns)["log"]
    assert told[0]["by"] == "person"
    told = table_for(match, seats_of(match), seat(match, orderly), turns)["log"]
    assert told[0]["by"] == "orders"
    paid = [event for event in turns[-1].events if event["type"] == "pay" and event["why"] == "bid"]
    assert [(event["from"], event["amount"]) for event in paid] == [(orderly, 10_000)]


@pytest.mark.parametrize(("sent", "rounds"), [("0", 0), ("5", 5), ("100", 100)])
def test_the_length_of_a_new_table(sent, rounds):
    form = NewMatchForm({"size": "3", "access": "open", "option_rounds": sent}, game_slug="yes")
    assert form.is_valid(), form.errors
    assert form.wishes()["options"] == {"rounds": rounds}


@pytest.mark.parametrize("sent", ["4", "101", "-1", "five", ""])
def test_lengths_that_there_are_not(sent):
    form = NewMatchForm({"size": "3", "access": "open", "option_rounds": sent}, game_slug="yes")
    assert "option_rounds" in form.errors


@pytest.mark.parametrize(("language", "words"), [("en", "12 rounds at most"), ("fr", "12 tours de table au plus")])
def test_the_form_and_the_table_say_the_length(ann, bob, language, words):
    ann.language = language
    ann.save()
    browser = browser_of(ann)
    assert words in browser.get("/play/new/?game=yes").content.decode()
    match = seated(ann, bob, game_slug="yes", options={"rounds": 12})
    assert words in browser.get(f"/matches/{match.pk}/").content.decode()
