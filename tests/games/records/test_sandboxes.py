"""Sandboxes: what is refused, what nobody may learn, that they count for nothing; then how one plays on."""

import json
from random import Random

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction

from games.engine import verify
from games.models import Imported, Match, PuzzleAnswer, Seat, Tally, Turn
from games.moderation import hints
from games.queries import people, records
from games.queries.play import seats_of
from games.record import record_of, state_at
from games.rules import games, get_game
from games.services.lobby import opening
from games.services.play import archiving, dice_counts, moves
from games.services.play.locking import lock_match
from games.services.records import checking, sandboxes
from games.services.refusals import GuestsCannot, Invalid, NotOpen, Refused
from leaderboards.models import Settlement, Standing, TeamResult
from tests.factories import (
    as_many,
    asked,
    browser_of,
    end,
    fresh,
    guest,
    play_on,
    played_on,
    random_move,
    seat,
    seated,
    submit,
)
from tests.games.records.arranged import begun, record

PAGE = "/sandbox/"


# What is refused


@pytest.mark.parametrize("text", ["", "x", "[", "{}", "[]", "null", "1", '"x"', "[" * 100_000, '{"moves": []}', "\0"])
def test_what_is_no_record_is_refused_in_words(ann, text):
    answer = browser_of(ann).post(PAGE, {"text": text})
    assert answer.status_code == 400 and not Match.objects.exists()


@pytest.mark.thin(5)
@pytest.mark.parametrize(
    "change",
    [
        {"format": "club-y/9"},
        {"game": "chess"},
        {"game": ["x"]},
        {"game": "../secret"},
        {"rules_version": 99},
        {"rules_version": "x"},
        {"seats": 10**9},
        {"seats": -1},
        {"seats": "2"},
        {"options": {"x": 1}},
        {"options": []},
        {"seed": None},
        {"seed": "zz"},
        {"nonces": []},
        {"outcome": None},
        {"setup_draws": [[1] * 1000]},
        {"setup_draws": 7},
        {"moves": [{}]},
        {"moves": [7]},
        {"prepared": [[0, 0]] * 3 + ["x"]},
    ],
)
def test_a_record_that_is_not_sound_begins_nothing(over, change):
    with pytest.raises(Invalid):
        checking.checked(record(over) | change)


def test_a_changed_draw_is_found(over):
    told = record(over)
    told["moves"][5]["draws"] = [[6, 6, 6, 6, 6]]
    with pytest.raises(Invalid, match="not sound"):
        checking.checked(told)


def test_a_billion_moves_are_not_replayed(over, monkeypatch):
    told = record(over)
    told["moves"] = told["moves"] * 100
    monkeypatch.setattr(checking, "verify", lambda *about: pytest.fail("replayed"))
    with pytest.raises(Invalid):
        checking.checked(told)


def test_what_takes_too_long_ends(over, monkeypatch):
    monkeypatch.setattr(checking, "MOST_SECONDS", -1.0)
    with pytest.raises(Invalid, match="too long"):
        checking.checked(record(over))


def test_too_many_bytes_are_not_read(ann):
    with pytest.raises(Invalid):
        checking.read(b" " * (checking.MOST_BYTES + 1))
    file = SimpleUploadedFile("x.json", b" " * (checking.MOST_BYTES + 1))
    assert browser_of(ann).post(PAGE, {"file": file}).status_code == 400


@pytest.mark.parametrize("at", [10**18, -5, 10**14])
def test_times_that_cannot_be_are_refused(over, at):
    told = record(over)
    told["moves"][-1]["at"] = at
    with pytest.raises(Invalid):
        checking.checked(told)


def test_a_step_beyond_the_moves_is_refused(ann, over):
    for step in (-1, over.turns, 10**9):
        with pytest.raises(Invalid):
            begun(ann, over, step)


def test_bots_seats_and_kinds_that_there_are_not(ann, over):
    for wishes in ({"level": "godlike"}, {"kind": "x"}, {"seat": 7}, {"seat": -1}):
        with pytest.raises(Invalid):
            begun(ann, over, 3, **{"kind": "bots"} | wishes)
    assert not Match.objects.exclude(sandbox="").exists()


def test_guests_have_none(over):
    with pytest.raises(GuestsCannot):
        begun(guest(), over, 3)


def test_visitors_are_led_to_log_in(db):
    assert browser_of().get(PAGE).status_code == 302
    assert browser_of().post(PAGE, {"text": "{}"}).status_code == 302


def test_a_match_that_one_may_not_see_begins_nothing(ann, bob, eve):
    private = played_on(seated(ann, bob, access="invitation", invited=[bob]), Random(1))
    browser = browser_of(eve)
    assert browser.get(f"{PAGE}?match={private.pk}&step=1").status_code == 404
    assert browser.post(PAGE, {"match": private.pk, "step": 1, "kind": "alone"}).status_code == 404
    assert browser.get(f"{PAGE}?match=999999").status_code == 404
    assert browser.get(f"{PAGE}?match=x").status_code == 404


def test_a_running_match_opens_nothing_of_itself(ann, bob):
    running = play_on(seated(ann, bob), Random(1), turns=5)
    answer = browser_of(ann).post(PAGE, {"match": running.pk, "step": 1, "kind": "alone"})
    assert answer.status_code == 400
    with pytest.raises(Invalid):  # it has no seed yet
        checking.checked(record(running))


def test_one_has_so_many(ann, over, monkeypatch):
    monkeypatch.setattr(sandboxes, "MOST", 2)
    begun(ann, over, 1)
    begun(ann, over, 1, "alone")
    with pytest.raises(sandboxes.TooManySandboxes):
        begun(ann, over, 1)


def test_it_is_limited(ann, over, settings):
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"sandbox": "1/h/user"}
    browser = browser_of(ann)
    assert [browser.post(PAGE, {"text": "{}"}).status_code for _ in range(2)] == [400, 429]


def test_a_sandbox_has_no_rematch(ann, over):
    match = begun(ann, over, 1)
    moves.resign(match_id=match.pk, user=ann)
    with pytest.raises(NotOpen):
        opening.rematch(match_id=match.pk, user=ann)
    assert b"/rematch/" not in browser_of(ann).get(f"/matches/{match.pk}/").content


# What nobody else learns


def test_it_is_private(ann, eve, over):
    match = begun(ann, over, 3)
    for path in ("", "log/", "record.json", "embed/", "table.svg", "replay/1/"):
        assert browser_of(eve).get(f"/matches/{match.pk}/{path}").status_code == 404


@pytest.mark.thin(1)
@pytest.mark.parametrize("slug", [slug for slug in games() if get_game(slug).secret])
def test_what_is_dealt_anew_is_hidden_while_it_runs(slug, ann, bob, cem):
    people = as_many(slug, ann, bob, cem)
    match = played_on(seated(*people, game_slug=slug), Random(2))
    sandbox = begun(ann, match, match.turns // 2)
    told = record_of(sandbox, seats_of(sandbox))
    assert (told["seed"], told["moves"], told["nonces"]) == (None, [], [])
    assert browser_of(ann).get(f"/matches/{sandbox.pk}/record.json").status_code == 409


# It counts for nothing


def test_it_counts_for_nothing(ann, bob, over):
    before = (
        people.ended_matches(ann),
        people.reliability(ann),
        people.reply_quartiles(ann),
        Settlement.objects.count(),
    )
    duels = people.record_between(ann, bob)
    match = begun(ann, over, 3, "friends", invited=[bob])
    opening.join(match_id=match.pk, user=bob)
    match = played_on(fresh(match), Random(4))
    assert match.status == Match.Status.ENDED and not match.rated
    dice_counts.count_matches()
    after = (
        people.ended_matches(ann),
        people.reliability(ann),
        people.reply_quartiles(ann),
        Settlement.objects.count(),
    )
    assert after == before and people.record_between(ann, bob) == duels
    assert not Tally.objects.filter(match=match).exists() and not Standing.objects.exists()
    assert records.record_of(match, seat(match, 0)) == records.NONE
    assert all(count <= 1 for _who, count, _of in hints.inseparable(ann))
    assert not TeamResult.objects.exists() and not PuzzleAnswer.objects.exists()


def test_a_team_scores_nothing_in_it(ann, bob):
    together = [(slug, get_game(slug).together) for slug in games() if get_game(slug).together]
    slug, options = together[0]
    for sandbox in ("", "friends"):
        match = seated(ann, bob, game_slug=slug, options=options)
        Match.objects.filter(pk=match.pk).update(sandbox=sandbox)
        end(match, [1, 1])
        assert TeamResult.objects.filter(match=match).exists() is not bool(sandbox)


def test_it_is_marked_everywhere(ann, bob, over):
    match = begun(ann, over, 3, "friends", invited=[bob])
    assert "sandbox" in browser_of(bob).get("/matches/").content.decode()
    opening.join(match_id=match.pk, user=bob)
    for path in (f"/matches/{match.pk}/", "/matches/"):
        assert "sandbox" in browser_of(ann).get(path).content.decode(), path
    page = browser_of(ann).get(f"/matches/{match.pk}/").content.decode()
    assert f"/matches/{over.pk}/" in page and "after move 3" in page
    told = record_of(fresh(match), seats_of(match))["sandbox"]
    assert (told["step"], told["record"]) == (3, checking.digest_of(record(over)))


def test_a_private_source_is_not_named_to_friends(ann, bob, cem):
    private = played_on(seated(ann, bob, access="link"), Random(1))
    match = begun(ann, private, 3, "friends", invited=[cem])
    opening.join(match_id=match.pk, user=cem)
    assert record_of(fresh(match), seats_of(match))["sandbox"]["match"] is None
    assert f"/matches/{private.pk}/" not in browser_of(cem).get(f"/matches/{match.pk}/").content.decode()


# Playing on


@pytest.mark.thin(2)
@pytest.mark.parametrize("slug", games())
def test_every_game_is_played_on_and_its_record_is_sound(slug, ann, bob, cem):
    people = as_many(slug, ann, bob, cem)
    match = played_on(seated(*people, game_slug=slug), Random(3))
    assert match.turns <= checking.MOST_MOVES
    for step, kind in ((match.turns // 2, "bots"), (match.turns - 1, "alone")):
        sandbox = begun(ann, match, step, kind)
        assert sandbox.turns == step
        assert sandbox.game.dump(state_at(sandbox, seats_of(sandbox), step)) == match.game.dump(
            state_at(match, seats_of(match), step)
        )
        sandbox = play_on(sandbox, Random(5)) if kind == "alone" else played_on(sandbox, Random(5))
        assert sandbox.status == Match.Status.ENDED, (slug, kind)
        whole = record(sandbox)
        verdict = verify(whole, get_game)
        assert verdict.sound, verdict.problem
        if step < len(whole["moves"]) and any(move["draws"] for move in whole["moves"][step:]):
            changed = json.loads(json.dumps(whole))
            late = next(move for move in changed["moves"][step:] if move["draws"])
            late["draws"][0] = [*late["draws"][0][::-1], 1]
            assert not verify(changed, get_game).sound
        assert {turn.by for turn in Turn.objects.filter(match=sandbox, number__lte=step)} <= {"record"}
        assert browser_of(ann).get(f"/matches/{sandbox.pk}/replay/{step}/").status_code == 200
        assert archiving.archive_match(sandbox.pk)
        assert verify(record(fresh(sandbox)), get_game).sound


def test_a_sandbox_of_a_sandbox(ann, over):
    first = played_on(begun(ann, over, 3), Random(2))
    second = begun(ann, first, 5, "alone")
    assert verify(record(play_on(second, Random(3))), get_game).sound


def test_alone_one_sits_where_somebody_is_asked(ann, bob, cem):
    match = played_on(seated(ann, bob, cem, game_slug="yum-extra"), Random(1))
    sandbox = begun(ann, match, 2, "alone")
    rng, sat = Random(7), set()
    for number in range(40):
        mine = Seat.objects.filter(match=sandbox, user=ann)
        [own] = mine
        assert own.ask is not None and not Seat.objects.filter(match=sandbox, bot__gt="").exists()
        sat.add(own.number)
        submit(fresh(sandbox), own, random_move(fresh(sandbox), own.number, rng), key=f"k{number}", user=ann)
    assert sat == {0, 1, 2}
    text = browser_of(ann).get(f"/matches/{sandbox.pk}/").content.decode()
    assert "Seat " in text and "free seat" not in text
    browser = browser_of(ann).get("/matches/").content.decode()
    assert browser.count(f'id="m{sandbox.pk}"') + browser.count(f'id="w{sandbox.pk}"') == 1


def test_alone_one_resigns_and_it_is_over(ann, over):
    sandbox = begun(ann, over, 2, "alone")
    moves.resign(match_id=sandbox.pk, user=ann)
    assert fresh(sandbox).status == Match.Status.ENDED


def test_friends_sit_down_and_then_it_begins(ann, bob, eve, over):
    match = begun(ann, over, 4, "friends", invited=[bob])
    assert (match.status, match.turns) == (Match.Status.OPEN, 0)
    with pytest.raises(Refused):
        opening.join(match_id=match.pk, user=eve)
    opening.join(match_id=match.pk, user=bob)
    match = fresh(match)
    assert (match.status, match.turns) == (Match.Status.RUNNING, 4)
    assert asked(match) is not None and bytes(Imported.objects.get().body) == b""


def test_seats_that_stay_free_are_left_to_bots(ann, over):
    match = begun(ann, over, 4, "friends")
    opening.start_with_bots(match_id=match.pk, user=ann)
    assert fresh(match).turns == 4


@pytest.mark.outgrown
def test_two_at_once_have_no_more_than_one_may(ann, over, monkeypatch):
    monkeypatch.setattr(sandboxes, "MOST", 1)
    begun(ann, over, 1)
    with pytest.raises(Refused):
        begun(ann, over, 1)
    assert Match.objects.exclude(sandbox="").count() == 1


@pytest.mark.outgrown
def test_it_is_locked_and_read_as_any_match(ann, over):
    sandbox = begun(ann, over, 2, "alone")
    with transaction.atomic():
        match, seats = lock_match(sandbox.pk)
    assert match.sandbox == "alone" and sum(one.is_in for one in seats) == 1
