"""Writes by prepared statements: what Django's own would make of the same."""

import pytest

from config.lib import sql
from games.moderation.models import Report
from tests.factories import member


@pytest.mark.both
def test_what_an_instance_leaves_to_the_database_gets_its_default(db: None) -> None:
    """As does a column that is new in this release; one that is given is kept, in the same insert."""
    ann, bob = member("ann"), member("bob")
    about = {"reporter": ann, "member": bob, "reason": "x"}
    sql.insert([Report(**about, words=words, **more) for words, more in (("1", {}), ("2", {"answer": "y"}), ("3", {}))])
    found = Report.objects.order_by("words").values_list("words", "answer", "reply")
    assert list(found) == [("1", "", ""), ("2", "y", ""), ("3", "", "")]
