"""A match in which a decision is owed, and pages on which nothing changes by itself."""

import pytest

from config import clock as present
from games.models import Match
from games.post import Notice
from tests.factories import seated


@pytest.fixture
def waiting(ann, bob, clock):
    """A match in which somebody owes a decision for an hour, and what it began with is told."""
    match = seated(ann, bob)
    Notice.objects.all().delete()
    clock.forward(3600)
    return match


@pytest.fixture
def steady(monkeypatch):
    """What changes with every showing, whatever is shown: keys, tokens, the time, and the commitment."""
    at = present.now()
    monkeypatch.setattr("config.clock.now", lambda: at)
    monkeypatch.setattr("games.table.fresh_key", lambda: "the key")
    monkeypatch.setattr("games.views.showing.get_token", lambda request: "the token")
    monkeypatch.setattr("django.template.context_processors.get_token", lambda request: "the token")
    monkeypatch.setattr(Match, "commitment", "the commitment")
    monkeypatch.setattr("games.services.unsubscribing.token", lambda user_id, topics: "the token")
    monkeypatch.setattr("games.table.commit", lambda seed: "the commitment")
