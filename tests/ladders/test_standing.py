"""Being on a ladder: joining, how many at once, pausing, leaving; who is taken off."""

from datetime import timedelta

import pytest

from accounts.models import User
from accounts.services.closing import close_account
from config.lib import clock as present
from games.ladders import queries, tasks
from games.ladders.models import Challenge, Change, Climber
from games.ladders.services import challenging, standing
from games.ladders.services.refusals import Answered, NoPause, NotOnLadder
from games.moderation import members as deeds
from games.services.refusals import CannotWrite, GuestsCannot, Invalid, Unconfirmed
from tests.factories import guest
from tests.ladders.arranged import (
    GAME,
    challenged,
    climber,
    end_match,
    joined,
    ladder,
    names,
    now,
    outage,
    people,
    place,
    play,
    playing,
)


def test_games_that_two_can_play_have_a_ladder(db):
    assert [slug for slug in ("yay", "yes", "yum-extra") if queries.has_ladder(slug)] == ["yay", "yes", "yum-extra"]
    assert not any(queries.has_ladder(slug) for slug in ("yesss", "yam-menteur", "no-game"))


def test_who_joins_stands_at_the_bottom_and_joins_once(ann, bob, cem):
    joined([ann, bob, cem])
    standing.join(game_slug=GAME, user=ann, at_once=5)
    assert names() == ["ann", "bob", "cem"]
    assert climber(ann).at_once == 5
    assert [one.kind for one in Change.objects.order_by("pk")] == ["joined"] * 3


def test_who_may_not_join(ann, bob, root):
    with pytest.raises(GuestsCannot):
        standing.join(game_slug=GAME, user=guest(), at_once=1)
    User.objects.filter(pk=bob.pk).update(email="")
    bob.refresh_from_db()
    with pytest.raises(Unconfirmed):
        standing.join(game_slug=GAME, user=bob, at_once=1)
    for wishes in ({"game_slug": "yesss"}, {"game_slug": "nothing"}, {"at_once": 0}, {"at_once": 6}):
        with pytest.raises(Invalid):
            standing.join(**{"game_slug": GAME, "user": ann, "at_once": 1} | wishes)
    deeds.suspend(moderator=root, member=ann, reason="insults", until=present.now() + timedelta(days=3))
    with pytest.raises(CannotWrite):
        standing.join(game_slug=GAME, user=ann, at_once=1)
    assert not Climber.objects.exists()


def test_who_leaves_makes_room_and_comes_back_at_the_bottom(ann, bob, cem):
    joined([ann, bob, cem])
    for _twice in range(2):
        standing.leave(ladder_id=ladder().pk, user=ann)
    assert names() == ["bob", "cem"]
    standing.join(game_slug=GAME, user=ann, at_once=1)
    assert names() == ["bob", "cem", "ann"]
    assert [one.kind for one in Change.objects.order_by("pk")][3:] == ["left", "joined"]


def test_open_challenges_of_who_leaves_end_and_matches_move_nobody(ann, bob, cem):
    joined([ann, bob, cem])
    running, waiting = playing(bob, ann), challenged(cem, ann)
    standing.leave(ladder_id=ladder().pk, user=ann)
    assert now(waiting).state == Challenge.State.ENDED
    with pytest.raises(Answered):
        challenging.accept(challenge_id=waiting.pk, user=ann)
    standing.join(game_slug=GAME, user=ann, at_once=1)
    end_match(running, won=True)
    tasks.tend()
    assert names() == ["bob", "cem", "ann"]
    assert now(running).state == Challenge.State.WON and not now(running).moved


def test_a_pause_keeps_the_place_for_thirty_days_at_most(ann, bob, hours):
    joined([ann, bob])
    at = ladder().pk
    for days in (0, 31):
        with pytest.raises(Invalid):
            standing.pause(ladder_id=at, user=ann, days=days)
    standing.pause(ladder_id=at, user=ann, days=30)
    standing.pause(ladder_id=at, user=ann, days=30)  # as it was
    hours.go_by(days=30.1)
    tasks.tend()
    assert not climber(ann).is_paused
    with pytest.raises(NoPause, match="Between two pauses"):
        standing.pause(ladder_id=at, user=ann, days=3)
    standing.leave(ladder_id=at, user=ann)
    standing.join(game_slug=GAME, user=ann, at_once=1)
    with pytest.raises(NoPause):
        standing.pause(ladder_id=at, user=ann, days=3)
    hours.go_by(days=30)
    standing.pause(ladder_id=at, user=ann, days=3)
    standing.resume(ladder_id=at, user=ann)
    standing.resume(ladder_id=at, user=ann)
    assert not climber(ann).is_paused


def test_who_is_not_on_the_ladder_changes_nothing_there(ann, bob):
    joined([ann])
    acts = [
        lambda: standing.pause(ladder_id=ladder().pk, user=bob, days=3),
        lambda: standing.resume(ladder_id=ladder().pk, user=bob),
        lambda: challenged(bob, ann),
    ]
    for act in acts:
        with pytest.raises(NotOnLadder):
            act()


def test_a_closed_account_is_taken_off_and_its_challenges_end(ann, bob, cem):
    joined([ann, bob, cem])
    waiting, running = challenged(cem, bob), playing(bob, ann)
    close_account(user_id=bob.pk)
    tasks.tend()
    assert names() == ["ann", "cem"]
    assert now(waiting).state == Challenge.State.ENDED
    assert now(running).state in (Challenge.State.HELD, Challenge.State.WON)
    assert Climber.objects.filter(user=None).count() == 1
    assert Change.objects.filter(kind="left").count() == 1


@pytest.mark.parametrize("is_ban", [True, False])
def test_who_may_not_play_is_taken_off_in_neutral_words(ann, bob, root, is_ban):
    joined([ann, bob])
    if is_ban:
        deeds.ban(moderator=root, member=ann, reason="insults")
    else:
        deeds.suspend(moderator=root, member=ann, reason="insults", until=present.now() + timedelta(days=3))
    tasks.tend()
    assert names() == ["bob"]
    last = Change.objects.last()
    assert (last.kind, str(last.get_kind_display())) == ("left", "is no longer on the ladder")


def test_who_plays_no_match_falls_a_place_a_week_and_is_off_after_ninety_days(hours):
    members = people(5)
    joined(members)
    idle, *_others = members
    hours.go_by(days=29)
    for lower, upper in ((4, 3), (2, 1)):
        play(members[lower], members[upper], won=False)
    assert names()[0] == "p001"
    hours.go_by(days=1.1)
    for _twice in range(2):
        tasks.tend()
    assert place(idle) == 2
    hours.go_by(days=6.5)
    tasks.tend()
    assert place(idle) == 2
    hours.go_by(days=0.6)
    tasks.tend()
    assert place(idle) == 3
    assert [one.kind for one in Change.objects.filter(climber=climber(idle))] == ["joined", "fell", "fell"]
    hours.go_by(days=60)
    tasks.tend()
    assert place(idle) is None
    assert Change.objects.filter(climber=climber(idle)).last().kind == "absent"


def test_where_nobody_plays_nobody_falls(ann, bob, cem, hours):
    joined([ann, bob, cem])
    for _week in range(5):
        hours.go_by(days=16)
        tasks.tend()
    assert names() == ["ann", "bob", "cem"]


def test_a_running_match_is_playing_all_the_time(ann, bob, hours):
    joined([ann, bob])
    playing(bob, ann)
    hours.go_by(days=100)
    tasks.tend()
    assert names() == ["ann", "bob"]


def test_pauses_days_off_and_outages_make_nobody_idle(hours):
    paused, off, down, _idle, active = members = people(5)
    joined(members)
    start = present.now()
    standing.pause(ladder_id=ladder().pk, user=paused, days=30)
    begin = int((start + timedelta(days=5)).timestamp() * 1000)
    days = [
        {"day": f"d{n}", "from": begin + n * 86_400_000, "until": begin + (n + 1) * 86_400_000, "by_itself": False}
        for n in range(10)
    ]
    User.objects.filter(pk=off.pk).update(vacation=days)
    hours.go_by(days=31)
    Climber.objects.filter(pk__in=[climber(down).pk, climber(active).pk]).update(
        idle_since=present.now(), falls_at=present.now() + timedelta(days=30)
    )
    tasks.tend()
    assert names() == ["p001", "p002", "p003", "p005", "p004"]  # the idle one alone has fallen
    assert climber(paused).idle_since > start + timedelta(days=29)
    outage(present.now(), timedelta(days=7))
    hours.go_by(days=30)
    tasks.tend()
    assert place(active) == 4
    assert climber(active).falls == 0
