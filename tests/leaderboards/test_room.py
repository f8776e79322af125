"""Redis drops sets when it needs the room: a board is never wrong by it, and tasks and sessions stay."""

import pytest
from redis.exceptions import RedisError

from leaderboards import queries, ranks, sorted_sets
from leaderboards.models import Standing
from leaderboards.ranks import Board
from tests.factories import member, placed

pytestmark = pytest.mark.django_db(transaction=True)

YUM = Board("yum-extra", "")


@pytest.fixture
def people(db):
    people = [member(f"m{number}") for number in range(7)]
    for number, person in enumerate(people):
        placed(person, 1600 - number // 2)
    return people


@pytest.fixture
def most():
    """Set how much memory the Redis of the tests may take; without limit again after the test."""
    before = ranks.redis().config_get("maxmemory")["maxmemory"]
    yield lambda size: ranks.redis().config_set("maxmemory", int(size))
    ranks.redis().config_set("maxmemory", before)


def board() -> list[tuple[int, str]]:
    return [(row.rank, row.standing.user.username) for row in queries.board_page(YUM, 1).rows]


RIGHT = [(1, "m0"), (1, "m1"), (3, "m2"), (3, "m3"), (5, "m4"), (5, "m5"), (7, "m6")]


def is_known() -> bool:
    return ranks.page(YUM, 0, 1) is not None


def used() -> int:
    return ranks.redis().info("memory")["used_memory"]


def test_a_set_that_is_gone_is_read_from_the_database_and_asked_for(people):
    ranks.build(YUM)
    assert is_known()
    ranks.redis().delete(YUM.key)
    assert board() == RIGHT
    assert queries.place_of(YUM, people[3].pk) == (3, 3)
    assert ranks.refresh() == 1
    assert is_known()
    assert board() == RIGHT


def test_a_change_never_makes_a_set_that_is_not_there(people):
    ranks.build(YUM)
    ranks.redis().delete(YUM.key)
    ranks.write(YUM, [people[6].pk])
    assert not ranks.redis().exists(YUM.key)
    assert board() == RIGHT
    assert queries.place_of(YUM, people[6].pk) == (7, 6)


def test_an_empty_board_is_known_as_empty(db):
    assert ranks.build(YUM)
    assert is_known()
    assert queries.board_page(YUM, 1).total == 0
    assert queries.place_of(YUM, 1) is None


def test_the_mark_is_nobody(people):
    ranks.build(YUM)
    page = queries.board_page(YUM, 1)
    assert page.total == 7
    assert not page.has_next
    assert ranks.page(YUM, 6, 50).ranked == [(people[6].pk, 7)]
    assert ranks.page(YUM, 7, 50).ranked == []
    assert ranks.page(YUM, 5, 1).has_next
    assert not ranks.page(YUM, 6, 1).has_next


@pytest.mark.parametrize("what", ["gone", "another's"])
def test_a_build_that_loses_its_set_gives_up(people, monkeypatch, what):
    plain = ranks.listed

    def listed(board):
        if what == "gone":
            ranks.redis().delete(YUM.key)
        else:
            sorted_sets.begin(YUM.key, "building:another")
        return plain(board)

    with monkeypatch.context() as patch:
        patch.setattr(ranks, "listed", listed)
        assert not ranks.build(YUM)
    assert not is_known()
    assert board() == RIGHT
    assert ranks.refresh() == 1
    assert is_known()
    assert board() == RIGHT


def test_what_redis_evicts_by_itself_is_read_from_the_database(people, most):
    """The real Redis has no room at all: sets go, what has no end of life stays, and pages are right."""
    ranks.refresh()
    ranks.build(YUM)
    ranks.redis().set("a task", "x" * 10_000)
    most(1)
    with pytest.raises(RedisError):
        ranks.redis().set("more", "x")
    assert not ranks.redis().exists(YUM.key)
    assert board() == RIGHT
    Standing.objects.filter(user=people[6]).update(rating=1700_00)
    ranks.write(YUM, [people[6].pk])
    assert queries.place_of(YUM, people[6].pk) == (1, 0)
    assert ranks.refresh() is None
    most(0)
    assert ranks.redis().strlen("a task") == 10_000
    assert not is_known()
    assert ranks.refresh() == 1
    assert queries.place_of(YUM, people[6].pk) == (1, 0)
    assert is_known()


def test_a_change_is_written_even_when_there_is_no_room(people, most):
    ranks.build(YUM)
    ranks.redis().persist(YUM.key)
    Standing.objects.filter(user=people[6]).update(rating=1700_00)
    most(1)
    ranks.write(YUM, [people[6].pk])
    assert queries.place_of(YUM, people[6].pk) == (1, 0)
    assert is_known()


def test_a_board_for_which_there_is_no_room_is_not_built(people, most):
    most(used() / sorted_sets.ROOM)
    assert not is_known()
    assert ranks.refresh() == 0
    assert not is_known()
    assert board() == RIGHT
    most(used() / sorted_sets.ROOM + 1_000_000)
    assert ranks.refresh() == 1
    assert is_known()


def test_boards_give_way_before_anything_is_evicted(people, most):
    ranks.refresh()
    ranks.build(YUM)
    ranks.redis().set("a session", "x", ex=1000)
    most(used() / sorted_sets.FULL * 1.05)
    ranks.refresh()
    assert is_known()
    most(used() / sorted_sets.FULL * 0.95)
    ranks.refresh()
    assert not is_known()
    assert ranks.redis().exists("a session")
    assert board() == RIGHT
