"""The Python client finds what was changed in a record, and passes sound ones; so does `verify_match`."""

import ast
import copy
import json
import sys
import tomllib
from pathlib import Path
from random import Random

import pytest
from club_y_client.__main__ import main
from club_y_client.verify import Fault, verify
from django.core.management import CommandError, call_command

from config.lib import signatures
from games.engine import verify as verify_by_engine
from games.record import signed
from games.rules import games, get_game
from tests import FULL
from tests.rules.planted import CHANGES, EACH, planted
from tests.rules.playing import fewest, recorded_match, sealed_match

SLUGS = [slug for slug in games() if slug != "sample-game"]
# Another move may be as good as the one made, and where nothing was drawn in between, another place.
EQUAL = {"an_option", "an_order_of_moves", "where_it_was_restored", "when_it_was_opened"}
SOUND = 200 if FULL else 4  # of each of the five games


def sound(slug: str, seed: int) -> dict:
    """A signed record of that game: with the least seats, or one more."""
    game = get_game(slug)
    seats = max(2, fewest(game)) + (seed % 2 if fewest(game) < game.max_seats else 0)
    return json.loads(json.dumps(signed(sealed_match(slug, seats, {}, seed))))


def found(record: dict) -> str:
    """What the client says is not right of a record; empty if it passes."""
    try:
        list(verify(record, key=signatures.public_keys()[0]))
    except Fault as fault:
        return str(fault)
    return ""


@pytest.mark.thin(2)
@pytest.mark.parametrize("slug", SLUGS)
def test_each_planted_change_is_found(slug):
    assert EACH * len(SLUGS) >= 200
    record = sound(slug, 1)
    assert found(record) == "" and len(record["openings"]) == 2 and len(record["reseeds"]) == 2
    missed = [name for name, changed in planted(record, Random(slug)) if not found(changed)]
    assert missed == []


@pytest.mark.thin(2)
@pytest.mark.parametrize("slug", SLUGS)
def test_what_the_secrets_and_the_rules_dictate_is_found_without_a_signature(slug):
    """The site itself may sign what it likes: the engine and the client find by the dice and rules what is not so."""
    by_signature = {"a_time", "whether_it_counts", "which_match", "a_draw_said_to_be_prepared", "a_move", "a_seat"}
    record = sound(slug, 2)
    for name, changed in planted(record, Random(slug)):
        if name in by_signature or name in EQUAL:
            continue
        assert not verify_by_engine(changed, get_game).sound, name
        assert found(signed(changed)), name


@pytest.mark.proof
@pytest.mark.parametrize("slug", SLUGS)
def test_sound_records_pass(slug):
    problems = {seed: found(sound(slug, seed)) for seed in range(10, 10 + SOUND)}
    assert {seed: problem for seed, problem in problems.items() if problem} == {}


@pytest.mark.parametrize("slug", SLUGS)
def test_some_sound_records_pass_by_client_and_engine(slug):
    for seed in range(3, 6):
        record = sound(slug, seed)
        assert found(record) == ""
        assert verify_by_engine(record, get_game).sound


def test_the_former_format_passes_and_is_said_to_be_weaker():
    record = json.loads(json.dumps(signed({**recorded_match("yay", 2, {}), "reseeds": []})))
    assert any("fresh seed at each restore" in line for line in verify(record))


def test_a_seed_searched_for_after_the_first_move_is_found_by_what_was_noted(tmp_path):
    """In the former format a reseed may be put anywhere: only what players noted tells."""
    record = recorded_match("yum-extra", 2, {})
    commitment = record["commitment"]
    path = tmp_path / "record.json"
    cheat = copy.deepcopy(record)
    cheat["reseeds"] = [{"after": 0, "commitment": commitment, "seed": record["seed"]}]
    path.write_text(json.dumps(cheat))
    with pytest.raises(CommandError, match="the seed of before"):
        call_command("verify_match", str(path))
    path.write_text(json.dumps(record))
    call_command("verify_match", str(path), commitment=[commitment])
    with pytest.raises(CommandError, match="not what was noted"):
        call_command("verify_match", str(path), commitment=["0" * 64])


def test_the_command_says_what_is_wrong_and_ends_so(tmp_path, capsys):
    path, record = tmp_path / "record.json", sound("yay", 7)
    path.write_text(json.dumps(record))
    key = signatures.public_keys()[0]
    assert main(["verify", str(path), "--key", key, "--commitment", record["commitment"].upper()]) == 0
    told = capsys.readouterr().out
    assert record["commitment"] in told and record["reseeds"][0]["seed"] in told and record["nonces"][0] in told
    assert main(["verify", str(path), "--commitment", "0" * 64]) == 1
    assert main(["verify", str(path), "--entry", "0" * 64]) == 1
    assert main(["verify", str(path), "--key", "another"]) == 1
    assert "not by another" in capsys.readouterr().err
    path.write_text(json.dumps({name: value for name, value in record.items() if name != "signature"}))
    assert main(["verify", str(path)]) == 1
    path.write_text("{")
    assert main(["verify", str(path)]) == 2
    assert main(["verify", str(tmp_path / "none")]) == 2


@pytest.mark.parametrize("name", [name for name in CHANGES if "reseed" in name or "restored" in name])
def test_the_site_s_command_refuses_each_reseed_that_is_not_the_next(name, tmp_path):
    record = sound("yum-extra", 8)
    changed = copy.deepcopy(record)
    CHANGES[name](changed, Random(1))
    path = tmp_path / "record.json"
    path.write_text(json.dumps(signed(changed)))
    with pytest.raises(CommandError, match="not sound"):
        call_command("verify_match", str(path))


JUNK = [None, 1, -1, 1.5, "x", [], {}, [None], True, 10**40, "\ud800", {"a": 1}]


@pytest.mark.thin(3)
@pytest.mark.parametrize("junk", JUNK, ids=range(len(JUNK)))
def test_junk_is_a_fault_and_never_a_traceback(junk):
    record = sound("yay", 9)
    assert found(junk)
    for key in record:
        if record[key] != junk:
            assert found(record | {key: junk}), key
            assert not verify_by_engine(record | {key: junk}, get_game).sound or key in (
                *("options", "voided", "match", "signature", "setup_kinds"),
                *("prepared",),
            ), key


def test_where_there_are_no_rules_nothing_is_said_against_a_record(monkeypatch, tmp_path, capsys):
    path = tmp_path / "record.json"
    path.write_text(json.dumps(sound(SLUGS[0], 3)))

    def gone(name):
        raise ModuleNotFoundError(name)

    monkeypatch.setattr("club_y_client.verify.import_module", gone)
    assert main(["verify", str(path)]) == 2
    assert "not checked" in capsys.readouterr().err


def test_the_package_names_all_that_it_imports():
    """The copies of the rules in it included: else `verify` works in a checkout alone."""
    root = Path(__file__).parents[3]
    package = root / "clients/python"
    named = tomllib.loads((package / "pyproject.toml").read_text())["project"]["dependencies"]
    sources = [package / "club_y_client", root / "games/engine", root / "games/rules"]
    imported = {
        module.partition(".")[0]
        for source in sources
        for path in source.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for module in (
            [one.name for one in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    strangers = imported - set(sys.stdlib_module_names) - {"games", "club_y_client", ""}
    assert {"pyyaml" if one == "yaml" else one for one in strangers} == {one.partition("~")[0] for one in named}
