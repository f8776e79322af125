"""The admin's lists and pages: what they refuse to ask, times, headings, hints that say who is barred."""

import itertools
import json
import logging
import re
from datetime import UTC, datetime, timedelta

import pytest
import structlog
from allauth.account.models import EmailAddress

from accounts.models import User
from config import logs
from config.lib import clock
from games import admin_lists
from games.forms.people import members_named
from games.models import Audit, ChatLine, Mail
from games.moderation import hints, members, reports
from games.moderation.models import Report, Trace
from games.queries.play import seats_of
from games.services.chat import lines as chat_lines
from tests.factories import WHY, browser_of, member, seated

WRONG = (
    "accounts/user/?foo=bar",
    "accounts/user/?email__startswith=a",
    "accounts/user/?is_active__exact=maybe",
    "games/match/?p=99",
    "games/match/?e=1&p=99",
    "games/match/?status__exact=%00",
    "moderation/report/?member__email=a",
    "moderation/audit/?deed__regex=(",
    "moderation/audit/?deed=%00",
    "moderation/report/?reason__in=spam,insult",
    "accounts/user/?date_joined__gte=0001-01-01 00:00%2B14:00",
    "accounts/user/?date_joined__gte=yesterday",
    "games/chatline/?hidden__exact=x",
)


@pytest.mark.thin(4)
@pytest.mark.parametrize("query", WRONG)
def test_a_list_says_in_words_what_it_does_not_know(mo, ann, query):
    answer = browser_of(mo).get(f"/admin/{query}")
    text = answer.content.decode()
    assert answer.status_code in (200, 400), query
    assert "@example.org" not in text
    if answer.status_code == 400:
        assert "This list has no such filter, page or date" in text
        assert f'href="/admin/{query.partition("?")[0]}"' in text
        assert "result_list" not in text
    assert "database" not in text


@pytest.fixture
def told(capsys):
    """Return the lines that are logged from now on."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    structlog.reset_defaults()
    logs.configure({"level": "INFO"})
    logs.log = structlog.get_logger("request")
    yield lambda: [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    root.handlers[:] = handlers
    root.setLevel(level)


def test_a_wrong_address_is_no_error_of_ours(mo, root, told):
    browser, admins = browser_of(mo), browser_of(root)
    assert browser.get("/admin/accounts/user/?foo=bar").status_code == 400
    assert admins.get("/admin/account/emailaddress/?user__password__startswith=p").status_code == 400
    assert browser.get("/admin/moderation/report/?_to_field=words").status_code == 400
    lines = told()
    assert len(lines) == 3
    assert not any("traceback" in line or line["level"] == "error" for line in lines)


def test_people_are_found_once_by_how_their_names_begin(mo, ann, bob):
    about = reports.report(reporter=bob, reason="spam", words="", member=ann)
    by_her = reports.report(reporter=ann, reason="spam", words="", member=bob)
    other = reports.report(reporter=member("cem"), reason="spam", words="", member=member("eve"))
    match, browser = seated(ann, bob), browser_of(mo)

    def found(query: str) -> list[int]:
        return sorted(row.pk for row in browser.get(f"/admin/{query}").context["cl"].result_list)

    assert found("moderation/report/?q=ANN") == [about.pk, by_her.pk]
    assert found("moderation/report/?q=nobody") == []
    assert found("moderation/report/?q=--") == []
    assert found("games/match/?q=a") == found("games/match/?q=bo") == found(f"games/match/?q={match.pk}") == [match.pk]
    assert found("games/match/?q=nn") == []
    assert other.pk in found("moderation/report/")


def test_a_list_is_of_the_newest_and_a_search_finds_the_others(mo, root, monkeypatch):
    """However many rows there are, neither a filter nor a count reads all of them."""
    people = [member(f"member-{number}") for number in range(6)]
    matches = [seated(*people[:2]) for _ in range(4)]
    monkeypatch.setattr(admin_lists, "NEWEST", 3)
    browser = browser_of(root)

    def found(query: str) -> list[int]:
        answer = browser.get(f"/admin/{query}")
        assert ("The newest 3; a search" in answer.content.decode()) == (
            "q=" not in query and "is_staff" not in query
        ), query
        return sorted(row.pk for row in answer.context["cl"].result_list)

    assert found("games/match/") == found("games/match/?status__exact=running") == [match.pk for match in matches[1:]]
    assert found(f"games/match/?q={matches[0].pk}") == [matches[0].pk]
    assert found("accounts/user/") == [person.pk for person in people[3:]]
    assert found("accounts/user/?q=member-1") == [people[1].pk]
    assert found("accounts/user/?is_staff__exact=1") == [mo.pk, root.pk]  # by an index of their own


def test_the_queue_of_reports_is_whole(mo, monkeypatch):
    people = [member(f"member-{number}") for number in range(5)]
    for by, about in itertools.pairwise(people):
        reports.report(reporter=by, reason="spam", words="", member=about)
    monkeypatch.setattr(admin_lists, "NEWEST", 1)
    counts = [
        browser_of(mo).get(f"/admin/moderation/report/{query}").context["cl"].result_count
        for query in ("", "?state=all")
    ]
    assert counts == [4, 1]


def test_a_mail_is_found_by_its_message_id_and_its_member(root, ann, bob):
    mails = [
        Mail.objects.create(user=person, kind="turn", message_id=f"{n:032x}") for n, person in enumerate((ann, bob))
    ]
    browser = browser_of(root)
    for words, mail in ((f"{1:032X}", mails[1]), ("BOB", mails[1]), (str(ann.pk), mails[0])):
        assert list(browser.get(f"/admin/games/mail/?q={words}").context["cl"].result_list) == [mail], words


def test_an_address_is_found_whole(root, ann, bob):
    EmailAddress.objects.create(user=bob, email="bobs@example.org")
    browser = browser_of(root)
    for query in ("accounts/user/?q=ANN@example.org", "account/emailaddress/?q=Bobs@example.org"):
        assert browser.get(f"/admin/{query}").context["cl"].result_count == 1, query
    assert browser.get("/admin/accounts/user/?q=ann@").context["cl"].result_count == 0


def test_people_are_found_by_what_their_names_look_like(mo, root, ann):
    """SQLite folds ASCII alone: "eric" found "Éric" on neither database, "ÉRIC" on one."""
    eric, anna = member("Éric"), member("Анна")
    for person in (mo, root):
        browser = browser_of(person)
        for words, whom in (("eric", eric), ("ÉRIC", eric), ("éri", eric), ("анн", anna), ("АННА", anna)):
            found = browser.get("/admin/accounts/user/", {"q": words}).context["cl"].result_list
            assert whom in found, words
    assert members_named("eric, анна, ANN") == [eric, anna, ann]


def test_times_are_the_moderators_own_in_their_language(mo, ann, bob):
    User.objects.filter(pk=mo.pk).update(time_zone="Europe/Paris")
    match = seated(ann, bob)
    line = chat_lines.say(match=match, seats=seats_of(match), user=ann, text="rude")
    report = reports.report(reporter=bob, reason="insult", words="", line=line)
    until = datetime(2031, 7, 14, 22, 30, tzinfo=UTC)
    members.mute(moderator=mo, member=ann, reason=WHY, until=until, report=report)
    at = datetime(2026, 11, 28, 23, 5, tzinfo=UTC)
    Report.objects.update(at=at)
    Audit.objects.update(at=at)
    ann.sanctions.update(at=at)
    ChatLine.objects.update(at=at)
    pages = {
        "moderation/report/": {"at"},
        f"moderation/report/{report.pk}/change/": {"at", "until"},
        "moderation/audit/": {"at", "until"},
        f"moderation/audit/{Audit.objects.get().pk}/change/": {"at", "until"},
        "moderation/sanction/": {"at", "until"},
        f"accounts/user/{ann.pk}/change/": {"at", "until"},
        "games/chatline/": {"at"},
        f"moderation/audit/act/?report={report.pk}": {"until"},
    }
    for language, words in (
        ("en", {"at": "29 Nov 2026, 00:05", "until": "15 Jul 2031, 00:30"}),
        ("fr", {"at": "29/11/2026 à 0\u00a0h\u00a005", "until": "15/07/2031 à 0\u00a0h\u00a030"}),
    ):
        User.objects.filter(pk=mo.pk).update(language=language)
        browser = browser_of(mo)
        for address, shown in pages.items():
            text = browser.get(f"/admin/{address}").content.decode()
            for one in shown:
                assert words[one] in text, (language, address, one)
            assert " UTC" not in text, (language, address)
            assert not re.search(r"\d\d/\d\d/\d{4},? \d+:\d\d [ap]\.m\.", text)
            assert "Europe/Paris" in text


def test_cells_know_their_headings_and_nothing_runs_in_them(mo, ann):
    reports.report(reporter=ann, reason="other", words="x", member=member("bob"))
    text = browser_of(mo).get("/admin/moderation/report/").content.decode()
    for label in ("State", "Reason", "About", "By", "When", "Taken by"):
        assert f'data-label="{label}"' in text
    assert "<h1>Reports</h1>" in text


def test_an_empty_list_says_so(mo, ann):
    browser = browser_of(mo)
    text = browser.get("/admin/moderation/sanction/").content.decode()
    assert "There is nothing here." in text
    assert "The whole list" not in text
    assert "The whole list" in browser.get("/admin/accounts/user/?q=nobody").content.decode()


def test_other_reports_are_those_the_reader_may_see(mo, root, ann, bob):
    match = seated(mo, ann)
    about_match = reports.report(reporter=bob, reason="stalling", words="", match=match)
    line = chat_lines.say(match=match, seats=seats_of(match), user=mo, text="rude")
    about_mo = reports.report(reporter=ann, reason="insult", words="", line=line)
    assert list(reports.others(about_match, mo)) == []
    assert list(reports.others(about_match, root)) == [about_mo]
    for who, shown in ((mo, False), (root, True)):
        for page in (f"moderation/report/{about_match.pk}", f"accounts/user/{mo.pk}"):
            text = browser_of(who).get(f"/admin/{page}/change/").content.decode()
            assert (f"/admin/moderation/report/{about_mo.pk}/" in text) is shown, page


def test_hints_say_who_is_barred(mo, ann, bob, cem, eve):
    today = clock.now().date()
    for person in (ann, bob, cem, eve):
        Trace.objects.create(member=person, kind="range", mark="same", on=today)
    members.ban(moderator=mo, member=bob, reason=WHY)
    members.mute(moderator=mo, member=cem, reason=WHY, until=clock.now() + timedelta(days=2))
    members.suspend(moderator=mo, member=cem, reason=WHY, until=clock.now() + timedelta(days=1))
    marked = {one["member"].username: one["standing"] for one in hints.shown(ann)["range"]}
    assert marked["eve"] == ()
    assert "banned" in marked["bob"]
    assert [words.split(" until ")[0] for words in marked["cem"]] == ["suspended", "muted"]
    text = browser_of(mo).get(f"/admin/accounts/user/{ann.pk}/change/").content.decode()
    assert re.search(rf'/admin/accounts/user/{bob.pk}/change/">bob</a>\s*<b class="tag">banned</b>', text)
    assert re.search(r'">cem</a>\s*<b class="tag">suspended until ', text)
    members.lift(moderator=mo, member=cem, reason=WHY)
    assert {one["member"].username: one["standing"] for one in hints.shown(ann)["range"]}["cem"] == ()


def test_a_sanction_that_is_over_marks_nobody(mo, ann):
    members.mute(moderator=mo, member=ann, reason=WHY, until=clock.now() - timedelta(minutes=1))
    assert hints.standings([ann]) == {ann.pk: ()}


def test_moderators_see_who_sits_where_counted_from_one(mo, ann, bob):
    text = browser_of(mo).get(f"/admin/games/match/{seated(ann, bob).pk}/change/").content.decode()
    numbers = re.findall(r'class="field-seat_number">(\d+)<', text)
    assert numbers == ["1", "2"]
