"""Moves about which one is asked first, and moves that come too late."""

import pytest

from accounts.models import User
from config.lib import clock as site_clock
from games.models import Match, Seat
from games.services.play import moves
from tests.api.calling import Program, problem
from tests.factories import asked, seated

pytestmark = pytest.mark.django_db


@pytest.fixture
def mover(ann: User, bob: User) -> tuple[Program, Match]:
    """Whoever is to move in a match of Ann and Bob, both of whom wish to be asked before final moves."""
    User.objects.update(asks_before_final=True)
    match = seated(ann, bob, game_slug="yay")
    return Program(User.objects.get(pk=asked(match).user_id)), match


def test_a_final_move_is_asked_about_and_played_when_it_is_confirmed(mover, monkeypatch) -> None:
    program, match = mover
    monkeypatch.setattr(moves, "_is_final", lambda playing, seat: True)
    ask = program.get(f"/matches/{match.pk}").json()["ask"]
    body = {"ask": ask, "key": "a", "move": {"type": "throw", "x": 100, "y": 100}}
    told = problem(program.post(f"/matches/{match.pk}/moves", body), 409, "not_sure")
    assert told["again"] == {"advised": True, "confirmed": True}
    assert Match.objects.get(pk=match.pk).turns == 0
    assert program.post(f"/matches/{match.pk}/moves", body | told["again"]).status_code == 200
    assert Match.objects.get(pk=match.pk).turns > 0


def test_the_coach_is_heard_first(ann: User) -> None:
    program = Program(ann)
    table = program.post("/games/yay/start", {"lesson": True}).json()
    assert table["coach"]
    for x in (0, 400, 800):
        body = {"ask": table["ask"], "key": f"a{x}", "move": {"type": "throw", "x": x, "y": 0}}
        answer = program.post(f"/matches/{table['id']}/moves", body)
        if answer.status_code == 409:
            told = problem(answer, 409, "advised")
            assert told["again"] == {"advised": True}
            assert program.post(f"/matches/{table['id']}/moves", body | told["again"]).status_code == 200
            return
        table = answer.json()
    assert program.post(f"/matches/{table['id']}/lesson/skip").json()["coach"] == ""


def test_a_move_that_comes_too_late(mover, clock) -> None:
    program, match = mover
    ask = program.get(f"/matches/{match.pk}").json()["ask"]
    Seat.objects.filter(match=match, ask__isnull=False).update(bank=0, deadline=site_clock.now())
    clock.forward(3600)
    body = {"ask": ask, "key": "a", "move": {"type": "throw", "x": 1, "y": 1}, "confirmed": True}
    answer = program.post(f"/matches/{match.pk}/moves", body)
    assert answer.status_code in (200, 409)
    if answer.status_code == 409:
        problem(answer, 409, "too_late")
