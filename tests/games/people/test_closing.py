"""An account is closed: the others' matches go on or stay as they were, and nothing names who is gone."""

import json
from random import Random

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.core.management import call_command
from django.db import models, transaction

from accounts.models import User
from accounts.services import relationships
from accounts.services.closing import close_account
from games.clubs.models import Lineup
from games.competitions.models import Entrant, Tournament
from games.ladders.models import Climber
from games.models import Audit, ChatLine, Match, PuzzleAnswer, Seat, Sweep, TimeOut
from games.moderation.models import Report
from games.queries.play import seats_of
from games.services.clocks import time_outs
from games.services.lobby import opening
from games.services.operation import undo
from games.services.play import dice_counts, moves
from games.services.play.bots import play_bots
from games.services.play.forfeit import forfeit
from games.services.play.locking import lock_match
from leaderboards import queries, ranks
from leaderboards.models import Medal, RatingChange, Standing
from leaderboards.ranks import Board
from tests.factories import PASSWORD, browser_of, fresh, member, opened, play_on, played, played_on, seat, seated

NAME = "Zephyrine"


@pytest.fixture
def zoe(db):
    user = member(NAME)
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    return user


@pytest.fixture
def admins(db):
    return browser_of(User.objects.create_superuser("root", "root@example.org", PASSWORD))


def everything() -> str:
    """All that the database holds, as text."""
    rows = []
    for model in apps.get_models(include_auto_created=True):
        if model is Session:
            continue
        for row in model._default_manager.values():
            rows.append((model.__name__, {name: _text(value) for name, value in row.items()}))
    return json.dumps(rows, default=str)


def _text(value) -> object:
    return bytes(value).decode("latin-1") if isinstance(value, (memoryview, bytes)) else value


def ratings_of_others(zoe) -> list:
    standings = Standing.objects.exclude(user_id=zoe).order_by("pk").values_list()
    changes = RatingChange.objects.order_by("pk").values_list("pk", "seat", "player", "before", "delta", "after")
    return [list(standings), list(changes)]


def many_matches(zoe, ann, bob, cem) -> tuple[list[Match], list[Match]]:
    """Twenty matches that ended, five that run: against one and two others, with a bot, rated and not."""
    over = [played_on(seated(zoe, ann, bob, rated=True), Random(n)) for n in range(9)]
    over += [played_on(seated(ann, zoe, rated=True), Random(n)) for n in range(9)]
    over += [played_on(seated(zoe, ann), Random(1)), played_on(seated(bob, zoe), Random(2))]
    running = [
        play_on(seated(zoe, ann, rated=True), Random(7), turns=30),
        play_on(seated(ann, zoe, bob, rated=True), Random(8), turns=30),
        play_on(seated(zoe, ann, bob), Random(3), turns=25),
        play_on(seated(zoe, cem, bots=["easy"]), Random(4), turns=10),
        seated(ann, bob, zoe),
    ]
    return over, running


@pytest.mark.both
def test_five_running_and_twenty_ended_matches(zoe, ann, bob, cem, eve, admins):
    over, running = many_matches(zoe, ann, bob, cem)
    dice_counts.count_matches()
    relationships.follow(follower=ann, followed=zoe)
    relationships.block(blocker=zoe, blocked=eve)
    moves.write_notes(match_id=running[0].pk, user=zoe, notes=f"{NAME} was here")
    passed_on, closed = opened(zoe, size=3), opened(zoe)
    opening.join(match_id=passed_on.pk, user=bob)
    asked = opened(ann, invited=[zoe])
    LogEntry.objects.log_actions(User.objects.get(username="root").pk, [zoe], 2, "changed", single_object=True)
    before, number = ratings_of_others(zoe.pk), zoe.pk
    records = {match.pk: browser_of(ann).get(f"/matches/{match.pk}/record.json").content for match in over}
    assert NAME in everything()

    close_account(user_id=zoe.pk)

    text = everything()
    assert NAME.lower() not in text.lower()
    assert not User.objects.filter(pk=number).exists()
    assert ratings_of_others(number) == before
    for match in over:
        assert fresh(match).status == Match.Status.ENDED
        assert browser_of(ann).get(f"/matches/{match.pk}/record.json").content == records[match.pk]
        answer = browser_of(ann).get(f"/matches/{match.pk}/")
        page = answer.content.decode()
        assert answer.status_code == 200
        assert NAME not in page
        assert "former member" in page
        assert "free seat" not in page
    for match in running:
        assert not any(seat.is_free for seat in seats_of(match))
        assert NAME not in browser_of(ann).get(f"/matches/{match.pk}/").content.decode()
    assert [fresh(match).status for match in running] == ["ended", "running", "running", "running", "running"]
    assert seat(running[0], 1).rank == 1  # nobody was left against: a win, without points
    assert fresh(passed_on).creator == bob
    assert fresh(closed).ending == Match.Ending.CLOSED
    assert not fresh(asked).invitations.exists()
    for match in running[1:]:
        ended = played_on(match, Random(5))
        assert ended.status == Match.Status.ENDED
        gone = ended.seats.get(former=True)
        assert gone.rank == ended.size
        assert (gone.user, gone.notes, gone.orders) == (None, "", {})
    call_command("rebuild_ratings")


@pytest.mark.both
def test_boards_in_redis_lose_them(zoe, ann, django_capture_on_commit_callbacks):
    played(zoe, ann)
    board = Board("yum-extra", "")
    ranks.build(board)
    assert ranks.place(board, zoe.pk).place.rank == 1
    with django_capture_on_commit_callbacks(execute=True):
        number = zoe.pk
        close_account(user_id=number)
    assert ranks.place(board, number).place is None
    assert ranks.place(board, ann.pk).place.rank == 1
    assert [row.standing.user for row in queries.board_page(board, 1).rows] == [ann]


@pytest.mark.both
def test_bots_play_on(zoe, ann, bob):
    match = seated(zoe, ann, bob)
    mover = match.seats.get(ask__isnull=False)
    close_account(user_id=mover.user_id)
    before = fresh(match).turns
    assert play_bots(match_id=match.pk)
    assert fresh(match).turns > before


@pytest.mark.both
def test_sessions_end(zoe, ann):
    browser, other = browser_of(zoe), browser_of(ann)
    key = browser.session.session_key
    UserSession.objects.get_or_create(user=zoe, session_key=key, defaults={"ip": "192.0.2.1", "user_agent": "x"})
    assert browser.get("/settings/").status_code == 200
    close_account(user_id=zoe.pk)
    assert browser.get("/settings/").status_code == 302
    assert other.get("/settings/").status_code == 200
    assert not UserSession.objects.filter(session_key=key).exists()


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_the_session_itself_is_gone(zoe):
    browser = browser_of(zoe)
    key = browser.session.session_key
    UserSession.objects.get_or_create(user=zoe, session_key=key, defaults={"ip": "192.0.2.1", "user_agent": "x"})
    close_account(user_id=zoe.pk)
    assert not Session.objects.filter(session_key=key).exists()


def test_all_or_nothing(zoe, ann, monkeypatch):
    match = seated(zoe, ann)
    monkeypatch.setattr("leaderboards.personal_data.leave_boards", lambda user: 1 / 0)
    before = everything()
    with pytest.raises(ZeroDivisionError):
        close_account(user_id=zoe.pk)
    assert everything() == before
    assert fresh(match).status == Match.Status.RUNNING


def test_somebody_who_had_left_already(zoe, ann, bob):
    match = seated(zoe, ann, bob)
    moves.resign(match_id=match.pk, user=zoe)
    close_account(user_id=zoe.pk)
    gone = seat(match, 0)
    assert (gone.user, gone.former, gone.left, gone.bot != "") == (None, True, 1, True)
    assert fresh(match).status == Match.Status.RUNNING


def test_the_last_person_leaves_a_match_of_bots(zoe):
    match = seated(zoe, bots=["easy", "strong"])
    close_account(user_id=zoe.pk)
    assert fresh(match).status == Match.Status.ENDED


def test_the_name_is_free_again(zoe):
    close_account(user_id=zoe.pk)
    assert member(NAME).username == NAME


@pytest.mark.both
def test_nobody_is_closed_twice(zoe):
    number = zoe.pk
    close_account(user_id=number)
    with pytest.raises(User.DoesNotExist):
        close_account(user_id=number)


def test_a_match_that_is_restored_later_has_a_bot_there(zoe, ann):
    """A time-out is undone after the winner's account was closed: the match goes on, a bot in their seat."""
    match = play_on(seated(zoe, ann), Random(6), turns=12)
    found = Sweep.objects.create(due=1)
    with transaction.atomic():
        locked, seats = lock_match(match.pk)
        before = time_outs.standing(locked, seats)
        TimeOut.objects.create(sweep=found, match=match, seat=1, ask=1, kind="ended", before=before)
        forfeit(locked, seats, seats[1], bot="easy", ending=Match.Ending.TIMED_OUT)
    assert fresh(match).status == Match.Status.ENDED
    close_account(user_id=zoe.pk)
    assert undo.undo_sweep(found)["restored"] == 1
    assert fresh(match).status == Match.Status.RUNNING
    gone, back = seats_of(match)
    assert (gone.bot, gone.left, gone.user_id) == ("easy", 1, None)
    assert (back.bot, back.left, back.user_id) == ("", None, ann.pk)
    assert play_on(fresh(match), Random(66)).status == Match.Status.ENDED


@pytest.mark.both
def test_no_relation_keeps_a_person_from_going():
    """What points at a person lets them go, and what must stay loses the name with them."""
    for relation in User._meta.related_objects:
        assert relation.on_delete in (models.CASCADE, models.SET_NULL), relation
    assert {
        relation.related_model for relation in User._meta.related_objects if relation.on_delete is models.SET_NULL
    } == {
        Match,
        PuzzleAnswer,
        Seat,
        RatingChange,
        ChatLine,
        Report,
        Audit,
        Entrant,
        Tournament,
        Medal,
        Climber,
        Lineup,
    }


def test_a_kept_picture_of_the_table_names_nobody(zoe, ann, cem):
    cache.clear()
    match = play_on(seated(zoe, ann), Random(9))
    watcher = browser_of(cem)
    assert NAME in watcher.get(f"/matches/{match.pk}/").content.decode()
    close_account(user_id=zoe.pk)
    assert NAME not in watcher.get(f"/matches/{match.pk}/").content.decode()
