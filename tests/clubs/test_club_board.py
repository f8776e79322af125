"""The board of the season of a club: who may see it, whom it ranks and how, in which season and game."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from config.lib import clock
from games.models import Club
from games.moderation import members as moderated
from leaderboards.models import Settlement, Standing
from leaderboards.seasons import before, season_of
from tests.clubs.arranged_for_play import club_of, removed
from tests.factories import admin, browser_of, end, guest, member, rated

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_ranks_left")]


@pytest.fixture
def club(ann, bob, cem):
    return club_of(ann, bob, cem)


def standing(user, rating, season=None, game="yum-extra", **more) -> Standing:
    facts = {"matches": 3, "wins": 1, "last_active": clock.now()} | more
    season = season_of(clock.now()) if season is None else season
    return Standing.objects.create(user=user, game_slug=game, season=season, rating=rating, **facts)


def ranks(page) -> list[list[str]]:
    body = re.search(r"<tbody>(.*?)</tbody>", page.content.decode(), re.S)
    rows = re.findall(r"<tr.*?</tr>", body[1], re.S) if body else []
    return [strip_tags(row.replace("<", " <")).split()[:2] for row in rows]


@pytest.mark.parametrize("access", list(Club.Access))
def test_whom_it_is_shown_to(club, access, ann, cem, eve):
    Club.objects.update(access=access)
    for person in (None, guest(), eve):
        status = browser_of(person).get(f"/clubs/{club.pk}/board/").status_code
        assert (status == 200) is (access != Club.Access.INVITATION)
    removed(club, cem)
    assert (browser_of(cem).get(f"/clubs/{club.pk}/board/").status_code == 200) is (access != Club.Access.INVITATION)
    assert browser_of(ann).get(f"/clubs/{club.pk}/board/").status_code == 200
    club.memberships.create(user=eve, state="invited")
    assert (browser_of(eve).get(f"/clubs/{club.pk}/board/").status_code == 200) is (access != Club.Access.INVITATION)


def test_of_no_club_there_is_none(db):
    for number in (0, 999, 2**63, 10**30):
        assert browser_of(member(f"m{number % 97}")).get(f"/clubs/{number}/board/").status_code == 404


def test_members_alone_are_ranked_and_equals_share_a_rank(club, ann, bob, cem, eve):
    for one, rating in ((ann, 150000), (bob, 160000), (cem, 150000), (eve, 170000)):
        standing(one, rating)
    assert ranks(browser_of().get(f"/clubs/{club.pk}/board/")) == [["1", "bob"], ["2", "ann"], ["2", "cem"]]
    removed(club, bob)
    assert ranks(browser_of().get(f"/clubs/{club.pk}/board/")) == [["1", "ann"], ["1", "cem"]]


def test_banned_members_are_left_out(club, ann, bob):
    standing(ann, 150000)
    standing(bob, 160000)
    moderated.ban(moderator=admin(), member=bob, reason="x")
    assert ranks(browser_of().get(f"/clubs/{club.pk}/board/")) == [["1", "ann"]]


def test_results_count_wherever_they_were_played(club, ann, bob, eve):
    end(rated(ann, eve), [1, 2])
    assert ranks(browser_of().get(f"/clubs/{club.pk}/board/?game=yum-extra")) == [["1", "ann"]]


def test_earlier_seasons_and_other_games(club, ann, bob):
    last = before(season_of(clock.now()))
    match = end(rated(ann, bob), [1, 2])
    Settlement.objects.filter(match=match).update(season=last)
    Standing.objects.exclude(season="").update(season=last)
    address = f"/clubs/{club.pk}/board/?game=yum-extra&season="
    assert [name for _rank, name in ranks(browser_of().get(address + last))] == ["ann", "bob"]
    assert ranks(browser_of().get(f"/clubs/{club.pk}/board/?game=yum-extra")) == []
    standing(bob, 150000, game="yay")
    page = browser_of().get(f"/clubs/{club.pk}/board/")  # the game that most of the club play
    assert ranks(page) == [["1", "bob"]]
    assert page.context["game"].slug == "yay"


@pytest.mark.parametrize("query", ["game=x", "season=x", "season=1999-Q1", "season=", "page=0", "page=x", "page=1\x00"])
def test_junk_is_no_page(club, query):
    assert browser_of().get(f"/clubs/{club.pk}/board/?{query}").status_code == 404


def test_empty_states(club):
    assert "has finished a rated match of this game this season yet" in (
        browser_of().get(f"/clubs/{club.pk}/board/").content.decode()
    )
    assert "no such page" in browser_of().get(f"/clubs/{club.pk}/board/?page=7").content.decode()


def test_the_panel_shows_five(club, ann, eve):
    people = [member(f"n{number}") for number in range(7)]
    for place, one in enumerate(people):
        club.memberships.create(user=one)
        standing(one, 150000 + place)
    page = browser_of(eve).get(f"/clubs/{club.pk}/").content.decode()
    panel = page[page.index('id="club-board"') :].split("</section>", 1)[0]
    assert re.findall(r"/people/(n\d)/", panel) == ["n6", "n5", "n4", "n3", "n2"]
    assert "Tables of the club" not in page
    assert "Tournaments of the club" not in page
    page = browser_of(ann).get(f"/clubs/{club.pk}/").content.decode()
    assert "Tables of the club" in page
    assert "Tournaments of the club" in page


@pytest.mark.outgrown
def test_it_is_read_by_few_queries_whatever_the_size(club, ann):
    standing(ann, 150000)

    def asked() -> int:
        with CaptureQueriesContext(connection) as found:
            assert browser_of().get(f"/clubs/{club.pk}/board/?game=yum-extra").status_code == 200
        return len(found)

    few = asked()
    for number in range(60):
        one = member(f"n{number}")
        club.memberships.create(user=one)
        standing(one, 150000 + number, last_active=clock.now() - timedelta(days=number % 50))
    assert asked() <= few
    assert len(ranks(browser_of().get(f"/clubs/{club.pk}/board/?game=yum-extra&page=2"))) == 11
