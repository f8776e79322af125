"""Each deed of a moderator: what it does at once, whom it spares, and the row it leaves in the audit."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import User
from config.lib import clock
from games.models import Audit, ChatLine, Match, Seat
from games.moderation import matches, members, queue
from games.moderation.models import Report, Sanction
from games.queries.play import seats_of
from games.services.chat import lines
from games.services.operation.admin_actions import NoReason
from games.services.play import moves
from games.services.refusals import CannotWrite, Invalid
from tests.factories import (
    PASSWORD,
    WHY,
    asked,
    browser_of,
    committed,
    fresh,
    last_audit,
    member,
    opened,
    seat,
    seated,
    snapshot,
)


def soon():
    return clock.now() + timedelta(days=3)


def sanction(deed, mo, who, **more) -> Sanction:
    return committed(getattr(members, deed), moderator=mo, member=who, reason=WHY, **more)


def noted(deed, mo, **about) -> None:
    row = last_audit()
    assert (row.deed, row.moderator, row.reason) == (deed, mo, WHY)
    assert abs(row.at - clock.now()) < timedelta(minutes=1)
    for name, value in about.items():
        assert getattr(row, name) == value


@pytest.mark.thin(3)
@pytest.mark.outgrown
@pytest.mark.parametrize("deed", ["warn", "mute", "suspend", "ban", "lift", "rename"])
@pytest.mark.parametrize("reason", ["", "  \0 "])
def test_nothing_without_a_reason(mo, ann, deed, reason):
    sanction("mute", mo, ann, until=soon())
    before = snapshot()
    more = {"mute": {"until": soon()}, "suspend": {"until": soon()}, "rename": {"name": "Anna"}}.get(deed, {})
    with pytest.raises(NoReason):
        getattr(members, deed)(moderator=mo, member=ann, reason=reason, **more)
    assert snapshot() == before


@pytest.mark.parametrize("whom", ["mo", "root", "another"])
def test_moderators_do_nothing_to_their_kind(mo, root, whom):
    member("another", is_staff=True)
    target = User.objects.get(username=whom)
    with pytest.raises(members.Staff):
        sanction("ban", mo, target)
    assert User.objects.get(username=whom).is_active
    assert not Audit.objects.exists()


def test_an_admin_bans_a_moderator(mo, root):
    sanction("ban", root, mo)
    assert not User.objects.get(username="mo").is_active


def test_a_warning_is_shown_until_it_was_read(mo, ann):
    browser = browser_of(ann)
    warning = sanction("warn", mo, ann)
    noted("warn", mo, member=ann)
    assert f"A moderator has warned you: {WHY}" in browser.get("/play/").content.decode()
    assert browser_of(member("zoe")).post(f"/warnings/{warning.pk}/read/").status_code == 404
    assert WHY in browser.get("/play/").content.decode()
    assert browser.post(f"/warnings/{warning.pk}/read/").status_code == 302
    assert WHY not in browser.get("/play/").content.decode()


@pytest.mark.outgrown
def test_a_mute_holds_everywhere_until_its_end(mo, ann, bob, clock):
    match = seated(ann, bob)
    sanction("mute", mo, ann, until=soon())
    noted("mute", mo, member=ann)
    with pytest.raises(CannotWrite, match=WHY):
        lines.say(match=match, seats=seats_of(match), user=ann, text="hi")
    answer = browser_of(ann).post(f"/matches/{match.pk}/chat/say/", {"text": "hi"})
    assert answer.status_code == 403
    assert "You cannot write on this site until" in answer.content.decode()
    lines.say(match=match, seats=seats_of(match), user=bob, text="hi")
    clock.forward(3 * 86400 + 60)
    lines.say(match=match, seats=seats_of(match), user=ann, text="hi")


@pytest.mark.outgrown
def test_a_ban_takes_effect_at_once(mo, ann, bob, cem):
    two, three, table = seated(ann, bob), seated(bob, ann, cem), opened(ann)
    invited = opened(bob, invited=[ann])
    browser = Client()
    browser.post("/accounts/login/", {"login": "ann", "password": PASSWORD})
    assert browser.get("/settings/").status_code == 200
    key = browser.session.session_key
    sanction("ban", mo, ann)
    noted("ban", mo, member=ann)
    assert browser.get("/settings/").status_code == 302
    assert not browser.session.exists(key)
    assert not User.objects.get(pk=ann.pk).is_active
    assert fresh(two).status == Match.Status.ENDED
    assert seat(two, 1).rank == 1
    assert fresh(three).status == Match.Status.RUNNING
    assert (seat(three, 1).bot, seat(three, 1).left) == ("easy", 1)
    assert fresh(table).ending == Match.Ending.CLOSED
    assert not invited.invitations.exists()
    answer = Client().post("/accounts/login/", {"login": "ann", "password": PASSWORD}, follow=True)
    assert "closed" in answer.content.decode()
    assert not Seat.objects.filter(user=ann, bot="", match__status="running").exists()


def test_a_lifted_ban_lets_in_again(mo, ann):
    sanction("ban", mo, ann)
    sanction("mute", mo, ann, until=soon())
    assert sanction("lift", mo, ann) == 2
    noted("lift", mo, member=ann)
    assert User.objects.get(pk=ann.pk).is_active
    with pytest.raises(Invalid):
        sanction("lift", mo, ann)


@pytest.mark.parametrize("name", ["B0b", "admin", "x", "a b c", "bob\0b", "<script>"])
def test_names_that_nobody_gets(mo, ann, bob, name):
    with pytest.raises(Invalid):
        sanction("rename", mo, ann, name=name)
    assert User.objects.get(pk=ann.pk).username == "ann"
    assert not Audit.objects.exists()


@pytest.mark.outgrown
def test_a_rename_is_seen_at_once_and_told(mo, ann, bob):
    match = seated(ann, bob)
    sanction("rename", mo, ann, name="Anemone")
    noted("rename", mo, member=ann, details="ann → Anemone")
    assert User.objects.get(pk=ann.pk).skeleton == "anemone"
    assert fresh(match).version == match.version + 1
    assert "Anemone" in browser_of(bob).get(f"/matches/{match.pk}/").content.decode()
    assert "you are now Anemone" in browser_of(ann).get("/").content.decode()


@pytest.mark.outgrown
def test_a_line_is_hidden_and_shown_again(mo, ann, bob):
    match = seated(ann, bob)
    line = lines.say(match=match, seats=seats_of(match), user=ann, text="very rude")
    matches.hide(moderator=mo, line=line, reason=WHY)
    noted("hide", mo, line=line, match=match, member=ann)
    assert "very rude" not in browser_of(bob).get(f"/matches/{match.pk}/").content.decode()
    matches.unhide(moderator=mo, line=line, reason=WHY)
    noted("unhide", mo, line=line)
    assert not ChatLine.objects.get().hidden


def test_an_open_table_is_not_voided(mo, ann):
    with pytest.raises(Invalid):
        matches.void(moderator=mo, match=opened(ann), reason=WHY)
    assert not Audit.objects.exists()


def test_a_report_is_taken_and_settled(mo, ann, bob):
    report = Report.objects.create(reporter=ann, member=bob, reason="insult")
    queue.set_state(moderator=mo, report=report, deed="take", reason=WHY)
    noted("take", mo, report=report, member=bob)
    report.refresh_from_db()
    assert (report.state, report.taken_by, report.closed_at) == ("taken", mo, None)
    queue.set_state(moderator=mo, report=report, deed="settle", reason=WHY)
    report.refresh_from_db()
    assert report.state == "settled"
    assert report.closed_at
    with pytest.raises(Invalid):
        queue.set_state(moderator=mo, report=report, deed="dismiss", reason=WHY)
    other = Report.objects.create(reporter=ann, member=bob, reason="spam")
    queue.set_state(moderator=mo, report=other, deed="dismiss", reason=WHY)
    noted("dismiss", mo, report=other)


def test_who_resigned_or_left_is_not_in_the_way_of_a_ban(mo, ann, bob, cem):
    match = seated(ann, bob, cem)
    moves.resign(match_id=match.pk, user=ann)
    ended = seated(ann, bob)
    moves.resign(match_id=ended.pk, user=bob)
    sanction("ban", mo, ann)
    assert seat(match, 0).left == 1
    assert fresh(ended).ending == "resigned"


def test_a_move_of_a_banned_member_is_refused(mo, ann, bob):
    match = seated(ann, bob, member("zoe"))
    mover = asked(match)
    browser = browser_of(mover.user)
    sanction("ban", mo, mover.user)
    post = {"ask": mover.ask, "key": "k", "move": '{"type": "roll"}'}
    assert browser.post(f"/matches/{match.pk}/move/", post).status_code == 403
    assert fresh(match).turns == 0
