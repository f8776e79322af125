"""Posts that arrive at the same time, by real HTTP at a real server: one of them wins, nothing is torn."""

import itertools
import re

import httpx
import pytest
import redis

from accounts.models import User
from config.lib.redis import TASKS, address
from games.engine import SeededChance, mix
from games.management.commands.check_matches import problems
from games.models import Match, Seat, Turn
from games.queries.play import seats_of
from games.services.play import moves as play_moves
from tests.factories import (
    PASSWORD,
    asked,
    fresh,
    guest,
    member,
    opened,
    play_on,
    random_move,
    seat,
    seated,
)
from tests.games.play.at_once import TOKEN, Tab, statuses
from tests.processes import wait_until

pytestmark = pytest.mark.both

ROLL = {"type": "roll"}


SEED = 20260101


@pytest.fixture
def ann(site):
    return member("ann")


@pytest.fixture
def bob(site):
    return member("bob")


@pytest.mark.parametrize("live", [True, False])
def test_fifty_posts_of_one_move_make_one_turn(ann, bob, at_once, live):
    match = seated(ann, bob)
    mover = asked(match)
    tab = Tab(mover.user)
    posts = [tab.move(match, mover.ask, "the-key", ROLL) for _ in range(50)]
    if not live:
        posts = [(tab, path, data, {}) for tab, path, data, _headers in posts]
    answers = at_once(posts)
    assert set(statuses(answers)) == {200 if live else 302}
    assert (fresh(match).turns, match.log.count()) == (1, 1)
    assert fresh(match).asks == 2
    if live:
        assert {re.search(r'name="ask" value="(\d+)"', answer.text)[1] for answer in answers} == {"2"}


def test_two_tabs_with_different_moves_make_one_turn(ann, bob, at_once, rng):
    match = seated(ann, bob)
    for number in range(15):
        mover = asked(match)
        one = random_move(fresh(match), mover.number, rng)
        other = random_move(fresh(match), mover.number, rng)
        tabs = [
            Tab(mover.user).move(match, mover.ask, f"{number}-{tab}", move) for tab, move in enumerate((one, other))
        ]
        answers = at_once(tabs)
        assert statuses(answers) == [200, 409], number
        assert match.log.filter(by=Turn.By.PERSON).count() == number + 1  # a question with one answer is no decision
        refused = next(answer for answer in answers if answer.status_code == 409)
        assert 'id="table"' in refused.text
        assert "The match has gone on" in refused.text.replace("\n", " ")
        if (now := asked(match)).number == mover.number:
            assert f'name="ask" value="{now.ask}"' in refused.text


def test_both_players_at_every_moment(ann, bob, at_once, rng):
    """Both post a move at once, all the time, most of them out of turn: only what is asked is played."""
    match = seated(ann, bob)
    tabs = {0: Tab(ann), 1: Tab(bob)}
    for number in range(30):
        mover = asked(match)
        if mover is None:
            break
        move = random_move(fresh(match), mover.number, rng)
        answers = at_once(tabs[seat].move(match, mover.ask, f"{number}", move) for seat in (0, 1))
        assert statuses(answers) == [200, 409]
        assert match.log.order_by("number").last().seat == mover.number
    match = fresh(match)
    assert list(match.log.order_by("number").values_list("number", flat=True)) == list(range(1, match.turns + 1))


def test_resigning_and_moving_at_once(ann, bob, at_once):
    """The move is played before the seat is left, or refused after it."""
    cem = member("cem")
    tabs = {person.pk: Tab(person) for person in (ann, bob, cem)}
    for number in range(8):
        match = seated(ann, bob, cem)
        mover = asked(match)
        tab = tabs[mover.user_id]
        moved, resigned = at_once(
            [tab.move(match, mover.ask, f"{number}", ROLL), tab.post(f"/matches/{match.pk}/resign/")]
        )
        assert resigned.status_code == 302
        left = seat(match, mover.number)
        assert (left.left, left.bot) == (1, "strong")
        assert fresh(match).status == Match.Status.RUNNING
        assert (moved.status_code, match.log.count()) in [(200, 1), (403, 0)]
        assert left.ask == (2 if moved.status_code == 200 else 1)


def test_the_end_by_a_move_and_by_agreement_at_once(ann, bob, at_once, rng):
    """The last move arrives while the last one agrees to call the match off: it ends once, in one way."""
    for number in range(4):
        match = nearly_ended(ann, bob, rng)
        play_moves.wish_call_off(match_id=match.pk, user=ann, wish=True)
        mover = asked(match)
        moved, agreed = at_once(
            [
                Tab(mover.user).move(match, mover.ask, f"last-{number}", last_move(match, mover.number)),
                Tab(bob).post(f"/matches/{match.pk}/call-off/", wish="1"),
            ]
        )
        match = fresh(match)
        assert match.status == Match.Status.ENDED
        assert problems(match) == []
        if match.ending == Match.Ending.PLAYED:
            assert (moved.status_code, agreed.status_code) == (200, 409)
        else:
            assert (moved.status_code, agreed.status_code) == (409, 302)
            assert match.outcome is None


def nearly_ended(ann, bob, rng) -> Match:
    while True:
        match = play_on(seated(ann, bob), rng, until=is_before_the_last_move)
        if match.status == Match.Status.RUNNING:
            return match


def is_before_the_last_move(match) -> bool:
    """Whether some move that may be made now ends the match."""
    mover = next((s for s in seats_of(match) if s.ask is not None), None)
    return mover is not None and last_move(match, mover.number) is not None


def last_move(match, number):
    """Return the move that ends the match now, dice included; None when the default move does not."""
    game = match.game
    state = game.load(bytes(match.state))
    if not getattr(state, "last", False):
        return None
    seed = mix(bytes(match.server_seed), [s.nonce for s in seats_of(match)])
    move = game.default_move(state, number)
    after, _events = game.apply(state, number, move, SeededChance(seed, match.draws))
    return move if game.outcome(after) is not None else None


def test_orders_while_the_question_is_answered(ann, bob, at_once, rng):
    """A standing order and a move answer the same question at once: it is answered once."""
    match = seated(ann, bob)
    met = 0
    for number in itertools.count():
        match = play_on(fresh(match), rng, until=lambda m: any_combo(m) is not None)
        mover = asked(match)
        if mover is None or met == 8:
            break
        met += 1
        turns = match.turns
        moved, ordered = at_once(
            [
                Tab(mover.user).move(match, mover.ask, f"c{number}", {"type": "pass"}),
                Tab(mover.user).post(
                    f"/matches/{match.pk}/orders/", pass_always="1", then="answer", ask=str(mover.ask)
                ),
            ]
        )
        assert ordered.status_code == 302
        assert moved.status_code in (200, 409)
        first = match.log.get(number=turns + 1)
        assert (first.seat, first.move) == (mover.number, {"type": "pass"})
        assert first.by == ("person" if moved.status_code == 200 else "orders")
        match.seats.update(orders={})
    assert met > 2


def any_combo(match):
    state = match.game.load(bytes(match.state))
    return state.combo


def test_the_server_rings_the_worker(ann, site):
    """A move that leaves a bot to move puts a message into the worker's queue, from a server's thread."""
    queue = redis.Redis.from_url(address(TASKS))
    queue.delete("celery")
    for _ in range(6):  # in one of three a person begins
        answer = httpx.post(
            f"{site.url}/games/yum-extra/now/",
            data={"lesson": "no"},
            cookies=Tab(ann).cookies,
            headers={"X-CSRFToken": TOKEN},
        )
        assert answer.status_code == 302
    assert Seat.objects.filter(ask__isnull=False).exclude(bot="").exists()
    wait_until(lambda: queue.llen("celery"), "the worker's ring")
    assert b"games.tasks.play_bots" in queue.lindex("celery", 0)


def test_two_guests_sit_down_at_the_last_seat(ann, at_once):
    """One has it; the other is told so, and leaves no guest behind."""
    for number in range(10):
        table = opened(ann, size=2, access=Match.Access.LINK)
        path, token = f"/matches/{table.pk}/join/", table.token
        posts = [Tab(None).post(path, guest=f"{name}{number}", token=token) for name in ("Lea", "Mia")]
        answers = at_once(posts)
        assert statuses(answers) == [302, 409]
        assert "All seats are taken" in next(answer.text for answer in answers if answer.status_code == 409)
        assert fresh(table).status == Match.Status.RUNNING
        assert User.objects.filter(is_guest=True).count() == number + 1
        assert seat(table, 1).user.is_guest


def test_a_guest_logs_in_while_their_match_goes_on(ann, at_once):
    """The matches change hands while they are moved in: both are done, or the move is too late."""
    for number in range(10):
        gus = guest(f"guest-gnu-{number}")
        matches = [seated(gus, bots=["easy"]) for _ in range(3)]
        tab = Tab(gus)
        log_in = tab, "/accounts/login/", {"login": "ann", "password": PASSWORD}, {}
        moves = [
            tab.move(match, asked(match).ask, f"k-{match.pk}", ROLL)
            for match in matches
            if asked(match).user_id == gus.pk
        ]
        *moved, logged_in = at_once([*moves, log_in])
        assert logged_in.status_code == 302, logged_in.text
        assert {answer.status_code for answer in moved} <= {200, 302, 403, 404}
        for match in matches:
            assert seat(match, 0).user == ann
        played = [answer for answer in moved if answer.status_code == 200]
        assert sum(fresh(match).turns for match in matches) == len(played)
