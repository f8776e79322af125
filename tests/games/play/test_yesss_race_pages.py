"""The pages of a cooperative race of YESSS!, and its rules."""

import re
from html import unescape

import pytest

from games.rules.yesss.data import name_of
from games.services.play import moves
from tests.factories import fresh, member, seated
from tests.games.play.yesss_pages import act, buttons, page, post, roles, view, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def four(ann, bob, cem):
    return [ann, bob, cem, member("dan")]


@pytest.fixture
def match(four):
    return seated(*four, game_slug="yesss", options={"language": "en", "rounds": 2})


@pytest.fixture
def proposed(match):
    for number in range(4):
        act(match, number, {"type": "select", "pair": view(match, number)["hand"][0]})
    return fresh(match)


@pytest.fixture
def said(proposed):
    """A match in which a word waits for two guesses: its token's number, announcer, keeper and guessers."""
    act(proposed, view(proposed)["tokens"][0]["announcer"], {"type": "word", "token": 0, "word": "tide"})
    return fresh(proposed)


@pytest.mark.parametrize("ticked", [["", "3", "3"], ["", "0", "2"], ["", "2", "8"]])
def test_a_pair_that_there_is_not_is_refused_by_the_rules(said, ticked):
    answer = post(said, roles(said)[2], '{"type":"guess","token":0}', **{"guess.two.pair": ticked})
    assert answer.status_code == 409
    assert fresh(said).turns == said.turns


@pytest.fixture
def race(ann, bob):
    return seated(ann, bob, game_slug="yesss", options={"mode": "cooperative", "minutes": 0, "language": "en"})


def test_a_race_against_the_clock_tells_that_clock_alone(ann, bob):
    options = {"mode": "cooperative", "minutes": 3, "language": "en"}
    race = seated(ann, bob, game_slug="yesss", options=options, pace="live")
    act(race, 0, {"type": "ready"})
    assert "5:00 saved" in page(ann, race)
    act(race, 1, {"type": "ready"})
    html = page(ann, race)
    assert "saved" not in html
    assert 'role="timer"' in html


def test_nothing_of_a_race_is_seen_before_all_are_ready(race, ann, bob):
    html = page(ann, race)
    assert "<img" not in html.split('class="ring')[1].split("</fieldset>")[0]
    assert buttons(html) == ['{"type":"ready"}']
    act(race, 0, {"type": "ready"})
    assert buttons(page(ann, race)) == []
    act(race, 1, {"type": "ready"})
    assert page(bob, race).count('name="clue+answer.two.pair"') == 8


def test_a_race_ends_with_its_score_and_every_word(race, ann, bob):
    for number in (0, 1):
        act(race, number, {"type": "ready"})
    act(race, 0, {"type": "clue", "pair": [1, 2], "word": "tide"})
    act(race, 1, {"type": "answer", "clue": 0, "pair": [1, 4]})
    act(race, 0, {"type": "clue", "pair": [1, 2], "word": "sea"})
    act(race, 1, {"type": "answer", "clue": 1, "pair": [1, 2]})
    act(race, 0, {"type": "clue", "pair": [1, 5], "word": "beach"})
    for number in (0, 1):
        act(race, number, {"type": "stop"})
    html = page(ann, race)
    assert "0 points together" in words(html)
    assert re.findall(r'<span lang="en">(\w+)</span>', html.split('id="every-word"')[1]) == [
        "tide",
        "sea",
        "beach",
    ]
    assert "bob took it for ✕" in words(html)
    pictures = [name_of(view(race)["pictures"][place - 1], "en") for place in (1, 2, 1, 4)]
    assert re.findall(r'alt="([^"]+)"', unescape(html).split('id="every-word"')[1])[:4] == pictures
    assert "nobody answered" in words(html)
    assert 'class="ranks"' not in html


def test_called_off_together(race, ann, bob):
    for person in (ann, bob):
        moves.wish_call_off(match_id=race.pk, user=person, wish=True)
    html = page(ann, race)
    assert "Called off by agreement" in html
    assert "agreed to call it off" in html


@pytest.mark.parametrize(("language", "said"), [("en", "Romaric Galonnier"), ("fr", "Nos précisions")])
def test_the_rules(client, language, said):
    client.cookies["django_language"] = language
    html = client.get("/games/yesss/", headers={"Accept-Language": language}).content.decode()
    assert said in html
    assert "Blue Cocker Games" in html
    assert "Noto Emoji" in html
