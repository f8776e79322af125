"""The lesson of a game is offered the first time that somebody wants to play it, and may be declined in one press."""

import pytest

from accounts.models import User
from games.models import Match
from tests.factories import browser_of, fresh, seated

NOW = "/games/yum-extra/now/"
OFFER = "/games/yum-extra/lesson/"


def test_a_visitor_is_asked_and_nothing_is_made(db):
    browser = browser_of()
    assert browser.post(NOW)["Location"] == OFFER
    page = browser.get(OFFER).content.decode()
    assert "First match with a coach" in page
    assert "Play without a coach" in page
    assert not Match.objects.exists()
    assert not User.objects.exists()


def test_declined_in_one_press_it_is_not_offered_again(db):
    browser = browser_of()
    first = browser.post(NOW, {"lesson": "no"})["Location"]
    again = browser.post(NOW)["Location"]
    assert first.startswith("/matches/")
    assert again.startswith("/matches/")
    assert set(Match.objects.values_list("coached", "prepared")) == {(False, None)}


@pytest.mark.outgrown
def test_accepted_it_is_a_casual_match_that_nobody_else_sees(ann):
    browser = browser_of(ann)
    assert browser.post(NOW, {"lesson": "yes"})["Location"].startswith("/matches/")
    match = Match.objects.get()
    assert (match.coached, match.prepared, match.rated, match.access) == (True, [[0, 0]], False, "invitation")
    assert browser.post(NOW)["Location"].startswith("/matches/")
    assert Match.objects.filter(coached=False).count() == 1


@pytest.mark.outgrown
def test_who_has_played_the_game_is_not_asked(ann, bob):
    seated(ann, bob)
    assert browser_of(bob).post(NOW)["Location"].startswith("/matches/")


def test_who_plays_another_game_is_asked(ann, bob):
    seated(ann, bob, game_slug="yay")
    assert browser_of(bob).post(NOW)["Location"] == OFFER


def test_the_page_of_a_game_has_it_for_everybody(ann, bob):
    seated(ann, bob)
    assert 'name="lesson" value="yes"' in browser_of(ann).get("/games/yum-extra/").content.decode()


def test_there_is_no_lesson_of_no_game(db):
    assert browser_of().get("/games/chess/lesson/").status_code == 404


@pytest.mark.outgrown
def test_skipped_by_its_button(ann):
    browser = browser_of(ann)
    page = browser.post(NOW, {"lesson": "yes"})["Location"]
    match = Match.objects.get()
    assert 'id="coach"' in browser.get(page).content.decode()
    browser.post(f"{page}lesson/skip/")
    assert not fresh(match).coached
    assert 'id="coach"' not in browser.get(page).content.decode()


@pytest.mark.outgrown
def test_another_answer_is_answered_first_and_can_be_played(ann):
    """Without a script: the page comes back with the coach's answer, a button for that move, and it is played."""
    browser = browser_of(ann)
    page = browser.post(NOW, {"lesson": "yes"})["Location"]
    match = Match.objects.get()
    ask = {"ask": match.seats.get(number=0).ask, "key": "one"}
    browser.post(f"{page}move/", ask | {"move": '{"type": "roll"}'})
    ask = {"ask": match.seats.get(number=0).ask, "key": "two"}
    wish = ask | {"move": '{"type": "score", "cell": "sixes"}'}
    answer = browser.post(f"{page}move/", wish)
    text = answer.content.decode()
    assert answer.status_code == 409
    assert "That writes now and ends your turn" in text
    assert "Play it anyway" in text
    assert " in Sixes</small>" in text
    again = browser.post(f"{page}move/", wish | {"key": "three"})
    assert again.status_code == 409
    assert fresh(match).turns == 1
    assert browser.post(f"{page}move/", ask | {"anyway": wish["move"]}).status_code == 302
    assert fresh(match).turns == 2


def test_what_the_rules_refuse_is_refused_by_them(ann):
    browser = browser_of(ann)
    page = browser.post(NOW, {"lesson": "yes"})["Location"]
    ask = Match.objects.get().seats.get(number=0).ask
    text = browser.post(f"{page}move/", {"ask": ask, "key": "k", "move": '{"type": "pass"}'}).content.decode()
    assert "This is not possible now." in text
    assert "Play it anyway" not in text
