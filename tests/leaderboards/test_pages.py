"""The pages of the leaderboards: for everybody, with Redis and without, in both languages, empty and full."""

import re
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from accounts.models import Follow
from accounts.services.closing import close_account
from config.lib import clock as present
from games.models import Match
from games.services.lobby import opening
from leaderboards import queries, ranks
from leaderboards.models import TeamResult
from leaderboards.ranks import Board
from leaderboards.seasons import season_of, seasons_between
from leaderboards.services import forget_team
from tests.factories import browser_of, end, member, placed, play_on, played, rated, seated

pytestmark = pytest.mark.django_db(transaction=True)

YUM = "/leaderboards/yum-extra/"


def lines(page) -> list[str]:
    """Return the words of each line of a board."""
    body = re.search(r"<tbody>(.*?)</tbody>", page.content.decode(), re.S)
    rows = re.findall(r"<tr.*?</tr>", body[1], re.S) if body else []
    return [re.sub(r"\s+", " ", strip_tags(re.sub(r"<", " <", row))).strip() for row in rows]


def names(page) -> list[tuple[str, str]]:
    """Return rank and name of each line."""
    return [(line.split()[0], line.split()[1]) for line in lines(page)]


@pytest.fixture(params=["redis", "database"])
def known(request):
    """Whether Redis has the boards, or the database is asked."""

    def build(*boards: Board):
        if request.param == "redis":
            for board in boards:
                ranks.build(board)

    return build


def test_the_first_address_leads_to_a_board():
    assert browser_of().get("/leaderboards/").headers["Location"] == YUM


@pytest.mark.parametrize("person", [False, True])
def test_nobody_is_ranked_yet(person):
    browser = browser_of(member("zoe")) if person else browser_of()
    for address in (YUM, f"{YUM}?season={season_of(present.now())}", f"{YUM}?who=followed"):
        page = browser.get(address)
        assert page.status_code == 200
        assert 'class="empty"' in page.content.decode()


def test_a_board(ann, bob, cem, known):
    placed(ann, 1601, matches=12)
    placed(bob, 1601, matches=9)
    placed(cem, 1399, matches=1234)
    known(Board("yum-extra", ""))
    page = browser_of().get(YUM)
    assert names(page) == [("1", "ann"), ("1", "bob"), ("3", "cem")]
    assert "1601 ?" in lines(page)[1]
    assert "?" not in lines(page)[0]
    assert 'id="me"' not in page.content.decode()
    mine = browser_of(bob).get(YUM).content.decode()
    assert mine.count('id="me"') == 1
    assert "Go to my rank" not in mine


def test_pages_and_the_way_to_oneself(ann, known):
    people = [member(f"m{number:03}") for number in range(120)]
    for number, person in enumerate(people):
        placed(person, 1700 - number)
    placed(ann, 1600)  # as m100 has
    known(Board("yum-extra", ""))
    browser = browser_of(ann)
    first = browser.get(YUM).content.decode()
    assert "Go to my rank" in first
    assert ("Go to my rank: 101" in first) == (ranks.page(Board("yum-extra", ""), 0, 1) is not None)
    assert 'rel="next"' in first
    assert 'rel="prev"' not in first
    answer = browser.get(f"{YUM}me/")
    assert answer.headers["Location"] == f"{YUM}?page=3#me"
    third = browser.get(f"{YUM}?page=3")
    assert {rank for rank, name in names(third) if name in ("ann", "m100")} == {"101"}
    assert 'rel="next"' not in third.content.decode()
    seen = [name for number in (1, 2, 3) for _rank, name in names(browser.get(f"{YUM}?page={number}"))]
    assert sorted(seen) == sorted(["ann", *(person.username for person in people)])
    beyond = browser.get(f"{YUM}?page=9")
    assert "has no such page" in beyond.content.decode()


def test_the_way_to_oneself_without_a_rating(ann):
    assert browser_of(ann).get(f"{YUM}me/").headers["Location"] == YUM
    assert "/accounts/login/" in browser_of().get(f"{YUM}me/").headers["Location"]


def test_those_one_follows(ann, bob, cem, eve, known):
    for person, points in ((ann, 1500), (bob, 1700), (cem, 1400), (eve, 1900)):
        placed(person, points)
    Follow.objects.create(follower=ann, followed=bob)
    Follow.objects.create(follower=ann, followed=cem)
    Follow.objects.create(follower=eve, followed=ann)
    known(Board("yum-extra", ""))
    assert names(browser_of(ann).get(f"{YUM}?who=followed")) == [("1", "bob"), ("2", "ann"), ("3", "cem")]
    assert browser_of(ann).get(f"{YUM}me/?who=followed").headers["Location"] == f"{YUM}?who=followed#me"
    assert len(names(browser_of().get(f"{YUM}?who=followed"))) == 4  # a visitor follows nobody: the whole


def test_seasons_are_kept(ann, bob, clock, known):
    match = played(ann, bob)
    old = season_of(match.ended_at)
    clock.forward(timedelta(days=100).total_seconds())
    played(bob, ann)
    now = season_of(present.now())
    known(Board("yum-extra", old), Board("yum-extra", now))
    browser = browser_of()
    assert names(browser.get(f"{YUM}?season={old}")) == [("1", "ann"), ("2", "bob")]
    assert [line.split()[1] for line in lines(browser.get(f"{YUM}?season={now}"))] == ["bob", "ann"]
    assert f"season={old}" in browser.get(YUM).content.decode()
    assert all("?" in line for line in lines(browser.get(f"{YUM}?season={old}")))


def test_a_season_begins_empty_and_the_last_one_is_kept(ann, bob, cem, clock, known):
    """Over the turn of a quarter: what ends in the new one counts there, whenever it began."""
    clock.forward((datetime(2027, 3, 31, 12, tzinfo=UTC) - present.now()).total_seconds())
    played(ann, bob)
    begun = rated(bob, cem)
    Follow.objects.create(follower=ann, followed=bob)
    clock.forward(13 * 3600)
    old, now = "2027-Q1", "2027-Q2"
    known(Board("yum-extra", old), Board("yum-extra", now))
    browser = browser_of(ann)
    fresh_season = browser.get(f"{YUM}?season={now}").content.decode()
    assert "Nobody is ranked here yet." in fresh_season
    assert 'aria-current="true">This season' in fresh_season
    assert "January to March 2027" in fresh_season
    circle = browser.get(f"{YUM}?season={now}&who=followed").content.decode()
    assert "Neither you nor those you follow have finished a rated match in this season." in circle
    end(begun, [1, 2])
    assert [line.split()[1] for line in lines(browser.get(f"{YUM}?season={now}"))] == ["bob", "cem"]
    assert [line.split()[1] for line in lines(browser.get(f"{YUM}?season={old}"))] == ["ann", "bob"]


def test_who_follows_nobody_that_played_of_late(ann, bob, clock):
    played(ann, bob)
    clock.forward(timedelta(days=120).total_seconds())
    text = browser_of(ann).get(f"{YUM}?who=followed").content.decode()
    assert "have played a rated match in the last 90 days" in text


def test_matches_and_wins_are_counted_each_for_itself(ann, bob):
    for _n in range(2):
        played(ann, bob)
    played(bob, ann)
    ann.language = "fr"
    ann.save()
    text = " ".join(lines(browser_of(ann).get(YUM)))
    assert "3 parties · 2 gagnées" in text
    assert "3 parties · 1 gagnée ·" in text


def test_the_guess_is_of_all_matches_not_of_the_season(ann, bob):
    placed(ann, 1500, matches=30)
    match = played(ann, bob)
    page = lines(browser_of().get(f"{YUM}?season={season_of(match.ended_at)}"))
    assert ["?" in line for line in page] == [False, True]


def test_a_season_without_matches_between_two_with(ann, bob, clock):
    first = season_of(played(ann, bob).ended_at)
    clock.forward(timedelta(days=200).total_seconds())
    empty = seasons_between(first, season_of(present.now()))[1]
    assert "No rated match was finished" in browser_of().get(f"{YUM}?season={empty}").content.decode()


@pytest.mark.thin(4)
@pytest.mark.parametrize(
    "address",
    [
        "/leaderboards/chess/",
        "/leaderboards/chess/me/",
        "/leaderboards/chess/teams/",
        f"{YUM}teams/",
        f"{YUM}?season=2026-Q5",
        f"{YUM}?season=1999-Q1",
        f"{YUM}?season=2099-Q1",
        f"{YUM}?season=%00",
        f"{YUM}?page=0",
        f"{YUM}?page=-1",
        f"{YUM}?page=x",
        f"{YUM}?page=",
        f"{YUM}?page=²",
        f"{YUM}?page=" + "9" * 5000,
        f"{YUM}me/?season=x",
    ],
)
def test_what_there_is_not(ann, address):
    assert browser_of(ann).get(address).status_code == 404


def test_a_board_is_only_read(ann):
    for address in ("/leaderboards/", YUM, f"{YUM}me/"):
        assert browser_of(ann).post(address).status_code == 405


def test_a_post_needs_nothing_of_the_board_and_its_queries_are_few(ann, known):
    for number in range(60):
        placed(member(f"m{number}"), 1400 + number)
    placed(ann, 1300)
    known(Board("yum-extra", ""))
    browser = browser_of(ann)
    browser.get(YUM)
    with CaptureQueriesContext(connection) as captured:
        browser.get(YUM)
    assert len(captured.captured_queries) <= 9, [query["sql"] for query in captured.captured_queries]


def test_redis_away(ann, bob, redis):
    """The real Redis stops: boards, the way to oneself and the end of a match go on."""
    placed(ann, 1510)
    match = rated(ann, bob)
    ranks.build(Board("yum-extra", ""))
    browser = browser_of(ann)
    redis.kill()
    try:
        assert names(browser.get(YUM)) == [("1", "ann")]
        end(match, [2, 1])
        assert [name for _rank, name in names(browser.get(YUM))] == ["bob", "ann"]
        assert browser.get(f"{YUM}me/").headers["Location"] == f"{YUM}#me"
    finally:
        redis.start()


def test_in_french(ann):
    placed(ann, 1510, matches=3)
    ann.language = "fr"
    ann.save()
    page = browser_of(ann).get(YUM).content.decode()
    for words in ("Classements", "Depuis toujours", "Cote", "3 parties · ", "provisoire", "vous"):
        assert words in page


@pytest.fixture
def together(monkeypatch, ann):
    """Yum EXTRA as a game that can be played together, for one score."""
    game = type(Match(game_slug="yum-extra").game)
    monkeypatch.setattr(game, "is_cooperative", lambda self, options: True)
    monkeypatch.setattr(game, "together", {"scratch": "forced"})


def team(*people, score: int, **wishes) -> Match:
    """Return a match that these played together to the end, with that score."""
    match = end(seated(*people, **wishes), [1] * len(people))
    TeamResult.objects.filter(match=match).update(score=score)
    return match


def test_the_best_teams(ann, bob, cem, together):
    team(ann, bob, score=12)
    team(bob, cem, score=15)
    private = team(ann, cem, score=12, access="link")
    page = browser_of().get(f"{YUM}teams/")
    assert [line.split()[:3] for line in lines(page)] == [
        ["1", "bob", "cem"],
        ["2", "ann", "bob"],
        ["2", "ann", "cem"],
    ]
    assert f"/matches/{private.pk}/" not in page.content.decode()
    assert 'aria-current="true">Best teams' in page.content.decode()
    forget_team(private)
    assert len(lines(browser_of().get(f"{YUM}teams/"))) == 2


def test_equal_teams_share_a_rank_over_the_edge_of_a_page(ann, bob, cem, eve, together, monkeypatch):
    monkeypatch.setattr(queries, "TEAMS_PER_PAGE", 2)
    for pair, score in (((ann, bob), 9), ((ann, cem), 7), ((bob, cem), 7), ((ann, eve), 7), ((bob, eve), 5)):
        team(*pair, score=score)
    pages = [lines(browser_of().get(f"{YUM}teams/?page={number}")) for number in (1, 2, 3)]
    assert [[line.split()[:3] for line in page] for page in pages] == [
        [["1", "ann", "bob"], ["2", "ann", "cem"]],
        [["2", "bob", "cem"], ["2", "ann", "eve"]],
        [["5", "bob", "eve"]],
    ]
    assert 'rel="next"' not in browser_of().get(f"{YUM}teams/?page=3").content.decode()


def test_a_team_keeps_its_place_when_a_member_goes(ann, bob, together):
    team(ann, bob, score=9)
    close_account(user_id=bob.pk)
    assert [line.split()[:4] for line in lines(browser_of().get(f"{YUM}teams/"))] == [["1", "ann", "former", "member"]]


def test_a_team_with_a_guest_is_on_no_board(together, ann, bob, gus):
    team(ann, gus, score=9, access="link")
    assert not TeamResult.objects.exists()
    team(ann, bob, score=9, access="link")
    assert TeamResult.objects.count() == 1


def test_no_team_yet(together):
    assert "No team has finished" in browser_of().get(f"{YUM}teams/").content.decode()
    assert "has no such page" in browser_of().get(f"{YUM}teams/?page=7").content.decode()


def test_a_team_plays_to_the_end_without_bots(ann, bob, together):
    first = play_on(seated(ann, bob), Random(3))
    assert TeamResult.objects.get().score == first.outcome["scores"][0]
    end(seated(ann, bob, bots=["easy"]), [1, 1, 1])
    match = opening.create_match(creator=ann, game_slug="yum-extra", size=2, bots=["easy"])
    end(match, [1, 1])
    assert TeamResult.objects.count() == 1


def test_competing_gives_no_team(ann, bob):
    played(ann, bob)
    assert not TeamResult.objects.exists()
