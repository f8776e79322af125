"""Ratings are not for sale: how often two may meet, how long a match must be, and who leaves still counts."""

from datetime import timedelta

import pytest

from accounts.services.closing import close_account
from config.lib import clock as present
from games.engine import OPENING_MOVES
from games.models import Match, Turn
from games.moderation import hints, members
from games.queries import people
from games.queries.rated import MOST_OF_PAIR
from games.services.lobby import opening
from games.services.play import moves
from leaderboards.models import Departed, RatingChange, Settlement, Standing
from leaderboards.rebuild import rebuild
from tests.factories import WHY, bot_of, browser_of, committed, end, fresh, opened, played, rated, seated, standing
from tests.games.play.addresses import sentence
from tests.leaderboards.test_at_once import at_once

pytestmark = pytest.mark.django_db


def thrown(winner, loser, **wishes) -> Match:
    """Return a rated match, if it may still be one, that one gives up after as many moves as must be."""
    match = seated(winner, loser, rated=True, **wishes)
    made = {"match": match, "by": "person", "move": {}, "draws": [], "events": [], "at": 0}
    Turn.objects.bulk_create(Turn(number=n + 1, seat=n % 2, **made) for n in range(2 * OPENING_MOVES))
    moves.resign(match_id=match.pk, user=loser)
    return fresh(match)


@pytest.mark.outgrown
def test_of_two_who_meet_again_and_again_six_matches_a_week_count(ann, bob, cem, clock):
    matches = [thrown(ann, bob) for _ in range(MOST_OF_PAIR + 4)]
    assert [match.rated for match in matches] == [True] * MOST_OF_PAIR + [False] * 4
    assert Settlement.objects.count() == standing(ann).matches == MOST_OF_PAIR
    assert thrown(ann, cem).rated and thrown(cem, bob).rated  # other pairs
    assert seated(ann, bob, rated=True, game_slug="yay").rated  # another game
    three = seated(ann, bob, cem, rated=True)
    assert (three.rated, three.limited) == (False, True)
    assert rebuild(write=True) == []
    clock.forward(7 * 24 * 3600 + 1)
    assert thrown(ann, bob).rated


@pytest.mark.outgrown
def test_all_bots_of_one_member_and_that_member_are_one_opponent(ann, bob, cem, eve):
    first, second = bot_of(bob, "one"), bot_of(bob, "two")
    for number in range(MOST_OF_PAIR):
        assert thrown(ann, [bob, first, second][number % 3], takes_bots=True).rated
    assert not any(thrown(ann, one, takes_bots=True).rated for one in (bob, first, second, bot_of(bob, "three")))
    assert not thrown(bot_of(ann, "mine"), first, takes_bots=True).rated
    assert thrown(ann, bot_of(cem, "yours"), takes_bots=True).rated and thrown(eve, first, takes_bots=True).rated
    table = opened(ann, size=3, rated=True, takes_bots=True)
    opening.join(match_id=table.pk, user=first)
    words = "ann and one-bot have begun 6 rated matches of this game with each other within 7 days"
    assert words in sentence(browser_of(cem).get(f"/matches/{table.pk}/"))


@pytest.mark.outgrown
def test_a_bot_that_was_closed_counts_with_whatever_bot_comes_next(ann, bob, cem):
    for number in range(MOST_OF_PAIR):
        bot = bot_of(bob, f"loser-{number}")
        assert thrown(ann, bot, takes_bots=True).rated
        close_account(user_id=bot.pk)
    assert not thrown(ann, bot_of(bob, "next"), takes_bots=True).rated
    assert thrown(ann, cem).rated and thrown(ann, bob).rated  # people are as they were
    assert thrown(cem, bot_of(bob, "other"), takes_bots=True).rated


def test_it_is_told_before_the_match_starts_and_after(ann, bob, cem):
    for _ in range(MOST_OF_PAIR):
        played(ann, bob)
    match = opened(ann, size=3, rated=True)
    opening.join(match_id=match.pk, user=bob)
    words = "ann and bob have begun 6 rated matches of this game with each other within 7 days"
    for viewer in (ann, cem):
        assert words in sentence(browser_of(viewer).get(f"/matches/{match.pk}/"))
    opening.join(match_id=match.pk, user=cem)
    page = sentence(browser_of(ann).get(f"/matches/{match.pk}/"))
    assert "Casual: two who play here had already begun 6 rated matches" in page
    end(match, [1, 2, 3])
    assert "Casual: two who play here" in sentence(browser_of(bob).get(f"/matches/{match.pk}/"))
    assert words not in sentence(browser_of(cem).get(f"/matches/{opened(ann, rated=True).pk}/"))


def test_what_was_called_off_is_not_counted_among_the_six(ann, bob):
    for _ in range(MOST_OF_PAIR):
        match = rated(ann, bob)
        for person in (ann, bob):
            moves.wish_call_off(match_id=match.pk, user=person, wish=True)
    assert thrown(ann, bob).rated


@pytest.mark.outgrown
@pytest.mark.django_db(transaction=True)
def test_matches_that_start_in_the_same_instant_know_of_each_other(ann, bob):
    for _ in range(MOST_OF_PAIR - 1):
        played(ann, bob)
    tables = [opened(ann, size=2, rated=True) for _ in range(4)]
    assert not at_once([lambda table=table: opening.join(match_id=table.pk, user=bob) for table in tables])
    assert sorted(fresh(table).rated for table in tables) == [False, False, False, True]


@pytest.mark.parametrize("made", [1, 4, 5])
def test_a_match_given_up_before_two_have_made_five_moves_each_counts_for_nobody(ann, bob, made):
    match = rated(ann, bob, moves=made)
    Turn.objects.filter(match=match, seat=0).delete()
    extra = {"match": match, "by": "person", "move": {}, "draws": [], "events": [], "at": 0}
    Turn.objects.bulk_create(Turn(number=100 + n, seat=0, **extra) for n in range(9))
    moves.resign(match_id=match.pk, user=bob)
    assert match.settlements.exists() == (made == OPENING_MOVES)
    page = sentence(browser_of(ann).get(f"/matches/{match.pk}/"))
    assert ("Given up before two had made 5 moves each: no rating has changed." in page) != (made == OPENING_MOVES)
    shares = [people.reliability(person) for person in (ann, bob)]
    assert [found.kept for found in shares if found] == [1, int(made == OPENING_MOVES)]
    assert rebuild(write=True) == []


def test_who_closes_the_account_counts_for_the_others(ann, bob, cem):
    played(bob, ann)
    duel, three, left = rated(ann, bob), rated(ann, bob, cem), rated(cem, bob, ann)
    moves.resign(match_id=left.pk, user=bob)
    before = standing(ann).rating
    close_account(user_id=bob.pk)
    assert Departed.objects.count() == 3
    assert standing(ann).rating > before + 15_00  # of the duel, which ended by it
    assert [row.user for row in duel.settlements.get().changes.all()] == [ann]
    end(three, [2, 1, 3])
    end(left, [1, 2, 3])
    assert not RatingChange.objects.filter(user=None).exclude(settlement__match__in=[played_first()]).exists()
    assert standing(cem).matches == 2
    facts = list(Standing.objects.order_by("pk").values()), list(RatingChange.objects.order_by("pk").values())
    assert rebuild(write=True) == []
    RatingChange.objects.filter(settlement__match=three).update(before=1, delta=1, after=2)
    assert rebuild(write=True)
    assert facts == (
        list(Standing.objects.order_by("pk").values()),
        list(RatingChange.objects.order_by("pk").values()),
    )


def played_first() -> int:
    """Return the first match, which ended before the account was closed."""
    return Match.objects.order_by("pk").values_list("pk", flat=True)[0]


def test_when_all_have_closed_their_accounts_nothing_is_left_to_count(ann, bob):
    match = rated(ann, bob, bots=[])
    for person in (ann, bob):
        close_account(user_id=person.pk)
    assert fresh(match).status == "ended"
    assert rebuild(write=True) == []


def test_who_is_banned_in_a_match_counts_for_the_others(mo, ann, bob):
    match = rated(ann, bob)
    committed(members.ban, moderator=mo, member=bob, reason=WHY)
    assert sorted(match.settlements.get().changes.values_list("user", "delta")) == [(ann.pk, 20_00), (bob.pk, -20_00)]
    assert rebuild(write=True) == []


def test_moderators_see_who_loses_to_one_member_alone(mo, ann, bob, cem, eve):
    for giver in (bob, cem):
        for _ in range(4):
            played(ann, giver)
    for _ in range(3):  # who loses to everybody, and who wins now and then, is no such one
        played(ann, eve), played(mo, eve)
    assert hints.givers(ann) == [(bob, 4, 4), (cem, 4, 4)]
    assert hints.givers(bob) == hints.givers(eve) == []
    page = browser_of(mo).get(f"/admin/accounts/user/{ann.pk}/change/").content.decode()
    assert "4 of their 4 rated matches in 90 days" in " ".join(page.split())
    Match.objects.update(ended_at=present.now() - timedelta(days=91))
    assert hints.givers(ann) == []


def test_an_accomplice_who_leaves_at_once_saves_nobody_from_a_loss(ann, bob, cem):
    match = rated(ann, bob, cem)
    Turn.objects.filter(match=match, seat=2).delete()
    moves.resign(match_id=match.pk, user=cem)
    moves.resign(match_id=match.pk, user=bob)
    assert dict(match.settlements.get().changes.values_list("user", "delta")) == {
        ann.pk: 20_00,
        bob.pk: 0,
        cem.pk: -20_00,
    }
    assert rebuild(write=True) == []


def test_moderators_see_what_was_won_of_who_gave_up_or_is_gone(mo, ann, bob, cem, eve):
    """Puppets that lose twice each, or are closed afterwards, are in no other hint: one mailbox makes ten a day."""
    page = f"/admin/accounts/user/{ann.pk}/change/"
    assert "given up by the others" not in sentence(browser_of(mo).get(page))
    for puppet in (bob, cem):
        thrown(ann, puppet), thrown(ann, puppet)
    played(ann, eve), played(eve, ann)
    close_account(user_id=bob.pk)
    assert hints.givers(ann) == []
    assert hints.won_of(ann) == (5, 4, 2)
    words = "Rated matches won in 90 days: 5; given up by the others: 4; with an account that was closed since: 2."
    assert words in sentence(browser_of(mo).get(page))


@pytest.mark.parametrize("made", [1, 2])
def test_two_who_have_lost_a_short_match_do_not_undo_it_by_leaving(ann, bob, cem, made):
    """One round of YESSS! has three moves of each."""
    match = rated(ann, bob, cem, moves=made, game_slug="yesss", options={"mode": "competitive", "rounds": 1})
    for loser in (ann, bob):
        moves.resign(match_id=match.pk, user=loser)
    assert match.settlements.exists() == (made == 2)
    page = sentence(browser_of(cem).get(f"/matches/{match.pk}/"))
    assert ("Nobody had made two moves: no rating has changed." in page) == (made == 1)
    assert [people.reliability(person).kept for person in (ann, cem)] == [int(made == 2), 1]
    assert rebuild(write=True) == []
