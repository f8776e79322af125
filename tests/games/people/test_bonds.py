"""Following and blocking: who may, what it does, and how a refusal is worded."""

from random import Random

import pytest

from accounts.models import Block, Follow
from accounts.queries import blocks_between
from accounts.services import relationships
from games.models import Invitation, Match
from games.services.lobby import opening
from games.services.refusals import BlockedByOther, HasBlocked, Invalid
from tests.factories import browser_of, opened, play_on, seated, snapshot


def press(person, name, what, wish="1", **more):
    return browser_of(person).post(f"/people/{name}/{what}/", {"wish": wish, "next": f"/people/{name}/"} | more)


@pytest.mark.outgrown
def test_follow_and_no_longer(ann, bob):
    for _twice in range(2):
        assert press(ann, "bob", "follow").url == "/people/bob/"
        assert Follow.objects.filter(follower=ann, followed=bob).count() == 1
    assert "Unfollow" in browser_of(ann).get("/people/bob/").content.decode()
    for _twice in range(2):
        press(ann, "bob", "follow", "0")
        assert not Follow.objects.exists()


@pytest.mark.outgrown
def test_block_and_no_longer(ann, bob):
    relationships.follow(follower=ann, followed=bob)
    relationships.follow(follower=bob, followed=ann)
    for _twice in range(2):
        press(ann, "bob", "block")
        assert blocks_between(ann.pk, [bob.pk]) == blocks_between(bob.pk, [None, ann.pk]) == {(ann.pk, bob.pk)}
    assert not Follow.objects.exists()
    press(ann, "bob", "block", "0")
    assert not blocks_between(ann.pk, [bob.pk])


def test_who_may_not(ann, bob, gus):
    for what in ("follow", "block"):
        before = snapshot()["accounts.Follow"], snapshot()["accounts.Block"]
        assert press(None, "bob", what).status_code == 302
        assert press(gus, "bob", what).url == "/accounts/signup/"
        assert press(ann, "nobody", what).status_code == 404
        assert press(ann, "%00", what).status_code == 404
        assert press(ann, "ann", what).status_code == 302
        assert browser_of(ann).get(f"/people/bob/{what}/").status_code == 405
        assert (snapshot()["accounts.Follow"], snapshot()["accounts.Block"]) == before
    assert press(ann, "guest-gnu-1", "follow").status_code == 404
    assert press(ann, "bob", "follow", next="https://evil.example/").url == "/settings/people/"


@pytest.mark.outgrown
def test_who_is_blocked_cannot_follow(ann, bob):
    relationships.block(blocker=ann, blocked=bob)
    with pytest.raises(relationships.Unwilling):
        relationships.follow(follower=bob, followed=ann)
    with pytest.raises(relationships.Blocked):
        relationships.follow(follower=ann, followed=bob)
    answer = browser_of(bob).get("/people/ann/").content.decode()
    assert "block" not in answer.lower().partition('id="block"')[0].partition("<main")[2]


def test_lists_have_an_end(ann, bob, cem, monkeypatch):
    monkeypatch.setattr(relationships, "MOST", 1)
    for act in (
        lambda other: relationships.follow(follower=ann, followed=other),
        lambda other: relationships.block(blocker=ann, blocked=other),
    ):
        act(bob)
        with pytest.raises(relationships.TooMany):
            act(cem)


@pytest.mark.outgrown
def test_the_page_with_both_lists(ann, bob, cem, gus):
    relationships.follow(follower=ann, followed=bob)
    relationships.block(blocker=ann, blocked=cem)
    text = browser_of(ann).get("/settings/people/").content.decode()
    assert text.index("You follow") < text.index("bob") < text.index("You have blocked") < text.index(">cem<")
    assert "Nobody yet." in browser_of(bob).get("/settings/people/").content.decode()
    assert browser_of(gus).get("/settings/people/").url == "/accounts/signup/"
    assert browser_of().get("/settings/people/").status_code == 302


@pytest.fixture
def apart(ann, bob):
    relationships.block(blocker=ann, blocked=bob)


@pytest.mark.outgrown
def test_who_is_blocked_cannot_join(apart, ann, bob, cem):
    table = opened(ann)
    before = snapshot()
    with pytest.raises(BlockedByOther) as refusal:
        opening.join(match_id=table.pk, user=bob)
    assert "block" not in str(refusal.value).lower()
    assert snapshot() == before
    answer = browser_of(bob).post(f"/matches/{table.pk}/join/")
    assert answer.status_code == 403
    assert "You are welcome at others." in answer.content.decode()
    opening.join(match_id=table.pk, user=cem)


@pytest.mark.outgrown
def test_who_blocked_is_told_so_at_the_others_table(apart, ann, bob):
    with pytest.raises(HasBlocked):
        opening.join(match_id=opened(bob).pk, user=ann)


def test_the_third_seat_counts_too(apart, ann, bob, cem):
    table = opened(cem)
    opening.join(match_id=table.pk, user=ann)
    with pytest.raises(BlockedByOther):
        opening.join(match_id=table.pk, user=bob)


def test_a_link_opens_no_way_round(apart, ann, bob):
    table = opened(ann, access=Match.Access.LINK)
    with pytest.raises(BlockedByOther):
        opening.join(match_id=table.pk, user=bob, token=table.token)


@pytest.mark.outgrown
def test_neither_can_invite_the_other(apart, ann, bob, cem):
    with pytest.raises(HasBlocked):
        opening.invite(match_id=opened(ann).pk, user=ann, guests=[bob])
    with pytest.raises(BlockedByOther):
        opening.invite(match_id=opened(bob).pk, user=bob, guests=[ann])
    for creator, guest in ((ann, bob), (bob, ann)):
        with pytest.raises(Invalid):
            opened(creator, invited=[cem, guest])
    assert not Invitation.objects.exists()


def test_nobody_is_invited_to_a_table_where_they_cannot_sit(apart, ann, bob, cem):
    table = opened(cem)
    opening.join(match_id=table.pk, user=ann)
    with pytest.raises(BlockedByOther) as refusal:
        opening.invite(match_id=table.pk, user=cem, guests=[bob])
    assert "bob" in str(refusal.value)
    assert "block" not in str(refusal.value).lower()


def test_the_form_of_a_new_table_says_whom(apart, bob):
    sent = {
        "game": "yum-extra",
        "size": 2,
        "access": "invitation",
        "invited": "ann",
        "pace": "3d",
        "option_scratch": "forced",
    }
    answer = browser_of(bob).post("/play/new/", sent)
    assert answer.status_code == 400
    assert "You cannot invite these members: ann." in answer.content.decode()
    assert not Match.objects.exists()


@pytest.mark.outgrown
def test_a_block_takes_back_invitations_between_the_two(ann, bob, cem):
    by_ann, by_bob, by_cem = (opened(one, invited=[other]) for one, other in ((ann, bob), (bob, ann), (cem, bob)))
    relationships.block(blocker=ann, blocked=bob)
    assert list(Invitation.objects.values_list("match", "user")) == [(by_cem.pk, bob.pk)]
    assert Match.objects.filter(pk__in=[by_ann.pk, by_bob.pk], status="open").count() == 2


def test_tables_of_the_other_are_not_listed(apart, ann, bob, cem):
    of_ann, of_bob = opened(ann), opened(bob)
    for person, seen in (
        (ann, {of_ann.pk}),
        (bob, {of_bob.pk}),
        (cem, {of_ann.pk, of_bob.pk}),
        (None, {of_ann.pk, of_bob.pk}),
    ):
        text = browser_of(person).get("/play/").content.decode()
        assert {pk for pk in (of_ann.pk, of_bob.pk) if f'id="t{pk}"' in text} == seen


def test_ones_own_table_is_listed_whoever_else_sits_there(ann, bob, cem):
    table = opened(ann, size=4)
    opening.join(match_id=table.pk, user=bob)
    Block.objects.create(blocker=ann, blocked=bob)  # in the instant in which the other sat down
    for person, words in ((ann, "You sit here"), (bob, "You sit here"), (cem, "Sit down")):
        text = browser_of(person).get("/play/?fragment=1").content.decode()
        assert words in text.partition(f'id="t{table.pk}"')[2], person
    relationships.block(blocker=bob, blocked=cem)
    assert f'id="t{table.pk}"' not in browser_of(cem).get("/play/?fragment=1").content.decode()


def offered(person, address) -> tuple[bool, str]:
    answer = browser_of(person).get(address)
    assert answer.status_code == 200
    text = answer.content.decode()
    return '/join/"' in text, text


@pytest.mark.outgrown
def test_a_seat_is_not_offered_to_who_cannot_have_it(apart, ann, bob, cem, eve):
    of_ann, of_bob, by_link = opened(ann), opened(bob), opened(ann, access=Match.Access.LINK)
    third = opened(cem)
    opening.join(match_id=third.pk, user=ann)
    for table in (f"/matches/{of_ann.pk}/", f"/matches/{third.pk}/", f"/join/{by_link.token}/"):
        can, text = offered(bob, table)
        assert not can
        assert "You cannot sit down at this table. You are welcome at others." in text
        assert "block" not in text.partition("<main")[2].lower()
        assert offered(eve, table)[0]
    can, text = offered(ann, f"/matches/{of_bob.pk}/")
    assert not can
    assert "You have blocked somebody at this table." in text
    relationships.unblock(blocker=ann, blocked=bob)
    assert offered(bob, f"/matches/{of_ann.pk}/")[0]


def test_who_was_invited_before_can_only_decline(ann, bob, cem):
    table = opened(cem, invited=[bob])
    opening.join(match_id=table.pk, user=ann)
    Block.objects.create(blocker=bob, blocked=ann)
    can, text = offered(bob, f"/matches/{table.pk}/")
    assert not can
    assert f"/matches/{table.pk}/decline/" in text


def test_what_has_begun_goes_on(ann, bob):
    match = seated(ann, bob)
    relationships.block(blocker=ann, blocked=bob)
    assert play_on(match, Random(7)).status == Match.Status.ENDED
    assert browser_of(bob).get(f"/matches/{match.pk}/").status_code == 200


@pytest.mark.outgrown
def test_a_rematch_asks_only_those_who_can_sit(ann, bob, cem):
    match = play_on(seated(ann, bob, cem), Random(8))
    relationships.block(blocker=ann, blocked=bob)
    again = opening.rematch(match_id=match.pk, user=ann)
    assert list(again.invitations.values_list("user__username", flat=True)) == ["cem"]
    with pytest.raises(BlockedByOther):
        opening.rematch(match_id=match.pk, user=bob)


@pytest.mark.outgrown
def test_a_block_is_of_somebody_else(ann):
    with pytest.raises(relationships.Oneself):
        relationships.block(blocker=ann, blocked=ann)
    assert not Block.objects.exists()
