"""What stands around the board of a match, whatever the game."""

import re
from random import Random

import pytest

from games.services.play import moves
from tests.factories import asked, browser_of, fresh, member, play_on, played, random_move, seated, submit

pytestmark = pytest.mark.django_db


def page(person, match) -> str:
    return browser_of(person).get(f"/matches/{match.pk}/").content.decode()


@pytest.mark.parametrize(("slug", "tries"), [("yum-extra", "rolls"), ("yam-menteur", "tries")])
def test_no_button_counts_what_only_a_script_can_count(ann, bob, cem, slug, tries):
    match = play_on(
        seated(ann, bob, cem, game_slug=slug), Random(5), turns=200, until=lambda now: rolled_once(now, tries)
    )
    (button,) = re.findall(r"<button[^>]*data-unticked.*?</button>", page(asked(match).user, match), re.DOTALL)
    assert "<span>Roll the dice not kept</span>" in button


def rolled_once(match, tries: str) -> bool:
    owing = asked(match)
    view = match.game.view(match.game.load(bytes(match.state)), owing.number)
    return view[tries] == 1 and any(one["type"] == "roll" for one in view["prompt"]["moves"])


@pytest.mark.parametrize(("language", "words"), [("en", "You came 4th"), ("fr", "Vous êtes 4e")])
def test_the_verdict_of_who_came_fourth(ann, bob, cem, language, words):
    dan = member("dan", language=language)
    match = played(ann, bob, cem, dan)
    assert words in page(dan, match)
    assert re.search(rf"<title>\s*{words} · Yum EXTRA · Club Y", page(dan, match))


def test_a_wish_to_pause_comes_out_of_the_menu(ann, bob):
    match = seated(ann, bob)
    before = page(bob, match)
    assert before.index('id="further"') < before.index('id="pause"') < before.index('id="leave"')
    moves.wish_pause(match_id=match.pk, user=ann, wish=True)
    wished = page(bob, fresh(match))
    assert wished.index('id="pause"') < wished.index('id="leave"') < wished.index('id="further"')


def test_the_change_of_a_rating_stands_before_the_rest(ann, bob):
    html = page(ann, played(ann, bob))
    assert html.index('id="rating"') < html.index('class="side rest"')


def is_back(match) -> bool:
    """Whether the first seat is asked after a move of the other."""
    return asked(match).number == 0 and match.log.get(number=match.turns).seat == 1


def test_who_has_moved_is_no_longer_told_what_was_missed(ann, bob):
    match = play_on(seated(ann, bob), Random(2), until=lambda now: now.turns > 6 and is_back(now))
    address = f"/matches/{match.pk}/?since={match.turns - 1}"
    assert "Since you left" in browser_of(ann).get(address).content.decode()
    submit(match, asked(match), random_move(match, asked(match).number, Random(2)), key="moved")
    assert "Since you left" not in browser_of(ann).get(address).content.decode()


def test_the_board_of_a_live_match_keeps_its_place(ann, bob):
    match = play_on(seated(ann, bob, pace="live"), Random(2), turns=4)
    html = browser_of(ann).get(f"/matches/{match.pk}/?since={match.turns - 1}").content.decode()
    assert "Since you left" not in html
    assert html.index('id="board"') < html.index('id="happened"')
