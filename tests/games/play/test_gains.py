"""Beside each figure at the seats stands what the last turn that changed any made of it."""

from random import Random

import pytest

from config.lib.formats import signed
from games.queries.play import seats_of
from games.queries.turns import all_turns
from games.record import state_at
from games.rules import games
from games.table import log_words, table_for
from tests.factories import browser_of, fresh, play_on, seated

SAMPLE = "sample-game"


def tallies(table) -> list[str]:
    """Return the figures as the page writes them, digits alone."""
    words = log_words(table)
    said = [str(words.tally(table, seat["number"])) for seat in table["seats"]]
    return ["".join(one.partition(">")[2].partition("<")[0] if "<" in one else one).replace(",", "") for one in said]


@pytest.mark.thin(2)
@pytest.mark.parametrize("slug", [slug for slug in games() if slug != SAMPLE])
def test_the_change_of_each_figure_stands_beside_it(ann, bob, cem, slug):
    match = seated(ann, bob, cem, game_slug=slug)
    shown = 0
    for stop in (1, 2):
        match = play_on(match, Random(stop), turns=17 * stop)
        seats, turns = seats_of(match), all_turns(match)
        figures = [match.game.figures(state_at(match, seats, number)) for number in range(match.turns + 1)]
        changed = [number for number in range(1, match.turns + 1) if figures[number] != figures[number - 1]]
        table = table_for(match, seats, seats[0], turns)
        assert [int(figure) for figure in tallies(table)] == figures[-1]
        if not changed:
            continue
        opens = [
            turn.number for turn in turns if turn.number <= changed[-1] and match.game.opens_paragraph(turn.events)
        ]
        before = figures[(opens[-1] if opens else 1) - 1]
        if match.game.changes_by_move:
            rolled = max(turn.number for turn in turns if match.game.opens_paragraph(turn.events))
            before = figures[changed[-1] - 1] if changed[-1] >= rolled else figures[-1]
        gains = [now - was for now, was in zip(figures[-1], before, strict=True)]
        assert [seat["gain"] for seat in table["seats"]] == gains
        html = browser_of(ann).get(f"/matches/{match.pk}/").content.decode()
        for gain in filter(None, gains):
            assert f'<span aria-hidden="true">{signed(gain)}</span>' in html
            assert f"{abs(gain):,} {'more' if gain > 0 else 'less'}" in html
            shown += 1
    assert shown


@pytest.mark.outgrown
def test_no_change_is_told_of_an_earlier_moment_or_of_the_end(ann, bob):
    match = play_on(seated(ann, bob, game_slug="yay"), Random(2), turns=20)
    assert any(seat["gain"] for seat in table_for(match, seats_of(match), None)["seats"])
    earlier = table_for(match, seats_of(match), None, state=state_at(match, seats_of(match), 3), step=3)
    assert not any(seat["gain"] for seat in earlier["seats"])
    ended = play_on(fresh(match), Random(3))
    assert not any(seat["gain"] for seat in table_for(ended, seats_of(ended), None)["seats"])
