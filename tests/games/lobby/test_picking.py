"""Picking people: boxes for those one knows, a name that is typed, "Challenge" on profiles and after matches."""

import pytest

from accounts.models import Follow, User
from accounts.services import relationships
from games.forms.people import BOXES, picker
from games.models import Match
from games.queries.people import known_names
from tests.factories import browser_of, end, guest, member, opened, seated

FORM = {"game": "yum-extra", "size": "3", "access": "invitation", "pace": "3d", "option_scratch": "forced"}


@pytest.mark.outgrown
def test_followed_people_come_first_then_those_met_lately(ann, bob, cem, eve):
    Follow.objects.create(follower=ann, followed=eve)
    seated(ann, bob)
    seated(ann, cem)
    opened(bob)
    assert known_names(ann) == ["eve", "cem", "bob"]
    relationships.block(blocker=cem, blocked=ann)
    relationships.block(blocker=ann, blocked=eve)
    assert known_names(ann) == ["bob"]
    User.objects.filter(pk=bob.pk).update(is_active=False)
    assert known_names(ann) == []


def test_no_guest_is_proposed(ann, gus):
    seated(ann, gus, access="link")
    assert known_names(ann) == []


def test_several_values_and_a_typed_name_are_invited(ann, bob, cem, eve):
    browser = browser_of(ann)
    answer = browser.post("/play/new/", FORM | {"invited": ["bob", "cem", "EVE"]})
    assert answer.status_code == 302
    match = Match.objects.get()
    assert set(match.invitations.values_list("user__username", flat=True)) == {"bob", "cem", "eve"}
    for name in ("fay", "gil"):
        member(name)
    answer = browser.post(f"/matches/{match.pk}/invite/", {"name": ["fay", "gil", ""]})
    assert answer.status_code == 302
    assert match.invitations.count() == 5


def test_a_refusal_keeps_what_was_picked(ann, bob, cem):
    seated(ann, bob)
    page = browser_of(ann).post("/play/new/", FORM | {"invited": ["bob", "nobody-here"]})
    text = page.content.decode()
    assert page.status_code == 400 and "no member named nobody-here" in text
    assert 'value="bob" checked' in text and 'value="nobody-here"' in text
    table = opened(ann)
    page = browser_of(ann).post(f"/matches/{table.pk}/invite/", {"name": ["bob", "nobody-here"]})
    text = page.content.decode()
    assert page.status_code == 400 and 'value="bob" checked' in text and 'value="nobody-here"' in text


def test_eleven_are_too_many(ann):
    page = browser_of(ann).post("/play/new/", FORM | {"invited": [f"some{number}" for number in range(11)]})
    assert page.status_code == 400 and "Invite at most ten members." in page.content.decode()


def test_few_boxes_and_the_rest_by_typing():
    known = [f"name{number}" for number in range(BOXES + 3)]
    shown = picker(known, [known[-1].upper(), "Zoe"])
    assert [box["name"] for box in shown["boxes"]] == [known[-1], *known[:BOXES]]
    assert [box["ticked"] for box in shown["boxes"]] == [True] + [False] * BOXES
    assert (shown["typed"], shown["known"]) == ("Zoe", known[BOXES:])


def test_who_is_at_the_table_or_asked_is_not_proposed(ann, bob, cem):
    seated(ann, bob)
    seated(ann, cem)
    table = opened(ann, invited=[bob])
    text = browser_of(ann).get(f"/matches/{table.pk}/").content.decode()
    assert 'name="name" value="cem"' in text and 'name="name" value="bob"' not in text


def test_challenge_on_a_profile_opens_the_form_with_its_member(ann, bob):
    browser = browser_of(ann)
    page = browser.get("/people/bob/").content.decode()
    assert '/play/new/?invited=bob"' in page and "Challenge" in page
    form = browser.get("/play/new/?invited=bob&pace=7d&game=yay").content.decode()
    assert 'Challenge <span translate="no">bob' in form and 'value="bob" checked' in form
    assert 'name="access" value="invitation" checked' in form and 'name="pace" value="7d" checked' in form
    assert "?invited=bob&amp;pace=7d&amp;game=yum-extra" in form  # another game keeps with whom


@pytest.mark.parametrize("query", ["invited=nobody-here", "invited=ann", "invited=%00", "pace=x", "invited="])
def test_an_odd_address_is_the_plain_form(ann, query):
    page = browser_of(ann).get(f"/play/new/?{query}")
    assert page.status_code == 200 and "Open a table" in page.content.decode()


def test_a_blocked_member_is_not_challenged(ann, bob):
    relationships.block(blocker=ann, blocked=bob)
    assert "Challenge" not in browser_of(ann).get("/people/bob/").content.decode()
    assert "Challenge" not in browser_of(ann).get("/people/ann/").content.decode()


def test_challenge_after_a_match(ann, bob, gus):
    match = end(seated(ann, bob, gus, access="link"), [1, 2, 3])
    page = browser_of(ann).get(f"/matches/{match.pk}/").content.decode()
    assert "/play/new/?game=yum-extra&amp;pace=3d&amp;invited=bob" in page
    assert "invited=guest" not in page
    assert "/play/new/?game" not in browser_of(gus).get(f"/matches/{match.pk}/").content.decode()
    alone = end(seated(ann, guest("guest-emu-2"), access="link"), [1, 2])
    assert "/play/new/?game" not in browser_of(ann).get(f"/matches/{alone.pk}/").content.decode()


def test_a_visitor_comes_back_to_the_challenge(db):
    answer = browser_of().get("/play/new/?invited=bob&game=yay")
    assert answer.status_code == 302 and "invited%3Dbob" in answer.url
