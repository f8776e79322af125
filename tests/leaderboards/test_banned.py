"""Who is banned is on no board, from the database and from Redis alike, and comes back when it is lifted."""

import pytest

from accounts.models import User
from games.models import Match
from games.moderation import members
from leaderboards import queries, ranks
from leaderboards.models import TeamResult
from leaderboards.ranks import Board
from leaderboards.seasons import season_of
from tests.factories import WHY, browser_of, placed, played

pytestmark = [pytest.mark.outgrown, pytest.mark.django_db(transaction=True)]

YUM = Board("yum-extra", "")


def names(board: Board) -> list[tuple[int, str]]:
    return [(row.rank, row.standing.user.username) for row in queries.board_page(board, 1).rows]


@pytest.mark.parametrize("built", [False, True])
def test_who_is_banned_leaves_all_boards_and_comes_back(mo, ann, bob, cem, built):
    boards = [YUM, Board("yum-extra", season_of(played(ann, bob, cem).ended_at))]
    ranks.refresh()
    for board in boards:
        if built:
            ranks.build(board)
        assert names(board) == [(1, "ann"), (2, "bob"), (3, "cem")]
    members.ban(moderator=mo, member=ann, reason=WHY)
    for board in boards:
        assert "ann" not in [name for _rank, name in names(board)]
    ranks.refresh()
    for board in boards:
        assert names(board) == [(1, "bob"), (2, "cem")]
        assert queries.place_of(board, ann.pk) is None
    members.lift(moderator=mo, member=ann, reason=WHY)
    ranks.refresh()
    for board in boards:
        assert names(board) == [(1, "ann"), (2, "bob"), (3, "cem")]
        assert queries.place_of(board, ann.pk) == (1, 0)


def test_a_board_built_after_the_ban_knows_of_it(mo, ann, bob):
    played(ann, bob)
    members.ban(moderator=mo, member=ann, reason=WHY)
    ranks.build(YUM)
    assert names(YUM) == [(1, "bob")]
    assert queries.board_page(YUM, 1).total == 1


def test_a_ban_that_waited_for_an_address_counts_from_then_on(mo, ann, bob):
    """Its row is as old as the first ban: what is compared is who is banned, not since when."""
    played(ann, bob)
    sanction = members.ban(moderator=mo, member=bob, reason=WHY)
    type(sanction).objects.update(member=None, at="2020-01-01T00:00Z")
    ranks.build(YUM)
    ranks.refresh()
    assert len(names(YUM)) == 2
    type(sanction).objects.update(member=ann)
    ranks.refresh()
    assert ranks.page(YUM, 0, 9).total == 1


def test_a_closed_account_has_no_link(ann, bob):
    placed(ann, 1600)
    placed(bob, 1500)
    User.objects.filter(pk=ann.pk).update(is_active=False)
    html = browser_of().get("/leaderboards/yum-extra/").content.decode()
    assert '<b><span translate="no">ann</span></b>' in html.replace("\n", "")
    assert "/people/ann/" not in html
    assert "/people/bob/" in html


def test_a_team_keeps_the_name_of_a_closed_account_without_a_link(ann, bob):
    match = Match.objects.create(game_slug="yesss", rules_version=1, size=2, status="running", state=b"")
    for number, person in enumerate((ann, bob)):
        match.seats.create(number=number, user=person)
    TeamResult.objects.create(match=match, game_slug="yesss", score=9, at=match.created_at)
    User.objects.filter(pk=ann.pk).update(is_active=False)
    html = browser_of().get("/leaderboards/yesss/teams/").content.decode()
    assert "ann" in html
    assert "/people/ann/" not in html
    assert "/people/bob/" in html
