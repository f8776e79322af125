"""The same again with the same people: one match, however often it is asked for."""

import pytest

from games.models import Match
from games.queries import play
from games.services.lobby import closing, opening
from games.services.play import moves
from games.services.refusals import GuestsCannot, KeptSeat, NotOpen, NotYourSeat
from tests.factories import browser_of, fresh, opened, seated
from tests.games.play.addresses import sentence


def ended(*people, **wishes) -> Match:
    match = seated(*people, **wishes)
    for person in people:
        moves.wish_call_off(match_id=match.pk, user=person, wish=True)
    return fresh(match)


def test_who_did_not_play(ann, bob, eve):
    match = ended(ann, bob)
    with pytest.raises(NotYourSeat):
        opening.rematch(match_id=match.pk, user=eve)


def test_before_the_end(ann, bob):
    match = seated(ann, bob)
    with pytest.raises(NotOpen):
        opening.rematch(match_id=match.pk, user=ann)


def test_the_second_to_ask_sits_down(ann, bob):
    old = ended(ann, bob, options={"scratch": "free"})
    match = opening.rematch(match_id=old.pk, user=bob, nonce="bobs")
    assert (match.status, match.access, match.options) == ("open", "open", {"scratch": "free"})
    assert list(match.invitations.values_list("user", flat=True)) == [ann.pk]
    again = opening.rematch(match_id=old.pk, user=ann, nonce="anns")
    assert again == match
    assert fresh(match).status == Match.Status.RUNNING
    assert [(s.user, s.nonce) for s in match.seats.order_by("number")] == [(bob, "bobs"), (ann, "anns")]


def test_asked_for_twice_by_one(ann, bob):
    old = ended(ann, bob)
    assert opening.rematch(match_id=old.pk, user=ann) == opening.rematch(match_id=old.pk, user=ann)
    assert Match.objects.count() == 2


def test_who_left_is_invited_as_a_person(ann, bob, cem):
    old = seated(ann, bob, cem)
    moves.resign(match_id=old.pk, user=cem)
    moves.resign(match_id=old.pk, user=bob)
    match = opening.rematch(match_id=old.pk, user=ann)
    assert set(match.invitations.values_list("user", flat=True)) == {bob.pk, cem.pk}
    assert not match.seats.exclude(bot="").exists()


def test_bots_come_along(ann):
    old = ended(ann, bots=["strong", "easy"])
    match = opening.rematch(match_id=old.pk, user=ann)
    assert match.status == Match.Status.RUNNING
    assert [s.bot for s in match.seats.order_by("number")] == ["", "strong", "easy"]


def test_a_guest_plays_bots_again(gus):
    old = ended(gus, bots=["easy"])
    assert opening.rematch(match_id=old.pk, user=gus).status == Match.Status.RUNNING


def test_a_rematch_that_closed_is_no_hindrance(ann, bob):
    """Ann asked and thought better of it; the table closed. Bob may ask again."""
    old = ended(ann, bob)
    first = opening.rematch(match_id=old.pk, user=ann)
    closing.leave(match_id=first.pk, user=ann)
    second = opening.rematch(match_id=old.pk, user=bob)
    assert second != first
    assert second.status == Match.Status.OPEN


def test_a_guest_asks_for_no_match_with_people(ann, gus):
    """Nobody can sit with a guest, unless they were a member when they sat down."""
    old = ended(ann, gus_as_member := ann.__class__.objects.create_user("mia", "mia@example.org", "x" * 12))
    gus_as_member.is_guest = True
    gus_as_member.save()
    with pytest.raises(GuestsCannot):
        opening.rematch(match_id=old.pk, user=gus_as_member)


def test_a_table_that_never_started_can_be_opened_again(ann):
    old = opened(ann)
    closing.leave(match_id=old.pk, user=ann)
    with pytest.raises(NotYourSeat):
        opening.rematch(match_id=old.pk, user=ann)


def test_who_left_the_new_table_may_come_back(ann, bob, cem):
    old = ended(ann, bob, cem)
    match = opening.rematch(match_id=old.pk, user=ann)
    opening.rematch(match_id=old.pk, user=bob)
    closing.leave(match_id=match.pk, user=ann)
    assert opening.rematch(match_id=old.pk, user=ann) == match
    assert [s.user for s in match.seats.order_by("number")] == [ann, bob, None]


def test_the_seats_are_kept_for_those_who_played_until_all_have_answered(ann, bob, eve):
    """A rematch is as open as the match was, but nobody sits down before who played."""
    old = ended(ann, bob)
    match = opening.rematch(match_id=old.pk, user=ann)
    assert list(play.open_tables(bob)) == [match]
    assert not play.open_tables(eve).exists()
    assert "kept for those who played before" in sentence(browser_of(eve).get(f"/matches/{match.pk}/"))
    with pytest.raises(KeptSeat):
        opening.join(match_id=match.pk, user=eve)
    closing.decline(match_id=match.pk, user=bob)
    assert list(play.open_tables(eve)) == [match]
    assert opening.join(match_id=match.pk, user=eve).status == Match.Status.RUNNING


def test_the_old_match_tells_who_asks_and_takes_the_answer(ann, bob):
    old = ended(ann, bob, access=Match.Access.INVITATION, invited=[bob])
    page, anns, bobs = f"/matches/{old.pk}/", browser_of(ann), browser_of(bob)
    assert "Rematch the same settings; the others are asked" in sentence(anns.get(page))
    anns.post(f"{page}rematch/")
    match = Match.objects.get(rematch_of=old)
    assert match.access == Match.Access.INVITATION
    assert "waiting for the others" in sentence(anns.get(page))
    assert "ann asks you for a rematch." in sentence(bobs.get(page))
    assert "ann asks you for a rematch" in sentence(bobs.get(f"/matches/{match.pk}/news/"))
    bobs.post(f"/matches/{match.pk}/decline/")
    assert "You declined the rematch." in sentence(bobs.get(page))
    bobs.post(f"{page}rematch/")
    assert "Go to the rematch" in sentence(bobs.get(page))
    assert fresh(match).status == Match.Status.RUNNING


def test_alone_with_bots_nobody_else_is_spoken_of(gus):
    old = ended(gus, bots=["easy"])
    assert "Play again against bots as strong" in sentence(browser_of(gus).get(f"/matches/{old.pk}/"))


def test_who_did_not_play_is_invited_and_not_asked_again(ann, bob, eve):
    match = opening.rematch(match_id=ended(ann, bob).pk, user=ann)
    closing.decline(match_id=match.pk, user=bob)
    opening.invite(match_id=match.pk, user=ann, guests=[eve])
    home, page = (sentence(browser_of(eve).get(address)) for address in ("/", f"/matches/{match.pk}/"))
    assert "ann invites you" in home and "You are invited to this table." in page
    assert "ann asks you for a rematch" not in home


@pytest.mark.parametrize("access", ["open", "link", "invitation"])
def test_it_rings_the_others_at_once_and_keeps_the_tables_openness(ann, bob, monkeypatch, access):
    rung: list[tuple[int, list[int]]] = []
    monkeypatch.setattr("games.services.lobby.inviting.broadcast.asked", lambda match, who: rung.append((match, who)))
    old = ended(ann, bob, access=access, invited=[bob])
    rung.clear()
    match = opening.rematch(match_id=old.pk, user=ann)
    assert (match.access, match.takes_guests) == (old.access, old.takes_guests)
    assert rung == [(match.pk, [bob.pk])]
