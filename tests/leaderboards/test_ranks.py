"""Ranks in Redis and from the database: the same, whatever is missing, stale, away or changing."""

from random import Random

import pytest

from accounts.models import Follow
from leaderboards import queries, ranks
from leaderboards.models import Settlement, Standing
from leaderboards.ranks import Board
from leaderboards.seasons import season_of
from leaderboards.services import unrate_match
from tests.factories import end, member, placed, played, rated

pytestmark = [pytest.mark.outgrown, pytest.mark.django_db(transaction=True)]

YUM = Board("yum-extra", "")
DAY = 86_400


@pytest.fixture
def crowd(db):
    """120 members with many equal ratings."""
    rng = Random(20261128)
    people = [member(f"m{number:03}") for number in range(120)]
    for person in people:
        placed(person, rng.randint(1490, 1510), matches=rng.randint(1, 30))
    return people


def whole(board: Board = YUM) -> list[tuple[int, int]]:
    """Return rank and member of every line, page after page."""
    found, number = [], 1
    while True:
        page = queries.board_page(board, number)
        found += [(row.rank, row.standing.user_id) for row in page.rows]
        if not page.has_next:
            return found
        number += 1


def true_ranks(board: Board = YUM) -> list[tuple[int, int]]:
    rows = sorted(ranks.listed(board).values_list("rating", "user_id"), key=lambda row: (-row[0], row[1]))
    return [(1 + sum(other > points for other, _user in rows), user) for points, user in rows]


def is_known(board: Board = YUM) -> bool:
    """Return whether Redis would answer for the board."""
    return ranks.page(board, 0, 1) is not None


def test_a_missing_board_is_read_from_the_database_and_built_by_the_next_sweep(crowd):
    assert not is_known()
    assert whole() == true_ranks()
    assert ranks.refresh() == 1
    assert is_known()
    assert whole() == true_ranks()
    assert queries.board_page(YUM, 1).total == 120
    assert ranks.refresh() == 0


def test_both_say_the_same_of_everybody(crowd):
    by_database = {person.pk: queries.place_of(YUM, person.pk) for person in crowd}
    ranks.build(YUM)
    assert is_known()
    assert {person.pk: queries.place_of(YUM, person.pk) for person in crowd} == by_database
    lines = whole()
    for person in crowd:
        place = by_database[person.pk]
        assert lines[place.position] == (place.rank, person.pk)


def test_equal_ratings_share_a_rank_over_the_edge_of_a_page(db):
    people = [member(f"m{number:03}") for number in range(queries.PER_PAGE + 5)]
    for person in people:
        placed(person, 1500)
    for _ in range(2):
        assert whole() == [(1, person.pk) for person in people]
        ranks.build(YUM)
    placed(member("worse"), 1499)
    ranks.build(YUM)
    assert whole()[-1][0] == len(people) + 1


def test_a_change_shows_at_once(crowd, ann, bob):
    placed(ann, 1500)
    placed(bob, 1500)
    ranks.build(YUM)
    assert queries.place_of(YUM, ann.pk).rank > 1
    Standing.objects.filter(user=ann).update(rating=1515_00)
    match = end(rated(ann, bob), [1, 2])
    assert is_known()
    assert queries.place_of(YUM, ann.pk) == (1, 0)
    assert whole() == true_ranks()
    unrate_match(match)
    assert whole() == true_ranks()


def test_a_member_with_no_match_left_leaves_the_board(crowd, ann, bob):
    ranks.build(YUM)
    match = played(ann, bob)
    assert queries.place_of(YUM, ann.pk) is not None
    unrate_match(match)
    for _ in range(2):
        assert queries.place_of(YUM, ann.pk) is None
        assert ann.pk not in [user for _rank, user in whole()]
        ranks.redis().flushdb()


def test_who_was_away_for_ninety_days_is_left_out_and_comes_back(crowd, ann, bob, clock):
    match = played(ann, bob)
    season = Board("yum-extra", season_of(match.ended_at))
    ranks.build(YUM)
    clock.forward(89 * DAY)
    ranks.refresh()
    assert queries.place_of(YUM, ann.pk) is not None
    clock.forward(2 * DAY)
    assert not is_known()  # of yesterday: stale
    assert whole() == []
    ranks.refresh()
    assert is_known()
    assert queries.place_of(YUM, ann.pk) is None
    assert whole() == []
    assert queries.place_of(season, ann.pk) is not None  # a season is for good
    played(ann, bob)
    assert is_known()
    assert [user for _rank, user in whole()] == [ann.pk, bob.pk]


def test_what_redis_missed_while_it_was_away_is_written_by_the_next_sweep(crowd, ann, bob, redis):
    """The real Redis stops, a match ends, Redis is back with what it had: old ranks do not stay."""
    played(ann, bob)
    ranks.refresh()
    ranks.build(YUM)
    had = {key: ranks.redis().dump(key) for key in ranks.redis().scan_iter("ranks:*")}
    redis.kill()
    try:
        played(bob, ann)
        assert not is_known()
        assert whole() == true_ranks()
        assert queries.place_of(YUM, ann.pk) is not None
        assert ranks.refresh() is None
    finally:
        redis.start()
    for key, value in had.items():
        ranks.redis().restore(key, 0, value)
    assert is_known()
    assert whole() != true_ranks()
    ranks.refresh()
    assert is_known()
    assert whole() == true_ranks()


def test_a_redis_that_lost_its_place_is_not_believed(crowd):
    ranks.refresh()
    ranks.build(YUM)
    ranks.redis().delete(ranks.SYNCED)
    ranks.refresh()
    assert not is_known()
    assert ranks.refresh() == 1
    assert is_known()


def test_a_change_during_a_build_is_not_overwritten(crowd, monkeypatch):
    """The build has read a row when it changes: what is committed and written later stays."""
    first = crowd[0]
    plain = ranks.listed

    def listed(board):
        rows = plain(board)
        if not changed:
            changed.append(1)
            read = list(rows.values_list("user_id", "rating"))
            Standing.objects.filter(user=first).update(rating=1999_00)
            ranks.write(board, [first.pk])

            class Read:
                def values_list(self, *names):
                    return self

                def iterator(self, size):
                    return iter(read)

            return Read()
        return rows

    changed = []
    monkeypatch.setattr(ranks, "listed", listed)
    ranks.build(YUM)
    assert queries.place_of(YUM, first.pk) == (1, 0)
    assert whole() == true_ranks()


def test_two_builds_do_not_meet(crowd):
    ranks.redis().set(f"{YUM.key}:building", 1)
    assert not ranks.build(YUM)
    assert not is_known()


def test_a_member_who_is_gone_is_passed_over(crowd):
    ranks.build(YUM)
    gone = whole()[3][1]
    type(crowd[0]).objects.get(pk=gone).delete()
    assert gone not in [user for _rank, user in whole()]
    assert len(whole()) == 119


def test_those_one_follows_are_ranked_among_themselves(crowd, ann):
    placed(ann, 1505)
    followed = crowd[10:20]
    Follow.objects.bulk_create(Follow(follower=ann, followed=person) for person in followed)
    page = queries.followed_page(YUM, ann, 1)
    shown = {row.standing.user_id for row in page.rows}
    assert shown == {ann.pk, *(person.pk for person in followed)}
    points = [row.standing.rating for row in page.rows]
    assert points == sorted(points, reverse=True)
    assert [row.rank for row in page.rows] == [1 + sum(p > own for p in points) for own in points]
    mine = next(row for row in page.rows if row.standing.user_id == ann.pk)
    assert queries.place_among_followed(YUM, ann).rank == mine.rank


def test_a_settlement_whose_number_was_committed_late_is_seen(crowd, ann, bob):
    """The sweep looks back a little: numbers are given out before they are committed."""
    match = played(ann, bob)
    ranks.build(YUM)
    later = Settlement.objects.order_by("pk").last().pk + 50
    ranks.redis().set(ranks.SYNCED, later)
    Standing.objects.filter(user=ann).update(rating=1700_00)
    ranks.refresh()
    assert queries.place_of(YUM, ann.pk).rank == 1
    assert match.settlements.count() == 1
