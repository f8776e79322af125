"""A match played by programs alone, and what they are refused."""

import json
from random import Random

import pytest

from accounts.models import User
from games.engine import sample_move
from games.models import Match
from tests.api.calling import Program, problem

pytestmark = pytest.mark.django_db


def opened(program: Program, **about) -> dict:
    answer = program.post("/tables", {"game": "yay", "size": 2, **about})
    assert answer.status_code == 201, answer.content
    return answer.json()


@pytest.fixture
def two(ann: User, bob: User) -> tuple[Program, Program, int]:
    """Ann and Bob by their programs at a running match of YAY!."""
    first, second = Program(ann), Program(bob)
    number = opened(first)["id"]
    assert second.post(f"/matches/{number}/join").status_code == 200
    return first, second, number


def test_a_whole_match(two) -> None:
    first, second, number = two
    rng = Random(7)
    for _turn in range(2000):
        mover = None
        for program in (first, second):
            told = program.get(f"/matches/{number}/prompt").json()
            if told["ask"] is not None:
                mover = program, told
        if mover is None:
            break
        program, told = mover
        move = sample_move(told["prompt"], rng)
        body = {"ask": told["ask"], "key": f"k{_turn}", "move": move}
        answer = program.post(f"/matches/{number}/moves", body)
        assert answer.status_code in (200, 409), answer.content
        if _turn > 30:
            break
    table = first.get(f"/matches/{number}").json()
    assert table["turns"] > 10
    log = first.get(f"/matches/{number}/log").json()
    assert len(log["items"]) == table["turns"]
    assert first.get(f"/matches/{number}/replay?step=3").json()["step"] == 3
    problem(first.get(f"/matches/{number}/record"), 409, "not_ended")


def test_a_tag_and_what_has_not_changed(two) -> None:
    first, second, number = two
    answer = first.get(f"/matches/{number}")
    again = first.get(f"/matches/{number}", **{"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    french = first.get(f"/matches/{number}", **{"If-None-Match": answer["ETag"], "Accept-Language": "fr"})
    assert french.status_code == 200
    asked = first if answer.json()["ask"] is not None else second
    told = asked.get(f"/matches/{number}/prompt").json()
    body = {"ask": told["ask"], "key": "a", "move": sample_move(told["prompt"], Random(1))}
    assert asked.post(f"/matches/{number}/moves", body).status_code == 200
    assert first.get(f"/matches/{number}", **{"If-None-Match": answer["ETag"]}).status_code == 200


def test_a_move_sent_again_and_a_stale_one(two) -> None:
    first, second, number = two
    asked = first if first.get(f"/matches/{number}").json()["ask"] is not None else second
    told = asked.get(f"/matches/{number}/prompt").json()
    body = {"ask": told["ask"], "key": "a", "move": sample_move(told["prompt"], Random(1))}
    one, two_ = (asked.post(f"/matches/{number}/moves", body) for _time in range(2))
    assert (one.status_code, two_.status_code) == (200, 200)
    assert Match.objects.get(pk=number).turns == one.json()["turns"]
    problem(asked.post(f"/matches/{number}/moves", body | {"key": "b"}), 409, "stale_question")


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ({"type": "nothing"}, "illegal.unknown_move"),
        ({"type": "throw"}, "illegal.bad_field"),
        ({}, "illegal.unknown_move"),
        ({"type": "throw", "x": 10**30, "y": 1}, "illegal.bad_field"),
        ({"type": "lock", "row": 1, "col": 1}, None),
    ],
)
def test_a_move_that_the_rules_refuse(two, move, code) -> None:
    first, second, number = two
    asked = first if first.get(f"/matches/{number}").json()["ask"] is not None else second
    ask = asked.get(f"/matches/{number}").json()["ask"]
    answer = asked.post(f"/matches/{number}/moves", {"ask": ask, "key": "a", "move": move})
    told = problem(answer, 409, code or answer.json()["code"])
    assert told["code"].startswith("illegal.")
    assert Match.objects.get(pk=number).turns == 0


def test_strangers_and_watchers(two, cem: User, eve: User) -> None:
    _first, _second, number = two
    stranger = Program(cem)
    assert stranger.get(f"/matches/{number}").json()["you"] is None
    body = {"ask": 1, "key": "a", "move": {"type": "throw", "x": 1, "y": 1}}
    problem(stranger.post(f"/matches/{number}/moves", body), 403, "not_your_seat")
    Match.objects.filter(pk=number).update(access="invitation")
    for address in ("", "/prompt", "/log", "/replay?step=0", "/record", "/notes"):
        problem(stranger.get(f"/matches/{number}{address}"), 404, "not_found")
    for address in ("resign", "leave", "here", "undo", "decline", "substitute"):
        sent = {"turn": 1} if address == "undo" else {}
        problem(stranger.post(f"/matches/{number}/{address}", sent), 404, "not_found")


def test_the_scope_of_play(ann: User) -> None:
    reader = Program(ann, ["read"])
    problem(reader.post("/tables", {"game": "yay", "size": 2}), 403, "scope_missing")
    assert not Match.objects.exists()


def test_a_table_is_opened_once_for_a_key(ann: User) -> None:
    program = Program(ann)
    answers = [program.post("/tables", {"game": "yay", "size": 2}, **{"Idempotency-Key": "one"}) for _time in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].json()["id"] == answers[1].json()["id"]
    assert Match.objects.count() == 1
    problem(program.post("/tables", {"game": "yay", "size": 2}, **{"Idempotency-Key": "?"}), 400, "bad_key")


def test_what_does_not_fit(ann: User) -> None:
    program = Program(ann)
    told = problem(program.post("/tables", {"game": "yay", "size": "2", "colour": 1}), 422, "invalid_request")
    assert {error["at"] for error in told["errors"]} == {"body.size", "body.colour"}
    problem(program.post("/tables", {"game": "none", "size": 2}), 404, "not_found")
    problem(program.post("/tables", {"game": "yay", "size": 20}), 400, "invalid")
    problem(program.post("/tables", {"game": "yay", "size": 2, "invited": ["Nobody"]}), 400, "invalid")
    problem(program.post("/tables", {"game": "yay", "size": 2, "options": {"x": 1}}), 400, "invalid")
    assert not Match.objects.exists()


def test_orders_notes_wishes(two) -> None:
    first, _second, number = two
    saved = first.call("PUT", f"/matches/{number}/notes", json.dumps({"notes": "x"}))
    assert saved.json()["notes"] == "x"
    problem(
        first.call("PUT", f"/matches/{number}/notes", json.dumps({"notes": "y", "before": "old"})), 409, "notes_changed"
    )
    answer = first.call("PUT", f"/matches/{number}/orders", json.dumps({"orders": {"what": 1}}))
    problem(answer, 400, "bad_orders")
    assert first.post(f"/matches/{number}/pause", {"wish": True}).json()["seats"][0]["wants_pause"]
    assert first.call("PUT", f"/matches/{number}/notices", json.dumps({"notices": "none"})).json()["notices"] == "none"
    assert first.post(f"/matches/{number}/seen").status_code == 204
    assert first.post(f"/matches/{number}/resign").status_code == 200
    assert Match.objects.get(pk=number).status == "ended"
    assert first.get(f"/matches/{number}/record").json()["record"]["seats"] == 2
    assert first.post(f"/matches/{number}/rematch").json()["id"] != number


def test_lists(two, ann: User, cem: User) -> None:
    first, second, number = two
    for state in ("waiting", "running", "open", "ended"):
        assert first.get(f"/matches?state={state}").status_code == 200
    lists = [program.get("/matches?state=waiting").json()["items"] for program in (first, second)]
    assert [number] == [line["id"] for items in lists for line in items]
    assert [line["id"] for line in Program(cem).get("/watchable").json()["items"]] == [number]
    for _each in range(3):
        opened(first)
    found = Program(cem).get("/lobby").json()
    assert len(found["items"]) == 3
    assert found["next"] is None
    for address in ("/lobby/substitutes", "/lobby/challenges", "/games", "/games/yay", "/time-controls"):
        assert first.get(address).status_code == 200
    problem(first.get("/games/nothing"), 404, "not_found")
    problem(first.get("/lobby?cursor=!!"), 422, "bad_cursor")
    problem(first.get("/lobby?cursor=WzFd" + "x" * 600), 422, "invalid_request")


def test_quick_start_against_bots(ann: User) -> None:
    answer = Program(ann).post("/games/yay/start", {})
    assert answer.status_code == 201
    assert answer.json()["status"] == "running"
