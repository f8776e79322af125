"""The options of a game in the form of a new table: those of the chosen mode count, and what is proposed."""

import re

import pytest
from django.utils.translation import override

from games.forms.lobby import NewMatchForm
from games.forms.options import chosen, usual_options
from games.models import Match
from games.rules import get_game
from tests.factories import browser_of

NEW = "/play/new/"
FORM = {"game": "yesss", "size": "3", "access": "open", "pace": "3d"}
FORM |= {"option_mode": "competitive", "option_language": "fr"}


@pytest.fixture
def browser(ann):
    return browser_of(ann)


def wished(browser, **fields) -> Match:
    answer = browser.post(NEW, FORM | {name: str(value) for name, value in fields.items()})
    assert answer.status_code == 302, answer.content
    return Match.objects.latest("pk")


def refused(browser, **fields) -> str:
    answer = browser.post(NEW, FORM | fields, HTTP_ACCEPT_LANGUAGE="en")
    assert answer.status_code == 400
    assert not Match.objects.exists()
    return answer.content.decode()


def test_what_is_left_open_is_the_games_default(browser):
    assert wished(browser).options == get_game("yesss").full_options(3, {})


def test_the_options_of_the_other_mode_do_not_count(browser):
    options = {"option_rounds": 2, "option_swaps": "True", "option_minutes": 5, "option_language": "en"}
    together = wished(browser, size=2, option_mode="cooperative", **options)
    assert together.options == {"mode": "cooperative", "language": "en", "minutes": 5}
    against = wished(browser, option_mode="competitive", **options)
    assert against.options == {"mode": "competitive", "language": "en", "rounds": 2, "swaps": True}


def test_no_clock_and_no_swaps_are_values_like_others(browser):
    assert wished(browser, option_mode="cooperative", option_minutes=0).options["minutes"] == 0
    assert wished(browser, option_swaps="False").options["swaps"] is False
    assert wished(browser, option_rounds="").options["rounds"] == 7


def test_a_race_against_the_clock_is_live_and_casual_whatever_was_wished(browser):
    race = wished(browser, size=2, option_mode="cooperative", option_minutes=3, pace="7d", rated="rated")
    assert (race.pace_slug, race.rated) == ("live", False)
    slow = wished(browser, size=2, option_mode="cooperative", option_minutes=0, pace="7d", rated="rated")
    assert (slow.pace_slug, slow.rated) == ("7d", False)
    assert (
        wished(browser, option_minutes=3, pace="7d").pace_slug == "7d"
    )  # against each other no clock of the game runs
    page = browser.get(NEW + "?game=yesss", HTTP_ACCEPT_LANGUAGE="en").content.decode()
    marked = re.findall(r'name="option_(\w+)" value="(\w+)"[^>]* data-(casual|live)', page)
    assert marked == [("mode", "cooperative", "casual"), ("minutes", "3", "live"), ("minutes", "5", "live")]
    assert "always live" in page
    assert "Playing together is always casual" in page


def test_two_cannot_play_against_each_other(browser):
    assert "at least three" in refused(browser, size="2")


def test_more_rounds_than_cards(browser):
    assert "not enough cards" in refused(browser, size="5", option_rounds="6")


@pytest.mark.parametrize(
    "bad",
    [
        {"option_mode": "both"},
        {"option_mode": ""},
        {"option_language": ""},
        {"option_language": "de"},
        {"option_rounds": "8"},
        {"option_rounds": "x"},
        {"option_swaps": "1"},
        {"option_minutes": "4", "option_mode": "cooperative"},
        {"size": "9"},
        {"size": ""},
    ],
)
def test_values_that_there_are_not(browser, bad):
    refused(browser, **bad)


def test_swaps_are_proposed_off_and_the_page_says_why(browser):
    page = browser.get(NEW + "?game=yesss", HTTP_ACCEPT_LANGUAGE="en").content.decode()
    assert "By correspondence the match is faster without" in page
    assert 'data-only="2"' in page
    assert 'data-only="1"' in page
    form = NewMatchForm(game_slug="yesss")
    assert form["option_swaps"].initial is False
    assert form["size"].initial == 3


@pytest.mark.parametrize(("language", "proposed"), [("fr", "fr"), ("en", "en"), ("en-gb", "fr")])
def test_the_readers_language_is_proposed(language, proposed):
    with override(language):
        assert NewMatchForm(game_slug="yesss")["option_language"].initial == proposed
        assert usual_options(get_game("yum-extra")) == {}
        assert usual_options(get_game("yesss")) == ({"language": language} if language == proposed else {})


def test_other_games_forms_are_as_before():
    form = NewMatchForm({"size": "2", "access": "open", "option_scratch": "free"}, game_slug="yum-extra")
    assert form.is_valid(), form.errors
    assert form.wishes()["options"] == {"scratch": "free"}
    assert chosen(get_game("yum-extra"), {}) == {}


def test_a_quick_match_is_in_the_readers_language(db):
    for language in ("en", "fr"):
        browser_of().post("/games/yesss/now/", {"lesson": "no"}, HTTP_ACCEPT_LANGUAGE=language)
        assert Match.objects.latest("pk").options["language"] == language
