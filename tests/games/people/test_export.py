"""The file of one's data: all that is theirs, nothing that is hidden from them, and only for themselves."""

import json
from datetime import timedelta
from random import Random

import pytest
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.conf import settings
from django.test import Client
from django.utils.module_loading import import_string

from accounts.models import User
from accounts.services import days_off, relationships
from accounts.services.data_export import NOT_EXPORTED, data_of, file_of
from accounts.services.membership import change_times
from config.lib import clock as present
from games.models import Kind, Mail, Match, Muted, Notice, TimeOut, Turn
from games.queries.play import seats_of
from games.rules import games, get_game
from games.services.chat import lines
from games.services.mail import notices
from games.services.play import dice_counts, moves, returning
from games.services.play.match_transaction import MatchTransaction
from tests.factories import (
    PASSWORD,
    as_many,
    browser_of,
    fresh,
    opened,
    play_on,
    played,
    played_on,
    random_move,
    seat,
    seated,
    state_of,
    submit,
)
from tests.mailing import send

FILE = "/settings/data/club-y.json"
DAY = timedelta(days=1)


@pytest.fixture
def full(ann, bob, cem):
    """Ann with something of everything."""
    ended = played_on(seated(ann, bob), Random(1))
    running = play_on(seated(ann, bob), Random(2), turns=30)
    opened(bob, invited=[ann])
    opened(ann, access="link")
    moves.write_notes(match_id=running.pk, user=ann, notes="watch the sixes")
    moves.give_orders(match_id=running.pk, user=ann, orders={"pass_always": True})
    relationships.follow(follower=ann, followed=bob)
    relationships.block(blocker=ann, blocked=cem)
    relationships.block(blocker=User.objects.create_user("quill"), blocked=ann)
    played(ann, bob)
    return ended, running


def test_everything_is_there(ann, full):
    ended, running = full
    UserSession.objects.create(user=ann, ip="192.0.2.1", user_agent="x", session_key="k" * 32)
    data = json.loads("".join(file_of(ann)))
    assert data["account"]["username"] == "ann"
    assert data["account"]["email"] == "ann@example.org"
    assert [row["name"] for row in data["follows"]] == ["bob"]
    assert [row["name"] for row in data["has_blocked"]] == ["cem"]
    assert [row["address"] for row in data["sessions"]] == ["192.0.2.1"]
    assert len(data["invitations"]) == 1
    assert len(data["tables_opened"]) == 4
    matches = {match["match"]: match for match in data["matches"]}
    assert len(matches) == 4
    assert matches[running.pk]["seat"]["notes"] == "watch the sixes"
    assert matches[running.pk]["seat"]["orders"] == {"pass_always": True}
    assert matches[running.pk]["seat"]["nonce"] == seat(running, 0).nonce
    assert len(matches[running.pk]["moves"]) == running.log.filter(seat=0).count() > 0
    assert matches[ended.pk]["record"]["seed"] == bytes(ended.server_seed).hex()
    assert len(matches[ended.pk]["record"]["moves"]) == ended.turns
    assert [row["rating"] for row in data["ratings"]] == [1520, 1520]
    assert [row["after"] for row in data["rating_changes"]] == [1520]
    assert data["has_blocked"][0]["since"].startswith("20")


@pytest.mark.outgrown
def test_mails_are_there(ann, bob, full, mailoutbox, clock):
    """What was written, and what is still to be told; not the words, which are in the mails themselves."""
    _ended, running = full
    Notice.objects.all().delete()
    notices.note(running, Kind.VACATION, [ann.pk, bob.pk])
    clock.forward(3600)
    send()
    notices.note(running, Kind.PLAYED, [ann.pk], ask=7)
    data = json.loads("".join(file_of(ann)))
    mine = Mail.objects.filter(user=ann)
    assert len(data["mails"]) == mine.count() > 0
    told = [(mail["state"], tells["kind"]) for mail in data["mails"] for tells in mail["tells"]]
    assert ("sent", "vacation") in told
    assert all(mail["sent_at"] for mail in data["mails"])
    assert [(row["match"], row["kind"]) for row in data["still_to_be_told"]] == [(running.pk, "played")]


@pytest.mark.outgrown
def test_days_off_mail_settings_and_visits_are_there(ann):
    today = days_off.today(ann)
    days_off.book(user_id=ann.pk, first=today + DAY, last=today + 2 * DAY)
    change_times(user_id=ann.pk, quiet_from=1320, quiet_until=420, time_zone="Europe/Paris")
    User.objects.filter(pk=ann.pk).update(mail_off=["turn"], seen_at=present.now(), mail_rhythm="daily")
    ann.refresh_from_db()
    data = json.loads("".join(file_of(ann)))
    assert [day["day"] for day in data["days_off"]] == [(today + n * DAY).isoformat() for n in (1, 2)]
    assert data["days_off"][0]["from"].endswith("+00:00")
    account = data["account"]
    assert (account["mail_off"], account["mail_rhythm"]) == (["turn"], "daily")
    assert (account["quiet_from"], account["quiet_until"]) == (1320, 420)
    assert account["seen_at"] == ann.seen_at.isoformat(timespec="seconds")


def test_running_out_of_time_is_there(ann, full):
    _ended, running = full
    sat = seat(running, 0)
    row = {
        "match": running,
        "at": present.now(),
        "kind": TimeOut.Kind.PLAYED,
        "before": {"turns": 0, "seats": []},
    }
    TimeOut.objects.create(seat=sat.number, ask=1, **row)
    TimeOut.objects.create(seat=1, ask=2, **row)
    found = next(match for match in data_of(ann)["matches"] if match["match"] == running.pk)
    assert [(row["then"], row["undone"]) for row in found["ran_out_of_time"]] == [("played", False)]


@pytest.mark.outgrown
def test_a_seat_left_to_a_substitute_is_in_both_files_each_with_their_own(ann, bob, cem, eve):
    match = seated(ann, bob, cem)
    at = {"match": match, "ask": 1, "at": present.now() - 2 * DAY, "before": {}}
    for ask in (1, 2):
        kind = TimeOut.Kind.PLAYED if ask == 1 else TimeOut.Kind.ABSENT
        TimeOut.objects.create(seat=0, **at | {"ask": ask, "kind": kind})
    match.seats.filter(number=0).update(bot="strong", absent=True, left=1, run_outs=2)
    returning.take_over(match_id=match.pk, user=eve)
    (left,), (taken,) = data_of(ann)["left_to_substitutes"], data_of(eve)["matches"]
    assert (left["match"], [row["then"] for row in left["ran_out_of_time"]]) == (match.pk, ["played", "absent"])
    assert (taken["match"], taken["ran_out_of_time"], taken["seat"]["run_outs"]) == (match.pk, [], 0)


def test_all_columns_of_a_member_are_there_or_known_not_to_be(ann):
    """A new setting is in the file by itself; what stays out is named."""
    columns = {field.name for field in User._meta.concrete_fields}
    assert columns - set(data_of(ann)["account"]) == NOT_EXPORTED


@pytest.mark.outgrown
def test_nothing_hidden_is_there(ann, bob, full):
    _ended, running = full
    UserSession.objects.create(user=ann, ip="192.0.2.1", user_agent="x", session_key="k" * 32)
    theirs = {"nonce": "bobs-nonce", "seal": "bobs-seal"}
    running.seats.filter(number=1).update(notes="bob's secret", orders={"privileges": ["steal"]}, **theirs)
    text = "".join(file_of(ann))
    hidden = [
        ann.password,
        bob.email,
        "bob's secret",
        "privileges",
        "quill",  # who has blocked her
        "k" * 32,
        bytes(running.server_seed).hex(),
        bytes(running.chain_root).hex(),
        "bobs-nonce",
        "bobs-seal",
    ]
    for secret in hidden:
        assert secret not in text, secret


@pytest.mark.outgrown
def test_every_table_about_people_is_in_it_or_known_not_to_be():
    """A new table with a person in it fails here until its part of the file is written, or it is named."""
    exported = {"Appeal", "Authenticator", "Block", "CalendarFeed", "CallChoice", "ChatLine", "Climber", "Webhook"}
    exported |= {"Correction", "Device", "EmailAddress", "Entrant", "Follow", "Invitation", "LastInvitation", "Mail"}
    exported |= {"Membership", "News", "Encounter", "Lineup", "EncounterNews", "Circle", "CircleMember", "CircleNews"}
    exported |= {"Match", "Medal", "Muted", "Notice", "Offer", "PuzzleAnswer", "Qualified", "RatingChange", "Reply"}
    exported |= {"Report", "Sanction", "Seat", "Standing", "StandingChallenge", "Tournament", "Trace", "UserSession"}
    exported |= {"Webhook", "ApiToken", "User"}  # a member and their bots
    known = {"LogEntry", "Audit", "Barred", "User_groups", "User_user_permissions"}  # what staff did, and what they may
    found = {
        model.__name__
        for model in apps.get_models(include_auto_created=True)
        for field in model._meta.concrete_fields
        if field.is_relation and field.related_model is User
    }
    assert found == exported | known


@pytest.mark.outgrown
def test_the_hooks_are_there():
    paths = (*settings.DATA_EXPORTS, *settings.ON_ACCOUNT_CLOSING, *settings.ON_BLOCK, *settings.PROFILE_PANELS)
    for path in paths:
        assert callable(import_string(path))


def proven(user) -> Client:
    """A browser whose person has just proved who they are."""
    client = browser_of(user)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


def test_the_download_is_a_file(ann, full):
    browser = proven(ann)
    for ask in (browser.get, browser.post):
        answer = ask(FILE)
        assert answer.status_code == 200
        assert answer["Content-Disposition"] == 'attachment; filename="club-y.json"'
        assert "no-store" in answer["Cache-Control"]
        assert json.loads(answer.content)["account"]["username"] == "ann"


def test_it_asks_who_one_is_first(ann):
    browser = browser_of(ann)
    for ask in (browser.get, browser.post):
        answer = ask(FILE)
        assert answer.status_code == 302
        assert answer.url.startswith("/accounts/reauthenticate/")
    answer = browser.post(answer.url, {"password": PASSWORD, "next": FILE})
    assert json.loads(answer.content)["account"]["username"] == "ann"  # what was asked for is done
    assert browser_of(ann).post(FILE).status_code == 302  # in that browser alone


def test_for_others_there_is_no_file(gus):
    for address in (FILE, "/settings/data/", "/settings/close/"):
        for ask in ("get", "post"):
            assert getattr(browser_of(), ask)(address).url.startswith("/accounts/login/")
            assert getattr(browser_of(gus), ask)(address).url == "/accounts/signup/"


def test_not_too_often(ann):
    browser = proven(ann)
    assert [browser.post(FILE).status_code for _n in range(11)] == [200] * 10 + [429]


def test_the_page(ann):
    text = browser_of(ann).get("/settings/data/").content.decode()
    assert FILE in text
    assert "/settings/close/" in text


@pytest.mark.outgrown
def test_talk_mutes_and_dice_are_there(ann, bob, full):
    ended, running = full
    lines.say(match=running, seats=seats_of(running), user=ann, text="well rolled")
    lines.say(match=running, seats=seats_of(running), user=bob, text="bob's own words")
    Muted.objects.create(user=ann, person=bob)
    Muted.objects.create(user=bob, person=ann)
    dice_counts.count_matches()
    text = "".join(file_of(ann))
    data = json.loads(text)
    assert [(row["match"], row["text"]) for row in data["chat"]] == [(running.pk, "well rolled")]
    assert "bob's own words" not in text
    assert data["muted"] == ["bob"]
    dice = {match["match"]: match["dice_rolled"] for match in data["matches"]}
    assert dice[running.pk] is None
    assert dice[ended.pk] == ended.tally.seats[str(ended.seats.get(user=ann).number)]
    assert sum(dice[ended.pk]) > 0


def test_who_has_done_nothing_has_a_file_too(eve):
    data = json.loads("".join(file_of(eve)))
    assert (data["matches"], data["mails"], data["days_off"]) == ([], [], [])
    assert data["account"]["username"] == "eve"


# A match of two has ended when one of them leaves.
@pytest.mark.outgrown
@pytest.mark.parametrize("slug", [s for s in games() if get_game(s).secret and get_game(s).max_seats > 2])
def test_what_the_bot_does_for_who_left_is_not_there(slug, ann, bob, cem):
    """While a match with secrets runs: their own moves stay, the table is the one that watchers see."""
    match = seated(*as_many(slug, ann, bob, cem), game_slug=slug)
    rng = Random(5)
    match = play_on(match, rng, turns=200, until=lambda now: now.log.filter(seat=0).count() > 1)
    own = list(match.log.filter(seat=0).order_by("number").values_list("number", flat=True))
    assert own
    moves.resign(match_id=match.pk, user=ann)
    match = played_by_the_bot(fresh(match), 0, rng)
    data = json.loads("".join(file_of(ann)))["matches"][0]
    assert [move["number"] for move in data["moves"]] == own
    assert data["table"] == json.loads(json.dumps(match.game.view(state_of(match), None)))


def played_by_the_bot(match: Match, number: int, rng: Random) -> Match:
    """The match after the bot in this seat has moved, the others having played as it goes."""
    while not match.log.filter(seat=number, by=Turn.By.BOT).exists():
        assert match.status == Match.Status.RUNNING
        playing = MatchTransaction(match, seats_of(match))
        asked = match.game.to_move(playing.state)
        mover = number if number in asked else asked[0]
        by = Turn.By.BOT if mover == number else Turn.By.PERSON
        playing.make(mover, random_move(match, mover, rng), by=by, at=present.now_ms())
        playing.save()
        match = fresh(match)
    return match


def test_a_sealed_answer_of_the_bot_is_not_there(ann, bob, cem):
    """YAM menteur: who left does not read in their file what the bot answered before all have."""
    match = seated(ann, bob, cem, game_slug="yam-menteur")
    thrower = state_of(match).thrower
    gone = next(one for one in seats_of(match) if one.number != thrower)
    user = User.objects.get(pk=gone.user_id)
    moves.resign(match_id=match.pk, user=user)
    for move in ({"type": "roll"}, {"type": "announce", "combination": "yam"}):
        submit(match, seat(match, thrower), move, key=move["type"])
    playing = MatchTransaction(fresh(match), seats_of(match))
    playing.make(gone.number, {"type": "answer", "doubt": True}, by=Turn.By.BOT, at=present.now_ms())
    playing.save()
    assert gone.number not in match.game.to_move(state_of(fresh(match)))
    assert json.loads("".join(file_of(user)))["matches"][0]["moves"] == []
