"""Records: replaying a match, and finding whatever was changed in one."""

import copy
import hashlib
import hmac
import json
from functools import reduce

import pytest
from django.core.management import CommandError, call_command

from games.engine import RecordError, mix, replay, replay_steps, verify
from games.rules import get_game
from tests.rules.playing import SERVER, recorded_match, setups

MATCH = recorded_match("yum-extra", 3, {"scratch": "free"}, seed=5)


@pytest.fixture
def record():
    return copy.deepcopy(MATCH)


def problem(record):
    verdict = verify(record, get_game)
    assert not verdict.sound
    return verdict.problem


def first(record, test):
    """The first move of the record for which `test` holds."""
    return next(entry for entry in record["moves"] if test(entry))


@pytest.mark.thin(12)
@pytest.mark.parametrize(("slug", "seats", "options"), setups())
def test_what_was_played_is_sound(slug, seats, options):
    record = json.loads(json.dumps(recorded_match(slug, seats, options, seed=seats)))
    assert verify(record, get_game).sound, verify(record, get_game).problem
    game = get_game(slug)
    assert game.outcome(replay(record, get_game)) == record["outcome"]


def test_the_seed_is_mixed_from_the_server_and_every_nonce():
    expected = hmac.new(SERVER, b'["a","","\\u00e9"]', hashlib.sha256).digest()
    assert mix(SERVER, ["a", "", "é"]) == expected
    assert mix(SERVER, ["a,b"]) != mix(SERVER, ["a", "b"])


def test_replay_goes_step_by_step(record):
    steps = list(replay_steps(record, get_game))
    assert [n for n, _state, _events in steps] == list(range(len(record["moves"]) + 1))
    assert steps[0][2] == []
    assert steps[-1][2][-1] == {"type": "end"}
    assert steps[-1][1] == replay(record, get_game)


def test_a_running_match_replays_without_seed_and_outcome(record):
    running = {
        "game": record["game"],
        "seats": record["seats"],
        "options": record["options"],
        "setup_draws": record["setup_draws"],
        "moves": record["moves"][:10],
    }
    game = get_game("yum-extra")
    assert game.outcome(replay(running, get_game)) is None
    assert problem(running) == "the record has no seed: it is published when the match has ended"


def test_a_changed_face(record):
    entry = first(record, lambda entry: entry["move"] == {"type": "roll"})
    true = entry["draws"][0][0]
    entry["draws"][0][0] = true % 6 + 1
    assert problem(record).startswith(f"draw 1 of move {entry['n']} differs: recorded [{true % 6 + 1}")


def test_a_changed_setup_draw(record):
    record["setup_draws"][0][0] = record["setup_draws"][0][0] % 3 + 1
    assert problem(record).startswith("draw 1 of the setup differs")


def test_two_swapped_draws_of_a_move(record):
    entry = first(record, lambda entry: len(entry["draws"]) > 1 and entry["draws"][0] != entry["draws"][1])
    entry["draws"][:2] = reversed(entry["draws"][:2])
    assert problem(record).startswith(f"the draws of move {entry['n']} are in another order")


def test_two_swapped_draws_of_different_moves(record):
    rolls = [entry for entry in record["moves"] if entry["move"] == {"type": "roll"}]
    one = rolls[0]
    other = next(entry for entry in rolls if entry["draws"] != one["draws"])
    one["draws"], other["draws"] = other["draws"], one["draws"]
    assert problem(record).startswith(f"draw 1 of move {one['n']} differs")


def test_a_draw_left_out_and_one_too_many(record):
    entry = first(record, lambda entry: entry["draws"])
    draw = entry["draws"].pop()
    number = len(entry["draws"]) + 1
    assert problem(record) == (f"draw {number} of move {entry['n']} differs: recorded None, the seed dictates {draw}")
    entry["draws"] += [draw, [1]]
    assert problem(record).startswith(f"draw {number + 1} of move {entry['n']} differs: recorded [1]")


def test_a_changed_move(record):
    entry = first(record, lambda entry: entry["move"]["type"] == "score")
    sheet_row = entry["move"]["cell"]
    entry["move"]["cell"] = "yum" if sheet_row != "yum" else "ones"
    assert problem(record)


def test_every_move_changed_into_one_of_the_wrong_seat(record):
    entry = record["moves"][20]
    entry["seat"] = (entry["seat"] + 1) % 3
    assert problem(record) == "move 21 is not legal (not_your_turn): It is not your turn."


def test_a_move_that_is_not_legal(record):
    record["moves"][0]["move"] = {"type": "pass"}
    assert problem(record).startswith("move 1 is not legal (illegal)")


def test_a_move_left_out(record):
    del record["moves"][7]
    assert problem(record) == "move 8 is numbered 9"


def test_the_end_left_out(record):
    record["moves"].pop()
    assert problem(record).startswith("the outcome differs")


def test_a_wrong_seed(record):
    record["seed"] = bytes(32).hex()
    assert problem(record) == "the commitment does not fit the seed"
    record["commitment"] = hashlib.sha256(bytes(32)).hexdigest()
    assert "differs" in problem(record)


@pytest.mark.parametrize("seed", ["xyz", "é", ""])
def test_a_seed_that_is_none(record, seed):
    record["seed"] = seed
    assert problem(record)


def test_a_wrong_nonce(record):
    record["nonces"][0] = "another"
    assert "differs" in problem(record)


def test_a_nonce_too_few(record):
    record["nonces"].pop()
    assert problem(record) == "2 nonces for 3 seats"


def test_a_changed_outcome(record):
    record["outcome"]["scores"][0] += 1
    assert problem(record).startswith("the outcome differs: recorded {")


def test_changed_options(record):
    record["options"] = {"scratch": "forced"}
    assert "is not legal (illegal)" in problem(record)


def test_options_that_are_none(record):
    record["options"] = {"scratch": "never"}
    assert problem(record) == "the setup fails: scratch: 'never' is not possible"


@pytest.mark.parametrize("seats", [2, 4, 0, -1, 10**30])
def test_a_changed_number_of_seats(record, seats):
    record["seats"] = seats
    assert problem(record)


def test_other_rules_formats_and_games(record):
    assert problem(record | {"rules_version": 2}) == "unknown version 2 of the rules of 'yum-extra'"
    assert problem(record | {"format": "club-y/9"}) == "unknown format 'club-y/9'"
    assert problem(record | {"game": "chess"}) == "unknown game 'chess'"


JUNK = [
    None,
    1,
    1.5,
    "x",
    [],
    [1],
    {},
    {"a": 1},
    True,
    float("nan"),
    10**400,
    10**5000,
    "\ud800",
    [[[]]],
    [None],
    [[10**5000]],
]
JUNK.append(reduce(lambda inner, _: [inner], range(100_000), []))


@pytest.mark.thin(5)
@pytest.mark.parametrize("junk", JUNK, ids=range(len(JUNK)))
def test_junk_is_malformed_and_never_a_traceback(record, junk):
    assert problem(junk)
    for key in record:
        broken = record | {key: junk}
        assert isinstance(verify(broken, get_game).problem, str)
        for name in ("n", "seat", "move", "draws", "at"):
            broken = copy.deepcopy(record)
            broken["moves"][3][name] = junk
            assert verify(broken, get_game).sound == (broken == MATCH or (name == "at" and type(junk) is int))


def test_replay_says_where_a_record_fails(record):
    record["moves"][4]["draws"].append([1])
    with pytest.raises(RecordError, match="move 5: 1 draws too many"):
        replay(record, get_game)
    record["moves"][4]["draws"] = [[9, 9]]
    with pytest.raises(RecordError, match="move 5"):
        replay(record, get_game)
    record["setup_draws"] = []
    with pytest.raises(RecordError, match="the setup: draw 1 is missing"):
        replay(record, get_game)


def test_anyone_can_verify_a_file(record, tmp_path, capsys):
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record))
    call_command("verify_match", str(path))
    told = capsys.readouterr().out
    assert f"commitment '{record['commitment']}'" in told and "seat 0: nonce 'nonce 0'" in told
    assert "signed by nobody" in told and "sound: every draw is what the seed dictated\n" in told
    assert "fresh seed at each restore" in told  # what is weaker of this format
    record["outcome"]["winners"] = []
    path.write_text(json.dumps(record))
    with pytest.raises(CommandError, match="not sound: the outcome differs"):
        call_command("verify_match", str(path))
    path.write_text("{")
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("verify_match", str(path))
