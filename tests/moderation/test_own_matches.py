"""What the moderators' pages tell of running matches: what watchers know, and nothing to who sits there."""

import pytest

from accounts.models import User
from games.models import Audit
from games.moderation import matches, members, queue, reports
from games.queries.play import seats_of
from games.services.chat import lines
from tests.factories import WHY, browser_of, fresh, seat, seated, snapshot, state_of

ACT = "/admin/moderation/audit/act/"
OWN = "You play in this match"


@pytest.mark.parametrize("deed", ["time", "replace", "end", "void"])
def test_no_form_about_a_match_is_shown_to_who_sits_there(deed, mo, ann, bob):
    match = seated(ann, mo, bob, rated=True)
    browser, before = browser_of(mo), snapshot()
    address = f"{ACT}?match={match.pk}&deed={deed}"
    wishes = {"deed": deed, "reason": WHY, "seat": "0", "hours": "1", "sure": "on"}
    for answer in (browser.get(address), browser.post(address, wishes)):
        assert answer.status_code == 403
        assert OWN in answer.content.decode()
        assert 'name="reason"' not in answer.content.decode()
    after = snapshot()
    assert [after[name] for name in ("games.Match", "games.Seat", "moderation.Audit")] == [
        before[name] for name in ("games.Match", "games.Seat", "moderation.Audit")
    ]


def test_nor_about_a_line_said_there(mo, ann):
    match = seated(ann, mo)
    line = lines.say(match=match, seats=seats_of(match), user=ann, text="rude")
    answer = browser_of(mo).get(f"{ACT}?line={line.pk}&deed=hide")
    assert answer.status_code == 403
    assert OWN in answer.content.decode()
    assert browser_of(mo).get(f"{ACT}?line={line.pk}&deed=warn").status_code == 200  # about the member


def test_an_admin_may_have_to_all_the_same(root, ann):
    match = seated(ann, root)
    assert browser_of(root).get(f"{ACT}?match={match.pk}&deed=end").status_code == 200


def test_nor_does_who_left_it_to_a_substitute(mo, root, ann, bob):
    match = seated(ann, mo)
    match.seats.filter(user=mo).update(user=bob, substituted=True, absentee=mo)
    assert browser_of(mo).get(f"{ACT}?match={match.pk}&deed=end").status_code == 403
    match.seats.filter(absentee=mo).update(absentee=root)
    assert browser_of(mo).get(f"{ACT}?match={match.pk}&deed=end").status_code == 200
    assert browser_of(root).post(f"/admin/games/match/{match.pk}/hidden/", {"reason": WHY}).status_code == 403


def listed(browser, match) -> set[str]:
    form = browser.get(f"{ACT}?match={match.pk}&deed=replace").context["form"]
    return {label for value, label in form.fields["seat"].choices if value}


def test_seats_are_those_that_watchers_see(mo, ann, bob, cem, hours):
    """Whose seat a bot has taken over is not told by the form before the match tells it."""
    User.objects.update(vacation_by_itself=False)
    match = seated(ann, bob, cem, game_slug="yam-menteur")
    late = seat(match, state_of(match).thrower)
    match.seats.filter(pk=late.pk).update(run_outs=1)
    before = listed(browser_of(mo), match)
    assert len(before) == 3
    hours.go_by(days=3, seconds=6)
    hours.sweep()
    late = seat(match, late.number)
    assert late.absent
    assert listed(browser_of(mo), match) == before
    match.seats.filter(pk=late.pk).update(left_at=fresh(match).turns)  # nothing of that turn was made yet
    assert listed(browser_of(mo), match) == before - {f"{late.number + 1}: {late.user.username}"}


def test_bots_and_free_seats_are_not_listed(mo, ann, bob):
    match = seated(ann, bob, bots=["easy"])
    assert listed(browser_of(mo), match) == {"1: ann", "2: bob"}


def test_audit_rows_about_lines_behind_ones_back_are_not_shown(mo, root, ann, bob, cem):
    match, other = seated(mo, ann), seated(ann, bob)
    behind = lines.say(match=match, seats=seats_of(match), user=cem, text="mo holds a yam")
    about = reports.report(reporter=bob, reason="spam", words="", line=behind)
    elsewhere = lines.say(match=other, seats=seats_of(other), user=cem, text="rude")
    matches.hide(moderator=root, line=behind, reason="tells that mo holds a yam")
    Audit.objects.create(moderator=root, member=cem, deed="warn", report=about, reason="told mo's yam")
    matches.hide(moderator=root, line=elsewhere, reason="was rude")
    pages = ("/admin/moderation/audit/", f"/admin/accounts/user/{cem.pk}/change/")
    for address in pages:
        text = browser_of(mo).get(address).content.decode()
        assert "was rude" in text
        assert "yam" not in text
        assert "holds a yam" in browser_of(root).get(address).content.decode()
    row = Audit.objects.order_by("pk").first()
    assert browser_of(mo).get(f"/admin/moderation/audit/{row.pk}/change/").status_code == 302
    matches.end_match(moderator=root, match=match, reason=WHY)
    assert "holds a yam" in browser_of(mo).get(pages[0]).content.decode()


def test_nothing_tells_a_moderator_of_a_report_about_themselves_or_their_match(mo, root, ann, bob):
    match = seated(mo, ann)
    about_mo = reports.report(reporter=ann, reason="cheating", words="", member=mo)
    about_match = reports.report(reporter=bob, reason="cheating", words="", match=match)
    for report in (about_mo, about_match):
        queue.set_state(moderator=root, report=report, deed="take", reason="it looks true")
    members.write_note(moderator=root, member=mo, reason="it looks true, too")
    browser = browser_of(mo)
    for address in ("/admin/moderation/audit/", f"/admin/accounts/user/{mo.pk}/change/"):
        assert "it looks true" not in browser.get(address).content.decode(), address
        assert "it looks true" in browser_of(root).get(address).content.decode(), address
    for row in Audit.objects.all():
        assert browser.get(f"/admin/moderation/audit/{row.pk}/change/").status_code == 302
    assert "Reports that wait</a>" in " ".join(browser.get("/admin/").content.decode().split())
    assert "Reports that wait (2)" in " ".join(browser_of(root).get("/admin/").content.decode().split())
