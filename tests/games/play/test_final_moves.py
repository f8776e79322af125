"""Who wishes to be asked before final moves is asked once more, in place, before a turn ends; never in live play."""

import json
import re
from html import unescape
from random import Random

import pytest

from games.rules import games
from games.table import fresh_key
from tests.factories import asked, browser_of, fresh, play_on, random_move, seated, state_of

SAMPLE = "sample-game"
CONFIRM = re.compile(r"""name="confirmed" value='([^']*)'""")


@pytest.fixture
def careful(ann):
    ann.asks_before_final = True
    ann.save()
    return ann


def post(person, match, **fields):
    """Answer the person's open question as the page's script does."""
    fields |= {"ask": match.seats.get(user=person).ask, "key": fresh_key()}
    return browser_of(person).post(f"/matches/{match.pk}/move/", fields, headers={"X-Live": "1"})


def can_be_taken_back(match) -> bool:
    """Whether the last move was sealed while others owe theirs."""
    told = [event["type"] for event in match.log.order_by("-number")[0].events]
    return fresh(match).turns > match.turns and len(told) == 1 and told[0] in match.game.sealed


def told(answer) -> str:
    return unescape(answer.content.decode())


@pytest.mark.thin(2)
@pytest.mark.parametrize("slug", [slug for slug in games() if slug != SAMPLE])
def test_a_final_move_is_played_once_it_is_confirmed(careful, bob, cem, slug):
    match, rng = seated(careful, bob, cem, game_slug=slug), Random(5)
    confirmed = 0
    for _question in range(15):
        match = play_on(match, rng, turns=200, until=lambda now: asked(now).user_id == careful.pk)
        move = random_move(match, asked(match).number, rng)
        answer = post(careful, match, move=json.dumps(move))
        if move["type"] in match.game.goes_on or can_be_taken_back(match):
            assert answer.status_code == 200
            assert fresh(match).turns > match.turns
        else:
            assert answer.status_code == 409
            assert "This cannot be taken back. Play it?" in told(answer)
            assert fresh(match).turns == match.turns
            (whole,) = CONFIRM.findall(told(answer))
            assert post(careful, match, confirmed=whole).status_code == 200
            assert fresh(match).turns > match.turns
            confirmed += 1
        match = fresh(match)
    assert confirmed


def final(match) -> str:
    """Return a move of YAY! that ends the turn, when the match has come to one of Ann's."""
    return json.dumps(match.game.default_move(state_of(match), asked(match).number))


def at_the_decision(*people, **wishes):
    """Return a match of YAY! in which the first of the people has thrown and is to write."""
    match = seated(*people, game_slug="yay", **wishes)
    return play_on(
        match, Random(1), until=lambda now: asked(now).user_id == people[0].pk and state_of(now).phase == "decide"
    )


@pytest.mark.parametrize("wishes", [{"pace": "live"}, {}])
def test_nobody_is_asked_in_live_play_or_without_the_wish(ann, bob, wishes):
    ann.asks_before_final = bool(wishes)
    ann.save()
    match = at_the_decision(ann, bob, **wishes)
    assert post(ann, match, move=final(match)).status_code == 200
    assert fresh(match).turns > match.turns


def test_what_the_rules_refuse_is_not_asked_about(careful, bob):
    match = at_the_decision(careful, bob)
    answer = post(careful, match, move='{"type":"throw","x":1}')
    assert answer.status_code == 409
    assert not CONFIRM.findall(told(answer))


def test_without_a_script_the_page_asks(careful, bob):
    match = at_the_decision(careful, bob)
    fields = {"ask": asked(match).ask, "key": "key-9", "move": final(match)}
    page = browser_of(careful).post(f"/matches/{match.pk}/move/", fields)
    assert page.status_code == 409
    (whole,) = CONFIRM.findall(told(page))
    fields = {"ask": asked(match).ask, "key": "key-10", "confirmed": whole}
    assert browser_of(careful).post(f"/matches/{match.pk}/move/", fields).status_code == 302
    assert fresh(match).turns > match.turns


def test_the_wish_is_a_setting(ann):
    browser = browser_of(ann)
    assert "Ask me before final moves" in browser.get("/settings/").content.decode()
    good = {"language": "en", "time_zone": "UTC", "colours": "dark", "invitations_from": "all"}
    browser.post("/settings/", good | {"asks_before_final": "on"})
    ann.refresh_from_db()
    assert ann.asks_before_final
    browser.post("/settings/", good)
    ann.refresh_from_db()
    assert not ann.asks_before_final
