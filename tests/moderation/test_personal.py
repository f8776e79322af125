"""What chat and moderation hold about a person: in the file of their data, and gone with their account."""

import json

import pytest

from games.chat import ChatLine
from games.moderation import matches, personal, reports, services
from games.moderation.models import Audit, Report
from games.queries import seats_of
from games.services import chat, spoken
from tests.games.playing import seated, snapshot
from tests.moderation.conftest import WHY

pytestmark = pytest.mark.both


@pytest.fixture
def talk(ann, bob, mo):
    """Ann, who is soon called Anemone, talks, is called, reported, renamed and hidden."""
    services.rename(moderator=mo, member=ann, reason=WHY, name="Anemone")
    match = seated(ann, bob)
    line = chat.say(match=match, seats=seats_of(match), user=ann, text="I am Anemone")
    chat.say(match=match, seats=seats_of(match), user=bob, text="@anemone @Anemonefish x@Anemone.org")
    chat.mute(user=ann, line=ChatLine.objects.get(user=bob), wish=True)
    reports.report(reporter=bob, reason="spam", words="look at Anemone", line=line)
    reports.report(reporter=ann, reason="other", words="it was not me", member=bob)
    matches.hide(moderator=mo, line=line, reason="anemone was rude")
    return ann


def whole(data: dict) -> dict:
    """Return the data as the file has them, iterators read."""
    return json.loads(json.dumps({name: list(rows) for name, rows in data.items()}))


def test_it_is_in_the_file(talk):
    said = whole(spoken.chat_data(talk))
    assert [line["text"] for line in said["chat"]] == ["I am Anemone"]
    assert said["muted"] == ["bob"]
    held = whole(personal.moderation_data(talk))
    assert [row["words"] for row in held["reports_made"]] == ["it was not me"]
    assert [row["kind"] for row in held["sanctions"]] == ["renaming"]
    assert "look at" not in json.dumps(held)


def test_it_is_gone_with_the_account(talk, bob):
    spoken.forget_lines(talk)
    personal.forget_member(talk)
    talk.delete()
    assert [line.text for line in ChatLine.objects.all()] == ["@… @Anemonefish x@Anemone.org"]
    assert {(row.state, row.words, row.said) for row in Report.objects.all()} == {
        ("dismissed", "", ""),
        ("open", "", ""),
    }
    assert {(row.deed, row.reason) for row in Audit.objects.all()} == {
        ("rename", WHY),
        ("hide", "… was rude"),
    }
    ChatLine.objects.all().delete()
    left = {name: rows for name, rows in snapshot().items() if "anemone" in str(rows).lower()}
    assert left == {}
