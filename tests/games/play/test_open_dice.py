"""Sealed nonces: opened once, before one's first move, and in all draws from then on; nothing waits for them."""

from hashlib import sha256
from random import Random

import pytest
from django.urls import reverse

from games.engine import FORMER, LINKS, verify
from games.management.commands.check_matches import problems
from games.models import Match
from games.queries.play import seats_of
from games.record import public_record, record_of
from games.rules import get_game
from games.services.lobby import opening, readiness, seating
from games.services.operation.undo import undo_sweep
from games.services.play import undo as taking_back
from games.services.play.dice import may_open, open_nonce
from games.services.refusals import NonceNotTaken, NotYourSeat
from tests.factories import asked, browser_of, fresh, opened, play_on, played_on, random_move, seat, state_of, submit
from tests.games.play.at_once import Tab
from tests.games.play.test_undo import ended_by_the_clock
from tests.games.play.test_undo_move import claimed, owing


def seal(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def table(ann, bob, **wishes) -> Match:
    """A running match at which both have sealed a nonce: ann "a", bob "b"."""
    match = opened(ann, size=2, nonce="anns", seal=seal("a"), **wishes)
    opening.join(match_id=match.pk, user=bob, nonce="bobs", seal=seal("b"))
    return fresh(match)


def test_all_later_draws_follow_from_it(ann, bob):
    match = table(ann, bob)
    before = match.seed_now(seats_of(match))
    open_nonce(match_id=match.pk, user=ann, nonce="a")
    match = fresh(match)
    assert match.seed_now(seats_of(match)) != before and match.draws == 0
    open_nonce(match_id=match.pk, user=bob, nonce="b")
    match = played_on(fresh(match), Random(4))
    record = record_of(match, seats_of(match))
    assert record["openings"] == [{"after": 0, "seat": 0, "nonce": "a"}, {"after": 0, "seat": 1, "nonce": "b"}]
    assert verify(record, get_game).sound and problems(match) == []
    assert not verify(record | {"openings": record["openings"][:1]}, get_game).sound


def test_in_the_midst_of_a_turn_of_another(ann, bob):
    match = table(ann, bob)
    first = asked(match)
    other = bob if first.user == ann else ann
    match = play_on(match, Random(1), turns=2)
    assert asked(match).user != other
    open_nonce(match_id=match.pk, user=other, nonce="b" if other == bob else "a")
    match = played_on(fresh(match), Random(4))
    (one,) = record_of(match, seats_of(match))["openings"]
    assert one["after"] == 2 and verify(record_of(match, seats_of(match)), get_game).sound


def test_what_is_not_taken(ann, bob, cem):
    match = table(ann, bob)
    for nonce in ("", "b", "another"):
        with pytest.raises(NonceNotTaken):
            open_nonce(match_id=match.pk, user=ann, nonce=nonce)
    with pytest.raises(NotYourSeat):
        open_nonce(match_id=match.pk, user=cem, nonce="a")
    open_nonce(match_id=match.pk, user=ann, nonce="a")
    open_nonce(match_id=match.pk, user=ann, nonce="a")  # twice is harmless
    assert fresh(match).openings == [[0, 0, "a"]]
    with pytest.raises(NonceNotTaken):
        open_nonce(match_id=match.pk, user=ann, nonce="b")


def test_not_after_one_s_first_move(ann, bob):
    match = table(ann, bob)
    first = asked(match)
    submit(match, first, random_move(match, first.number, Random(2)))
    with pytest.raises(NonceNotTaken):
        open_nonce(match_id=match.pk, user=first.user, nonce="a" if first.user == ann else "b")
    assert not may_open(fresh(match), seats_of(match), seats_of(match)[first.number])


def test_not_before_the_start_nor_after_the_end_nor_in_the_former_format(ann, bob):
    match = opened(ann, size=2, seal=seal("a"))
    with pytest.raises(NonceNotTaken):
        open_nonce(match_id=match.pk, user=ann, nonce="a")
    over = played_on(table(ann, bob), Random(3))
    with pytest.raises(NonceNotTaken):
        open_nonce(match_id=over.pk, user=ann, nonce="a")
    former = table(ann, bob)
    Match.objects.filter(pk=former.pk).update(chain_root=None)
    with pytest.raises(NonceNotTaken):
        open_nonce(match_id=former.pk, user=ann, nonce="a")


def test_where_nobody_sealed_anything_each_adds_one(ann, bob):
    facts = {"game_slug": "yum-extra", "options": {}, "pace": "3d", "rated": False, "access": "open"}
    match = seating.seat_together(members=[ann, bob], **facts)
    open_nonce(match_id=match.pk, user=bob, nonce="late")
    mixed = opened(ann, size=2, seal=seal("a"))
    opening.join(match_id=mixed.pk, user=bob)
    with pytest.raises(NonceNotTaken):  # who sealed nothing could choose it to suit what others opened
        open_nonce(match_id=mixed.pk, user=bob, nonce="late")
    match = played_on(fresh(match), Random(3))
    assert verify(record_of(match, seats_of(match)), get_game).sound


def test_by_the_page_and_told_to_nobody_until_the_end(ann, bob, cem):
    match = table(ann, bob)
    client, address = browser_of(ann), reverse("open-dice", args=[match.pk])
    assert f'data-open="{address}"' in client.get(f"/matches/{match.pk}/").text
    assert f'data-open="{address}"' not in browser_of(cem).get(f"/matches/{match.pk}/").text
    further = "f" * 32
    match.seats.filter(number=0).update(seal=seal(further))
    assert client.post(address, {"nonce": "wrong"}).status_code == 409
    assert client.post(address, {"nonce": further}, headers={"X-Live": "1"}).status_code == 204
    for person in (ann, bob, cem, None):
        shown = "".join(browser_of(person).get(f"/matches/{match.pk}/{page}").text for page in ("", "log/", "table/"))
        assert (further not in shown and f'data-open="{address}"' not in shown) or person == bob
    running = record_of(fresh(match), seats_of(match))
    assert (running["seals"], running["openings"], running["nonces"], running["seed"]) == ([], [], [], None)
    assert len(running["entry"]) == 64


def test_a_table_that_has_not_begun_has_no_fingerprint_of_a_start(ann):
    match = opened(ann, size=2, nonce="anns")
    assert match.entry(seats_of(match)) == "" and record_of(match, seats_of(match))["entry"] is None


def test_a_move_that_is_taken_back_takes_no_opening_along(ann, bob, cem):
    match = claimed(ann, bob, cem)
    first, other = owing(match)
    submit(match, first, match.game.default_move(state_of(match), first.number), key="answer")
    turns = fresh(match).turns
    open_nonce(match_id=match.pk, user=other.user, nonce="late")
    taking_back.undo(match_id=match.pk, user=first.user, turn=turns)
    assert fresh(match).openings == [[turns - 1, other.number, "late"]]
    over = played_on(fresh(match), Random(9))
    assert verify(public_record(over, seats_of(over)), get_game).sound


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_opened_many_times_at_once_it_is_open_once(ann, bob, site, at_once):
    match = table(ann, bob)
    posts = [Tab(ann).post(f"/matches/{match.pk}/dice/", nonce="a") for _ in range(5)]
    posts += [Tab(bob).post(f"/matches/{match.pk}/dice/", nonce="b") for _ in range(5)]
    assert {answer.status_code for answer in at_once(posts)} == {302}
    assert sorted(one[1:] for one in fresh(match).openings) == [[0, "a"], [1, "b"]]


def test_a_restored_match_keeps_what_was_opened(hours, ann, bob, django_user_model):
    django_user_model.objects.update(vacation_by_itself=False)
    before, sweep = ended_by_the_clock(hours, ann, bob)
    Match.objects.filter(pk=before.pk).update(openings=None)
    undo_sweep(sweep)
    assert fresh(before).openings is None
    match = played_on(fresh(before), Random(62))
    assert verify(public_record(match, seats_of(match)), get_game).sound


def test_a_chain_that_is_used_up_restores_no_more(hours, ann, bob, django_user_model, caplog):
    django_user_model.objects.update(vacation_by_itself=False)
    before, sweep = ended_by_the_clock(hours, ann, bob)
    root = bytes(fresh(before).chain_root)
    Match.objects.filter(pk=before.pk).update(server_seed=sha256(root).digest())
    assert undo_sweep(sweep)["left"] == 1
    assert fresh(before).status == Match.Status.ENDED and LINKS == 64


def test_a_match_of_the_former_format_goes_on_in_it(hours, ann, bob, django_user_model):
    """One that ran when the site was brought to this version: no chain, a fresh seed at a restore, and said so."""
    django_user_model.objects.update(vacation_by_itself=False)
    match = opened(ann, size=2, nonce="anns", pace="live")
    Match.objects.filter(pk=match.pk).update(chain_root=None, server_seed=bytes(range(32)))
    opening.join(match_id=match.pk, user=bob, nonce="bobs")
    readiness.say_here(match_id=match.pk, user=ann)
    match = play_on(fresh(match), Random(1), turns=5)
    hours.go_by(minutes=6)
    undo_sweep(hours.sweep())
    match = fresh(match)
    assert match.record_format == FORMER and len(match.commitments) == 2
    page = browser_of(ann).get(f"/matches/{match.pk}/").text
    assert "earlier format" in page and 'id="own-dice"' not in page
    match = played_on(match, Random(2))
    record = public_record(match, seats_of(match))
    assert record["format"] == FORMER and "seals" not in record and record["reseeds"][0]["commitment"]
    assert verify(record, get_game, commitments=[one for _after, one in match.commitments]).sound
    assert not verify(record, get_game, commitments=[match.commitment]).sound
    assert problems(match) == []
    assert seat(match, 0).nonce == "anns"
