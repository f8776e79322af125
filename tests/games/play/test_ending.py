"""The end of a match: what decided it, its curve, what it was for the reader, and words of its own for each kind."""

from itertools import pairwise
from random import Random

import pytest
from django.core.cache import cache

from games.curve import curve_of
from games.models import Match
from games.queries import records
from games.queries.play import seats_of
from games.rules import games
from games.services.lobby import closing
from games.services.play import moves
from games.story import story_of, turning_of
from tests.factories import as_many, browser_of, end, fresh, guest, opened, played_on, seated
from tests.games.play.addresses import sentence


def page_of(match, person=None, language="en") -> str:
    return browser_of(person).get(f"/matches/{match.pk}/", headers={"accept-language": language}).content.decode()


def won_by(match) -> int:
    return match.outcome["winners"][0]


@pytest.mark.thin(2)
@pytest.mark.parametrize("slug", games())
def test_the_end_of_every_game_has_its_curve(ann, bob, cem, slug):
    match = played_on(seated(*as_many(slug, ann, bob, cem), game_slug=slug), Random(3))
    for person, language in ((ann, "en"), (None, "fr")):
        page = page_of(match, person, language)
        assert page.count("<polyline") == match.size
        assert 'class="ranks"' in page and f"/matches/{match.pk}/replay/0/" in page
    story = story_of(match, seats_of(match))
    assert story.points[0][0] == 0 and story.points[-1] == (match.turns, match.outcome["scores"])


def test_who_led_since_when():
    points = [(0, [0, 0]), (3, [5, 0]), (6, [5, 9]), (9, [5, 9]), (12, [30, 9])]
    assert turning_of(points, 0) == (12, False, 2, 12, 25)
    assert turning_of(points[:2], 0) == (3, True, 0, 3, 5)
    assert turning_of([(0, [0, 0]), (3, [4, 4])], 0) == (None, False, 0, 3, 0)


def test_the_turn_that_decided_leads_to_its_step(ann, bob):
    match = played_on(seated(ann, bob), Random(4))
    turning = turning_of(story_of(match, seats_of(match)).points, won_by(match))
    page = page_of(match, (ann, bob)[won_by(match)])
    assert f'best turn ended with <a href="/matches/{match.pk}/replay/{turning.best}/">' in page
    assert "Your best turn" in page and "The winner’s best turn" in page_of(match)


def test_points_of_no_change_are_left_out_and_the_curve_stays_small(ann, bob):
    points = [(step, [step // 10, 0]) for step in range(300)]
    curve = curve_of(points, together=False)
    assert [len(line["path"].split()) for line in curve["lines"]] == [300, 300]
    assert len(curve["rows"]) <= 17 and curve["rows"][-1]["move"] == 299


def test_shapes_of_equal_seats_stand_apart():
    curve = curve_of([(0, [0] * 8), (9, [4] * 8)], together=False)
    ends = sorted(line["end"] for line in curve["lines"])
    assert all(after - before >= 15 for before, after in pairwise(ends))
    assert ends[-1] + 15 <= curve["height"]


def test_a_score_below_zero_is_on_the_scale():
    curve = curve_of([(0, [0]), (5, [-7]), (9, [3])], together=True)
    assert curve["scale"][0]["value"] <= -7 and curve["scale"][-1]["value"] >= 3
    assert all(0 <= float(spot.split(",")[1]) <= curve["height"] for spot in curve["lines"][0]["path"].split())


def test_only_the_winner_is_cheered_and_not_for_long(ann, bob, clock):
    match = played_on(seated(ann, bob), Random(5))
    winner, loser = (ann, bob) if won_by(match) == 0 else (bob, ann)
    assert 'class="confetti"' in page_of(match, winner)
    assert not any('class="confetti"' in page_of(match, person) for person in (loser, None))
    clock.forward(3 * 86_400)
    assert 'class="confetti"' not in page_of(match, winner)


def test_who_shares_the_first_place_is_cheered(ann, bob):
    match = end(seated(ann, bob), [1, 1])
    assert all('class="confetti"' in page_of(match, person) for person in (ann, bob))


def test_own_dice_with_their_share(ann, bob):
    match = played_on(seated(ann, bob), Random(6))
    words = sentence(browser_of(ann).get(f"/matches/{match.pk}/"))
    assert "dice averaged" in words and "of 100 such matches." in words
    assert "dice averaged" not in sentence(browser_of().get(f"/matches/{match.pk}/"))


def test_records(ann, bob):
    def played(rng, places):
        return end(played_on(seated(ann, bob), Random(rng), turns=2), places)

    def told(match, number=0):
        return records.record_of(match, seats_of(match)[number])

    first = played(1, [1, 2])
    assert told(first) == (None, True, 1)
    assert told(first, 1) == (None, False, 0)
    second = played(2, [1, 2])
    assert told(second) == (None, False, 2)
    assert told(first) == (None, True, 1)  # as it was then
    third = played(3, [2, 1])
    assert told(third, 1)[1:] == (True, 1)
    assert "2 wins in a row." in page_of(second, ann)
    Match.objects.filter(pk=third.pk).update(voided_at=third.ended_at)
    assert told(fresh(third), 1) == records.NONE


def test_a_best_score_is_told_with_the_one_before(ann, bob):
    for places in ([2, 1], [1, 2]):
        match = end(seated(ann, bob), places)
    assert records.record_of(match, seats_of(match)[0]).beaten == 7
    assert "it was 7 before" in page_of(match, ann)
    other = end(seated(ann, bob, options={"scratch": "free"}), [1, 2])
    assert records.record_of(other, seats_of(other)[0]).beaten is None


def test_the_story_is_told_once(ann, bob, monkeypatch):
    match = played_on(seated(ann, bob), Random(7))
    page_of(match)
    monkeypatch.setattr("games.story.record_of", None)
    assert "<polyline" in page_of(match)
    cache.clear()


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("called_off", "Nobody won, nobody lost"),
        ("resigned", "It ended by resignation."),
        ("voided", "no longer counts"),
    ],
)
def test_each_kind_of_end_has_its_words(ann, bob, how, said):
    match = played_on(seated(ann, bob), Random(8), turns=30)
    if how == "resigned":
        moves.resign(match_id=match.pk, user=bob)
    elif how == "called_off":
        for person in (ann, bob):
            moves.wish_call_off(match_id=match.pk, user=person, wish=True)
    else:
        match = end(match, [1, 2])
        Match.objects.filter(pk=match.pk).update(voided_at=match.ended_at)
    for person in (ann, bob, None):
        page = page_of(match, person)
        assert said in page and "best turn" not in page
    assert ('class="confetti"' in page_of(match, ann)) == (how == "resigned")
    assert 'class="confetti"' not in page_of(match, bob)


def test_dice_without_pips_are_not_lucky(ann, bob):
    match = played_on(seated(ann, bob, game_slug="yes"), Random(6))
    words = sentence(browser_of(ann).get(f"/matches/{match.pk}/"))
    assert "dice averaged" not in words and "pips" not in words
    assert "The figures: cash and countries" in words


def test_a_guest_is_told_like_everybody(ann):
    gnu = guest()
    match = played_on(seated(ann, gnu, access="link", guests=True), Random(9))
    assert "dice averaged" in page_of(match, gnu)


def test_a_match_that_never_began_has_no_result(ann):
    match = opened(ann)
    closing.leave(match_id=match.pk, user=ann)
    assert 'class="result' not in page_of(match, ann)
