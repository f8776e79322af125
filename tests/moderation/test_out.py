"""Getting out: bans that a bad match or a crash interrupts, suspensions, blocks, lifts, one's own."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.services import relationships
from config.lib import clock as present
from games.models import Match
from games.moderation import matches, members, queue, removal, reports
from games.moderation.models import Report
from games.services.lobby import closing, opening
from games.services.operation import undo
from games.services.people import account_changes
from games.services.play import moves
from games.services.refusals import Invalid, NotOpen
from tests.factories import WHY, asked, committed, fresh, opened, seat, seated


def soon():
    return present.now() + timedelta(days=3)


def ban(mo, who, **more):
    return committed(members.ban, moderator=mo, member=who, reason=WHY, **more)


def test_one_bad_match_keeps_nobody_in_the_others_and_is_tried_again(mo, ann, bob, monkeypatch):
    bad, good = seated(ann, bob), seated(ann, bob)
    honest = removal.forfeit

    def forfeit(match, *args, **kwargs):
        if match.pk == bad.pk:
            raise RuntimeError("bad match")
        return honest(match, *args, **kwargs)

    monkeypatch.setattr(removal, "forfeit", forfeit)
    ban(mo, ann)
    assert (fresh(bad).status, fresh(good).status) == ("running", "ended")
    assert not User.objects.get(pk=ann.pk).is_active
    monkeypatch.undo()
    assert removal.finish_bans() == 1
    assert fresh(bad).status == "ended"
    assert removal.finish_bans() == 0


@pytest.mark.outgrown
def test_a_ban_is_committed_before_any_match_is_locked_and_a_sweep_finishes_it(root, mo, ann, bob):
    """Moves lock a match, then its people: a ban that held people and then all their matches could stop both."""
    members.propose_ban(moderator=root, member=ann, reason=WHY)
    running, table, invited = seated(ann, bob), opened(ann), opened(bob, invited=[ann])
    with CaptureQueriesContext(connection) as asked_for:  # and the process dies before it does what comes next
        members.confirm_ban(moderator=mo, member=ann, reason=WHY)
    assert not any('FROM "games_match"' in one["sql"] and "FOR NO KEY" in one["sql"] for one in asked_for)
    assert (fresh(running).status, fresh(table).status) == ("running", "open")
    assert not User.objects.get(pk=ann.pk).is_active
    assert removal.finish_bans() == 1
    assert (fresh(running).status, fresh(table).status) == ("ended", "ended")
    assert not invited.invitations.exists()


def test_a_sweep_finishes_a_suspension_and_leaves_running_matches(mo, ann, bob):
    running, table = seated(ann, bob), opened(ann)
    members.suspend(moderator=mo, member=ann, reason=WHY, until=soon())  # and the process dies
    assert removal.finish_bans() == 1
    assert (fresh(running).status, fresh(table).status) == ("running", "ended")
    assert removal.finish_bans() == 0


def test_closing_an_account_locks_no_match_of_an_invitation_declined_long_ago(ann, bob):
    table = opened(ann, invited=[bob])
    closing.decline(match_id=table.pk, user=bob)
    with CaptureQueriesContext(connection) as asked_for:
        account_changes.hand_over_seats(bob)
    assert not any(f"({table.pk})" in one["sql"] for one in asked_for)


@pytest.mark.outgrown
def test_who_sat_down_in_the_instant_of_the_ban_gets_up_again(mo, ann, bob):
    table = opened(bob)
    ban(mo, ann)
    opening.join(match_id=table.pk, user=ann)  # as read before the ban
    removal.finish_bans()
    assert seat(table, 1).user is None
    assert fresh(table).status == "open"


def test_a_ban_looks_at_no_ended_match(mo, ann, bob, django_assert_max_num_queries):
    for _n in range(8):
        moves.resign(match_id=seated(ann, bob).pk, user=ann)
    with django_assert_max_num_queries(30):
        ban(mo, ann)


def test_a_suspended_member_begins_no_match(mo, ann, bob, cem):
    own, others, invited = opened(ann), opened(bob, size=3), opened(cem, invited=[ann])
    opening.join(match_id=others.pk, user=ann)
    running = seated(ann, bob)
    committed(members.suspend, moderator=mo, member=ann, reason=WHY, until=soon())
    assert fresh(own).ending == Match.Ending.CLOSED
    assert seat(others, 1).user is None
    assert not invited.invitations.exists()
    assert fresh(running).status == "running"
    with pytest.raises(NotOpen):
        opening.join(match_id=own.pk, user=bob)


@pytest.mark.outgrown
def test_no_match_begins_with_two_who_are_kept_apart(ann, bob, cem, eve):
    blockers, blockeds, thirds = opened(ann, size=3), opened(bob, size=3), opened(cem, size=4)
    for table in (blockers, blockeds, thirds):
        for person in (ann, bob):
            opening.join(match_id=table.pk, user=person)
    begun = seated(ann, bob)
    relationships.block(blocker=ann, blocked=bob)

    def people(table):
        return {one.user.username for one in table.seats.all() if one.user}

    assert people(blockers) == {"ann"}
    assert people(blockeds) == {"bob"}
    assert people(thirds) == {"cem", "bob"}
    assert people(begun) == {"ann", "bob"}


@pytest.mark.outgrown
def test_what_is_over_is_not_lifted(mo, ann, clock):
    members.mute(moderator=mo, member=ann, reason=WHY, until=present.now() + timedelta(hours=1))
    clock.forward(7200)
    with pytest.raises(Invalid):
        members.lift(moderator=mo, member=ann, reason=WHY)


@pytest.mark.outgrown
def test_lifting_a_mute_opens_no_account_that_an_admin_closed(mo, ann):
    members.mute(moderator=mo, member=ann, reason=WHY, until=soon())
    User.objects.filter(pk=ann.pk).update(is_active=False)
    members.lift(moderator=mo, member=ann, reason=WHY)
    assert not User.objects.get(pk=ann.pk).is_active


@pytest.mark.parametrize("deed", ["warn", "mute", "suspend", "ban", "lift", "rename"])
def test_a_moderator_does_nothing_to_whom_they_play_with(mo, root, ann, bob, deed):
    members.mute(moderator=root, member=ann, reason=WHY, until=soon())
    match = seated(mo, ann)
    more = {"mute": {"until": soon()}, "suspend": {"until": soon()}, "rename": {"name": "Anna"}}.get(deed, {})
    do = getattr(members, deed)
    with pytest.raises(members.Opponent):
        do(moderator=mo, member=ann, reason=WHY, **more)
    moves.resign(match_id=match.pk, user=mo)
    do(moderator=mo, member=ann, reason=WHY, **more)


@pytest.mark.parametrize("deed", ["take", "settle", "dismiss"])
def test_a_moderator_judges_no_report_of_their_own_match(mo, root, ann, deed):
    found = reports.report(reporter=ann, reason="cheating", words="mo cheats", match=seated(mo, ann))
    with pytest.raises(matches.Partial):
        queue.set_state(moderator=mo, report=found, deed=deed, reason=WHY)
    assert Report.objects.get().state == "open"
    queue.set_state(moderator=root, report=found, deed=deed, reason=WHY)


def test_a_report_is_taken_once(mo, ann, bob):
    found = reports.report(reporter=ann, reason="spam", words="", member=bob)
    queue.set_state(moderator=mo, report=found, deed="take", reason=WHY)
    with pytest.raises(Invalid):
        queue.set_state(moderator=mo, report=found, deed="take", reason=WHY)


@pytest.mark.outgrown
def test_a_moderator_sees_no_report_of_their_own_match(mo, root, ann, bob):
    own = reports.report(reporter=ann, reason="cheating", words="mo cheats", match=seated(mo, ann))
    other = reports.report(reporter=ann, reason="cheating", words="", match=seated(bob, ann))
    assert list(reports.open_to(mo, Report.objects.all())) == [other]
    assert set(reports.open_to(root, Report.objects.all())) == {own, other}


def test_what_was_called_off_is_not_voided(mo, ann, bob):
    match = seated(ann, bob, rated=True)
    for person in (ann, bob):
        moves.wish_call_off(match_id=match.pk, user=person, wish=True)
    assert fresh(match).ending == "called_off"
    with pytest.raises(Invalid):
        matches.void(moderator=mo, match=match, reason=WHY)


@pytest.mark.outgrown
def test_an_undone_sweep_leaves_a_voided_match_alone(mo, ann, bob, hours):
    User.objects.update(vacation_by_itself=False)
    match = seated(ann, bob)
    late = asked(match)
    late.run_outs = 1
    late.save()
    hours.go_by(days=3, seconds=6)
    sweep = hours.sweep()
    assert fresh(match).status == "ended"
    matches.void(moderator=mo, match=match, reason=WHY)
    assert undo.undo_sweep(sweep)["left"] == 1
    assert fresh(match).status == "ended"
