"""Bots of members have a board of their own, in Redis and without, and stand on nobody else's."""

import pytest

from games.competitions.models import Tournament
from games.models import Match
from games.moderation import members
from leaderboards import championships, queries, ranks, services
from leaderboards.models import Championship, Qualified, TeamResult
from leaderboards.ranks import Board
from leaderboards.seasons import season_of
from tests.competitions.arranged import announced
from tests.factories import WHY, admin, bot_of, browser_of, committed, end, member, moderator, placed, rated

PEOPLE, BOTS = Board("yum-extra", ""), Board("yum-extra", "", bots=True)

pytestmark = [pytest.mark.outgrown, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def played():
    """Bob has won against Ann's bot, and Cem against Bob."""
    ann, bob, cem = (member(name) for name in ("ann", "bob", "cem"))
    bot = bot_of(ann)
    committed(end, match=rated(bob, bot, takes_bots=True), places=[1, 2])
    committed(end, match=rated(bob, cem), places=[2, 1])
    return ann, bob, cem, bot


def names(board: Board) -> list[str]:
    return [row.standing.user.username for row in queries.board_page(board, 1).rows]


def check(bot) -> None:
    assert names(BOTS) == ["eager-bot"] and sorted(names(PEOPLE)) == ["bob", "cem"]
    assert queries.place_of(BOTS, bot.pk).rank == 1 and queries.place_of(PEOPLE, bot.pk) is None
    season = season_of(Match.objects.first().ended_at)
    assert names(BOTS._replace(season=season)) == ["eager-bot"]


def test_with_redis_and_without(played):
    *_people, bot = played
    check(bot)
    ranks.refresh()
    assert ranks.page(BOTS, 0, 50).total == 1 and ranks.page(PEOPLE, 0, 50).total == 2
    check(bot)


def test_a_set_that_is_there_follows_a_match(played):
    _ann, bob, _cem, bot = played
    for board in (BOTS, PEOPLE):
        ranks.page(board, 0, 1)
    ranks.refresh()
    before = queries.board_page(BOTS, 1).rows[0].standing.rating
    committed(end, match=rated(bob, bot, takes_bots=True), places=[2, 1])
    assert queries.board_page(BOTS, 1).rows[0].standing.rating > before
    assert ranks.page(BOTS, 0, 50).ranked == [(bot.pk, 1)]
    assert bot.pk not in [number for number, _rank in ranks.page(PEOPLE, 0, 50).ranked]


def test_the_bots_of_who_is_banned_are_on_no_board(played):
    ann, *_others = played
    ranks.page(BOTS, 0, 1)
    ranks.refresh()
    committed(members.ban, moderator=moderator(), member=ann, reason=WHY)
    ranks.refresh()
    assert names(BOTS) == []


def test_both_ratings_change(played):
    _ann, bob, _cem, bot = played
    changes = queries.changes_of(Match.objects.order_by("pk").first())
    assert [(row.user_id, row.delta > 0) for row in changes] == [(bob.pk, True), (bot.pk, False)]


def test_the_page_and_the_profile(played):
    *_people, bot = played
    browser = browser_of()
    page = browser.get("/leaderboards/yum-extra/bots/").content.decode()
    assert "eager-bot" in page and "Bot of ann" in page and ">bob<" not in page and ">cem<" not in page
    assert "eager-bot" not in browser.get("/leaderboards/yum-extra/").content.decode()
    assert browser.get("/leaderboards/none/bots/").status_code == 404
    assert "No bot is ranked" in browser.get("/leaderboards/yay/bots/").content.decode()
    profile = browser.get(f"/people/{bot.username}/").content.decode()
    assert "/people/ann/" in profile and "Bot of ann" in profile
    assert f"/people/{bot.username}/" in browser.get("/people/ann/").content.decode()


def test_championships_are_for_people(played):
    _ann, bob, _cem, bot = played
    season = "2026-Q1"
    for one in (bob, bot):
        placed(one, 1800, season=season)
    championship = Championship.objects.create(
        game_slug="yum-extra", season=season, tournament=announced(admin(), access=Tournament.Access.PUBLIC)
    )
    championships._qualify(championship.pk)
    assert list(Qualified.objects.values_list("user", flat=True)) == [bob.pk]


def test_teams_are_of_people(played, monkeypatch):
    match = Match.objects.order_by("pk").first()
    monkeypatch.setattr(type(match.game), "is_cooperative", lambda self, options: True)
    match.ending = Match.Ending.PLAYED
    services.record_team(match, list(match.seats.all()))
    assert not TeamResult.objects.exists()
