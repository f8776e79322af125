"""What clubs know of a person: the export, and what a closed account leaves behind."""

import json

import pytest

from accounts.services.closing import close_account
from games.clubs.models import News
from games.clubs.personal_data import club_data
from games.clubs.services import joining, roles
from games.models import ChatLine, Membership
from games.services.people.personal_data import chat_data
from tests.clubs.arranged import INVITATION, REQUEST, made, said
from tests.factories import browser_of, member


@pytest.mark.outgrown
def test_the_export_has_all_that_is_ones_own(ann, bob, cem):
    own, asked, invites, out = (
        made(bob, ann, name="Own"),
        made(ann, name="Asked", access=REQUEST),
        made(ann, name="Invites", access=INVITATION),
        made(cem, bob, name="Out"),
    )
    joining.join(club_id=asked.pk, user=bob)
    joining.invite(club_id=invites.pk, user=ann, name="bob")
    roles.remove(club_id=out.pk, user=cem, member_id=bob.pk)
    said(own, bob, "my own words")
    said(own, ann, "other words")
    data = json.loads(json.dumps(club_data(bob)))
    assert [(one["club"], one["state"], one["role"]) for one in data["clubs"]] == [
        *(("Own", "in", "owner"), ("Out", "out", "member")),
        *(("Asked", "asked", "member"), ("Invites", "invited", "member")),
    ]
    assert {(one["club"], one["kind"]) for one in data["news_of_clubs"]} == {("Invites", "invited"), ("Out", "removed")}
    lines = json.loads(json.dumps(list(chat_data(bob)["chat"])))
    assert [(one["club"], one["match"], one["text"]) for one in lines] == [("Own", None, "my own words")]


@pytest.mark.outgrown
def test_a_closed_account_leaves_no_line_and_no_name(ann, bob):
    club = made(ann, bob)
    said(club, bob, "gone words")
    said(club, ann, "hello @bob and @bob2")
    close_account(user_id=bob.pk)
    assert [line.text for line in ChatLine.objects.all()] == ["hello @… and @bob2"]
    assert Membership.objects.get().user == ann
    assert "bob" not in str(list(News.objects.values()))


def test_profiles_show_listed_clubs_alone(client, ann, bob):
    made(ann, bob, name="Seen by all")
    made(bob, name="Secret", access=INVITATION)
    for browser in (client, browser_of(ann), browser_of(bob)):
        page = browser.get("/people/bob/").content.decode()
        assert "Seen by all" in page and "Secret" not in page


def test_the_home_page_says_what_waits(ann, bob):
    club = made(ann, access=REQUEST)
    assert "Dice at Dawn" not in browser_of(ann).get("/").content.decode()
    joining.join(club_id=club.pk, user=bob)
    assert "1 person asks to join the club Dice at Dawn" in browser_of(ann).get("/").content.decode()
    other = made(bob, name="Other", access=INVITATION)
    joining.invite(club_id=other.pk, user=bob, name="ann")
    assert "You are invited to the club Other" in browser_of(ann).get("/").content.decode()
    assert "Dice at Dawn" not in browser_of(member("zoe")).get("/").content.decode()
