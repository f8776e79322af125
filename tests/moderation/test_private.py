"""Private matches and chats: open to moderators by a report, read-only, and with a note in the audit."""

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret

from games.models import Audit, ChatLine, Match
from games.moderation import queue, reports
from games.queries.play import seats_of
from games.services.chat import lines
from games.sockets.page import _find
from tests.accounts.test_security import totp
from tests.factories import WHY, admin, browser_of, last_audit, opened, seated
from tests.moderation.test_admin import ACT


@pytest.fixture
def match(ann, bob):
    return seated(ann, bob, access=Match.Access.LINK)


def said(match, who, text: str) -> ChatLine:
    return lines.say(match=match, seats=seats_of(match), user=who, text=text)


def reported(by, **about):
    return reports.report(reporter=by, reason="insult", words="", **about)


@pytest.mark.outgrown
def test_a_reported_private_match_is_open_to_moderators_read_only(mo, match, ann, bob, cem):
    browser, page = browser_of(mo), f"/matches/{match.pk}/"
    said(match, ann, "among us")
    assert browser.get(page).status_code == 404
    reported(bob, match=match)
    answer = browser.get(page)
    assert answer.status_code == 200
    text = answer.content.decode()
    assert "You look at this match as a moderator: you can only read." in text
    assert "among us" not in text
    for part in ("table/", "log/", "chat/", "replay/0/"):
        assert browser.get(page + part).status_code == 200, part
    for part, post in (("chat/say/", {"text": "hi"}), ("resign/", {}), ("notes/", {"notes": "x"}), ("move/", {})):
        assert browser.post(page + part, post).status_code == 404, part
    find = _find.func  # what a page's socket asks
    assert find(str(match.pk), mo, browser.session) == (match.pk, match.history, None)
    assert find(str(match.pk), cem, browser.session) is None
    assert browser_of(cem).get(page).status_code == 404
    assert browser_of().get(page).status_code in (302, 404)


def test_it_stays_shut_until_the_second_factor_is_shown(mo, match, bob, settings):
    """As the admin does: a stolen session of a moderator opens nothing that others may not see."""
    settings.STAFF_SECOND_FACTOR = True
    reported(bob, match=match)
    secret = generate_totp_secret()
    for has_one in (False, True):
        if has_one:
            TOTP.activate(mo, secret)
        browser = browser_of(mo)
        for part in ("", "table/", "log/", "chat/", "replay/0/"):
            assert browser.get(f"/matches/{match.pk}/{part}").status_code == 404, part
        assert _find.func(str(match.pk), mo, browser.session) is None
    browser.post("/accounts/2fa/reauthenticate/", {"code": totp(secret)})
    assert browser.get(f"/matches/{match.pk}/").status_code == 200
    assert _find.func(str(match.pk), mo, browser.session) is not None


def test_a_reported_table_that_has_not_begun_stays_shut(mo, ann, bob):
    table = opened(ann, access=Match.Access.LINK, invited=[bob])
    reported(bob, match=table)
    assert browser_of(mo).get(f"/matches/{table.pk}/").status_code == 404


@pytest.mark.outgrown
def test_private_lines_are_shown_by_no_list_and_no_page(mo, match, ann, bob):
    line = said(match, ann, "a secret of ours")
    public = seated(ann, bob)
    among = said(public, ann, "another secret")
    for reader in (mo, admin()):
        browser = browser_of(reader)
        assert "secret" not in browser.get("/admin/games/chatline/?q=ann").content.decode()
        for one in (line, among):
            assert browser.get(f"/admin/games/chatline/{one.pk}/change/").status_code == 302
            assert browser.get(f"{ACT}?line={one.pk}").status_code == 404


@pytest.mark.outgrown
def test_reading_a_private_chat_takes_a_report_and_is_noted(mo, match, ann, bob):
    said(match, ann, "first words")
    report = reported(bob, line=said(match, ann, "very rude"))
    said(match, ann, "last words")
    browser, page = browser_of(mo), f"/admin/moderation/report/{report.pk}/change/"
    text = browser.get(page).content.decode()
    assert "very rude" in text
    assert "words" not in text.split("More was said")[0].split('class="around talk"')[1]
    assert "More was said in private" in text
    assert not Audit.objects.exists()
    answer = browser.post(f"{ACT}?report={report.pk}", {"deed": "read", "reason": WHY})
    assert (answer.status_code, answer["Location"]) == (302, page)
    assert (last_audit().deed, last_audit().report, last_audit().match) == ("read", report, match)
    text = browser.get(page).content.decode()
    assert "first words" in text
    assert "last words" in text
    assert "deed=read" not in browser.get(f"{ACT}?report={report.pk}").content.decode()
    assert "first words" in browser.get(f"/admin/games/chatline/?q={match.pk}").content.decode()
    other = browser_of(admin())
    assert "first words" not in other.get(page).content.decode()
    queue.set_state(moderator=mo, report=report, deed="settle", reason=WHY)
    assert "first words" not in browser.get(f"/admin/games/chatline/?q={match.pk}").content.decode()


def test_a_reported_line_can_be_hidden_without_reading_the_rest(mo, match, ann, bob):
    report = reported(bob, line=said(match, ann, "very rude"))
    browser = browser_of(mo)
    assert "deed=read" not in browser.get(f"{ACT}?report={report.pk}").content.decode()
    assert browser.post(f"{ACT}?report={report.pk}", {"deed": "hide", "reason": WHY}).status_code == 302
    assert browser.post(f"{ACT}?report={report.pk}", {"deed": "read", "reason": WHY}).status_code == 400


@pytest.mark.outgrown
def test_the_pages_of_a_match_and_a_member_name_and_lead(mo, match, ann, bob):
    browser = browser_of(mo)
    page = browser.get(f"/admin/games/match/{match.pk}/change/").content.decode()
    for words in (f"/admin/accounts/user/{ann.pk}/change/", "bob", f"/admin/games/chatline/?q={match.pk}"):
        assert words in page
    assert f'href="/matches/{match.pk}/"' not in page
    reported(bob, match=match)
    assert f'href="/matches/{match.pk}/"' in browser.get(f"/admin/games/match/{match.pk}/change/").content.decode()
    listed = browser.get("/admin/games/match/").content.decode()
    assert f'<a href="/admin/accounts/user/{bob.pk}/change/">bob</a>' in listed
    browser.post(f"{ACT}?member={ann.pk}", {"deed": "note", "reason": "keeps <b> calm"})
    page = browser.get(f"/admin/accounts/user/{ann.pk}/change/").content.decode()
    for words in ('href="/people/ann/"', "/admin/games/match/?q=ann", "/admin/games/chatline/?q=ann"):
        assert words in page
    assert "keeps &lt;b&gt; calm" in page.partition("<h3>Sanctions")[0]
    assert "Address confirmed" in page
    assert "Last visit" in page
    assert "example.org" not in page
