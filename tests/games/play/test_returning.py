"""A seat that a bot holds for somebody who ran out of time: taken back, or taken over by a substitute."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from accounts.models import Block, User
from accounts.services.relationships import follow
from games.models import Audit, Match, Seat, Turn
from games.queries.people import record_between, reliability
from games.queries.play import proposed_to, seat_number, seats_to_take_back
from games.queries.substitutes import matches_to_take_over
from games.services.operation.undo import undo_sweep
from games.services.play import bots, moves, returning
from games.services.refusals import BlockedByOther, GuestsCannot, NotOffered, NotRunning, NotYourSeat
from games.table import table_for
from leaderboards.models import RatingChange
from tests.factories import asked, browser_of, end, fresh, seat, seated
from tests.games.play.at_once import Tab


def left_by_time(match, hours_of, **waited) -> Seat:
    """Let the seat that is asked run out of time for the second time; return it."""
    number = asked(match).number
    match.seats.filter(number=number).update(run_outs=1, notes="mine", orders={"pass_always": True})
    User.objects.update(vacation_by_itself=False)
    hours_of.go_by(days=3, seconds=6)
    hours_of.sweep()
    if waited:
        hours_of.go_by(**waited)
    return seat(match, number)


@pytest.fixture
def match(ann, bob, cem) -> Match:
    return seated(ann, bob, cem)


@pytest.fixture
def rated(ann, bob, cem) -> Match:
    return seated(ann, bob, cem, rated=True)


def ended(match) -> Match:
    """End the match, in which somebody has made moves enough to count."""
    own = {"match": match, "seat": 0, "by": Turn.By.PERSON, "move": {}, "draws": [], "events": [], "at": 0}
    Turn.objects.bulk_create(Turn(number=1000 + n, **own) for n in range(2))
    return end(match, [1, 2, 3])


@pytest.mark.both
def test_whoever_comes_back_plays_on(rated, hours):
    match = rated
    left = left_by_time(match, hours)
    browser = browser_of(left.user)
    assert seats_to_take_back(left.user) == [match]
    assert seat_number(match.pk, left.user) == left.number  # present, lest it told that time ran out
    assert "A bot plays in your seat" in browser.get("/").text
    page = browser.get(f"/matches/{match.pk}/").text
    assert "Take your seat back" in page and left.user.username not in re.search("<title>(.*?)</title>", page, re.S)[1]
    assert bots.play_bots(match_id=match.pk)
    browser.post(f"/matches/{match.pk}/return/")
    back = seat(match, left.number)
    assert (back.bot, back.left, back.absent, back.returned, back.orders) == ("", None, False, True, left.orders)
    assert not bots.play_bots(match_id=match.pk)
    if back.ask is not None:
        assert back.deadline is not None
    returning.take_back(match_id=match.pk, user=left.user)  # a second click
    assert seats_to_take_back(left.user) == []
    assert fresh(match).version == match.version + 3  # the seat lost, a bot's move, the seat back
    ended(match)
    assert RatingChange.objects.count() == 3
    assert reliability(left.user).kept == 0


def test_a_bot_that_still_thinks_does_not_move_for_who_is_back(match, hours, monkeypatch):
    left = left_by_time(match, hours)
    bot = match.game.bot("strong")

    class Slow:
        def choose(self, view, rng):
            returning.take_back(match_id=match.pk, user=left.user)
            return bot.choose(view, rng)

    monkeypatch.setattr(type(match.game), "bot", lambda self, level: Slow())
    assert not bots.play_bots(match_id=match.pk)
    assert seat(match, left.number).ask > left.ask


@pytest.mark.both
def test_not_twice_and_not_after_resigning_or_the_end(match, hours, eve):
    left = left_by_time(match, hours)
    returning.take_back(match_id=match.pk, user=left.user)
    other = next(s for s in match.seats.select_related("user") if s.number != left.number)
    moves.resign(match_id=match.pk, user=other.user)
    with pytest.raises(NotOffered):
        returning.take_back(match_id=match.pk, user=other.user)
    match.seats.filter(number=left.number).update(bot="strong", left=2, absent=True)
    with pytest.raises(NotOffered):
        returning.take_back(match_id=match.pk, user=left.user)
    with pytest.raises(NotYourSeat):
        returning.take_back(match_id=match.pk, user=eve)
    ended(match)
    with pytest.raises(NotRunning):
        returning.take_back(match_id=match.pk, user=left.user)


@pytest.mark.both
def test_a_substitute_takes_over_after_a_day(match, hours, eve, gus):
    left = left_by_time(match, hours, hours=23)
    assert matches_to_take_over(eve) == []
    with pytest.raises(NotOffered):
        returning.take_over(match_id=match.pk, user=eve)
    hours.go_by(hours=2)
    assert "Substitutes wanted" in browser_of(eve).get("/play/").text
    assert "Take over the seat" in browser_of(eve).get(f"/matches/{match.pk}/").text
    assert "Substitutes wanted" not in browser_of(eve).get("/").text
    follow(follower=eve, followed=left.user)
    page = browser_of(eve).get("/").text  # home shows it to the friends
    assert "Substitutes wanted" in page and f'<span translate="no">{left.user}</span> ran out of time' in page
    others = [s for s in match.seats.select_related("user") if s.number != left.number]
    for person in (left.user, others[0].user):
        assert matches_to_take_over(person) == []
        with pytest.raises(NotOffered):
            returning.take_over(match_id=match.pk, user=person)
    with pytest.raises(GuestsCannot):
        returning.take_over(match_id=match.pk, user=gus)
    blocking = Block.objects.create(blocker=others[0].user, blocked=eve)
    assert matches_to_take_over(eve) == []
    with pytest.raises(BlockedByOther):
        returning.take_over(match_id=match.pk, user=eve)
    blocking.delete()
    browser_of(eve).post(f"/matches/{match.pk}/substitute/")
    now = seat(match, left.number)
    assert (now.user, now.absentee, now.bot, now.left, now.notes, now.orders) == (eve, left.user, "", None, "", {})
    with pytest.raises(NotYourSeat):
        returning.take_back(match_id=match.pk, user=left.user)
    assert "<i>substitute</i>" in browser_of(eve).get(f"/matches/{match.pk}/").text
    ended(match)
    assert (record_between(eve, others[0].user), reliability(eve), reliability(left.user).kept) == ([], None, 0)


def test_a_bot_wins_no_points_for_who_comes_back_late(rated, hours):
    left = left_by_time(rated, hours)
    assert seats_to_take_back(left.user) == [rated]
    Match.objects.update(turns=left.left_at + 10 * rated.size + 1)
    assert seats_to_take_back(left.user) == []
    assert "Take your seat back" not in browser_of(left.user).get(f"/matches/{rated.pk}/").text
    with pytest.raises(NotOffered):
        returning.take_back(match_id=rated.pk, user=left.user)
    Match.objects.update(rated=False)
    returning.take_back(match_id=rated.pk, user=left.user)


def test_a_loss_in_a_rated_match_is_left_to_no_substitute(rated, hours, eve):
    left_by_time(rated, hours, days=2)
    assert matches_to_take_over(eve) == []
    with pytest.raises(NotOffered):
        returning.take_over(match_id=rated.pk, user=eve)


def test_whoever_was_substituted_is_no_substitute(match, hours, eve):
    left = left_by_time(match, hours, days=2)
    returning.take_over(match_id=match.pk, user=eve)
    assert left_by_time(match, hours, days=2).absent
    assert "Take over the seat" not in browser_of(left.user).get(f"/matches/{match.pk}/").text
    with pytest.raises(NotOffered):
        returning.take_over(match_id=match.pk, user=left.user)


@pytest.mark.both
def test_whoever_is_back_is_asked_what_others_propose(match, hours):
    left = left_by_time(match, hours)
    other = next(s for s in match.seats.select_related("user") if s.number != left.number)
    moves.wish_call_off(match_id=match.pk, user=other.user, wish=True)
    returning.take_back(match_id=match.pk, user=left.user)
    assert proposed_to(left.user).count() == 1


@pytest.mark.both
def test_a_substitute_who_leaves_too_holds_nobody_up_and_it_shows(match, hours, eve):
    left = left_by_time(match, hours, days=2)
    returning.take_over(match_id=match.pk, user=eve)
    while not (now := seat(match, left.number)).absent:
        match.seats.exclude(number=left.number).update(run_outs=0)
        hours.go_by(days=3, seconds=6)
        hours.sweep()
        bots.play_bots(match_id=match.pk)
    assert (now.user, now.run_outs) == (eve, 1)
    ended(match)
    assert reliability(eve).kept == 0


@pytest.mark.both
def test_a_time_out_that_is_undone_costs_no_return(match, hours):
    left = left_by_time(match, hours)
    returning.take_back(match_id=match.pk, user=left.user)
    assert undo_sweep(match.time_outs.get(seat=left.number).sweep)["restored"] == 1
    assert not seat(match, left.number).returned


def test_a_private_table_wants_no_substitutes(match, hours, eve):
    Match.objects.update(access=Match.Access.INVITATION)
    left_by_time(match, hours, days=2)
    assert matches_to_take_over(eve) == []
    assert browser_of(eve).post(f"/matches/{match.pk}/substitute/").status_code == 404


@pytest.mark.both
def test_with_secrets_the_seat_is_offered_once_its_absence_is_told(ann, bob, cem, eve, hours):
    """The substitute sees what the seat sees, whose person then no longer does."""
    match = seated(ann, bob, cem, game_slug="yesss")
    left = left_by_time(match, hours, days=2)
    assert left.left_at > match.turns
    with pytest.raises(NotOffered):
        returning.take_over(match_id=match.pk, user=eve)
    assert "Take over the seat" not in browser_of(eve).get(f"/matches/{match.pk}/").text
    assert "Substitutes wanted" not in browser_of(eve).get("/play/").text
    Match.objects.update(turns=left.left_at)
    match.seats.update(left_at=None)
    before = fresh(match)
    own = before.game.view(before.game.load(bytes(before.state)), left.number)
    returning.take_over(match_id=match.pk, user=eve)
    now = fresh(match)
    seats = list(now.seats.select_related("user").order_by("number"))
    assert table_for(now, seats, seats[left.number])["view"] == own
    assert table_for(now, seats, None)["view"] != own


def test_undoing_the_time_out_leaves_the_seat_to_the_substitute(match, hours, eve):
    left = left_by_time(match, hours, days=2)
    row = match.time_outs.get(seat=left.number)
    returning.take_over(match_id=match.pk, user=eve)
    assert undo_sweep(row.sweep)["left"] == 1
    assert seat(match, left.number).user == eve


@pytest.mark.both
def test_the_return_the_substitute_and_the_bot_at_once(site, at_once, hours, ann, bob, cem, eve):
    """One of the two has the seat, and the bot has moved before or not at all."""
    for _ in range(3):
        match = seated(ann, bob, cem)
        left = left_by_time(match, hours, days=2)
        with ThreadPoolExecutor(1) as worker:
            bot = worker.submit(play_in_own_thread, match.pk)
            answers = at_once(
                [
                    Tab(left.user).post(f"/matches/{match.pk}/return/"),
                    Tab(eve).post(f"/matches/{match.pk}/substitute/"),
                ]
            )
        now = seat(match, left.number)
        assert sorted(answer.status_code for answer in answers) in ([302, 403], [302, 409])
        assert (now.bot, now.user) == ("", eve if answers[1].status_code == 302 else left.user)
        assert match.log.filter(by="bot").count() == int(bot.result())


def play_in_own_thread(match_id: int) -> bool:
    try:
        return bots.play_bots(match_id=match_id)
    finally:
        connection.close()


@pytest.mark.both
def test_no_admin_who_has_looked_at_what_is_hidden_takes_a_seat_there(match, hours, eve):
    left_by_time(match, hours, hours=25)
    assert matches_to_take_over(eve) == [match]
    Audit.objects.create(moderator=eve, deed=Audit.Deed.LOOK, match=match, reason="a report")
    assert matches_to_take_over(eve) == []
    assert "Take over the seat" not in browser_of(eve).get(f"/matches/{match.pk}/").text
    with pytest.raises(NotOffered):
        returning.take_over(match_id=match.pk, user=eve)
