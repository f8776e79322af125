"""The file of one's data tells of calendar and webhooks without what opens something elsewhere; of seats, one's own."""

import json
from random import Random

import pytest

from accounts.services.data_export import data_of, file_of
from games.models import Seat
from games.services.calendar import addresses
from games.services.people import personal_data
from games.services.webhooks import keeping
from tests.factories import play_on, seated

pytestmark = pytest.mark.outgrown


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


def test_a_seat_that_a_substitute_takes_while_the_file_is_made_is_theirs(ann, bob, cem, eve):
    """A file of many matches takes seconds, and its seats are read first: hidden dice and answers were in it."""
    match = seated(ann, bob, cem, game_slug="yam-menteur")
    own = list(Seat.objects.filter(user=ann))
    Seat.objects.filter(match=match, number=0).update(user=eve)
    play_on(match, Random(3), turns=8)
    (told,) = map(personal_data._seat, own)
    assert (told["moves"], told["table"]) == ([], None)
    (told,) = data_of(eve)["matches"]
    assert told["moves"] and told["table"]
