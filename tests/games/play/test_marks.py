"""What stands on the board of an ended match leads to the move that made it, on its page and in its replay."""

import re
from random import Random

import pytest

from games.queries.play import seats_of
from games.record import state_at
from games.rules import games
from games.story import links_of
from tests.factories import as_many, browser_of, play_on, played_on, seated, state_of

SETUPS = [(slug, {}) for slug in games()] + [("yesss", {"mode": "cooperative", "minutes": 0})]


def hrefs(page: str) -> set[str]:
    return {href for look, href in re.findall(r'<a class="([^"]*)" href="([^"]*/replay/\d+/)"', page) if look != "at"}


@pytest.mark.parametrize(("slug", "options"), SETUPS)
def test_every_mark_leads_to_the_move_that_made_it(ann, bob, cem, slug, options):
    match = played_on(seated(*as_many(slug, ann, bob, cem), game_slug=slug, options=options), Random(21))
    seats, game, state = seats_of(match), match.game, state_of(match)
    links = links_of(match, seats, state, match.turns)
    assert set(links) == set(game.marks(state))
    for name, href in list(links.items())[::9]:
        step = int(href.split("/")[-2])
        before, after = (game.marks(state_at(match, seats, at)) for at in (max(step - 1, 0), step))
        assert after[name] == game.marks(state)[name] and (not step or before.get(name) != after[name])
    assert set(links.values()) <= hrefs(browser_of().get(f"/matches/{match.pk}/").content.decode())


@pytest.mark.parametrize("slug", ["yum-extra", "yam-menteur", "yay", "yes"])
def test_in_a_replay_to_the_move_that_had_made_it_by_then(ann, bob, cem, slug):
    match = played_on(seated(*as_many(slug, ann, bob, cem), game_slug=slug), Random(22))
    step = match.turns * 2 // 3
    links = links_of(match, seats_of(match), state_at(match, seats_of(match), step), step)
    found = hrefs(browser_of().get(f"/matches/{match.pk}/replay/{step}/").content.decode())
    assert links and set(links.values()) <= found
    assert all(int(href.split("/")[-2]) <= step for href in links.values())


@pytest.mark.parametrize("slug", ["yum-extra", "yam-menteur", "yay", "yes"])
def test_a_running_match_has_no_such_links(ann, bob, cem, slug):
    match = play_on(seated(*as_many(slug, ann, bob, cem), game_slug=slug), Random(23), turns=40)
    for path in ("", f"replay/{match.turns}/"):
        assert 'class="made"' not in browser_of(ann).get(f"/matches/{match.pk}/{path}").content.decode()
