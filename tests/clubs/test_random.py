"""Random club matches: withdrawals, ties, voids, blocks, reopened matches; the sum is that of the records."""

from random import Random

import pytest

from accounts.models import Block
from config.lib import clock
from games.clubs import encounters, tasks
from games.clubs.models import Board, Encounter
from games.clubs.services.encounters import lining_up, results, summing
from games.models import Match, Membership
from games.services.play import moves
from tests import FULL
from tests.clubs.encounters import accepted, club_of, end_board, people
from tests.factories import fresh

pytestmark = pytest.mark.django_db
MATCHES = 400 if FULL else 40
SEED = 20261130
STATE = Encounter.State


@pytest.fixture
def clubs(db):
    one, other = people(7, "a"), people(7, "b")
    return club_of("Alpha", one), club_of("Beta", other), one, other


@pytest.mark.thin(0)
def test_the_sum_is_what_the_records_say(clubs):
    rng = Random(SEED)
    seen = dict.fromkeys(STATE, 0)
    for _match in range(MATCHES):
        found = played(clubs, rng)
        assert summing.problems(found) == []
        seen[STATE(found.state)] += 1
        Encounter.objects.filter(pk=found.pk).exclude(state=STATE.OVER).update(state=STATE.CALLED_OFF)
        Membership.objects.update(state="in")
        Block.objects.all().delete()
    assert seen[STATE.OVER] > MATCHES / 2 and seen[STATE.CALLED_OFF] > 0


def played(clubs, rng: Random) -> Encounter:
    """Return a club match that was played at random, the one or the other table ended twice."""
    alpha, beta, ours, theirs = clubs
    made = accepted(alpha, beta, seats=rng.choice((2, 2, 4)), most_tables=rng.randint(1, 5), rated=False)
    likely = rng.choice((0.1, 0.6, 0.9))
    for one in (*ours, *theirs):
        if rng.random() < likely:
            lining_up.say(encounter_id=made.pk, user=one, plays=rng.random() < 0.9)
    for _block in range(rng.choice((0, 0, 2))):
        Block.objects.get_or_create(blocker=rng.choice(ours), blocked=rng.choice(theirs))
    if rng.random() < 0.3:
        gone = rng.choice((*ours[1:], *theirs[1:]))
        Membership.objects.filter(user=gone).update(state="out")
    Encounter.objects.filter(pk=made.pk).update(begins_at=clock.now())
    tasks.tend_encounters()
    for board in Board.objects.filter(encounter=made).order_by("?"):
        assert not set(board.places.values_list("player__user__username", flat=True)) & gone_names()
        act(board, rng)
        if rng.random() < 0.3:
            tasks.tend_encounters()
    tasks.tend_encounters()
    return Encounter.objects.get(pk=made.pk)


def gone_names() -> set[str]:
    return set(Membership.objects.filter(state="out").values_list("user__username", flat=True))


def act(board: Board, rng: Random) -> None:
    """End a table: with ranks, level, by resignation, voided, or first one way and then another."""
    size = board.places.count()
    kind = rng.choice(("ranks", "ranks", "level", "resigned", "voided", "twice", "void_later"))
    if kind == "resigned" and size == 2:
        seat = fresh(board.match).seats.select_related("user").order_by("?").first()
        moves.resign(match_id=board.match_id, user=seat.user)
        return
    ranks = [1] * size if kind == "level" else [rng.randint(1, size) for _seat in range(size)]
    end_board(board, ranks)
    if kind == "twice":
        match = fresh(board.match)
        results.match_reopened(match)
        tasks.tend_encounters()
        assert Encounter.objects.get(pk=board.encounter_id).state == STATE.RUNNING
        results.match_ended(match, list(match.seats.order_by("number")))
    elif kind in ("voided", "void_later"):
        if kind == "void_later":
            tasks.tend_encounters()
        Match.objects.filter(pk=board.match_id).update(voided_at=clock.now())
        results.match_voided(fresh(board.match))


def test_a_planted_mistake_is_found(clubs):
    alpha, beta, ours, theirs = clubs
    made = accepted(alpha, beta)
    for one in (*ours[:2], *theirs[:2]):
        lining_up.say(encounter_id=made.pk, user=one, plays=True)
    Encounter.objects.filter(pk=made.pk).update(begins_at=clock.now())
    tasks.tend_encounters()
    for board in Board.objects.all():
        end_board(board, [1, 2])
    tasks.tend_encounters()
    found = Encounter.objects.get(pk=made.pk)
    assert (found.state, encounters.final(found), summing.problems(found)) == (STATE.OVER, (100, 100), [])
    Encounter.objects.update(challenger_parts=3)
    assert summing.problems(Encounter.objects.get()) != []
    Encounter.objects.update(challenger_parts=2)
    Board.objects.filter(number=1).update(state=Board.State.VOID)
    assert len(summing.problems(Encounter.objects.get())) == 2


def test_what_is_reopened_after_the_end_is_summed_up_again_and_told_if_it_changed(clubs):
    alpha, beta, ours, theirs = clubs
    made = accepted(alpha, beta)
    for one in (ours[0], theirs[0]):
        lining_up.say(encounter_id=made.pk, user=one, plays=True)
    Encounter.objects.filter(pk=made.pk).update(begins_at=clock.now())
    tasks.tend_encounters()
    board = Board.objects.get()
    end_board(board, [1, 1])
    tasks.tend_encounters()
    match = fresh(board.match)
    results.match_reopened(match)
    tasks.tend_encounters()
    assert Encounter.objects.get().state == STATE.RUNNING
    results.match_ended(match, list(match.seats.order_by("number")))
    tasks.tend_encounters()
    assert encounters.final(Encounter.objects.get()) == (50, 50)
    Match.objects.update(voided_at=clock.now())
    results.match_voided(fresh(board.match))
    tasks.tend_encounters()
    assert encounters.final(Encounter.objects.get()) == (0, 0)
    assert not Board.objects.filter(changed=True).exists()
