"""What ladders know of a person: the export, and what stays when the account is closed."""

import json

import pytest

from accounts.services.closing import close_account
from games.ladders.models import Challenge, Change, Climber, News
from games.ladders.personal_data import ladder_data
from tests.ladders.arranged import challenged, joined, play


@pytest.mark.outgrown
def test_the_export_has_all_that_is_ones_own(ann, bob):
    joined([ann, bob])
    made = play(bob, ann)
    (found,) = json.loads(json.dumps(ladder_data(bob)))["ladders"]
    assert (found["game"], found["place"], found["matches_at_once"]) == ("yum-extra", 1, 3)
    assert found["challenges"] == [
        {
            "made_by_you": True,
            "other": "ann",
            "at": made.made_at.isoformat(),
            "state": "won",
            "match": made.match_id,
        }
    ]
    assert [(one["kind"], one["from"], one["to"]) for one in found["changes"]] == [("joined", None, 2), ("won", 2, 1)]
    assert ladder_data(ann)["ladders"][0]["challenges"][0]["made_by_you"] is False


@pytest.mark.outgrown
def test_a_closed_account_leaves_no_name(ann, bob):
    joined([ann, bob])
    play(bob, ann)
    challenged(ann, bob)
    close_account(user_id=bob.pk)
    assert ladder_data(ann)["ladders"][0]["challenges"][0]["other"] is None
    for model in (Climber, Challenge, Change, News):
        assert "bob" not in str(list(model.objects.values()))
