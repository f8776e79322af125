"""Rated tables: who may open and join one, the range of ratings, and how they are shown."""

import pytest

from games.forms.lobby import NewMatchForm
from games.models import Match
from games.services.lobby import opening
from games.services.play import moves
from games.services.refusals import Invalid, Unconfirmed
from leaderboards.services import OutOfRange
from tests.factories import browser_of, fresh, member, opened, placed, played, seated
from tests.games.play.addresses import sentence

NEW = {"game": "yum-extra", "size": "2", "option_scratch": "forced", "access": "open"}


@pytest.fixture
def nob(db):
    """A member whose address is not confirmed."""
    nob = member("nob")
    nob.email = ""
    nob.save()
    return nob


def test_a_rated_table_of_members(ann, bob):
    match = opened(ann, size=2, rated=True)
    opening.join(match_id=match.pk, user=bob)
    assert fresh(match).rated


@pytest.mark.parametrize("wishes", [{"bots": ["easy"], "size": 3}, {"bots": ["easy"], "size": 2}])
def test_a_bot_makes_it_casual(ann, wishes):
    assert not opened(ann, rated=True, **wishes).rated


def test_playing_together_makes_it_casual(ann, monkeypatch):
    game = type(opened(ann, size=2).game)
    monkeypatch.setattr(game, "is_cooperative", lambda self, options: True)
    assert not opened(ann, size=2, rated=True).rated


@pytest.mark.outgrown
def test_who_is_not_confirmed_opens_and_joins_casual_tables_alone(ann, nob):
    with pytest.raises(Unconfirmed):
        opened(nob, rated=True)
    match = opened(ann, size=2, rated=True)
    with pytest.raises(Unconfirmed):
        opening.join(match_id=match.pk, user=nob)
    assert match.seats.filter(user=None).count() == 1
    casual = opened(ann, size=2)
    opening.join(match_id=casual.pk, user=nob)
    assert fresh(casual).status == Match.Status.RUNNING


def test_the_refusal_is_told_on_the_table(ann, nob):
    match = opened(ann, size=2, rated=True)
    answer = browser_of(nob).post(f"/matches/{match.pk}/join/")
    assert answer.status_code == 403
    assert "confirmed e-mail address" in answer.content.decode()


@pytest.mark.outgrown
@pytest.mark.parametrize(
    ("points", "wanted", "welcome"),
    [
        (1399, (1400, None), False),
        (1400, (1400, None), True),
        (1600, (None, 1600), True),
        (1601, (None, 1600), False),
        (1500, (1400, 1600), True),
        (1700, (1400, 1600), False),
        (None, (1400, 1600), True),  # a beginner has 1500
        (None, (1600, None), False),
    ],
)
def test_the_range(ann, bob, points, wanted, welcome):
    if points is not None:
        placed(bob, points)
    match = opened(ann, size=2, rating_range=wanted)
    if welcome:
        opening.join(match_id=match.pk, user=bob)
        return
    answer = browser_of(bob).post(f"/matches/{match.pk}/join/")
    assert answer.status_code == 403
    assert f"yours is {points or 1500}." in answer.content.decode()
    with pytest.raises(OutOfRange):
        opening.join(match_id=match.pk, user=bob)


def test_who_is_invited_is_welcome_whatever_the_rating(ann, bob, cem):
    match = opened(ann, size=3, rating_range=(2000, None), invited=[bob])
    opening.join(match_id=match.pk, user=bob)
    with pytest.raises(OutOfRange):
        opening.join(match_id=match.pk, user=cem)


@pytest.mark.parametrize("wanted", [(1600, 1500), (-1, None), (None, 10**6), (10**6, None)])
def test_a_range_in_which_nobody_can_be(ann, wanted):
    with pytest.raises(Invalid):
        opened(ann, rating_range=wanted)


@pytest.mark.outgrown
def test_a_rematch_is_rated_as_the_match_was(ann, bob):
    for rated in (True, False):
        old = seated(ann, bob, rated=rated)
        moves.resign(match_id=old.pk, user=bob)
        opening.rematch(match_id=old.pk, user=ann)
        assert opening.rematch(match_id=old.pk, user=bob).rated == rated


@pytest.mark.outgrown
def test_the_form(ann):
    browser = browser_of(ann)
    page = browser.get("/play/new/").content.decode()
    assert 'name="rated" value="rated" checked' in page
    answer = browser.post("/play/new/", NEW | {"rated": "rated", "lowest_rating": "1400", "highest_rating": ""})
    assert answer.status_code == 302
    match = Match.objects.get()
    assert (match.rated, match.lowest_rating, match.highest_rating) == (True, 1400, None)
    page = browser.get(f"/matches/{match.pk}/").content.decode()
    assert "for ratings from 1400" in page
    assert " · rated" in page
    assert "rated for ratings from 1400" in sentence(browser_of().get("/play/"))


def test_the_form_without_a_wish_is_casual(ann):
    assert browser_of(ann).post("/play/new/", NEW).status_code == 302
    assert not Match.objects.get().rated


@pytest.mark.outgrown
@pytest.mark.parametrize(
    "post",
    [
        {"rated": "perhaps"},
        {"lowest_rating": "many"},
        {"lowest_rating": "99"},
        {"highest_rating": "4001"},
        {"highest_rating": "1" * 400},
        {"lowest_rating": "1600", "highest_rating": "1500"},
        {"lowest_rating": "1500.5"},
        {"lowest_rating": "NaN"},
        {"lowest_rating": "\0"},
    ],
)
def test_what_the_form_refuses(ann, post):
    answer = browser_of(ann).post("/play/new/", NEW | post)
    assert answer.status_code == 400
    assert 'class="errorlist' in answer.content.decode()
    assert not Match.objects.exists()


def test_the_form_tells_who_is_not_confirmed(nob):
    assert 'name="rated" value="" checked' in browser_of(nob).get("/play/new/").content.decode()
    answer = browser_of(nob).post("/play/new/", NEW | {"rated": "rated"})
    assert answer.status_code == 400
    assert "confirmed e-mail address" in answer.content.decode()


def test_an_early_start_says_that_it_will_be_casual(ann):
    match = opened(ann, size=3, rated=True)
    assert "It will then be casual" in browser_of(ann).get(f"/matches/{match.pk}/").content.decode()


def test_the_form_offers_both(ann):
    assert [value for value, _label in NewMatchForm(game_slug="yay").fields["rated"].choices] == ["rated", ""]
    assert played(ann, member("dee")).rated
