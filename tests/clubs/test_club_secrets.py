"""Tables and matches of a club are seen by its members alone, through every door; by nobody who has left."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import ChatLine, Club, Invitation, Match, Notice
from games.queries import people, play, seasons
from games.queries.play import seats_of
from games.queries.substitutes import deserted_seats
from games.services.chat import lines, mentions
from games.viewing import Viewing
from tests.clubs.arranged_for_play import club_match, club_of, club_table, removed
from tests.factories import browser_of, end, guest, member, moderator, seated

pytestmark = pytest.mark.django_db
NAME = "Dice at Dawn"


@pytest.fixture
def club(ann, bob, cem):
    return club_of(ann, bob, cem, name=NAME, access=Club.Access.INVITATION)


@pytest.fixture
def all_of_it(club, ann, bob):
    """An open table, a running match and one that ended."""
    return [club_table(club, ann, size=3), club_match(club, ann, bob), end(club_match(club, ann, bob), [1, 2])]


@pytest.fixture
def former(club, ann):
    """Somebody who belonged, was invited and wrote, and has been removed."""
    who = member("fay")
    club.memberships.create(user=who)
    table = club_table(club, ann, size=4)
    Invitation.objects.create(match=table, user=who)
    removed(club, who)
    table.delete()
    return who


@pytest.fixture
def outsiders(former, eve):
    return {"visitor": None, "guest": guest(), "stranger": eve, "former": former, "of another": _other(), "mo": _mo()}


def _other():
    who = member("otto")
    club_of(who, name="Night Owls")
    return who


def _mo():
    return moderator()


PAGES = ("/", "/play/", "/people/ann/", "/people/bob/?state=ended", "/people/ann/season/")
OWN = ("matches/", "matches/next/", "play/?fragment=1", "play/?fragment=standing", "mentions/")


def test_no_list_names_them_to_others(all_of_it, outsiders):
    for who, person in outsiders.items():
        browser = browser_of(person)
        for path in (*PAGES, *(f"/{one}" for one in OWN)):
            page = browser.get(path, follow=True).content.decode()
            assert NAME not in page, (who, path)
            for match in all_of_it:
                assert f"/matches/{match.pk}/" not in page, (who, path)


def test_lists_show_them_to_members(all_of_it, cem):
    browser = browser_of(cem)
    table, running, ended = all_of_it
    assert f"/matches/{table.pk}/" in browser.get("/play/").content.decode()
    assert "for members of “Dice at Dawn”" in browser.get("/play/").content.decode()
    listed = browser.get("/people/ann/").content.decode()
    assert f"/matches/{running.pk}/" in listed
    assert f"/matches/{ended.pk}/" in listed


def test_members_watch_and_read(all_of_it, cem):
    browser = browser_of(cem)
    for match in all_of_it:
        assert browser.get(f"/matches/{match.pk}/").status_code == 200
    ended = all_of_it[2].pk
    for part in ("replay/", "record.json", "log/", "chat/", "table/"):
        assert browser.get(f"/matches/{ended}/{part}").status_code in (200, 302), part
    answer = browser.post(f"/matches/{all_of_it[1].pk}/chat/say/", {"text": "well rolled"})
    assert answer.status_code == 302
    assert ChatLine.objects.get().channel == ChatLine.Channel.WATCHERS


def test_no_card_and_no_preview_even_for_members(all_of_it, ann, cem, eve):
    assert browser_of(cem).get(f"/matches/{all_of_it[2].pk}/card.png").status_code == 200  # of the result, with them
    assert browser_of(eve).get(f"/matches/{all_of_it[2].pk}/card.png").status_code == 404
    for match in all_of_it[:2]:
        for person in (None, ann, cem):
            assert browser_of(person).get(f"/matches/{match.pk}/card.png").status_code in (302, 404)
        page = browser_of(cem).get(f"/matches/{match.pk}/").content.decode()
        assert f"{match.pk}/card.png" not in page


@pytest.mark.outgrown
def test_reads_agree_with_the_door(all_of_it, outsiders, ann, bob, cem):
    insiders = {"ann": ann, "bob": bob, "cem": cem}
    for person in (*insiders.values(), *filter(None, outsiders.values())):
        visible = set(play.visible_to(person))
        for match in all_of_it:
            shown = Viewing(person, match, seats_of(match)).is_shown
            assert shown is (match in visible) is (person in insiders.values())
        assert all_of_it[0] in play.open_tables(person) or person not in insiders.values()
        assert all_of_it[0] not in play.open_tables(person) or person in insiders.values()
        theirs = people.matches_of(ann, person)
        assert (set(all_of_it[1:]) <= set(theirs)) is (person in insiders.values())
        shown = seasons.shown_to(person, ann).values_list("match", flat=True)
        assert (all_of_it[2].pk in shown) is (person in insiders.values())


def test_nobody_but_members_is_told_that_it_runs_for_everybody(all_of_it, cem, eve):
    assert all_of_it[1] not in play.running_in_public(cem)
    all_of_it[1].seats.filter(user__isnull=False).update(absent=True, bot="easy")
    assert not deserted_seats().exists()


def test_an_invitation_alone_opens_nothing(club, ann, eve):
    table = club_table(club, ann)
    Invitation.objects.create(match=table, user=eve)
    assert table not in play.visible_to(eve)
    assert table not in play.open_tables(eve)
    assert browser_of(eve).get(f"/matches/{table.pk}/").status_code == 404


def test_who_has_left_reads_no_mention(club, ann, bob, cem):
    match = club_match(club, ann, bob)
    lines.say(match=match, seats=seats_of(match), user=cem, text="hello")
    dora = member("dora")
    club.memberships.create(user=dora)
    line = lines.say(match=match, seats=seats_of(match), user=dora, text="@cem look")
    assert [one.line for one in mentions.unread(cem, 5)] == [line.pk]
    removed(club, cem)
    assert mentions.unread(cem, 5) == []
    assert not mentions.is_unread_mention(Notice.objects.get(user=cem))


def test_of_a_dissolved_club_a_match_is_seen_by_who_sits_there(all_of_it, club, ann, cem):
    club.delete()
    for match in all_of_it[1:]:
        assert browser_of(ann).get(f"/matches/{match.pk}/").status_code == 200
        assert browser_of(cem).get(f"/matches/{match.pk}/").status_code == 404
    assert set(play.visible_to(cem)) == set()


def test_moderators_see_none_that_was_not_reported(all_of_it):
    mo = browser_of(moderator())
    assert {mo.get(f"/matches/{match.pk}/").status_code for match in all_of_it} == {404}


def test_a_move_elsewhere_asks_for_no_club(ann, bob, eve):
    public, private = seated(ann, bob), seated(ann, bob, access=Match.Access.LINK)
    for match, person in ((public, eve), (public, ann), (private, ann)):
        with CaptureQueriesContext(connection) as asked:
            assert Viewing(person, match, seats_of(match)).is_shown
        assert "games_membership" not in str(asked.captured_queries)
