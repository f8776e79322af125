"""Reports of a tournament's name and words: who may make them, what moderators see, and what they change."""

import pytest

from games.competitions.models import Correction, Tournament
from games.competitions.services import correcting
from games.models import Audit
from games.moderation.models import Report
from games.services.refusals import Invalid, NotYours
from tests.competitions.arranged import announced, begun, now, organiser, people, play_to_the_end
from tests.factories import browser_of, guest, moderator
from tests.games.play.addresses import sentence

pytestmark = pytest.mark.django_db
BAD = {"reason": "insult", "words": "Look at that name"}


@pytest.fixture
def contest():
    return announced(organiser(), name="Rude Cup", words="Rude words")


def test_a_tournament_is_reported_with_what_it_said_then(contest, ann):
    browser = browser_of(ann)
    assert f"/report/?tournament={contest.pk}" in browser.get(f"/tournaments/{contest.pk}/").content.decode()
    page = sentence(browser.get(f"/report/?tournament={contest.pk}"))
    assert "Report a tournament" in page and "Rude Cup" in page and "Rude words" in page
    assert browser.post(f"/report/?tournament={contest.pk}", BAD)["Location"] == "/tournaments/"
    report = Report.objects.get()
    assert (report.tournament, report.member, report.said) == (contest, contest.organiser, "Rude Cup\n\nRude words")
    browser.post(f"/report/?tournament={contest.pk}", BAD | {"words": "And once more"})
    assert Report.objects.count() == 1
    assert "tournament: Rude Cup" in sentence(browser.get("/reports/"))


def test_who_may_not_see_it_cannot_report_it_nor_learns_that_it_is_there(ann):
    contest = announced(organiser(), access="link")
    for number in (contest.pk, 10**6):
        assert browser_of(ann).get(f"/report/?tournament={number}").status_code == 404
    assert browser_of(ann).get(f"/report/?tournament={contest.pk}&token={contest.token}").status_code == 200
    assert browser_of(ann).post(f"/report/?tournament={contest.pk}&token={contest.token}", BAD).status_code == 302


def test_neither_visitors_nor_guests_nor_its_organiser(contest):
    path = f"/report/?tournament={contest.pk}"
    assert browser_of().post(path, BAD).status_code == 302
    assert browser_of(guest()).post(path, BAD).status_code == 403
    assert browser_of(contest.organiser).post(path, BAD).status_code == 400
    assert not Report.objects.exists()
    assert (
        "/report/?tournament" not in browser_of(contest.organiser).get(f"/tournaments/{contest.pk}/").content.decode()
    )


def test_the_queue_shows_it_and_leads_to_where_it_is_changed(contest, ann, mo):
    browser_of(ann).post(f"/report/?tournament={contest.pk}", BAD)
    browser = browser_of(mo)
    assert "Rude Cup" in browser.get("/admin/moderation/report/").content.decode()
    page = browser.get(f"/admin/moderation/report/{Report.objects.get().pk}/change/").content.decode()
    assert f"/tournaments/{contest.pk}/manage/" in page and "Rude words" in page
    change = {"deed": "amend", "name": "A cup", "words": "", "reason": "Insults"}
    assert browser.post(f"/tournaments/{contest.pk}/manage/", change).status_code == 302
    assert (now(contest).name, now(contest).words) == ("A cup", "")
    told = sentence(browser_of().get(f"/tournaments/{contest.pk}/"))
    assert "A moderator has changed the name or the description." in told and "Insults" in told
    assert "Rude" not in told
    audit = Audit.objects.get(deed=Audit.Deed.CONTEST)
    assert audit.details.startswith("Rude Cup (") and audit.reason == "Insults"


def test_moderators_alone_change_it_in_any_state_and_with_a_reason(mo):
    olga = organiser()
    contest = play_to_the_end(begun(olga, people(2)))
    about = {"tournament_id": contest.pk, "name": "Other", "words": ""}
    with pytest.raises(NotYours):
        correcting.amend(user=olga, reason="mine", **about)
    for wrong in ({"reason": " "}, {"reason": "x", "name": ""}):
        with pytest.raises(Invalid):
            correcting.amend(user=mo, **about | wrong)
    assert not Correction.objects.filter(kind="amended").exists()
    assert "Change the name" not in sentence(browser_of(olga).get(f"/tournaments/{contest.pk}/manage/"))
    correcting.amend(user=mo, reason="Insults", **about)
    assert Tournament.objects.get().name == "Other"


def test_the_site_s_own_has_nobody_who_is_reported(ann):
    contest = announced(moderator())
    Tournament.objects.update(organiser=None)
    browser_of(ann).post(f"/report/?tournament={contest.pk}", BAD)
    assert Report.objects.get().member is None
