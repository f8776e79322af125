"""What moderators do to matches: voided, ended, a seat given to a bot, time given."""

from datetime import timedelta
from random import Random

import pytest

from accounts.models import User
from config.lib import clock
from games.models import Audit, FaceCount, Kind, Notice
from games.moderation import matches, members
from games.moderation.models import Sanction
from games.queries import people
from games.queries.play import seats_of
from games.record import record_of
from games.services.mail import unsubscribing
from games.services.play import dice_counts
from games.services.refusals import Invalid
from leaderboards.models import RatingChange, Settlement
from leaderboards.rebuild import uncounted
from leaderboards.services import count_again
from tests.factories import (
    WHY,
    asked,
    browser_of,
    chain_problems,
    end,
    fresh,
    last_audit,
    opened,
    play_on,
    played,
    rated,
    seat,
    seated,
    snapshot,
)


def soon():
    return clock.now() + timedelta(days=3)


def sanction(deed, mo, who, **more) -> Sanction:
    return getattr(members, deed)(moderator=mo, member=who, reason=WHY, **more)


def noted(deed, mo, **about) -> None:
    row = last_audit()
    assert (row.deed, row.moderator, row.reason) == (deed, mo, WHY)
    assert abs(row.at - clock.now()) < timedelta(minutes=1)
    for name, value in about.items():
        assert getattr(row, name) == value


@pytest.mark.outgrown
def test_a_suspended_member_finishes_matches_and_begins_none(mo, ann, bob, clock):
    match, other = seated(ann, bob), opened(bob)
    sanction("suspend", mo, ann, until=soon())
    noted("suspend", mo, member=ann)
    browser = browser_of(ann)
    assert "You are suspended until" in browser.get("/").content.decode()
    before = snapshot()["games.Match"]
    for address in (
        f"/matches/{other.pk}/join/",
        "/games/yum-extra/now/",
        "/play/new/",
        f"/matches/{match.pk}/chat/say/",
        f"/report/?match={match.pk}",
    ):
        answer = browser.post(address, {"text": "hi"})
        assert answer.status_code == 403, address
        assert WHY in answer.content.decode()
    assert snapshot()["games.Match"] == before
    mover = asked(match)
    post = {"ask": mover.ask, "key": "k", "move": '{"type": "roll"}'}
    assert browser_of(mover.user).post(f"/matches/{match.pk}/move/", post).status_code == 302
    for address, post in (
        (f"/matches/{match.pk}/notes/", {"notes": "x"}),
        ("/settings/mails/", {"rhythm": "each", "digest_hour": "8"}),
        ("/settings/mail-again/", {}),
        (f"/mails/off/{unsubscribing.token(ann.pk, ['turn'])}/", {}),
    ):
        assert browser.post(address, post).status_code in (200, 302), address
    assert "turn" in User.objects.get(pk=ann.pk).mail_off
    clock.forward(3 * 86400 + 60)
    assert browser.post(f"/matches/{other.pk}/join/").status_code == 302
    assert seat(other, 1).user == ann


@pytest.mark.outgrown
def test_a_voided_match_gives_the_points_back_and_the_chain_stays_whole(mo, ann, bob, cem):
    first = played(ann, bob, cem)
    played(bob, ann)
    matches.void(moderator=mo, match=first, reason=WHY)
    noted("void", mo, match=first)
    played(cem, ann)
    assert chain_problems() == []
    assert Settlement.objects.filter(match=first, kind="void").count() == 1
    taken = RatingChange.objects.filter(settlement__match=first)
    assert sum(change.delta for change in taken) == 0
    assert fresh(first).version > first.version
    with pytest.raises(Invalid):
        matches.void(moderator=mo, match=first, reason=WHY)
    assert Audit.objects.filter(deed="void").count() == 1


@pytest.mark.outgrown
def test_voiding_a_match_in_play_ends_it_without_result(mo, ann, bob):
    match = seated(ann, bob, rated=True)
    matches.void(moderator=mo, match=match, reason=WHY)
    assert (fresh(match).status, fresh(match).ending) == ("ended", "called_off")
    assert not Settlement.objects.exists()


@pytest.mark.outgrown
def test_a_voided_match_says_so_and_is_in_no_count_but_that_of_the_dice(mo, ann, bob, cem):
    match = play_on(seated(ann, bob, rated=True), Random(1))
    first = match.seats.get(rank=1).user
    dice_counts.count_matches()
    dice = list(FaceCount.objects.order_by("pk").values_list("count", flat=True))
    assert people.record_between(ann, bob)
    assert people.reliability(bob).matches == 1
    page = browser_of(first).get(f"/matches/{match.pk}/").content.decode()
    assert "You won" in page
    assert "oided" not in page
    Notice.objects.all().delete()
    matches.void(moderator=mo, match=match, reason=WHY)
    for person in (ann, bob, cem):
        page = browser_of(person).get(f"/matches/{match.pk}/").content.decode()
        assert "A moderator has voided this match" in page
        assert "Voided ·" in page
        assert WHY not in page
        assert "Voided" in browser_of(person).get("/people/ann/").content.decode()
    mine = browser_of(ann).get("/matches/").content.decode()
    assert "Voided ·" in mine
    assert "rank 1" not in mine
    assert record_of(fresh(match), seats_of(match))["voided"]
    assert people.record_between(ann, bob) == []
    assert people.reliability(bob) is None
    for result, found in (("won", 0), ("", 1)):
        assert people.matches_of(first, cem, result=result).count() == found
    assert list(FaceCount.objects.order_by("pk").values_list("count", flat=True)) == dice
    told = Notice.objects.filter(kind=Kind.VOIDED).values_list("user__username", flat=True)
    assert sorted(told) == ["ann", "bob"]


def test_a_match_that_a_moderator_ended_was_not_called_off_by_agreement(mo, ann, bob):
    match = seated(ann, bob, rated=True)
    matches.end_match(moderator=mo, match=match, reason=WHY)
    page = browser_of(ann).get(f"/matches/{match.pk}/").content.decode()
    assert "Ended by a moderator" in page
    assert "agreed" not in page


@pytest.mark.outgrown
def test_a_voided_match_that_goes_on_after_all_is_never_rated(mo, ann, bob):
    match = played(ann, bob)
    matches.void(moderator=mo, match=match, reason=WHY)
    assert count_again(match.pk) is None
    assert list(uncounted()) == []
    assert chain_problems() == []


def test_a_match_is_ended(mo, ann, bob):
    running, table = seated(ann, bob), opened(ann)
    matches.end_match(moderator=mo, match=running, reason=WHY)
    noted("end", mo, match=running)
    matches.end_match(moderator=mo, match=table, reason=WHY)
    assert fresh(running).ending == "called_off"
    assert seat(running, 0).rank is None
    assert fresh(table).ending == "closed"
    with pytest.raises(Invalid):
        matches.end_match(moderator=mo, match=running, reason=WHY)
    assert Audit.objects.count() == 2


def test_a_bot_takes_a_seat(mo, ann, bob, cem):
    match = seated(ann, bob, cem)
    matches.replace_seat(moderator=mo, match=match, seat=1, reason=WHY)
    noted("replace", mo, match=match, member=bob, details="2")
    assert (seat(match, 1).bot, seat(match, 1).user) == ("easy", bob)
    assert fresh(match).status == "running"
    for number in (1, 7, -1):
        with pytest.raises(Invalid):
            matches.replace_seat(moderator=mo, match=match, seat=number, reason=WHY)
    with pytest.raises(Invalid):
        matches.replace_seat(moderator=mo, match=opened(ann), seat=0, reason=WHY)
    assert Audit.objects.count() == 1


def test_a_bot_takes_no_seat_of_whom_the_moderator_does_nothing_to(mo, ann, bob, cem):
    """A seat that is taken counts against its person, in a rated match too."""
    seated(mo, ann)
    User.objects.filter(pk=bob.pk).update(is_staff=True)
    match = seated(ann, bob, cem, rated=True)
    for number, refusal in ((0, members.Opponent), (1, members.Staff)):
        with pytest.raises(refusal):
            matches.replace_seat(moderator=mo, match=match, seat=number, reason=WHY)
    assert not Audit.objects.exists()
    matches.replace_seat(moderator=mo, match=match, seat=2, reason=WHY)


def test_time_is_given_to_who_is_to_move(mo, ann, bob):
    match = seated(ann, bob)
    before = asked(match).deadline
    matches.give_time(moderator=mo, match=match, hours=5, reason=WHY)
    noted("time", mo, match=match, details="5 h")
    assert asked(match).deadline - before == timedelta(hours=5)
    for idle in (opened(ann), end(rated(ann, bob), [1, 2])):
        with pytest.raises(Invalid):
            matches.give_time(moderator=mo, match=idle, hours=5, reason=WHY)
    assert Audit.objects.count() == 1


@pytest.mark.parametrize(
    ("deed", "more"),
    [("void", {}), ("end_match", {}), ("replace_seat", {"seat": 1}), ("give_time", {"hours": 1})],
)
def test_who_sits_in_a_match_does_not_decide_about_it(mo, ann, deed, more):
    match = seated(mo, ann, rated=True)
    before = snapshot()
    with pytest.raises(matches.Partial, match="another moderator"):
        getattr(matches, deed)(moderator=mo, match=match, reason=WHY, **more)
    assert snapshot() == before
