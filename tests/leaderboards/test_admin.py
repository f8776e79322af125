"""Ratings in the admin are looked at, and changed by nobody."""

import pytest

from accounts.models import User
from leaderboards.models import RatingChange, Settlement, Standing
from leaderboards.services import unrate_match
from tests.factories import PASSWORD, browser_of, played, snapshot

MODELS = {"settlement": Settlement, "ratingchange": RatingChange, "standing": Standing}


@pytest.fixture
def admins(db):
    return browser_of(User.objects.create_superuser("root", "root@example.org", PASSWORD))


def test_the_pages(admins, ann, bob):
    unrate_match(played(ann, bob))
    for name, model in MODELS.items():
        address = f"/admin/leaderboards/{name}/"
        for query in ("", "?q=ann", "?q=1", "?q=%00", "?q=" + "9" * 100, "?o=1", "?p=7"):
            assert admins.get(address + query).status_code in (200, 302), query
        page = admins.get(f"{address}{model.objects.first().pk}/change/")
        assert page.status_code == 200
        assert 'name="_save"' not in page.content.decode()


def test_nothing_is_changed_there(admins, ann, bob):
    played(ann, bob)
    labels = [model._meta.label for model in MODELS.values()]
    before = [snapshot()[label] for label in labels]
    for name, model in MODELS.items():
        address = f"/admin/leaderboards/{name}/"
        pk = model.objects.first().pk
        data = {"rating": "9", "post": "yes", "action": "delete_selected", "_selected_action": [pk]}
        for path in ("", "add/", f"{pk}/change/", f"{pk}/delete/"):
            assert admins.post(address + path, data).status_code in (200, 302, 403)
        assert admins.get(f"{address}add/").status_code == 403
    assert [snapshot()[label] for label in labels] == before


def test_a_member_is_let_in_nowhere(ann, bob):
    played(ann, bob)
    for name in MODELS:
        assert browser_of(ann).get(f"/admin/leaderboards/{name}/").status_code in (302, 403, 404)
