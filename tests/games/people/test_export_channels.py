"""The file of one's data tells of calendar and webhooks without what opens something elsewhere."""

import json

import pytest

from accounts.services.data_export import file_of
from games.services.calendar import addresses
from games.services.webhooks import keeping

pytestmark = pytest.mark.both


def test_a_calendar_is_there_without_its_address(ann):
    addresses.turn_on(user_id=ann.pk)
    token = addresses.token_of(ann)
    text = "".join(file_of(ann))
    assert [since[:2] for since in json.loads(text)["calendar_since"]] == ["20"]
    assert token not in text


def test_webhooks_are_there_without_address_and_secret(ann):
    secret = keeping.add(user_id=ann.pk, name="mine", format="json", address="https://hook.example/hidden")
    keeping.try_out(user_id=ann.pk, hook_id=ann.webhooks.get().pk)
    text = "".join(file_of(ann))
    (told,) = json.loads(text)["webhooks"]
    assert (told["name"], told["format"], [call["kind"] for call in told["calls"]]) == ("mine", "json", ["test"])
    assert secret not in text and "hook.example" not in text
