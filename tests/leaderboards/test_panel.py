"""What a match's page says of ratings, before and after, and to whom."""

import re
from datetime import timedelta

import pytest
from django.utils.html import strip_tags

from accounts.services.closing import close_account
from games.moderation import matches
from games.services.play import moves
from leaderboards import rating
from leaderboards.models import RatingChange
from leaderboards.panels import gain
from leaderboards.services import unrate_match
from tests.factories import WHY, browser_of, end, fresh, opened, placed, played, rated, seated, standing


def panel(match, person=None) -> str:
    """Return the words of the panel on the match's page."""
    page = browser_of(person).get(f"/matches/{match.pk}/")
    assert page.status_code == 200
    found = re.search(r'<(details|p) class="[^"]*stake.*?</\1>', page.content.decode(), re.S)
    return re.sub(r"\s+", " ", strip_tags(found[0].replace("</t", " </t"))).strip() if found else ""


def test_what_is_at_stake_between_two(ann, bob):
    placed(ann, 1600)
    placed(bob, 1400)
    match = rated(ann, bob)
    assert panel(match, ann).startswith("Rated: +5 if you win, −15 if you lose")
    assert panel(match, bob).startswith("Rated: +15 if you win, −5 if you lose")
    assert "Your rating is 1600." in panel(match, ann)


def test_what_was_promised_is_what_it_brings(ann, bob, cem):
    for person, points in ((ann, 1533), (bob, 1411), (cem, 1666)):
        placed(person, points)
    match = rated(ann, bob, cem)
    promised = re.search(r"Rated: (\S+) if you win, (\S+) if you are last", panel(match, ann))
    before = standing(ann).rating
    end(match, [1, 2, 3])
    assert gain(standing(ann).rating - before) == promised[1]


def test_a_beginner_is_provisional(ann, bob):
    assert "Your rating is 1500 (provisional: fewer than ten rated matches so far)." in panel(rated(ann, bob), ann)


def test_watchers_strangers_and_who_left_see_no_stake(ann, bob, cem, eve):
    match = rated(ann, bob, cem)
    moves.resign(match_id=match.pk, user=ann)
    for person in (None, eve, ann):
        assert panel(match, person) == ""


def test_casual_and_open_matches_have_no_panel(ann, bob):
    assert panel(seated(ann, bob), ann) == ""
    assert panel(opened(ann, rated=True), ann) == ""


def test_what_it_brought_and_against_whom(ann, bob, cem):
    placed(ann, 1600)
    placed(bob, 1400)
    match = played(ann, bob, cem, places=[2, 1, 2])
    words = panel(match, ann)
    row = match.settlements.get().changes.get(seat=0)
    assert f"Your rating: {gain(row.delta)}, now {rating.whole(row.after)}" in words
    assert "bob 1400 76% lost" in words
    assert "cem 1500? 64% tied" in words
    assert f"1600 → {rating.whole(row.after)}" in words
    assert "yours was 1600" in words
    watcher = panel(match)
    assert watcher.startswith("Rating change")
    assert "Expected" not in watcher
    assert "1400 →" in watcher


@pytest.mark.parametrize("person", ["ann", None])
def test_why_it_brought_nothing(ann, bob, person):
    viewer = ann if person else None
    assert "Nobody had made two moves" in panel(played(ann, bob, moves=1), viewer)
    match = rated(ann, bob)
    for who in (ann, bob):
        moves.wish_call_off(match_id=match.pk, user=who, wish=True)
    assert "Called off" in panel(match, viewer)
    match = played(ann, bob)
    unrate_match(match)
    assert "no longer counts" in panel(match, viewer)


def test_what_it_brought_when_an_account_was_closed(ann, bob):
    match, short, old = rated(ann, bob), rated(ann, bob, moves=1), rated(ann, bob)
    close_account(user_id=bob.pk)
    words = panel(fresh(match), ann)
    assert "Your rating: +20" in words and "former member" in words
    assert "Nobody had made two moves" in panel(fresh(short), ann)
    RatingChange.objects.filter(settlement__match=old).delete()
    old.settlements.all().delete()
    old.departed.all().delete()  # as before such ratings were kept
    assert "An account was closed, and nobody was left to compare with" in panel(fresh(old), ann)


def test_why_it_brought_nothing_when_a_moderator_was_there(mo, ann, bob):
    match, agreed, played_out, short = (
        rated(ann, bob),
        rated(ann, bob),
        rated(ann, bob),
        rated(ann, bob, moves=1),
    )
    matches.end_match(moderator=mo, match=match, reason=WHY)
    assert "A moderator ended this match: no rating has changed." in panel(match, ann)
    for who in (ann, bob):
        moves.wish_call_off(match_id=agreed.pk, user=who, wish=True)
    end(played_out, [1, 2])
    end(short, [1, 2])
    for one in (played_out, short):  # what was called off counts for nothing anyway
        matches.void(moderator=mo, match=one, reason=WHY)
    assert "Called off: no rating has changed." in panel(agreed, ann)
    assert "no longer counts" in panel(played_out, ann)
    assert "Nobody had made two moves" in panel(short, ann)


def test_why_it_brought_nothing_is_said_of_a_match_that_was_voided_uncounted(ann, bob, settings):
    settings.ON_MATCH_END = []
    match = played(ann, bob)
    assert "No rating has changed." in panel(match, ann)
    match.voided_at = match.ended_at + timedelta(hours=1)
    match.save()
    assert "A moderator ruled that this match does not count" in panel(match, ann)


def test_a_member_who_is_gone_is_a_former_member(ann, bob):
    match = played(ann, bob)
    match.seats.filter(user=ann).update(left=1)
    ann.delete()
    assert "former member" in panel(match, bob)


def test_in_french(ann, bob):
    bob.language = "fr"
    bob.save()
    assert panel(rated(ann, bob), bob).startswith("Classée : +20 si vous gagnez, −20 si vous perdez")
    assert "Votre cote : −20, désormais 1480?" in panel(played(ann, bob), bob)


@pytest.mark.parametrize(("hundredths", "shown"), [(14_49, "+14"), (-8_51, "−9"), (0, "±0"), (30, "±0"), (-30, "±0")])
def test_signs(hundredths, shown):
    assert gain(hundredths) == shown
