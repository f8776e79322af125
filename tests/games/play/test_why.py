"""Why one is asked: the page and its part, who gets it, that the table only has the way to it, every line in words."""

import re
from random import Random

import pytest
from django.template import engines
from django.urls import reverse
from django.utils import translation
from django.utils.html import strip_tags

from games.models import Match
from games.queries.play import seats_of
from games.questions import reasons_of
from games.rules import games, get_game
from games.table import render_table, seat_of_viewer, table_for
from tests.factories import asked, browser_of, end, fresh, played_on, seated
from tests.games.lessons import Learner
from tests.rules.playing import positions
from tests.rules.test_reasons import EXPLAINED

LONGEST = 260  # characters of a line, on a phone


def why(match) -> str:
    return reverse("why", args=[match.pk])


def table_of(match, person) -> dict:
    match = fresh(match)
    seats = seats_of(match)
    return table_for(match, seats, seat_of_viewer(seats, person.pk if person else None))


def test_who_is_asked_has_a_way_to_the_reasons_and_finds_them_on_a_page(ann, bob, cem):
    match = seated(ann, bob, game_slug="yum-extra")
    mover, other = (ann, bob) if asked(match).user_id == ann.pk else (bob, ann)
    page = browser_of(mover).get(f"/matches/{match.pk}/").content.decode()
    assert f'href="{why(match)}"' in page
    answer = browser_of(mover).get(why(match))
    said = " ".join(strip_tags(answer.content.decode()).split())
    assert answer.status_code == 200
    assert "Up to three rolls, then you write in one of your 13 open rows." in said
    assert f'href="/matches/{match.pk}/"' in answer.content.decode()
    for person in (other, cem, None):
        assert why(match) not in browser_of(person).get(f"/matches/{match.pk}/").content.decode()
        answer = browser_of(person).get(why(match))
        assert (answer.status_code, answer["Location"]) == (302, f"/matches/{match.pk}/")


def test_a_script_is_given_the_part_alone_and_the_question_that_it_is_about(ann, bob):
    match = seated(ann, bob, game_slug="yum-extra")
    seat = asked(match)
    mover, other = (ann, bob) if seat.user_id == ann.pk else (bob, ann)
    answer = browser_of(mover).get(why(match), headers={"X-Live": "1"})
    text = answer.content.decode()
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "no-store"
    assert "<html" not in text
    assert f'data-ask="{seat.ask}"' in text
    assert re.search(r'role="dialog" aria-labelledby="why-head"', text)
    assert browser_of(other).get(why(match), headers={"X-Live": "1"}).status_code == 204


def test_an_ended_match_and_a_step_of_the_replay_give_no_reasons(ann, bob):
    match = played_on(seated(ann, bob, game_slug="yum-extra"), Random(1), turns=4)
    assert why(match) not in browser_of(ann).get(f"/matches/{match.pk}/replay/2/").content.decode()
    match = end(match, [1, 2])
    assert match.status == Match.Status.ENDED
    for person in (ann, bob):
        assert why(match) not in browser_of(person).get(f"/matches/{match.pk}/").content.decode()
        assert browser_of(person).get(why(match)).status_code == 302


def test_where_a_coach_speaks_there_is_no_second_voice(ann):
    learner = Learner(ann, "yum-extra")
    page = browser_of(ann).get(f"/matches/{learner.match.pk}/").content.decode()
    assert 'id="coach"' in page
    assert why(learner.match) not in page
    assert browser_of(ann).get(why(learner.match)).status_code == 302


def test_a_game_without_reasons_has_no_way_to_them(ann, bob):
    slug = next(slug for slug in games() if not get_game(slug).explains)
    match = seated(ann, bob, game_slug=slug)
    for person in (ann, bob):
        assert why(match) not in browser_of(person).get(f"/matches/{match.pk}/").content.decode()
        assert browser_of(person).get(why(match)).status_code == 302


def test_a_table_that_is_drawn_works_out_no_reasons(ann, bob, monkeypatch):
    match = seated(ann, bob, game_slug="yum-extra")

    def refuse(self, view):
        raise AssertionError("worked out unasked")

    monkeypatch.setattr(type(get_game("yum-extra")), "reasons", refuse)
    mover = ann if asked(match).user_id == ann.pk else bob
    table = table_of(match, mover) | {"refused": None, "coach": None}
    assert why(match) in str(render_table(table))


@pytest.mark.thin(3)
@pytest.mark.parametrize("slug", EXPLAINED)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_each_reason_is_a_short_line_in_words(slug, language, ann):
    """Over one match, each kind of question some times; in a game of two modes over one of each."""
    game, seen = get_game(slug), {}
    modes = [{"mode": "cooperative"}, {}] if game.together else [{}]
    with translation.override(language):
        for options in modes:
            seats = max(3, game.min_seats)
            for state in positions(game, seats, options, seed=11, end=False):
                for seat in game.to_move(state):
                    view = game.view(state, seat)
                    kind = view["phase"], *(reason["say"] for reason in game.reasons(view))
                    seen[kind] = seen.get(kind, 0) + 1
                    if seen[kind] == 1:
                        look(game, view)
    assert len(seen) > 5


def look(game, view) -> None:
    seats = [{"name": f"N{n}", "number": n, "kind": "person", "you": n == view["you"]} for n in range(view["seats"])]
    about = {"id": 1, "game": game.slug, "rules": game.rules_version, "name": game.name}
    now = {"status": "running", "playing": True, "voided": False, "step": None, "ask": 1, "you": view["you"]}
    table = about | now | {"seats": seats, "view": view, "hints": {**game.hints(view), **game.traces([])}}
    lines = re.findall(r"<li>(.*?)</li>", str(reasons_of(table, is_part=True)), re.DOTALL)
    assert len(lines) == len(game.reasons(view))
    for line in lines:
        words = " ".join(strip_tags(line).split())
        assert 10 < len(words) < LONGEST, words
        assert words[-1] in ".)", words
        assert "  " not in words and " ," not in words and ".." not in words, words


def test_a_chance_is_never_told_as_none_or_sure_where_it_is_neither():
    share = engines["jinja"].get_template("games/play/odds.jinja").template.module.share
    with translation.override("en"):
        told = [str(share(chance)) for chance in (0, 0.001, 0.12, 0.999, 1)]
    assert told == ["0%", "less than 1%", "12%", "more than 99%", "100%"]
