"""The look back: what the strongest bot would have done, from what the seat could see, in words of every game."""

from random import Random

import pytest
from django.core.cache import cache
from django.utils import translation

from games import review
from games.engine import SeededChance, replay_steps
from games.models import Turn
from games.queries.play import seats_of
from games.questions import choice_in_words
from games.rules import games, get_game
from games.table import table_for
from tests.factories import as_many, browser_of, end, played_on, seated
from tests.rules.playing import recorded_match


def address(match) -> str:
    return f"/matches/{match.pk}/review/"


def reviewed(match, number=0) -> review.Review:
    seats = seats_of(match)
    return review.review_of(match, seats, seats[number])


@pytest.mark.thin(2)
@pytest.mark.parametrize("slug", games())
def test_every_game_in_both_languages(ann, bob, cem, slug, monkeypatch):
    monkeypatch.setattr(review, "AT_ONCE", 60)
    match = played_on(seated(*as_many(slug, ann, bob, cem), game_slug=slug), Random(11))
    for language in ("en", "fr"):
        page = browser_of(bob).get(address(match), headers={"accept-language": language})
        assert page.status_code == 200
        found = page.context["review"]
        assert found.left == 0 and len(found.decisions) > 3
        assert all(one.own and one.bots and one.question for one in found.decisions)


@pytest.mark.parametrize("slug", games())
def test_every_move_has_words_of_its_own(ann, bob, slug):
    """Of each question of random matches, what was played and what the bot would have played, of all kinds of moves."""
    game, told = get_game(slug), set()
    options = [{}, {"mode": "cooperative", "minutes": 0}] if slug == "yesss" else [{}]
    for seed, chosen in enumerate(options * 2):
        record = recorded_match(slug, max(game.min_seats, 3 if slug == "yesss" else 2), chosen, seed=seed)
        match = seated(*as_many(slug, ann, bob), game_slug="yum-extra")
        base = table_for(match, seats_of(match), None)
        seats = [base["seats"][0] | {"number": number, "name": f"p{number}"} for number in range(record["seats"])]
        before = None
        for step, state, _events in replay_steps(record, get_game):
            turn = record["moves"][step - 1] if step else None
            if turn and turn["seat"] is not None:
                view = game.view(before, turn["seat"])
                hints = {**game.hints(view), **game.traces([])}
                about = {"view": view, "hints": hints, "you": turn["seat"], "seats": seats, "status": "running"}
                table = base | about | {"game": slug, "rules": game.rules_version, "ask": 1, "playing": True}
                for language in ("en", "fr") if turn["move"]["type"] not in told else ("fr",):
                    with translation.override(language):
                        assert choice_in_words(table, turn["move"])
                told.add(turn["move"]["type"])
            before = state
    assert len(told) > 1


def test_only_own_decisions_by_hand_are_looked_at(ann, bob):
    match = played_on(seated(ann, bob), Random(12))
    Turn.objects.filter(match=match, seat=0, number__lte=40).update(by=Turn.By.BOT)
    own = set(Turn.objects.filter(match=match, seat=0, by=Turn.By.PERSON).values_list("number", flat=True))
    steps = {one.step for one in reviewed(match).decisions}
    assert steps and steps <= own


def test_the_bot_sees_what_the_seat_saw(ann, bob, cem, monkeypatch):
    """Of a game with secrets: no view that was shown to the bot tells what was another's then."""
    match = played_on(seated(ann, bob, cem, game_slug="yam-menteur"), Random(13))
    seen = []
    bot = type(match.game.bot(match.game.levels[-1]))
    usual = bot.choose
    monkeypatch.setattr(bot, "choose", lambda self, view, rng: seen.append(view) or usual(self, view, rng))
    reviewed(match)
    assert seen and all(view["you"] == 0 for view in seen)
    answers = [view for view in seen if view["phase"] == "answer"]
    assert answers and all(view["dice"] is None for view in answers)


@pytest.mark.thin(1)
@pytest.mark.parametrize("slug", ["yum-extra", "yay", "yam-menteur"])
def test_costs_in_points_name_best_and_worst(ann, bob, cem, slug, monkeypatch):
    monkeypatch.setattr(review, "AT_ONCE", 60)
    match = played_on(seated(*as_many(slug, ann, bob, cem), game_slug=slug), Random(15))
    found = reviewed(match)
    assert found.worst and found.best
    assert found.worst.cost == max(one.cost for one in found.decisions)
    assert found.best.is_same and found.best.gain > review.NOTHING
    page = browser_of(ann).get(address(match)).content.decode()
    assert "Your best decision" in page and "Your worst decision" in page


def test_a_throw_beside_the_bots_is_as_good_on_an_empty_board():
    game = get_game("yay")
    view = game.view(game.setup(seats=2, options={}, chance=SeededChance(b"even")), 0)
    middle, beside, corner = ({"type": "throw", "x": at, "y": at} for at in (400, 440, 0))
    assert abs(game.worth(view, middle) - game.worth(view, beside)) < review.NOTHING
    assert game.worth(view, middle) - game.worth(view, corner) > review.NOTHING


def test_of_a_long_match_part_by_part(ann, bob, monkeypatch):
    match = played_on(seated(ann, bob), Random(15))
    monkeypatch.setattr(review, "AT_ONCE", 60)
    whole = reviewed(match)
    cache.clear()
    monkeypatch.setattr(review, "AT_ONCE", -1)
    parts = [reviewed(match) for _request in range(3)]
    assert [len(part.decisions) for part in parts] == [1, 2, 3]
    assert [len(part.decisions) + part.left for part in parts] == [len(whole.decisions)] * 3
    assert "left to be looked at" in browser_of(ann).get(address(match)).content.decode()
    monkeypatch.setattr(review, "AT_ONCE", 60)
    assert reviewed(match) == whole


def test_it_is_worked_out_once(ann, bob, monkeypatch):
    match = played_on(seated(ann, bob), Random(16))
    first = reviewed(match)
    monkeypatch.setattr(review, "record_of", None)
    assert reviewed(match) == first


def test_who_did_not_play_and_before_the_end(ann, bob, cem):
    match = end(seated(ann, bob), [1, 2])
    assert browser_of(cem).get(address(match)).status_code == 404
    assert browser_of().get(address(match)).status_code == 302
    running = seated(ann, bob)
    refused = browser_of(ann).get(address(running))
    assert refused.status_code == 409 or refused.status_code == 403
    assert 'id="table"' in refused.content.decode()


def test_too_often(ann, bob, settings):
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"review": "1/h/key"}
    first, second = (played_on(seated(ann, bob), Random(seed)) for seed in (17, 18))
    browser = browser_of(ann)
    got = [browser.get(address(match)).status_code for match in (first, first, second)]
    assert got == [200, 200, 429]
