"""The pages on which a sandbox is opened."""

import json

from django.core.files.uploadedfile import SimpleUploadedFile

from games.models import Match
from tests.factories import browser_of, member
from tests.games.records.arranged import record

PAGE = "/sandbox/"


def test_a_file_is_looked_at_and_then_played_on(ann, bob, over):
    browser, text = browser_of(ann), json.dumps(record(over), indent=1)
    looked = browser.post(PAGE, {"file": SimpleUploadedFile("club-y-1.json", text.encode())})
    assert looked.status_code == 200 and b"The record is sound" in looked.content
    assert not Match.objects.exclude(sandbox="").exists()
    answer = browser.post(PAGE, {"text": text, "step": "3", "kind": "bots", "level": "easy", "seat": ""})
    sandbox = Match.objects.exclude(sandbox="").get()
    assert answer["Location"] == f"/matches/{sandbox.pk}/"
    assert browser.get(answer["Location"]).status_code == 200
    assert sandbox.imported.source is None


def test_the_replay_leads_to_it(ann, over):
    browser = browser_of(ann)
    assert f"{PAGE}?match={over.pk}&amp;step=3" in browser.get(f"/matches/{over.pk}/replay/3/").content.decode()
    assert PAGE not in browser_of().get(f"/matches/{over.pk}/replay/3/").content.decode()
    page = browser.get(f"{PAGE}?match={over.pk}&step=3").content.decode()
    assert ('value="3"' in page and "known" in page) or "knows what was hidden" in page
    answer = browser.post(PAGE, {"match": over.pk, "step": "3", "kind": "alone"})
    assert answer.status_code == 302
    assert Match.objects.exclude(sandbox="").get().imported.source == over


def test_wrong_choices_are_told_beside_the_form(ann, over):
    for wrong in ({"step": "999"}, {"kind": "x"}, {"invited": "nobody-there", "kind": "friends"}, {"seat": "9"}):
        answer = browser_of(ann).post(PAGE, {"match": over.pk, "step": "1", "kind": "bots", "level": "easy"} | wrong)
        assert answer.status_code == 400, wrong
    assert not Match.objects.exclude(sandbox="").exists()


def test_a_post_that_comes_twice_opens_one(ann, over):
    browser = browser_of(ann)
    post = {"match": over.pk, "step": "1", "kind": "alone", "key": "a" * 20}
    first, second = browser.post(PAGE, post), browser.post(PAGE, post)
    assert first["Location"] == second["Location"]
    assert Match.objects.exclude(sandbox="").count() == 1
    assert member("zed").pk
