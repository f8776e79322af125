"""The arena: balanced seats, the same dice again, faults that lose, a file that goes on, the command."""

import json
import sys
from collections import Counter
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from games.arena import running
from games.arena.matches import line_ups
from games.arena.players import Function, Program, made
from games.arena.running import OtherRun, Run, run, table
from games.rules import get_game

HERE = "tests.arena.strangers"
SPOKEN = f"{sys.executable} -m {HERE}"


def of(*bots: str, game: str = "yum-extra", seats: int = 2, seed: str = "7", seconds: float = 10) -> Run:
    return Run(game, list(bots), seats, dict(get_game(game).full_options(seats, {})), seed, seconds)


@pytest.mark.parametrize(("players", "seats"), [(2, 2), (3, 2), (2, 4), (4, 4), (5, 3), (3, 4)])
def test_everybody_sits_in_every_seat_equally_often(players, seats):
    lines = line_ups(players, seats)
    for seat in range(seats):
        assert len({*Counter(line[seat] for line in lines).values()}) == 1
    assert len({*Counter(who for line in lines for who in line).values()}) == 1
    assert all(len(line) == seats and len(set(line)) == min(players, seats) for line in lines)


def test_the_same_seed_is_the_same_match_in_one_process_or_two():
    about = of("easy", "regular")
    first = run(about, 6, 1, None)
    assert first == run(about, 6, 1, None)
    assert first == run(about, 6, 2, None)
    assert first != run(of("easy", "regular", seed="8"), 6, 1, None)
    assert [one.players for one in first[:2]] == [[0, 1], [1, 0]]


@pytest.mark.parametrize(
    ("bot", "kind", "words"),
    [
        (f"{HERE}:illegal", "illegal", ""),
        (f"{HERE}:crashing", "crash", "out of ideas"),
        (f"{SPOKEN} babbling", "crash", "hm"),
        (f"{SPOKEN} ends", "crash", "ended"),
        (f"{SPOKEN} silent", "crash", "no answer"),
    ],
)
def test_faults_are_counted_and_lost(bot, kind, words):
    about = of(bot, "easy", seconds=1.5)
    played = run(about, 2, 1, None)
    for one in played:
        assert one.fault is not None and one.fault[:2] == (0, kind) and words in one.fault[2]
        assert one.ranks[one.players.index(0)] == 2
    lines = {line.bot: line for line in table(about, played)}
    assert (lines[bot].illegal, lines[bot].crashes) == ((2, 0) if kind == "illegal" else (0, 2))
    assert lines["easy"].won == 2 and not running._players


def test_functions_and_programs_play_alike():
    as_function, as_program = (run(of(bot, "easy"), 2, 1, None) for bot in (f"{HERE}:first", f"{SPOKEN} plays"))
    assert as_function == as_program
    assert as_function == run(of(f"{HERE}:meddling", "easy"), 2, 1, None)
    assert all(one.fault is None and one.moves > 20 for one in as_function)


def test_what_a_word_names(tmp_path):
    game = get_game("yay")
    assert isinstance(made(game, f"{HERE}:first"), Function)
    assert isinstance(made(game, SPOKEN), Program)
    for nobody, error in (("storng", ValueError), (f"{HERE}:nobody", AttributeError), ("no.such:module", ImportError)):
        with pytest.raises(error):
            made(game, nobody)


def test_a_run_goes_on_from_its_file(tmp_path, monkeypatch):
    out, about = tmp_path / "run.json", of("easy", "regular")
    monkeypatch.setattr(running, "CHUNK", 2)
    told = []

    def stops(number: int) -> None:
        told.append(number)
        if number == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(about, 8, 1, out, stops)
    assert len(json.loads(out.read_text())["matches"]) == 4
    whole = run(about, 8, 1, out, told.append)
    assert told == [2, 4, 6, 8]
    assert whole == run(about, 8, 1, None)
    kept = json.loads(out.read_text())
    assert kept["table"][0]["bot"] == table(about, whole)[0].bot and kept["seed"] == "7"
    assert run(about, 4, 1, out) == whole[:4]


@pytest.mark.parametrize("other", [{"seed": "8"}, {"game": "yay"}, {"seats": 3}])
def test_a_file_of_another_run_is_left_alone(tmp_path, other):
    out = tmp_path / "run.json"
    run(of("easy", "regular"), 2, 1, out)
    before = out.read_text()
    with pytest.raises(OtherRun):
        run(of("easy", "regular", **other), 4, 1, out)
    with pytest.raises(OtherRun):
        run(of("regular", "easy"), 4, 1, out)
    assert out.read_text() == before
    out.write_text("{}")
    with pytest.raises(OtherRun):
        run(of("easy", "regular"), 2, 1, out)


def test_the_command():
    out = StringIO()
    call_command("arena", "yum-extra", "easy", "regular", matches=4, jobs=1, seed="x", stdout=out, stderr=StringIO())
    told = out.getvalue()
    assert "seed x" in told and "4 matches" in told and " seats, " in told
    drawn = StringIO()
    call_command("arena", "yum-extra", "easy", "easy", matches=1, jobs=1, stdout=drawn, stderr=StringIO())
    assert len(drawn.getvalue().splitlines()[0].rsplit(" ", 1)[1]) == 16


@pytest.mark.parametrize(
    ("words", "more"),
    [
        (["yum-extra", "easy"], {}),
        (["yum-extra", "easy", "storng"], {}),
        (["yum-extra", "easy", "easy"], {"matches": 0}),
        (["yum-extra", "easy", "easy"], {"options": "{"}),
        (["yum-extra", "easy", "easy"], {"options": '{"no": 1}'}),
        (["yum-extra", "easy", "easy"], {"seats": 99}),
        (["yesss", "easy", "easy"], {"options": json.dumps(dict(get_game("yesss").together))}),
    ],
)
def test_what_cannot_be_played(words, more):
    with pytest.raises(CommandError):
        call_command("arena", *words, **more, stdout=StringIO(), stderr=StringIO())
