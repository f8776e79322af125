"""Puzzles, the look back, reasons and dice by programs: nothing is told too early, and then what the pages tell."""

from datetime import timedelta
from random import Random

import pytest

from accounts.models import User
from games.models import FaceCount, Puzzle, PuzzleAnswer
from games.queries.puzzles import today
from games.services.puzzles import making
from tests.api.calling import Program, problem
from tests.factories import browser_of, fresh, member, played_on, seated

pytestmark = pytest.mark.django_db


@pytest.fixture
def puzzle(ann: User, bob: User, clock, monkeypatch) -> Puzzle:
    """Today's puzzle, from a match of Ann and Bob."""
    monkeypatch.setattr(making, "LONGEST", 30)
    played_on(seated(ann, bob), Random(1))
    clock.forward(timedelta(days=2).total_seconds())
    found = making.make(today())
    assert found is not None
    return found


def test_days_without_a_puzzle(ann: User) -> None:
    program = Program(ann)
    for day in ("today", "2026-01-01", "2999-01-01", "yesterday", "20261130", "x"):
        problem(program.get(f"/puzzles/{day}"), 404, "not_found")
    problem(program.post("/puzzles/x/answer", {"puzzle": 1, "choice": 0}), 404, "not_found")


def test_nothing_is_told_before_the_answer(puzzle: Puzzle, cem: User, eve: User) -> None:
    PuzzleAnswer.objects.create(puzzle=puzzle, user=eve, choice=puzzle.bots, late=False)
    program = Program(cem)
    before = program.get("/puzzles/today")
    told = before.json()
    for row in told["answers"]:
        assert [row[name] for name in ("count", "own", "bots", "played", "cost")] == [None] * 5
    assert (told["match"], told["answered"], told["before"]) == (None, False, None)
    Puzzle.objects.update(bots=0 if puzzle.bots else 1, played=0 if puzzle.played else 1, worths=None)
    PuzzleAnswer.objects.all().delete()
    assert program.get("/puzzles/today").content == before.content


def test_an_answer_and_its_refusals(puzzle: Puzzle, ann: User, cem: User) -> None:
    program, address = Program(cem), f"/puzzles/{puzzle.day}/answer"
    about = {"puzzle": puzzle.pk, "choice": puzzle.played}
    problem(Program(cem, ["read"]).post(address, about), 403, "scope_missing")
    bot = User.objects.create_user("Robo-bot", "", None, owner=ann)
    problem(Program(bot, ["bot"]).post(address, about), 403, "bots_cannot")
    problem(program.post(address, about | {"puzzle": puzzle.pk + 1}), 409, "withdrawn")
    problem(program.post(address, about | {"choice": 999}), 400, "invalid")
    problem(program.post(address, about | {"choice": -1}), 422, "invalid_request")
    assert not PuzzleAnswer.objects.exists()
    told = program.post(address, about)
    assert told.status_code == 200 and told.json()["answered"]
    rows = told.json()["answers"]
    assert [row["own"] for row in rows].index(True) == puzzle.played
    assert sum(row["count"] for row in rows) == 1 and told.json()["match"] == puzzle.match_id
    problem(program.post(address, about | {"choice": (puzzle.played + 1) % len(rows)}), 409, "answered_before")
    assert program.get(f"/puzzles/{puzzle.day}").json() == told.json()


def test_the_look_back_is_for_who_sat_there(ann: User, bob: User, cem: User, settings) -> None:
    match = seated(ann, bob)
    mine, others = Program(ann), Program(cem)
    problem(mine.get(f"/matches/{match.pk}/review"), 409, "not_ended")
    played_on(match, Random(2))
    problem(others.get(f"/matches/{match.pk}/review"), 404, "not_found")
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"review": "1/h/key"}
    told = mine.get(f"/matches/{match.pk}/review").json()
    assert told["decisions"] > 0 and {"step", "own", "bots"} <= set(told["others"][0])
    if told["left"]:
        problem(mine.get(f"/matches/{match.pk}/review"), 429, "too_often")
        assert browser_of(ann).get(f"/matches/{match.pk}/review/").status_code == 429


def test_reasons_are_the_readers_own(ann: User, bob: User) -> None:
    match = seated(ann, bob, game_slug="yay")
    first, second = Program(ann), Program(bob)
    asked = first.get(f"/matches/{match.pk}").json()["ask"] is not None
    mine, other = (first, second) if asked else (second, first)
    told = mine.get(f"/matches/{match.pk}/why").json()
    assert other.get(f"/matches/{match.pk}/why").json() == {"ask": None, "lines": []}
    assert Program(member("eve")).get(f"/matches/{match.pk}/why").json() == {"ask": None, "lines": []}
    page = browser_of(ann if asked else bob).get(f"/matches/{match.pk}/why/", headers={"X-Live": "1"})
    if page.status_code == 204:
        assert told == {"ask": None, "lines": []}
    else:
        assert told["lines"] and all("<" not in line for line in told["lines"])
    assert fresh(match).turns == 0


def test_how_dice_have_fallen(ann: User) -> None:
    faces = (1000, 1010, 990, 1000, 1005, 995)
    FaceCount.objects.bulk_create(
        FaceCount(game_slug="yay", sides=6, face=face, count=count) for face, count in enumerate(faces, 1)
    )
    told = Program(ann).get("/games/yay/statistics").json()["items"]
    assert [(one["sides"], tuple(one["counts"])) for one in told] == [(6, faces)] and "unusual" in told[0]["verdict"]
    problem(Program(ann).get("/games/nothing/statistics"), 404, "not_found")
