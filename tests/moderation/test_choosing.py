"""Acting in two steps: what can be done here, then one deed with what it will do and what it asks for."""

import re
from urllib.parse import quote

import pytest

from accounts.models import User
from games.models import Audit, Match
from games.moderation import actions, reports
from games.moderation.models import Report, Sanction
from games.moderation.sanctions import REASONS
from games.queries.play import seats_of
from games.services.chat import lines
from games.services.play import moves
from tests.factories import WHY, browser_of, fresh, last_audit, opened, played, seated
from tests.moderation.test_admin import ACT

SURE = {"reason": WHY, "sure": "on"}


def offered(browser, about: str) -> set[str]:
    """Return the deeds that the page of choices offers."""
    return set(re.findall(r"[?&;]deed=(\w+)", browser.get(f"{ACT}?{about}").content.decode()))


def asked_for(page: str) -> set[str]:
    """Return the fields of the form of a deed."""
    return set(re.findall(r'name="(\w+)"', page)) - {"csrfmiddlewaretoken", "deed", "viewport", "robots", "key"}


@pytest.fixture
def report(ann, bob):
    match = seated(ann, bob)
    line = lines.say(match=match, seats=seats_of(match), user=ann, text="very rude")
    return reports.report(reporter=bob, reason="insult", words="look", line=line)


@pytest.mark.thin(3)
@pytest.mark.parametrize("deed", ["x", "look", "void", "unhide", "lift", "%00", "ban%20", "B" * 5000, quote("é<b>")])
def test_a_deed_that_does_not_fit_is_refused_in_words(mo, report, deed):
    browser = browser_of(mo)
    for answer in (
        browser.get(f"{ACT}?report={report.pk}&deed={deed}"),
        browser.post(f"{ACT}?report={report.pk}&deed={deed}", SURE),
    ):
        assert answer.status_code == 400
        text = answer.content.decode()
        assert "That cannot be done here" in text
        assert "deed=warn" in text
        assert "<b>é" not in text
    assert not Audit.objects.exists()


def test_what_is_for_good_is_ticked_first(mo, report, ann):
    browser = browser_of(mo)
    for deed, more in (("ban", {}), ("end", {}), ("replace", {"seat": "0"})):
        answer = browser.post(f"{ACT}?report={report.pk}&deed={deed}", {"reason": WHY, **more})
        assert answer.status_code == 400, deed
        assert "tick that you are sure" in answer.content.decode()
        assert WHY in answer.content.decode()
    assert not Audit.objects.exists()
    assert User.objects.get(pk=ann.pk).is_active
    assert fresh(report.match).status == Match.Status.RUNNING


@pytest.mark.thin(3)
@pytest.mark.parametrize(
    ("deed", "fields"),
    [
        ("take", {"reason"}),
        ("settle", {"reply", "answer", "reason"}),
        ("warn", {"usual", "reason"}),
        ("mute", {"usual", "days", "reason"}),
        ("suspend", {"usual", "days", "reason"}),
        ("ban", {"usual", "reason", "sure"}),
        ("rename", {"usual", "name", "reason"}),
        ("hide", {"reason"}),
        ("time", {"hours", "reason"}),
        ("replace", {"seat", "reason", "sure"}),
        ("end", {"reason", "sure"}),
    ],
)
def test_a_deed_asks_for_what_it_needs(mo, report, deed, fields):
    page = browser_of(mo).get(f"{ACT}?report={report.pk}&deed={deed}").content.decode()
    assert asked_for(page) - {"next", "theme"} == fields
    assert str(actions.CHOICES[deed].does).partition("’")[0] in page
    assert not Audit.objects.exists()


def test_who_is_banned_is_said(mo, report):
    page = browser_of(mo).get(f"{ACT}?report={report.pk}&deed=ban").content.decode()
    assert "<h1>Ban ann</h1>" in page
    assert "I am sure: “Ban ann”" in page
    assert re.search(r"<button[^>]*>Ban ann</button>", page)


def test_a_ban_step_by_step(mo, report, ann):
    browser = browser_of(mo)
    answer = browser.post(f"{ACT}?report={report.pk}&deed=ban", SURE, follow=True)
    assert answer.redirect_chain == [(f"{ACT}?report={report.pk}", 302)]
    text = answer.content.decode()
    assert "Ban ann: done and recorded." in text
    assert '<b class="tag">banned</b>' in text
    assert last_audit().deed == "ban"
    assert not User.objects.get(pk=ann.pk).is_active
    assert offered(browser, f"member={ann.pk}") == {"lift", "rename", "note", "links"}
    for deed in ("ban", "mute", "warn"):
        assert browser.post(f"{ACT}?member={ann.pk}", SURE | {"deed": deed, "days": "1"}).status_code == 400


def test_a_closed_report_leads_back_to_the_queue(mo, report):
    browser = browser_of(mo)
    answer = browser.post(f"{ACT}?report={report.pk}&deed=settle", {"reason": WHY})
    assert (answer.status_code, answer["Location"]) == (302, "/admin/moderation/report/")
    assert Report.objects.get().state == "settled"
    assert not offered(browser, f"report={report.pk}") & {"take", "settle", "dismiss"}


def test_a_match_offers_what_can_become_of_it(mo, ann, bob, cem):
    browser = browser_of(mo)
    assert offered(browser, f"match={opened(ann).pk}") == {"end"}
    assert offered(browser, f"match={seated(ann, bob).pk}") == {"time", "replace", "end"}
    assert offered(browser, f"match={seated(ann, bob, rated=True).pk}") == {"time", "replace", "end", "void"}
    ended = seated(ann, bob)
    moves.resign(match_id=ended.pk, user=ann)
    assert offered(browser, f"match={ended.pk}") == {"void"}
    counted = played(ann, bob, cem)
    assert offered(browser, f"match={counted.pk}") == {"void"}
    assert browser.post(f"{ACT}?match={counted.pk}&deed=void", SURE).status_code == 302
    assert offered(browser, f"match={counted.pk}") == set()
    assert "There is nothing to do here" in browser.get(f"{ACT}?match={counted.pk}").content.decode()


def test_lifting_is_offered_while_something_holds(mo, ann):
    browser = browser_of(mo)
    assert browser.post(f"{ACT}?member={ann.pk}&deed=mute", {"reason": WHY, "days": "2"}).status_code == 302
    assert "lift" in offered(browser, f"member={ann.pk}")
    assert browser.post(f"{ACT}?member={ann.pk}&deed=lift", {"reason": WHY}).status_code == 302
    assert "lift" not in offered(browser, f"member={ann.pk}")


def test_a_usual_reason_is_read_in_the_member_s_language(mo, ann):
    about = f"{ACT}?member={ann.pk}&deed=warn"
    browser = browser_of(mo)
    assert "usual" in asked_for(browser.get(about).content.decode())
    assert "usual" not in asked_for(browser.get(f"{ACT}?member={ann.pk}&deed=note").content.decode())
    browser.post(about, {"deed": "warn", "usual": REASONS[0], "reason": "In match 7."})
    assert last_audit().reason == f"{REASONS[0]}\nIn match 7."
    User.objects.filter(pk=ann.pk).update(language="fr")
    page = browser_of(ann).get("/").content.decode()
    assert "Avertissement d’un modérateur" in page
    assert "In match 7." in page
    assert REASONS[0] not in page


def test_a_sanction_needs_a_reason_of_either_kind(mo, ann):
    about = f"{ACT}?member={ann.pk}&deed=mute"
    browser = browser_of(mo)
    nothing = browser.post(about, {"deed": "mute", "days": "3"})
    assert (nothing.status_code, Sanction.objects.count()) == (400, 0)
    assert "Say why, or choose a usual reason." in nothing.content.decode()
    assert browser.post(about, {"deed": "mute", "days": "3", "usual": "made up"}).status_code == 400
    assert browser.post(about, {"deed": "mute", "days": "3", "usual": REASONS[2]}).status_code == 302
    assert Sanction.objects.get().reason == REASONS[2]
