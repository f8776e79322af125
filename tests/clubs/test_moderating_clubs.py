"""Reports of clubs and of lines in their chats, what moderators read of them, and what they do."""

from datetime import timedelta

import pytest

from games.clubs.services import moderating
from games.clubs.services.moderating import OwnClub
from games.models import Audit, ChatLine, Club
from games.moderation import matches, queue, reports
from games.moderation.matches import Partial
from games.moderation.models import Report
from games.services.operation.admin_actions import NoReason
from tests.clubs.arranged import INVITATION, made, now, said
from tests.factories import WHY, browser_of


def reported(by, **about) -> Report:
    return reports.report(reporter=by, reason="insult", words="", **about)


def test_a_member_reports_a_line_and_a_club(ann, bob):
    club = made(ann, bob, words="rude words")
    line = said(club, ann, "a rude line")
    browser = browser_of(bob)
    for query in (f"line={line.pk}", f"club={club.pk}"):
        page = f"/report/?{query}"
        assert browser.get(page).status_code == 200
        answer = browser.post(page, {"reason": "insult", "words": ""})
        assert answer["Location"] == f"/clubs/{club.pk}/"
    of_line, of_club = Report.objects.order_by("pk")
    assert (of_line.member, of_line.club, of_line.said, of_line.match) == (ann, club, "a rude line", None)
    assert (of_club.member, of_club.club, of_club.said) == (None, club, "Dice at Dawn\n\nrude words")
    assert reported(bob, club=club) == of_club
    assert "the club “Dice at Dawn”" in browser.get("/reports/").content.decode()
    club.delete()
    of_club.refresh_from_db()
    assert queue.subject(of_club) == "the club “Dice at Dawn”"


def test_nobody_reports_what_they_cannot_see(ann, bob, eve):
    club = made(ann, bob, access=INVITATION)
    line = said(club, ann)
    browser = browser_of(eve)
    for query in (f"line={line.pk}", f"club={club.pk}", f"club={10**30}", "club=x"):
        assert browser.get(f"/report/?{query}").status_code == 404, query


@pytest.mark.outgrown
def test_a_moderator_reads_the_reported_line_and_the_rest_with_a_reason(ann, bob, mo):
    club, other = made(ann, bob, access=INVITATION), made(bob, name="Other")
    lines = [said(club, ann, f"line {number}") for number in range(3)]
    said(other, bob)
    found = reported(bob, line=lines[1])
    assert list(reports.lines_open_to(mo)) == [lines[1]]
    assert reports.lines_around(found, mo) == [lines[1]] and reports.is_chat_closed(found, mo)
    reports.read_chat(moderator=mo, report=found, reason=WHY)
    assert reports.lines_around(found, mo) == lines and not reports.is_chat_closed(found, mo)
    assert set(reports.lines_open_to(mo)) == set(lines)
    queue.set_state(moderator=mo, report=found, deed="settle", reason=WHY)
    assert list(reports.lines_open_to(mo)) == [lines[1]]


@pytest.mark.outgrown
def test_a_line_is_hidden_and_shown_again_but_not_by_who_organises_the_club(ann, bob, mo, root):
    club = made(mo, ann, bob)
    line = said(club, ann, "a rude line")
    with pytest.raises(Partial):
        matches.hide(moderator=mo, line=line, reason=WHY)
    matches.hide(moderator=root, line=line, reason=WHY)
    page = browser_of(bob).get(f"/clubs/{club.pk}/chat/").content.decode()
    assert "a rude line" not in page and "A moderator has hidden this line." in page
    matches.unhide(moderator=root, line=line, reason=WHY)
    assert not ChatLine.objects.get().hidden
    with pytest.raises(Partial):
        queue.set_state(moderator=mo, report=reported(bob, club=club), deed="take", reason=WHY)


def test_the_admin_shows_reports_lines_and_clubs(ann, bob, mo):
    club = made(ann, bob, access=INVITATION)
    line = said(club, ann, "a rude line")
    found, of_club = reported(bob, line=line), reported(bob, club=club)
    browser = browser_of(mo)
    for page in (
        *("/admin/moderation/report/", f"/admin/moderation/report/{found.pk}/change/"),
        *(f"/admin/moderation/report/{of_club.pk}/change/", f"/admin/moderation/audit/act/?report={found.pk}"),
        *(f"/admin/moderation/audit/act/?report={of_club.pk}", f"/admin/moderation/audit/act/?line={line.pk}"),
        *("/admin/games/chatline/", f"/admin/games/chatline/{line.pk}/change/"),
        *("/admin/games/club/", f"/admin/games/club/{club.pk}/change/", f"/admin/games/club/{club.pk}/correct/"),
        *("/admin/games/club/?q=ann", "/admin/games/club/?access__exact=invitation"),
    ):
        answer = browser.get(page)
        assert answer.status_code == 200, page
        assert club.token not in answer.content.decode()
    for user in (ann, bob):
        assert browser_of(user).get(f"/admin/games/club/{club.pk}/correct/").status_code in (302, 403)


@pytest.mark.outgrown
def test_a_moderator_renames_blanks_and_dissolves_with_a_reason(ann, bob, mo):
    club = made(ann, bob, name="A rude name", words="rude words")
    browser, page = browser_of(mo), f"/admin/games/club/{club.pk}/correct/"
    assert browser.post(page, {"name": "Polite", "reason": ""}).status_code == 400
    assert browser.post(page, {"name": "Moderators", "reason": WHY}).status_code == 400
    assert now(club).name == "A rude name" and not Audit.objects.exists()
    for _time in range(2):
        body = {"name": "Polite", "blank": "on", "reason": WHY, "key": "k" * 20}
        assert browser.post(page, body).status_code == 302
    assert (now(club).name, now(club).words) == ("Polite", "")
    row = Audit.objects.get()
    assert (row.deed, row.moderator, row.reason) == ("club", mo, WHY) and "A rude name → Polite" in row.details
    assert browser.post(page, {"name": "Polite", "dissolve": "on", "reason": WHY}).status_code == 302
    assert not Club.objects.exists() and Audit.objects.count() == 2


def test_nobody_corrects_their_own_club(ann, mo):
    club = made(mo, ann)
    for act in (
        lambda: moderating.correct(club_id=club.pk, moderator=mo, reason=WHY, name="Other", blank=False),
        lambda: moderating.dissolve(club_id=club.pk, moderator=mo, reason=WHY),
    ):
        with pytest.raises(OwnClub):
            act()


def test_no_reason_no_deed(ann, mo):
    club = made(ann)
    with pytest.raises(NoReason):
        moderating.dissolve(club_id=club.pk, moderator=mo, reason=" ")
    assert now(club)


def test_old_reports_of_clubs_go(ann, bob, mo, clock):
    club = made(ann, bob)
    queue.set_state(moderator=mo, report=reported(bob, club=club), deed="dismiss", reason=WHY)
    clock.forward(timedelta(days=366).total_seconds())
    assert reports.forget_old() == 1
    assert not Report.objects.exists()
