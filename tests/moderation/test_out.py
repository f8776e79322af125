"""Getting out: bans that a bad match or a crash interrupts, suspensions, blocks, lifts, one's own."""

from datetime import timedelta

import pytest

from accounts.models import User
from accounts.services import relationships
from config.lib import clock as present
from games.models import Match
from games.moderation import matches, members, queue, removal, reports
from games.moderation.models import Report
from games.services.lobby import opening
from games.services.operation import undo
from games.services.play import moves
from games.services.refusals import Invalid, NotOpen
from tests.factories import WHY, asked, fresh, opened, seat, seated


def soon():
    return present.now() + timedelta(days=3)


def ban(mo, who, **more):
    return members.ban(moderator=mo, member=who, reason=WHY, **more)


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


@pytest.mark.both
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
    members.suspend(moderator=mo, member=ann, reason=WHY, until=soon())
    assert fresh(own).ending == Match.Ending.CLOSED
    assert seat(others, 1).user is None
    assert not invited.invitations.exists()
    assert fresh(running).status == "running"
    with pytest.raises(NotOpen):
        opening.join(match_id=own.pk, user=bob)


@pytest.mark.both
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


@pytest.mark.both
def test_what_is_over_is_not_lifted(mo, ann, clock):
    members.mute(moderator=mo, member=ann, reason=WHY, until=present.now() + timedelta(hours=1))
    clock.forward(7200)
    with pytest.raises(Invalid):
        members.lift(moderator=mo, member=ann, reason=WHY)


@pytest.mark.both
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


@pytest.mark.both
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


@pytest.mark.both
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
