"""The record: sealed while the match runs, sound after its end; what is changed in the database is named."""

import json
from itertools import pairwise
from random import Random

import pytest
from django.core.management import CommandError, call_command

from config.lib import signatures
from games.engine import verify
from games.management.commands.check_matches import problems
from games.models import Match, Turn
from games.queries.play import seats_of
from games.record import public_record, record_of
from games.rules import get_game
from games.services.play import moves
from tests.factories import fresh, opened, played_on, seated


@pytest.fixture
def ended(ann, bob) -> Match:
    return played_on(seated(ann, bob, bots=["easy"]), Random(41))


def record(match) -> dict:
    """The record as it is downloaded."""
    return json.loads(json.dumps(record_of(match, seats_of(match))))


def test_while_the_match_runs_nothing_of_the_seed_is_in_it(ann, bob):
    match = played_on(seated(ann, bob), Random(42), turns=9)
    for number in (0, 1):
        match.seats.filter(number=number).update(nonce=f"nonce-{number}", seal=f"seal-{number}")
    running = record(match)
    assert (running["seals"], running["openings"]) == ([], [])
    assert (running["seed"], running["nonces"], running["outcome"]) == (None, [], None)
    text = json.dumps(running)
    assert bytes(match.server_seed).hex() not in text
    assert bytes(match.chain_root).hex() not in text
    assert all(seat.nonce not in text and seat.seal not in text for seat in seats_of(match))
    assert running["commitment"] == match.commitment
    assert "no seed" in verify(running, get_game).problem


@pytest.mark.outgrown
def test_it_has_what_the_contract_asks_for(ended):
    whole = record(ended)
    assert {
        "format",
        "game",
        "rules_version",
        "seats",
        "options",
        "commitment",
        "seed",
        "nonces",
        "setup_draws",
        "moves",
        "outcome",
    } <= set(whole)
    assert whole["format"] == "club-y/2"
    assert set(whole["moves"][0]) == {"n", "seat", "move", "draws", "at"}
    assert [move["n"] for move in whole["moves"]] == list(range(1, ended.turns + 1))


def test_it_names_nobody(ended):
    assert "ann" not in json.dumps(record(ended)).replace("chance", "")


@pytest.mark.outgrown
def test_after_the_end_it_is_sound(ended):
    assert verify(record(ended), get_game).sound


@pytest.mark.parametrize("end", ["resign", "call off"])
def test_a_match_that_ended_early_is_sound_too(ann, bob, end):
    match = played_on(seated(ann, bob), Random(43), turns=20)
    if end == "resign":
        moves.resign(match_id=match.pk, user=ann)
    else:
        for person in (ann, bob):
            moves.wish_call_off(match_id=match.pk, user=person, wish=True)
    match = fresh(match)
    assert verify(record(match), get_game).sound
    assert problems(match) == []


def test_the_command_on_the_downloaded_file(ended, tmp_path, capsys):
    file = tmp_path / "record.json"
    file.write_text(json.dumps(public_record(ended, seats_of(ended))))
    call_command("verify_match", file, key=signatures.public_keys()[0], commitment=[ended.commitment])
    assert "sound" in capsys.readouterr().out


def change_draw(match):
    turn = match.log.exclude(draws=[]).order_by("-number").first()
    turn.draws[0][0] = turn.draws[0][0] % 6 + 1
    turn.save()
    return f"move {turn.number}"


def swap_draws(match):
    rolls = [turn for turn in match.log.order_by("number") if turn.draws and len(turn.draws[0]) == 5]
    one, other = next((a, b) for a, b in pairwise(rolls) if a.draws[0] != b.draws[0])
    one.draws[0], other.draws[0] = other.draws[0], one.draws[0]
    one.save()
    other.save()
    return f"move {one.number}"


def change_move(match):
    turn = next(t for t in match.log.order_by("number") if t.move["type"] == "score")
    turn.move = {"type": "pass"}
    turn.save()
    return f"move {turn.number}"


def drop_move(match):
    match.log.get(number=5).delete()
    return "move 5 is numbered 6"


def change_seat(match):
    turn = match.log.get(number=1)
    Turn.objects.filter(pk=turn.pk).update(seat=(turn.seat + 1) % 3)
    return "move 1"


def change_state(match):
    Match.objects.filter(pk=match.pk).update(state=bytes(match.state).replace(b'"over":true', b'"over":true,"rolls":9'))
    return "the stored state"


def spoil_state(match):
    Match.objects.filter(pk=match.pk).update(state=b"no state")
    return "the stored state"


def change_outcome(match):
    outcome = match.outcome | {"scores": [score + 1 for score in match.outcome["scores"]]}
    Match.objects.filter(pk=match.pk).update(outcome=outcome)
    return "the outcome"


def change_seed(match):
    Match.objects.filter(pk=match.pk).update(server_seed=bytes(32))
    return "differs"


def change_nonce(match):
    match.seats.filter(number=0).update(nonce="another")
    return "differs"


def change_setup(match):
    Match.objects.filter(pk=match.pk).update(setup_draws=[[4]])
    return "setup"


def change_rank(match):
    match.seats.filter(rank=1).update(rank=2)
    return "rank"


def change_score(match):
    match.seats.filter(number=0).update(score=999)
    return "score"


def forget_outcome(match):
    Match.objects.filter(pk=match.pk).update(outcome=None)
    return "the outcome"


CHANGES = [
    change_draw,
    swap_draws,
    change_move,
    drop_move,
    change_seat,
    change_state,
    spoil_state,
    change_outcome,
    forget_outcome,
    change_seed,
    change_nonce,
    change_setup,
    change_rank,
    change_score,
]


ON_BOTH = (change_draw, change_move, change_state, forget_outcome)  # of each type of column one


@pytest.mark.thin(4)
@pytest.mark.parametrize(
    "change", [pytest.param(change, marks=pytest.mark.outgrown if change in ON_BOTH else ()) for change in CHANGES]
)
def test_what_is_changed_in_the_database_is_named(ended, ann, bob, capsys, change):
    good = played_on(seated(ann, bob), Random(44))
    assert problems(ended) == []
    what = change(ended)
    with pytest.raises(CommandError):
        call_command("check_matches")
    told = capsys.readouterr().out
    assert what in told
    assert f"match {ended.pk}:" in told
    assert f"match {good.pk}:" not in told
    assert "2 matches checked" in told


@pytest.mark.outgrown
def test_all_is_well(ended, ann, capsys):
    opened(ann)
    seated(ann, bots=["easy"])
    call_command("check_matches")
    assert capsys.readouterr().out == "1 matches checked, 0 problems\n"
