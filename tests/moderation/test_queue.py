"""The queue of reports: oldest first and by person, taken by one, closed with an answer, reopened."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from accounts.models import User
from games.models import Audit, Mail
from games.moderation import queue, reports
from games.moderation.actions import perform
from games.moderation.models import Report
from games.services.refusals import Invalid
from tests.factories import WHY, browser_of, member, moderator, seated
from tests.mailing import night
from tests.moderation.test_admin import ACT

pytestmark = pytest.mark.outgrown


@pytest.fixture
def three(ann, bob, cem):
    """Ann is reported, then Bob, then Ann again."""
    of = [(bob, ann), (ann, bob), (cem, ann)]
    return [reports.report(reporter=by, reason="insult", words="rude", member=whom) for by, whom in of]


def shown(browser, query: str = "") -> list[int]:
    return [row.pk for row in browser.get(f"/admin/moderation/report/?{query}").context["cl"].result_list]


def test_what_waits_longest_is_first_with_all_about_the_same_person(mo, three, ann, cem):
    first, second, third = three
    browser = browser_of(mo)
    assert shown(browser) == [first.pk, third.pk, second.pk]
    assert "ann (2)" in browser.get("/admin/moderation/report/").content.decode()
    match = reports.report(reporter=cem, reason="spam", words="", match=seated(ann, cem))
    assert shown(browser) == [first.pk, third.pk, second.pk, match.pk]
    queue.set_state(moderator=mo, report=first, deed="settle", reason=WHY)
    assert shown(browser) == [second.pk, third.pk, match.pk]
    assert shown(browser, "state=all") == [match.pk, third.pk, second.pk, first.pk]


def test_a_report_is_one_moderators_until_another_takes_it_over(mo, three):
    first, *_others = three
    mia = moderator("mia")
    queue.set_state(moderator=mo, report=first, deed="take", reason=WHY)
    for deed in ("take", "settle", "dismiss"):
        with pytest.raises(Invalid, match="mo has taken this report"):
            queue.set_state(moderator=mia, report=first, deed=deed, reason=WHY)
    page = browser_of(mia).get(f"{ACT}?report={first.pk}").content.decode()
    assert "deed=over" in page
    assert "deed=settle" not in page
    assert "Taken by mo" in page
    queue.set_state(moderator=mia, report=first, deed="over", reason=WHY)
    queue.set_state(moderator=mia, report=first, deed="settle", reason=WHY)
    first.refresh_from_db()
    assert (first.state, first.taken_by) == ("settled", mia)


def test_all_about_a_person_are_closed_together_but_for_what_another_has(mo, three, ann):
    first, second, third = three
    fourth = reports.report(reporter=member("eli"), reason="spam", words="", member=ann)
    queue.set_state(moderator=moderator("mia"), report=fourth, deed="take", reason=WHY)
    browser = browser_of(mo)
    form = browser.get(f"{ACT}?report={first.pk}&deed=dismiss").content.decode()
    assert "The 2 other reports about this member that wait, too" in form
    post = {"deed": "dismiss", "reason": WHY, "together": "on", "reply": "known", "answer": "Patience."}
    assert browser.post(f"{ACT}?report={first.pk}", post).status_code == 302
    states = [Report.objects.get(pk=one.pk).state for one in (first, second, third, fourth)]
    assert states == ["dismissed", "open", "dismissed", "taken"]
    assert Audit.objects.filter(deed="dismiss").count() == 2


def test_a_closed_report_is_reopened_and_its_answer_is_gone(mo, three):
    first, *_others = three
    queue.set_state(moderator=mo, report=first, deed="settle", reason=WHY, answer="Done.")
    assert queue.mail_outcomes() == 1
    with pytest.raises(Invalid):
        queue.set_state(moderator=mo, report=first, deed="take", reason=WHY)
    mia = moderator("mia")
    assert "deed=reopen" in browser_of(mia).get(f"{ACT}?report={first.pk}").content.decode()
    queue.set_state(moderator=mia, report=first, deed="reopen", reason=WHY)
    first.refresh_from_db()
    assert (first.state, first.taken_by, first.closed_at, first.reply, first.answer) == ("taken", mia, None, "", "")
    assert queue.mail_outcomes() == 0
    queue.set_state(moderator=mia, report=first, deed="dismiss", reason=WHY)
    assert queue.mail_outcomes() == 1


def test_whose_night_it_is_holds_up_no_other_reporter(mo, three, bob, monkeypatch):
    monkeypatch.setattr(queue, "BATCH", 1)
    for report in three:
        queue.set_state(moderator=mo, report=report, deed="settle", reason=WHY)
    User.objects.filter(pk=three[0].reporter_id).update(**night())
    told = [queue.mail_outcomes() for _run in range(4)]
    waiting = Report.objects.filter(told_at=None).values_list("reporter", flat=True)
    assert set(waiting) == {three[0].reporter_id} and sum(told) == 3 - len(waiting)


def test_reporters_are_told_by_mail_and_on_a_page_in_their_language(mo, three, bob):
    first, second, _third = three
    User.objects.filter(pk=bob.pk).update(language="fr")
    page = browser_of(bob).get("/reports/").content.decode()
    assert "Il attend un modérateur" in page
    queue.set_state(moderator=mo, report=first, deed="settle", reason="secret reason", reply="acted", answer="Merci !")
    assert queue.mail_outcomes() == 1
    assert queue.mail_outcomes() == 0
    mail = Mail.objects.get(kind="report")
    for text in (mail.message["text"], browser_of(bob).get("/reports/").content.decode()):
        assert "Nous avons examiné" in text
        assert "Merci !" in text
        assert "secret" not in text
        assert "mo" not in text.split()
    assert mail.message["to"] == "bob@example.org"
    assert "ann" in browser_of(bob).get("/reports/").content.decode()
    assert second.reporter.username == "ann"
    assert "bob" in browser_of(second.reporter).get("/reports/").content.decode()
    assert browser_of().get("/reports/").status_code == 302


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("key", ["", "one-key"])
def test_of_two_moderators_at_once_one_takes_it(key):
    """With a key, one moderator's form is posted twice at once; without, two moderators press "Take"."""
    mo, mia, ann, bob = moderator(), moderator("mia"), member("ann"), member("bob")
    found = reports.report(reporter=bob, reason="insult", words="", member=ann)
    about = dict.fromkeys(("report", "appeal", "barred", "member", "match", "line")) | {"report": found}
    together = Barrier(2)

    def take(who: User) -> str:
        together.wait()
        try:
            perform("take", moderator=who, reason=WHY, about=about, key=key)
        except Invalid as refusal:
            return str(refusal)
        finally:
            connection.close()
        return "taken"

    with ThreadPoolExecutor(2) as pool:
        said = list(pool.map(take, (mo, mo) if key else (mo, mia)))
    assert Audit.objects.count() == 1
    assert said.count("taken") == (2 if key else 1)
    if not key:
        assert any("has taken this report" in words for words in said)
