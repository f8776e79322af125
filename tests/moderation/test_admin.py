"""The admin of moderators: what they see and do there, what they never see, and what admins see."""

import re

import pytest
from django.test import Client

from accounts.models import User
from config.lib import clock
from games.models import Audit, ChatLine
from games.moderation import hints, reports
from games.moderation.models import Report, Trace
from games.queries.play import seats_of
from games.services.chat import lines
from games.services.play import moves
from tests.factories import WHY, browser_of, fresh, last_audit, member, opened, seat, seated, snapshot

LISTS = (
    "moderation/report",
    "moderation/audit",
    "moderation/sanction",
    "accounts/user",
    "games/match",
    "games/chatline",
)
ACT = "/admin/moderation/audit/act/"


@pytest.fixture
def match(ann, bob):
    match = seated(ann, bob)
    match.seats.filter(number=0).update(notes="secret notes")
    return match


@pytest.fixture
def report(match, ann, bob):
    line = lines.say(match=match, seats=seats_of(match), user=ann, text="very rude")
    return reports.report(reporter=bob, reason="insult", words="look at this", line=line)


def test_moderators_see_the_lists_and_pages(mo, report, match):
    browser = browser_of(mo)
    for address in LISTS:
        assert browser.get(f"/admin/{address}/").status_code == 200, address
    page = browser.get(f"/admin/moderation/report/{report.pk}/change/").content.decode()
    for words in ("very rude", "look at this", f"{ACT}?report={report.pk}"):
        assert words in page
    for address in (
        f"games/match/{match.pk}",
        f"accounts/user/{match.creator_id}",
        f"games/chatline/{report.line_id}",
    ):
        answer = browser.get(f"/admin/{address}/change/")
        assert answer.status_code == 200
        assert ACT in answer.content.decode()


def test_the_queue_shows_what_waits_first(mo, report, ann):
    closed = Report.objects.create(
        reporter=ann, member=ann, reason="spam", state="dismissed", closed_at=clock.now(), words="old"
    )
    browser = browser_of(mo)
    numbers = {
        query: browser.get(f"/admin/moderation/report/?{query}").context["cl"].result_count
        for query in ("", "state=all", "state=dismissed", "state=taken", "state=x")
    }
    assert numbers == {"": 1, "state=all": 2, "state=dismissed": 1, "state=taken": 0, "state=x": 1}
    assert closed.pk != report.pk


def test_members_and_visitors_are_let_in_nowhere(ann, match, report):
    before = snapshot()
    for browser in (browser_of(ann), browser_of()):
        for address in (
            ACT + f"?member={ann.pk}",
            f"/admin/games/match/{match.pk}/hidden/",
            *(f"/admin/{one}/" for one in LISTS),
        ):
            assert browser.get(address).status_code in (302, 403), address
            assert browser.post(address, {"deed": "ban", "reason": WHY}).status_code in (302, 403)
    after = snapshot()
    assert before["moderation.Audit"] == after["moderation.Audit"]
    assert User.objects.get(pk=ann.pk).is_active


def test_moderators_see_no_e_mail_and_cannot_find_one_out(mo, root, match, ann):
    browser = browser_of(mo)
    for address in (
        "/admin/accounts/user/",
        f"/admin/accounts/user/{ann.pk}/change/",
        "/admin/accounts/user/?q=ann",
    ):
        text = browser.get(address).content.decode()
        assert "ann" in text
        assert "@example.org" not in text
        assert "pbkdf2" not in text
    assert browser.get("/admin/accounts/user/?q=ann@example.org").context["cl"].result_count == 0
    assert browser_of(root).get("/admin/accounts/user/?q=ann@example.org").context["cl"].result_count == 1
    for query in (
        "accounts/user/?email__startswith=a",
        "accounts/user/?password__startswith=p",
        "games/match/?state__contains=a",
        "games/match/?server_seed__gt=a",
        "games/match/?seats__notes__contains=secret",
        "games/match/?token__startswith=a",
        "moderation/report/?member__email__startswith=a",
    ):
        assert browser.get(f"/admin/{query}").status_code in (302, 400), query
    for address in (
        "account/emailaddress/",
        "usersessions/usersession/",
        f"accounts/user/{ann.pk}/password/",
        "accounts/user/add/",
        "auth/group/",
    ):
        assert browser.get(f"/admin/{address}").status_code in (302, 403, 404), address


@pytest.mark.parametrize("query", ["timeout/?before__contains=a", "match/?draws=3", "mail/?error=x"])
def test_admins_ask_lists_only_what_their_filters_ask(root, match, query):
    assert browser_of(root).get(f"/admin/games/{query}").status_code == 400


def test_what_is_hidden_is_for_admins_and_each_look_is_noted(mo, root, match):
    address = f"/admin/games/match/{match.pk}/hidden/"
    assert browser_of(mo).get(address).status_code == 403
    assert browser_of(mo).post(address, {"reason": WHY}).status_code == 403
    admins = browser_of(root)
    page = admins.get(address)
    assert b"sheets" not in page.content
    assert not Audit.objects.exists()
    for reason in ("", "  "):
        assert b"sheets" not in admins.post(address, {"reason": reason}).content
    assert not Audit.objects.exists()
    assert b"sheets" in admins.post(address, {"reason": WHY}).content
    row = last_audit()
    assert (row.deed, row.moderator, row.match, row.reason) == ("look", root, match, WHY)
    assert admins.get("/admin/games/match/99999/hidden/").status_code == 404
    assert admins.get(f"/admin/games/match/{opened(root).pk}/hidden/").status_code == 404


def test_an_admin_who_plays_sees_nothing_hidden_of_that_match(root, ann):
    match = seated(root, ann)
    browser = browser_of(root)
    for answer in (
        browser.get(f"/admin/games/match/{match.pk}/hidden/"),
        browser.post(f"/admin/games/match/{match.pk}/hidden/", {"reason": WHY}),
    ):
        assert answer.status_code == 403
        assert "You play in this match" in answer.content.decode()
    assert not Audit.objects.exists()
    moves.resign(match_id=match.pk, user=ann)
    assert browser.get(f"/admin/games/match/{match.pk}/hidden/").status_code == 200


def test_from_report_to_deed(mo, report, match, ann, bob):
    browser = browser_of(mo)
    address = f"{ACT}?report={report.pk}"
    page = browser.get(address).content.decode()
    fitting = {"take", "settle", "dismiss", "warn", "mute", "suspend", "ban", "rename", "hide", "end", "time", "note"}
    fitting.add("links")
    assert set(re.findall(r"deed=(\w+)", page)) == fitting | {"replace"}
    assert browser.post(address, {"deed": "take", "reason": WHY}).status_code == 302
    assert browser.post(address, {"deed": "hide", "reason": WHY}).status_code == 302
    assert browser.post(address, {"deed": "mute", "reason": WHY, "days": "3"}).status_code == 302
    assert browser.post(address, {"deed": "replace", "reason": WHY, "seat": "0", "sure": "on"}).status_code == 302
    assert browser.post(address, {"deed": "settle", "reason": WHY}).status_code == 302
    assert ChatLine.objects.get().hidden
    assert seat(match, 0).left == 1
    assert [row.deed for row in Audit.objects.order_by("pk")] == ["take", "hide", "mute", "replace", "settle"]
    assert all(row.report == report and row.moderator == mo for row in Audit.objects.all())
    page = browser.get(f"/admin/moderation/report/{report.pk}/change/").content.decode()
    assert page.count(WHY) >= 5


@pytest.mark.thin(6)
@pytest.mark.parametrize(
    "post",
    [
        {},
        {"deed": ["ban", "x"], "reason": WHY, "sure": "on"},
        {"deed": "ban", "sure": "on"},
        {"deed": "ban", "reason": WHY},
        {"deed": "end", "reason": WHY},
        {"deed": "replace", "reason": WHY, "seat": "0"},
        {"deed": "lift", "reason": WHY},
        {"deed": "hide\0", "reason": WHY},
        {"deed": "ban", "reason": " ", "sure": "on"},
        {"deed": "ban", "reason": "\u202e", "sure": "on"},
        {"deed": "x", "reason": WHY},
        {"deed": "look", "reason": WHY},
        {"deed": "mute", "reason": WHY},
        {"deed": "mute", "reason": WHY, "days": "0"},
        {"deed": "mute", "reason": WHY, "days": "x"},
        {"deed": "time", "reason": WHY},
        {"deed": "time", "reason": WHY, "hours": "0"},
        {"deed": "time", "reason": WHY, "hours": "337"},
        {"deed": "rename", "reason": WHY, "name": "admin"},
        {"deed": "rename", "reason": WHY},
        {"deed": "void", "reason": WHY, "sure": "on"},
        {"deed": "replace", "reason": WHY, "seat": "9", "sure": "on"},
        {"deed": "replace", "reason": WHY, "sure": "on"},
        {"deed": "unhide", "reason": WHY},
    ],
)
def test_forms_that_are_not_right(mo, report, post):
    before = {name: rows for name, rows in snapshot().items() if "sessions" not in name.lower()}
    answer = browser_of(mo).post(f"{ACT}?report={report.pk}", post)
    assert answer.status_code in (400, 409)
    after = {name: rows for name, rows in snapshot().items() if "sessions" not in name.lower()}
    for name in (
        "moderation.Audit",
        "moderation.Sanction",
        "games.Match",
        "games.ChatLine",
        "moderation.Report",
    ):
        assert before[name] == after[name]


@pytest.mark.parametrize("query", ["", "report=0", "member=x", "match=" + "9" * 30, "line=%00", "report=1&member=99"])
def test_acting_on_nothing(mo, query):
    assert browser_of(mo).get(f"{ACT}?{query}").status_code == 404


def test_a_moderator_does_not_act_on_an_admin(mo, root):
    answer = browser_of(mo).post(f"{ACT}?member={root.pk}", {"deed": "propose", "reason": WHY, "sure": "on"})
    assert answer.status_code == 403
    assert User.objects.get(pk=root.pk).is_active


def test_the_audit_is_not_changed_by_anybody(root, report):
    Audit.objects.create(moderator=root, deed="take", reason=WHY, report=report)
    before = snapshot()["moderation.Audit"]
    browser = browser_of(root)
    number = before[0]["id"]
    for address in ("add/", f"{number}/change/", f"{number}/delete/", ""):
        data = {"action": "delete_selected", "_selected_action": [number], "post": "yes", "reason": "other"}
        assert browser.post(f"/admin/moderation/audit/{address}", data).status_code in (200, 302, 403)
    assert snapshot()["moderation.Audit"] == before
    assert browser.post(f"/admin/accounts/user/{root.pk}/delete/", {"post": "yes"}).status_code == 403


def visit(who: User, address: str, agent: str, table) -> None:
    client = Client(REMOTE_ADDR=address, HTTP_USER_AGENT=agent)
    client.force_login(who)
    assert client.post(f"/matches/{table.pk}/join/").status_code == 302


def test_hints_of_several_accounts(mo, ann, bob, cem, eve, clock):
    table = opened(member("zoe"), size=4)
    visit(ann, "203.0.113.7", "Firefox 1", table)
    visit(bob, "203.0.113.99", "Safari 2", table)
    visit(cem, "203.0.114.7", "Firefox 1", table)
    assert hints.sharing(ann, Trace.Kind.RANGE) == [bob]
    assert hints.sharing(ann, Trace.Kind.DEVICE) == [cem]
    assert hints.sharing(eve, Trace.Kind.RANGE) == []
    assert not any("203." in one.mark or "Firefox" in one.mark for one in Trace.objects.all())
    for _ in range(6):
        moves.resign(match_id=seated(ann, eve).pk, user=eve)
    assert hints.inseparable(ann) == [(eve, 6, 6)]
    assert hints.inseparable(bob) == []
    page = browser_of(mo).get(f"/admin/accounts/user/{ann.pk}/change/").content.decode()
    assert "6 of the last 6 matches" in page
    assert all(f">{name}</a>" in page for name in ("bob", "cem", "eve"))
    assert User.objects.filter(is_active=False).count() == 0
    clock.forward(8 * 86400)
    assert hints.sharing(ann, Trace.Kind.RANGE) == []
    assert hints.forget() == 6
    assert not Trace.objects.exists()


@pytest.mark.parametrize(
    ("address", "wide"),
    [
        ("203.0.113.7", "203.0.113.0/24"),
        ("2001:db8:1:2::7", "2001:db8:1::/48"),
        ("::ffff:203.0.113.7", "203.0.113.0/24"),
        ("x", ""),
        ("", ""),
    ],
)
def test_ranges(address, wide):
    assert hints.address_range(address) == wide


def test_pages_of_the_admin_speak_french_and_keep_the_policy(mo, report):
    User.objects.filter(pk=mo.pk).update(language="fr")
    browser = browser_of(mo)
    assert "Ferme le compte tout de suite" in browser.get(f"{ACT}?report={report.pk}").content.decode()
    answer = browser.get(f"{ACT}?report={report.pk}&deed=ban")
    assert "Le membre le lit. Gardé au registre, avec votre pseudo." in answer.content.decode()
    assert "unsafe" not in answer["Content-Security-Policy"]
    assert fresh(report.match).status == "running"


def test_a_device_that_many_have_is_no_hint(ann, bob):
    """Everybody's phone of the year says nothing; what only a few have does."""
    today = clock.now().date()
    for name in ("p1", "p2", "p3", "p4", "p5"):
        Trace.objects.create(member=member(name), kind="device", mark="usual", on=today)
    for person in (ann, bob):
        Trace.objects.create(member=person, kind="device", mark="usual", on=today)
    assert hints.sharing(ann, Trace.Kind.DEVICE) == []
    for person in (ann, bob):
        Trace.objects.create(member=person, kind="device", mark="odd", on=today)
    assert hints.sharing(ann, Trace.Kind.DEVICE) == [bob]
