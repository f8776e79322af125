"""Reporting a member, a line, a match: by whom, with what, once; and what one cannot report."""

import pytest
from django.test import Client

from games.models import Audit, Match
from games.moderation import matches, queue, reports
from games.moderation.models import Report
from games.queries.play import seats_of
from games.services.chat import lines
from games.services.play import moves
from tests.factories import WHY, browser_of, member, seated

POST = {"reason": "insult", "words": "said bad things"}


@pytest.fixture
def match(ann, bob):
    return seated(ann, bob)


@pytest.fixture
def line(match, ann):
    return lines.say(match=match, seats=seats_of(match), user=ann, text="very rude <b>")


def test_a_line_with_what_was_said(match, line, ann, bob):
    browser = browser_of(bob)
    page = browser.get(f"/report/?line={line.pk}")
    assert "very rude &lt;b&gt;" in page.content.decode()
    answer = browser.post(f"/report/?line={line.pk}", POST, follow=True)
    assert "A moderator will look at it" in answer.content.decode()
    found = Report.objects.get()
    assert (found.reporter, found.member, found.match, found.line) == (bob, ann, match, line)
    assert (found.said, found.words, found.state) == ("very rude <b>", "said bad things", "open")


def test_a_member_and_a_match(match, ann, cem):
    browser = browser_of(cem)
    assert browser.post("/report/?member=ann", POST).status_code == 302
    assert browser.post(f"/report/?match={match.pk}", POST).status_code == 302
    assert {(r.member, r.match) for r in Report.objects.all()} == {(ann, None), (None, match)}


@pytest.mark.parametrize(
    "query", ["", "member=nobody", "member=%00", "line=0", "line=x", "match=999", "match=" + "9" * 40]
)
def test_what_is_not_there(cem, query):
    browser = browser_of(cem)
    assert browser.get(f"/report/?{query}").status_code == 404
    assert browser.post(f"/report/?{query}", POST).status_code == 404


def test_what_one_may_not_see_one_does_not_report(match, line, ann, bob, cem):
    hidden = seated(ann, bob, access=Match.Access.LINK)
    browser = browser_of(cem)
    assert browser.get(f"/report/?line={line.pk}").status_code == 404
    assert browser.get(f"/report/?match={hidden.pk}").status_code == 404


@pytest.mark.parametrize(
    "post",
    [
        {},
        {"reason": "x"},
        {"reason": "other"},
        {"reason": "insult", "words": "x" * 2001},
        {"reason": "other", "words": " \u202e "},
    ],
)
def test_forms_that_are_not_right(cem, ann, post):
    answer = browser_of(cem).post("/report/?member=ann", post)
    assert answer.status_code == 400
    assert not Report.objects.exists()


def test_oneself(ann):
    answer = browser_of(ann).post("/report/?member=ann", POST)
    assert answer.status_code == 400
    assert "You cannot report yourself" in answer.content.decode()


@pytest.mark.outgrown
def test_guests_and_visitors(gus, ann):
    answer = browser_of(gus).post("/report/?member=ann", POST)
    assert answer.status_code == 403
    assert browser_of().get("/report/?member=ann").status_code == 302
    assert not Report.objects.exists()


def test_a_flood_is_stopped(cem, ann, bob):
    browser = browser_of(cem)
    people = [member(f"person{number}") for number in range(11)]
    answers = [browser.post(f"/report/?member={one.username}", POST).status_code for one in people]
    assert answers == [302] * 10 + [429]


def test_one_network_address_does_not_bury_the_queue(settings, ann):
    """Accounts that need no mailbox reported everybody, ten times an hour each."""
    rates = settings.ACCOUNT_RATE_LIMITS
    settings.ACCOUNT_RATE_LIMITS = rates | {"report": rates["report"].replace("30/h/ip", "2/h/ip")}
    answers = []
    for number, address in enumerate((1, 1, 1, 2)):
        client = Client(REMOTE_ADDR=f"203.0.113.{address}")
        client.force_login(member(f"troll-{number}"))
        answers.append(client.post("/report/?member=ann", POST).status_code)
    assert answers == [302, 302, 429, 302]


def test_a_second_report_adds_its_words_and_is_not_counted(match, line, bob):
    browser, address = browser_of(bob), f"/report/?line={line.pk}"
    assert "already reported this" not in browser.get(address).content.decode()
    browser.post(address, POST)
    assert "What you write here is added to that report" in browser.get(address).content.decode()
    again = browser.post(address, POST, follow=True)
    assert "You have already reported this. A moderator will look at it." in again.content.decode()
    assert Report.objects.get().words == "said bad things"
    more = browser.post(address, {"reason": "insult", "words": "and again"}, follow=True)
    assert "your text was added" in more.content.decode()
    browser.post(address, {"reason": "spam", "words": "sells things"})
    browser.post(address, {"reason": "spam"})
    found = Report.objects.get()
    assert found.words == "said bad things\n\nand again\n\nAdvertising, spam: sells things"
    assert found.reason == "insult"
    for _ in range(20):
        assert browser.post(address, POST).status_code == 302
    others = [member(f"person{number}") for number in range(10)]
    answers = [browser.post(f"/report/?member={one.username}", POST).status_code for one in others]
    assert answers == [302] * 9 + [429]


@pytest.mark.outgrown
def test_a_report_that_is_full_says_so_and_keeps_the_words(match, line, bob):
    browser, address = browser_of(bob), f"/report/?line={line.pk}"
    browser.post(address, {"reason": "insult", "words": "x" * 1990})
    answer = browser.post(address, {"reason": "insult", "words": "and then he said"})
    assert answer.status_code == 400
    text = answer.content.decode()
    assert "you can add 8 more characters" in text
    assert "and then he said" in text
    assert browser.post(address, {"reason": "insult", "words": "y" * 8}).status_code == 302
    assert len(Report.objects.get().words) == 2000


@pytest.mark.outgrown
def test_what_was_closed_is_reported_anew(cem, ann, mo):
    browser = browser_of(cem)
    browser.post("/report/?member=ann", POST)
    queue.set_state(moderator=mo, report=Report.objects.get(), deed="dismiss", reason="no")
    answer = browser.post("/report/?member=ann", POST, follow=True)
    assert "Thank you. A moderator will look at it." in answer.content.decode()
    assert Report.objects.count() == 2


@pytest.mark.outgrown
def test_the_lines_around(match, ann, bob, mo):
    said = [lines.say(match=match, seats=seats_of(match), user=(ann, bob)[n % 2], text=f"{n}") for n in range(30)]
    found = reports.report(reporter=bob, reason="spam", words="", line=said[14])
    assert [one.text for one in reports.lines_around(found, mo)] == ["14"]
    reports.read_chat(moderator=mo, report=found, reason=WHY)
    assert [one.text for one in reports.lines_around(found, mo)] == [str(n) for n in range(4, 25)]
    about_match = reports.report(reporter=bob, reason="spam", words="", match=match)
    assert reports.lines_around(about_match, mo) == []
    reports.read_chat(moderator=mo, report=about_match, reason=WHY)
    assert [one.text for one in reports.lines_around(about_match, mo)] == [str(n) for n in range(10, 30)]
    assert list(reports.others(found, mo)) == [about_match]
    assert reports.lines_around(reports.report(reporter=bob, reason="spam", words="", member=ann), mo) == []


@pytest.mark.outgrown
def test_moderators_do_not_read_what_is_said_behind_their_own_backs(ann, cem, mo):
    match = seated(mo, ann)
    behind = lines.say(match=match, seats=seats_of(match), user=cem, text="mo holds a yam")
    lines.say(match=match, seats=seats_of(match), user=ann, text="good luck")
    about_match = reports.report(reporter=ann, reason="spam", words="", match=match)
    address = f"/admin/games/chatline/{behind.pk}/change/"
    browser = browser_of(mo)
    assert [one.text for one in reports.lines_around(about_match, mo)] == ["good luck"]
    assert "holds a yam" not in browser.get("/admin/games/chatline/").content.decode()
    assert browser.get(address).status_code == 302
    report = reports.report(reporter=ann, reason="spam", words="", line=behind)
    page = f"/admin/moderation/report/{report.pk}/change/"
    assert browser.get(page).status_code == 302
    for about in (f"line={behind.pk}", f"report={report.pk}"):
        assert browser.get(f"/admin/moderation/audit/act/?{about}").status_code == 404
    moves.resign(match_id=match.pk, user=ann)
    assert browser.get(address).status_code == 200
    assert browser.get(page).status_code == 302  # the report stays another moderator's


@pytest.mark.outgrown
def test_moderators_neither_see_nor_judge_reports_about_themselves(ann, mo, root):
    match = seated(mo, ann)
    own = lines.say(match=match, seats=seats_of(match), user=mo, text="rude")
    others = lines.say(match=match, seats=seats_of(match), user=ann, text="rude too")
    report = reports.report(reporter=ann, reason="spam", words="", line=own)
    page, act = (
        f"/admin/moderation/report/{report.pk}/change/",
        f"/admin/moderation/audit/act/?report={report.pk}",
    )
    browser = browser_of(mo)
    assert f"/report/{report.pk}/" not in browser.get("/admin/moderation/report/").content.decode()
    assert browser.get(page).status_code == 302
    assert browser.post(act, {"deed": "dismiss", "reason": "no"}).status_code == 404
    assert browser_of(root).get(page).status_code == 200
    with pytest.raises(matches.Partial):
        matches.hide(moderator=mo, line=others, reason="because")


@pytest.mark.outgrown
def test_closed_reports_are_forgotten_after_a_year(mo, ann, bob, cem, clock):
    closed = reports.report(reporter=ann, reason="spam", words="", member=bob)
    reports.report(reporter=cem, reason="spam", words="", member=bob)
    queue.set_state(moderator=mo, report=closed, deed="dismiss", reason=WHY)
    clock.forward(364 * 86400)
    assert reports.forget_old() == 0
    clock.forward(2 * 86400)
    assert reports.forget_old() == 1
    assert Report.objects.get().state == "open"
    assert Audit.objects.get().reason == WHY
