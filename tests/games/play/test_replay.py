"""Every step of a match has an address of its own, as its viewer may see it."""

import re
from random import Random

import pytest
from django.urls import reverse

from games.engine import replay_steps
from games.queries.play import seats_of
from games.queries.turns import all_turns
from games.record import record_of, state_at
from games.rules import games, get_game
from games.services.lobby import closing
from games.views.replay import around, ends_of_turns
from tests.factories import as_many, browser_of, opened, play_on, played_on, seated


def step_of(match, step) -> str:
    return reverse("replay", args=[match.pk, step])


@pytest.mark.parametrize("beyond", [1, 2, 10**9, 10**30])
def test_beyond_the_last_step(ann, bob, beyond):
    match = play_on(seated(ann, bob), Random(61), turns=4)
    assert browser_of(ann).get(step_of(match, match.turns)).status_code == 200
    assert browser_of(ann).get(step_of(match, match.turns + beyond)).status_code == 404


def test_a_table_that_never_started(ann):
    match = opened(ann)
    assert browser_of(ann).get(step_of(match, 0)).status_code == 404
    closing.leave(match_id=match.pk, user=ann)
    assert browser_of(ann).get(step_of(match, 0)).status_code == 404


@pytest.mark.thin(1)
@pytest.mark.parametrize("who", ["ann", "cem", "visitor"])
def test_every_step_of_a_whole_match(ann, bob, cem, who):
    match = played_on(seated(ann, bob), Random(62))
    browser = browser_of({"ann": ann, "cem": cem, "visitor": None}[who])
    for step in [*range(0, match.turns, 2 if who == "visitor" else 9), match.turns]:
        page = browser.get(step_of(match, step))
        assert page.status_code == 200, step
        table = page.context["table"]
        assert table["step"] == step
        assert not table["playing"]
        assert table["view"]["prompt"] is None
        assert [entry["n"] for entry in table["log"]] == ([step] if step else [])
    assert table["view"]["phase"] == "over"


def test_a_running_match_up_to_now(ann, bob):
    match = play_on(seated(ann, bob), Random(63), turns=12)
    for step in range(match.turns + 1):
        page = browser_of(bob).get(step_of(match, step))
        assert page.status_code == 200
        assert 'name="ask"' not in page.content.decode()
    assert browser_of(bob).get(step_of(match, match.turns + 1)).status_code == 404


def test_the_states_are_those_that_were_played(ann, bob):
    match = play_on(seated(ann, bob), Random(64), turns=30)
    seats = seats_of(match)
    states = [state for _n, state, _events in replay_steps(record_of(match, seats) | {"outcome": None}, get_game)]
    assert [state_at(match, seats, step) for step in range(match.turns + 1)] == states
    assert match.game.dump(states[-1]) == bytes(match.state)


@pytest.mark.parametrize("slug", games())
def test_the_ways_by_turns_lead_from_end_to_end(slug, ann, bob, cem):
    match = played_on(seated(*as_many(slug, ann, bob, cem), game_slug=slug), Random(65), turns=25)
    turns = all_turns(match)
    ends = ends_of_turns(match.game, turns)
    opening = [turn.number for turn in turns if match.game.opens_paragraph(turn.events)]
    assert ends == sorted(set(ends)) and ends[-1] == match.turns
    assert {end + 1 for end in ends[:-1]} == set(opening) - {1}
    is_each = len(ends) == match.turns
    step, met = 0, []
    while (step := around(step, ends, match.turns)["turn_after"]) is not None:
        met.append(step)
    assert met == ([] if is_each else ends)
    back = match.turns
    while (back := around(back, ends, match.turns)["turn_before"]) is not None:
        met.append(back)
    assert met == ([] if is_each else [*ends, *reversed(ends[:-1]), 0])
    page = browser_of(ann).get(step_of(match, 1)).content.decode()
    assert ('class="button by-turn"' in page) is not is_each


def test_within_a_turn_the_ways_lead_to_its_start_and_its_end():
    assert around(4, [3, 6, 9], 9) == {"turn_before": 3, "turn_after": 6}
    assert around(3, [3, 6, 9], 9) == {"turn_before": 0, "turn_after": 6}
    assert around(0, [3, 6, 9], 9) == {"turn_before": None, "turn_after": 3}
    assert around(9, [3, 6, 9], 9) == {"turn_before": 6, "turn_after": None}


@pytest.mark.parametrize(("asked", "step"), [("3", 3), ("0", 0), ("99", None), ("9" * 5000, None), (None, 0)])
def test_the_slider_without_a_script(ann, bob, asked, step):
    match = play_on(seated(ann, bob), Random(61), turns=4)
    step = match.turns if step is None else step
    answer = browser_of(ann).get(reverse("replay-to", args=[match.pk]), {"step": asked} if asked else {})
    assert (answer.status_code, answer.headers["Location"]) == (302, step_of(match, step))


@pytest.mark.parametrize("asked", ["-1", "a", "1.5", "٣", "\0", ""])
def test_no_other_step_is_led_to(ann, bob, asked):
    match = play_on(seated(ann, bob), Random(61), turns=4)
    answer = browser_of(ann).get(reverse("replay-to", args=[match.pk]), {"step": asked})
    assert answer.status_code == 400
    assert "Moves are counted from 0." in answer.content.decode()


def test_before_it_starts_and_for_others_there_is_nothing_to_lead_to(ann, bob, cem):
    hidden = play_on(seated(ann, bob, access="link"), Random(61), turns=4)
    for match, person in ((opened(ann), ann), (hidden, cem)):
        assert browser_of(person).get(reverse("replay-to", args=[match.pk])).status_code == 404


@pytest.mark.parametrize("slug", games())
def test_each_line_of_the_log_leads_to_its_step(slug, ann, bob, cem):
    match = played_on(seated(*as_many(slug, ann, bob, cem), game_slug=slug), Random(66), turns=12)
    browser = browser_of(ann)
    for address in (reverse("match", args=[match.pk]), reverse("log", args=[match.pk])):
        log = re.search(r'<ol class="log[^>]*>(.*?)</ol>', browser.get(address).content.decode(), re.DOTALL)[1]
        lines = re.findall(r"<li[^>]*>(.*?)</li>", log, re.DOTALL)
        steps = [re.findall(rf'href="/matches/{match.pk}/replay/(\d+)/"', line) for line in lines]
        assert lines and all(len(step) == 1 for step in steps), address
        assert all(0 < int(step) <= match.turns for (step,) in steps)
