"""The dice of all matches: each match counted once, taken back when it goes on, and shown as it is."""

import re
from random import Random

import pytest
from django.conf import settings
from django.db import transaction
from django.utils.module_loading import import_string

from games.engine import rolls
from games.models import FaceCount, Match, Seat, Tally, Turn
from games.queries.dice import fairness_of, luck_in_match, luck_of
from games.queries.play import seats_of
from games.record import record_of
from games.rules import games, get_game
from games.services import hooks
from games.services.play import dice_counts
from tests.factories import as_many, browser_of, fresh, play_on, played_on, seated

PAGE = "/games/yum-extra/statistics/"


def ended(*people, seed=1, **wishes) -> Match:
    return played_on(seated(*people, **wishes), Random(seed))


def by_hand(match) -> list[int]:
    """The faces in the turns' draws: all draws of Yum EXTRA are rolls of six-sided dice but the starter's."""
    counts = [0] * 6
    for draws in Turn.objects.filter(match=match).values_list("draws", flat=True):
        for draw in draws:
            for face in draw:
                counts[face - 1] += 1
    return counts


def counts(slug="yum-extra", sides=6) -> list[int]:
    found = FaceCount.objects.filter(game_slug=slug, sides=sides).order_by("face")
    return list(found.values_list("count", flat=True))


@pytest.mark.outgrown
def test_the_hooks_are_there():
    for path in (*settings.ON_MATCH_END, *settings.ON_MATCH_REOPENED, *settings.MATCH_PANELS):
        assert callable(import_string(path))


@pytest.mark.outgrown
def test_every_roll_is_counted_once(ann, bob):
    first, second = ended(ann, bob, seed=1), ended(ann, bob, seed=2)
    assert counts() == []
    assert dice_counts.count_matches() == 2
    assert dice_counts.count_matches() == 0
    assert dice_counts.count_match(first.pk) is False
    assert counts() == [a + b for a, b in zip(by_hand(first), by_hand(second), strict=True)]
    assert sum(counts(sides=2)) == 2  # who begins
    assert sum(counts()) > 200


@pytest.mark.outgrown
def test_a_running_match_is_not_counted(ann, bob):
    play_on(seated(ann, bob), Random(3), turns=20)
    assert dice_counts.count_matches() == 0
    assert not Tally.objects.exists()


def test_a_match_that_goes_on_is_taken_back(ann, bob):
    kept, undone = ended(ann, bob, seed=4), ended(ann, bob, seed=5)
    dice_counts.count_matches()
    with transaction.atomic():
        hooks.match_reopened(undone)
        hooks.match_reopened(undone)
    assert counts() == by_hand(kept)
    dice_counts.queue_count(undone)
    dice_counts.queue_count(undone)
    dice_counts.count_matches()
    assert counts() == [a + b for a, b in zip(by_hand(kept), by_hand(undone), strict=True)]


def test_a_match_that_goes_on_before_it_was_counted(ann, bob):
    match = ended(ann, bob)
    with transaction.atomic():
        hooks.match_reopened(match)
    assert dice_counts.count_matches() == 0
    assert counts() == []


@pytest.mark.outgrown
def test_a_record_that_cannot_be_played_stops_no_other(ann, bob):
    bad, good = play_on(seated(ann, bob), Random(6)), ended(ann, bob, seed=7)
    Turn.objects.filter(match=bad, number=3).update(draws=[[9, 9, 9]])
    dice_counts.count_matches()
    assert counts() == by_hand(good)
    assert "move 3" in Tally.objects.get(match=bad).problem
    assert "From 1 match." in browser_of().get(PAGE).content.decode()


def test_seats_have_what_they_rolled(ann, bob):
    match = ended(ann, bob)
    dice_counts.count_matches()
    for seat, luck in luck_in_match(match, seats_of(match)):
        own = [
            face
            for number, sides, faces in rolls(record_of(match, seats_of(match)), get_game)
            for face in faces
            if (number, sides) == (seat.number, 6)
        ]
        assert (luck.dice, luck.pips) == (len(own), sum(own))
    assert luck_of(ann).dice == luck_in_match(match, seats_of(match))[0][1].dice
    assert luck_of(bob).pips == luck_in_match(match, seats_of(match))[1][1].pips


def test_the_page(ann, bob, gus):
    assert "No match has been counted here yet." in browser_of().get(PAGE).content.decode()
    match = ended(ann, bob)
    dice_counts.count_matches()
    for person in (None, gus, ann):
        text = browser_of(person).get(PAGE).content.decode()
        assert text.count('class="spot') == 6
        assert text.count("Too few to say anything yet.") == 1  # of who begins
        assert f"{sum(by_hand(match))} rolls" in text
        for count in by_hand(match):
            assert f'<td class="num">{count}</td>' in text
        assert " style=" not in text
    assert browser_of().get("/games/chess/statistics/").status_code == 404


@pytest.mark.outgrown
@pytest.mark.parametrize(
    ("faces", "words"),
    [
        ((1000, 1010, 990, 1000, 1005, 995), "nothing unusual"),
        ((1000, 1010, 990, 1000, 1090, 910), "now and then"),
        ((1000, 1000, 1000, 1000, 1000, 1500), "fewer than 1 of 1,000"),
    ],
)
def test_the_verdict(db, faces, words):
    FaceCount.objects.bulk_create(
        FaceCount(game_slug="yum-extra", sides=6, face=face, count=count) for face, count in enumerate(faces, 1)
    )
    text = browser_of().get(PAGE).content.decode()
    assert words in text
    assert (" out" in text) is (faces[5] != 995)
    assert fairness_of("yum-extra")[0].counts == faces


def test_luck_on_the_pages(ann, bob, cem):
    match = ended(ann, bob)
    address = f"/matches/{match.pk}/"
    assert 'id="luck"' not in browser_of(ann).get(address).content.decode()
    dice_counts.count_matches()
    for person in (ann, cem):
        assert 'id="luck"' in browser_of(person).get(address).content.decode()
    text = browser_of(cem).get("/people/ann/").content.decode()
    assert f"{luck_of(ann).dice} dice in the latest matches" in text
    assert f"dice {luck_of(ann).average:.2f}" in text
    assert "no dice in a finished match" in browser_of(cem).get("/people/cem/").content.decode()


@pytest.mark.outgrown
def test_a_running_match_tells_no_luck(ann, bob):
    match = ended(ann, bob)
    dice_counts.count_matches()
    Match.objects.filter(pk=match.pk).update(status="running", ending="")
    assert luck_in_match(fresh(match), list(Seat.objects.filter(match=match))) == []


@pytest.mark.outgrown
@pytest.mark.parametrize("slug", games())
def test_the_dice_of_every_game_are_counted(ann, bob, cem, slug):
    people = as_many(slug, ann, bob, cem)
    match = ended(*people, game_slug=slug)
    assert dice_counts.count_matches() == 1
    assert Tally.objects.get(match=match).problem == ""
    assert fairness_of(slug)[0].sides == (2 if slug == "yesss" else 6)  # there, which face of a card
    lucky = {seat.user for seat, _luck in luck_in_match(fresh(match), seats_of(match))}
    assert lucky == (set() if slug in ("yesss", "yes") else set(people))  # cards dealt to all alike, dice without pips
    page = browser_of(bob).get(f"/games/{slug}/statistics/")
    assert page.status_code == 200
    assert "<svg" in page.content.decode()
    assert f'href="/games/{slug}/statistics/"' in browser_of().get(f"/games/{slug}/").content.decode()


@pytest.mark.thin(3)
@pytest.mark.outgrown
@pytest.mark.parametrize("slug", games())
@pytest.mark.parametrize("language", ["en", "fr"])
def test_pages_of_a_game_without_dice_speak_of_draws(ann, bob, cem, slug, language):
    match = play_on(seated(*as_many(slug, ann, bob, cem), game_slug=slug), Random(8), turns=3)
    visitor = browser_of(headers={"accept-language": language})
    said = visitor.get(f"/matches/{match.pk}/").content.decode()
    said = said.split('id="fair"')[1].split("</details>")[0]
    for address in (f"/games/{slug}/", f"/games/{slug}/statistics/"):
        said += visitor.get(address).content.decode().split("<main")[1]
    found = re.search(r"\b(dice|die|rolls?|dés?|lancers?)\b", re.sub(r"<[^>]+>", " ", said))
    assert bool(found) == get_game(slug).has_dice
