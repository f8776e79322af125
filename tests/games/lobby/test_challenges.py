"""Standing challenges: offered, accepted until enough are under way, paused, withdrawn; who may not."""

import pytest

from accounts.models import User
from accounts.services import relationships
from accounts.services.closing import close_account
from config.lib import clock as present
from games.models import Match, Notice, StandingChallenge
from games.moderation import members, removal
from games.moderation.models import Trace
from games.queries.challenges import standing
from games.services.lobby import challenges, closing, opening
from games.services.play import moves
from games.services.refusals import (
    BlockedByOther,
    GuestsCannot,
    HasBlocked,
    Invalid,
    NotAsked,
    NotOffered,
    Unconfirmed,
    UnconfirmedHost,
)
from tests.factories import WHY, browser_of, end, fresh, member, opened, seat
from tests.games.play.at_once import Tab, statuses


def offered(by, **more) -> StandingChallenge:
    about = {"game_slug": "yum-extra", "size": 2, "pace": "3d", "most": 2, "rated": False, "options": {}}
    return challenges.offer(member=by, **about | more)


def accepted(challenge, by) -> Match:
    return challenges.accept(challenge_id=challenge.pk, user=by)


@pytest.mark.outgrown
def test_who_accepts_plays_at_once(ann, bob):
    match = accepted(offered(ann), bob)
    assert fresh(match).status == Match.Status.RUNNING
    assert [seat(match, number).user for number in (0, 1)] == [ann, bob]
    assert (match.pace_slug, match.rated, match.access) == ("3d", False, "open")
    assert list(Notice.objects.values_list("user", "kind")) == [(ann.pk, "started")]


@pytest.mark.outgrown
def test_it_stays_until_as_many_are_under_way_and_stands_again_when_one_ends(ann, bob, cem, eve):
    challenge = offered(ann)
    first = accepted(challenge, bob)
    assert standing(eve) == [challenge]
    accepted(challenge, cem)
    assert standing(eve) == []
    with pytest.raises(NotOffered):
        accepted(challenge, eve)
    end(fresh(first), [1, 2])
    assert standing(eve) == [challenge]
    accepted(challenge, eve)
    assert Match.objects.filter(challenge=challenge).count() == 3


def test_a_game_for_more_opens_a_table(ann, bob):
    match = accepted(offered(ann, game_slug="yam-menteur", size=3), bob)
    assert fresh(match).status == Match.Status.OPEN
    assert match.seats.filter(user=None).count() == 1


def test_who_leaves_that_table_takes_no_place_of_the_challenge(ann, bob, cem):
    challenge = offered(ann, game_slug="yam-menteur", size=3)
    for _time in range(3):
        match = accepted(challenge, bob)
        closing.leave(match_id=match.pk, user=bob)
        assert fresh(match).status == Match.Status.ENDED
    match = accepted(challenge, bob)
    opening.join(match_id=match.pk, user=cem)
    assert fresh(match).status == Match.Status.RUNNING


@pytest.mark.outgrown
def test_nobody_takes_all_places_of_a_challenge(ann, bob, cem, clock):
    challenge = offered(ann, most=3)
    match = accepted(challenge, bob)
    with pytest.raises(NotOffered, match="already"):
        accepted(challenge, bob)
    assert (standing(bob), standing(cem)) == ([], [challenge])
    accepted(challenge, cem)
    moves.resign(match_id=match.pk, user=bob)
    with pytest.raises(NotOffered, match="24 hours"):
        accepted(challenge, bob)
    assert standing(bob) == []
    clock.forward(24 * 3600 + 1)
    assert standing(bob) == [challenge]
    assert accepted(challenge, bob).challenge == challenge


def test_paused_and_withdrawn(ann, bob):
    challenge = offered(ann)
    challenges.pause(challenge_id=challenge.pk, member=ann, paused=True)
    assert standing(bob) == []
    with pytest.raises(NotOffered):
        accepted(challenge, bob)
    challenges.pause(challenge_id=challenge.pk, member=ann, paused=False)
    match = accepted(challenge, bob)
    with pytest.raises(NotOffered):
        challenges.pause(challenge_id=challenge.pk, member=bob, paused=True)
    challenges.withdraw(challenge_id=challenge.pk, member=bob)
    assert StandingChallenge.objects.exists()
    challenges.withdraw(challenge_id=challenge.pk, member=ann)
    assert fresh(match).status == Match.Status.RUNNING
    with pytest.raises(NotOffered):
        accepted(challenge, bob)


def test_another_of_the_same_game_and_pace_replaces_it(ann):
    assert offered(ann).pk == offered(ann, most=5, rated=True).pk
    assert offered(ann, pace="7d") != offered(ann)
    assert StandingChallenge.objects.count() == 2


@pytest.mark.parametrize("wrong", [{"most": 0}, {"most": 11}, {"pace": "live"}, {"pace": "x"}])
def test_what_cannot_be_offered(ann, wrong):
    with pytest.raises(Invalid):
        offered(ann, **wrong)


def test_who_may_not_offer(ann, gus):
    User.objects.filter(pk=ann.pk).update(email="")
    ann.refresh_from_db()
    for person, refusal in ((gus, GuestsCannot), (ann, UnconfirmedHost)):
        with pytest.raises(refusal):
            offered(person)


@pytest.mark.outgrown
def test_who_may_not_accept(ann, bob, cem, gus):
    challenge = offered(ann, rated=True)
    bob.email = ""
    bob.save()
    with pytest.raises(Unconfirmed):
        accepted(challenge, bob)
    with pytest.raises(GuestsCannot):
        accepted(challenge, gus)
    with pytest.raises(NotOffered):
        accepted(challenge, ann)
    relationships.block(blocker=ann, blocked=cem)
    with pytest.raises(BlockedByOther):
        accepted(challenge, cem)
    relationships.unblock(blocker=ann, blocked=cem)
    relationships.block(blocker=cem, blocked=ann)
    with pytest.raises(HasBlocked):
        accepted(challenge, cem)
    assert standing(cem) == [] and not Match.objects.exists()


def test_whom_one_takes_invitations_from_holds_here_too(ann, bob, cem):
    challenge = offered(ann)
    User.objects.filter(pk=ann.pk).update(invitations_from="known")
    with pytest.raises(NotAsked):
        accepted(challenge, bob)
    relationships.follow(follower=ann, followed=bob)
    accepted(challenge, bob)
    User.objects.filter(pk=ann.pk).update(invitations_from="none")
    with pytest.raises(NotAsked):
        accepted(challenge, bob)
    assert standing(bob) == []
    assert "shown to nobody" in browser_of(ann).get("/play/standing/").content.decode()


def test_twenty_open_tables_are_enough(ann, bob):
    challenge = offered(ann)
    for _table in range(20):
        opened(ann)
    with pytest.raises(NotOffered):
        accepted(challenge, bob)
    closing.leave(match_id=Match.objects.first().pk, user=ann)
    accepted(challenge, bob)


def test_it_ends_with_a_suspension_and_with_the_account(ann, bob, mo, django_capture_on_commit_callbacks):
    offered(ann)
    offered(bob)
    with django_capture_on_commit_callbacks(execute=True):
        members.suspend(moderator=mo, member=ann, reason=WHY, until=present.now().replace(year=2090))
    close_account(user_id=bob.pk)
    assert not StandingChallenge.objects.exists()


def test_nobody_plays_whom_a_suspension_overtook(ann, bob, mo):
    """What is offered in the instant of a suspension, or outlives a crash after it, brings no new match."""
    members.suspend(moderator=mo, member=ann, reason=WHY, until=present.now().replace(year=2090))
    challenge = offered(ann)
    with pytest.raises(NotOffered) as refused:
        accepted(challenge, bob)
    assert WHY not in str(refused.value)
    assert not Match.objects.exists()
    assert removal.finish_bans() == 1
    assert not StandingChallenge.objects.exists()
    assert removal.finish_bans() == 0


@pytest.mark.outgrown
def test_two_who_accept_the_last_one(site, at_once):
    ann, bob, cem = (member(name) for name in ("ann", "bob", "cem"))
    for number, pace in enumerate(("1d", "2d", "3d", "7d", "14d"), start=1):
        challenge = offered(ann, most=1, pace=pace)
        path = f"/play/standing/{challenge.pk}/accept/"
        answers = at_once([Tab(person).post(path, key=f"key-{number}-of-this-test") for person in (bob, cem)])
        assert statuses(answers) == [302, 409]
        assert Match.objects.count() == number


# ——— Pages


def test_the_pages(ann, bob):
    browser = browser_of(ann)
    form = {"game": "yay", "pace": "7d", "most": "3"}
    assert browser.post("/play/standing/", form).url == "/play/standing/"
    challenge = StandingChallenge.objects.get()
    text = browser.get("/play/standing/").content.decode()
    assert "0 of 3 under way" in text
    for page in ("/play/", "/people/ann/"):
        assert f"/play/standing/{challenge.pk}/accept/" in browser_of(bob).get(page).content.decode()
        assert f"/play/standing/{challenge.pk}/accept/" not in browser.get(page).content.decode()
    part = browser_of(bob).get("/play/?fragment=standing").content.decode()
    assert f"{challenge.pk}/accept/" in part and "<html" not in part
    assert f"{challenge.pk}/accept/" not in browser_of(bob).get("/play/?game=yes").content.decode()
    answer = browser_of(bob).post(f"/play/standing/{challenge.pk}/accept/")
    assert answer.url == f"/matches/{Match.objects.get().pk}/"
    assert browser.post(f"/play/standing/{challenge.pk}/change/", {"wish": "pause"}).status_code == 302
    assert "paused" in browser.get("/play/standing/").content.decode()
    assert browser.post(f"/play/standing/{challenge.pk}/change/", {"wish": "withdraw"}).status_code == 302
    assert not StandingChallenge.objects.exists()


@pytest.mark.parametrize("wrong", [{"most": "11"}, {"most": ""}, {"pace": "live"}, {"game": "chess"}])
def test_a_wrong_form_stays(ann, wrong):
    form = {"game": "yay", "pace": "7d", "most": "3"} | wrong
    assert browser_of(ann).post("/play/standing/", form).status_code == 400
    assert not StandingChallenge.objects.exists()


def test_visitors_and_guests_are_led_to_sign_up(ann, gus):
    challenge = offered(ann)
    for person in (None, gus):
        assert "/accounts/signup/" in browser_of(person).post(f"/play/standing/{challenge.pk}/accept/").url
    assert browser_of(gus).get("/play/standing/").url == "/accounts/signup/"
    assert not Match.objects.exists()


def test_who_accepts_leaves_the_traces_of_who_sits_down(ann, bob):
    challenge = offered(ann)
    assert browser_of(bob).post(f"/play/standing/{challenge.pk}/accept/").status_code == 302
    assert {trace.member for trace in Trace.objects.all()} == {bob}
