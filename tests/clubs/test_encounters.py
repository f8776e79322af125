"""One club plays another: challenge, answer, line-ups, the hour, tables, sum; refusals first."""

from datetime import timedelta
from fractions import Fraction

import pytest

from accounts.models import Block
from accounts.services.closing import close_account
from config.lib import clock
from games.clubs import encounters, tasks
from games.clubs.models import Encounter, EncounterNews, Lineup
from games.clubs.services.encounters import beginning, challenging, lining_up
from games.clubs.services.encounters.refusals import CannotChallenge, NotForOrganisers, NotOfClubs, TooLate
from games.models import Match, Membership
from games.moderation import matches
from games.services.play import moves
from games.services.refusals import Invalid
from tests.clubs.encounters import (
    accepted,
    begun,
    boards,
    challenged,
    club_of,
    end_board,
    lined_up,
    now,
    owner,
    people,
    seated,
    two_clubs,
)
from tests.factories import WHY, moderator, placed

pytestmark = pytest.mark.django_db
STATE = Encounter.State
PLAIN = {"game_slug": "yum-extra", "seats": 2, "most_tables": 1, "pace_slug": "3d"}


def news() -> list[tuple[str, str]]:
    return sorted(EncounterNews.objects.values_list("user__username", "kind"))


def test_only_organisers_challenge_and_answer():
    alpha, beta, ours, theirs = two_clubs(2)
    wishes = {"game_slug": "yum-extra", "options": {}, "seats": 2, "most_tables": 2, "pace_slug": "3d", "rated": True}
    at = clock.now() + timedelta(days=3)
    for stranger in (ours[1], theirs[0]):
        with pytest.raises(NotForOrganisers):
            challenging.challenge(user=stranger, own_id=alpha.pk, other_id=beta.pk, begins_at=at, **wishes)
    made = challenged(alpha, beta)
    for stranger in (ours[0], theirs[1]):
        with pytest.raises(NotForOrganisers):
            challenging.answer(encounter_id=made.pk, user=stranger, accepts=True)
    assert news() == [("b001", "challenged")]


@pytest.mark.parametrize(
    "wish",
    [
        {"seats": 3},
        {"seats": 10},
        {"pace_slug": "live"},
        {"pace_slug": "none"},
        {"most_tables": 0},
        {"most_tables": 51},
        {"begins_at": timedelta(minutes=30)},
        {"begins_at": timedelta(days=61)},
    ],
)
def test_what_cannot_be_played_is_refused(wish):
    alpha, beta, *_ = two_clubs(1)
    if "begins_at" in wish:
        wish = {"begins_at": clock.now() + wish["begins_at"]}
    with pytest.raises(Invalid):
        challenged(alpha, beta, **wish)


def test_two_clubs_announce_one_match_at_a_time_and_none_with_themselves():
    alpha, beta, *_ = two_clubs(1)
    challenged(alpha, beta)
    for own, other in ((alpha, beta), (beta, alpha), (alpha, alpha)):
        with pytest.raises(CannotChallenge):
            challenged(own, other)


def test_a_club_has_ten_under_way():
    alpha = club_of("Alpha", people(1, "a"))
    for number in range(10):
        challenged(alpha, club_of(f"Club {number}", people(1, f"c{number}")))
    with pytest.raises(CannotChallenge, match="10"):
        challenged(alpha, club_of("Late", people(1, "l")))


def test_what_others_propose_counts_when_it_is_accepted():
    """Ten clubs that challenge one keep it from nothing; nor are more than ten agreed with it."""
    alpha, late = club_of("Alpha", people(1, "a")), club_of("Late", people(1, "l"))
    others = [club_of(f"Club {number}", people(1, f"c{number}")) for number in range(10)]
    made = [challenged(other, alpha) for other in others]
    eleventh = challenged(alpha, late)
    for one in made[:9]:
        challenging.answer(encounter_id=one.pk, user=owner(alpha), accepts=True)
    with pytest.raises(CannotChallenge, match="10"):
        challenging.answer(encounter_id=made[9].pk, user=owner(alpha), accepts=True)
    with pytest.raises(CannotChallenge, match="10"):
        challenged(club_of("Later", people(1, "m")), alpha)
    challenging.withdraw(encounter_id=eleventh.pk, user=owner(alpha))
    challenging.answer(encounter_id=made[9].pk, user=owner(alpha), accepts=True)
    assert now(made[9]).state == STATE.ACCEPTED


def test_a_club_that_is_dissolved_or_left_at_this_moment_is_not_challenged(monkeypatch):
    alpha, beta, ours, theirs = two_clubs(2)
    monkeypatch.setattr(challenging, "_check", lambda _made: beta.delete())
    with pytest.raises(CannotChallenge):
        challenged(alpha, beta)
    gamma = club_of("Gamma", theirs)
    monkeypatch.setattr(challenging, "_check", lambda _made: alpha.memberships.all().delete())
    with pytest.raises(NotForOrganisers):
        challenging.challenge(user=ours[0], own_id=alpha.pk, other_id=gamma.pk, begins_at=clock.now(), **PLAIN)
    assert not Encounter.objects.exists()


def test_whoever_the_owner_blocks_does_not_challenge():
    alpha, beta, ours, theirs = two_clubs(1)
    Block.objects.create(blocker=theirs[0], blocked=ours[0])
    with pytest.raises(CannotChallenge, match="cannot be challenged now"):
        challenged(alpha, beta)


def test_a_challenge_lapses_after_seven_days(hours):
    alpha, beta, *_ = two_clubs(1)
    made = challenged(alpha, beta, begins_at=clock.now() + timedelta(days=20))
    hours.go_by(hours=24 * 7 - 1)
    tasks.tend_encounters()
    assert now(made).state == STATE.OFFERED
    hours.go_by(hours=2)
    with pytest.raises(TooLate):
        challenging.answer(encounter_id=made.pk, user=owner(beta), accepts=True)
    tasks.tend_encounters()
    assert now(made).state == STATE.LAPSED


def test_declined_and_withdrawn_are_final():
    alpha, beta, *_ = two_clubs(1)
    one = challenged(alpha, beta)
    challenging.answer(encounter_id=one.pk, user=owner(beta), accepts=False)
    assert news() == [("a001", "declined")]
    two = challenged(alpha, beta)
    challenging.withdraw(encounter_id=two.pk, user=owner(alpha))
    for made in (one, two):
        with pytest.raises(TooLate):
            challenging.answer(encounter_id=made.pk, user=owner(beta), accepts=True)
        with pytest.raises(TooLate):
            challenging.withdraw(encounter_id=made.pk, user=owner(alpha))


def test_only_members_of_the_clubs_play_and_until_it_begins(hours, eve):
    alpha, beta, ours, _theirs = two_clubs(1)
    made = challenged(alpha, beta)
    with pytest.raises(TooLate):
        lining_up.say(encounter_id=made.pk, user=ours[0], plays=True)
    challenging.answer(encounter_id=made.pk, user=owner(beta), accepts=True)
    with pytest.raises(NotOfClubs):
        lining_up.say(encounter_id=made.pk, user=eve, plays=True)
    hours.go_by(hours=241)
    with pytest.raises(TooLate):
        lining_up.say(encounter_id=made.pk, user=ours[0], plays=True)


def test_the_line_up_is_by_rating_until_an_organiser_orders_it():
    alpha, beta, ours, theirs = two_clubs(4)
    for one, points in zip(ours, (1400, 1700, 1500, 1600), strict=True):
        placed(one, points)
    made = accepted(alpha, beta)
    lined_up(made, ours)

    def line() -> list[str]:
        return [row.user.username for row in lining_up.lineup(made, 0)]

    assert line() == ["a002", "a004", "a003", "a001"]
    rows = {row.user.username: row.pk for row in Lineup.objects.select_related("user")}
    numbers = {rows["a001"]: 1, rows["a002"]: 3, rows["a003"]: 1, rows["a004"]: 9}
    for stranger in (ours[1], theirs[0]):
        with pytest.raises(NotForOrganisers):
            lining_up.order(encounter_id=made.pk, user=stranger, side=0, numbers=numbers)
    lining_up.order(encounter_id=made.pk, user=ours[0], side=0, numbers=numbers)
    assert line() == ["a003", "a001", "a002", "a004"]
    lining_up.say(encounter_id=made.pk, user=ours[1], plays=False)
    lining_up.say(encounter_id=made.pk, user=ours[1], plays=True)
    assert line() == ["a003", "a001", "a004", "a002"]
    lining_up.order(encounter_id=made.pk, user=ours[0], side=0, numbers=None)
    assert line() == ["a002", "a004", "a003", "a001"]


def test_who_belongs_to_both_plays_for_one():
    alpha, beta, ours, _theirs = two_clubs(2)
    Membership.objects.create(club=beta, user=ours[1])
    made = accepted(alpha, beta)
    lining_up.say(encounter_id=made.pk, user=ours[1], plays=True)
    assert Lineup.objects.get().side == 0
    lining_up.say(encounter_id=made.pk, user=ours[1], plays=True, side=1)
    assert Lineup.objects.get().side == 1


def test_it_begins_at_its_hour_with_as_many_tables_as_the_smaller_line_up_fills(hours):
    alpha, beta, ours, theirs = two_clubs(4)
    made = accepted(alpha, beta)
    lined_up(made, [*ours, *theirs[:3]])
    tables = begun(made, hours)
    found = now(made)
    assert found.state == STATE.RUNNING and len(tables) == 3
    first = beginning.first_side(found)
    for number, table in enumerate(tables):
        pair = [f"a00{number + 1}", f"b00{number + 1}"]
        assert seated(table) == (pair if (first + number) % 2 == 0 else pair[::-1])
        assert [seat.user.username for seat in table.match.seats.order_by("number")] == seated(table)
        assert (table.match.rated, table.match.access, table.match.status) == (True, "open", "running")
    tasks.tend_encounters()
    assert Match.objects.count() == 3


def test_four_sit_at_a_table_alternating(hours):
    alpha, beta, ours, theirs = two_clubs(5)
    made = accepted(alpha, beta, seats=4)
    lined_up(made, [*ours, *theirs])
    tables = begun(made, hours)
    assert len(tables) == 2
    sides = [name[0] for name in seated(tables[0])]
    assert sides in (["a", "b", "a", "b"], ["b", "a", "b", "a"])
    assert [name[0] for name in seated(tables[1])] == sides[1:] + sides[:1]
    assert sorted(seated(tables[1])) == ["a003", "a004", "b003", "b004"]


def test_without_one_table_it_is_called_off(hours):
    alpha, beta, ours, _theirs = two_clubs(2)
    made = accepted(alpha, beta)
    lined_up(made, ours)
    assert begun(made, hours) == []
    assert now(made).state == STATE.CALLED_OFF
    assert {kind for _name, kind in news()} <= {"called_off"} and Match.objects.count() == 0


def test_whoever_left_is_banned_or_closed_the_account_does_not_play(hours):
    alpha, beta, ours, theirs = two_clubs(5)
    made = accepted(alpha, beta)
    lined_up(made, [*ours, *theirs])
    Membership.objects.filter(user=ours[1]).update(state="out")
    close_account(user_id=theirs[2].pk)
    ours[3].is_active = False
    ours[3].save()
    tables = begun(made, hours)
    assert [sorted(seated(table)) for table in tables] == [["a001", "b001"], ["a003", "b002"], ["a005", "b004"]]


def test_a_dissolved_club_calls_off_what_has_not_begun(hours):
    alpha, beta, ours, _theirs = two_clubs(2)
    gamma = club_of("Gamma", people(2, "c"))
    offered, open_, running = challenged(alpha, beta), accepted(beta, gamma), accepted(alpha, gamma)
    lined_up(running, [ours[0], owner(gamma)])
    Encounter.objects.filter(pk=running.pk).update(begins_at=clock.now())
    tasks.tend_encounters()
    assert now(running).state == STATE.RUNNING
    beta.delete()
    alpha.delete()
    tasks.tend_encounters()
    assert [now(one).state for one in (offered, open_, running)] == [STATE.LAPSED, STATE.CALLED_OFF, STATE.RUNNING]
    end_board(boards(running)[0], [1, 2])
    tasks.tend_encounters()
    assert now(running).state == STATE.OVER
    assert encounters.names(now(running)) == ("Alpha", "Gamma")


def test_blocked_pairs_sit_apart_where_they_can(hours):
    alpha, beta, ours, theirs = two_clubs(3)
    made = accepted(alpha, beta)
    lined_up(made, [*ours, *theirs])
    Block.objects.create(blocker=ours[0], blocked=theirs[0])
    tables = begun(made, hours)
    assert {"a001", "b001"} not in [set(seated(table)) for table in tables]
    assert {"a003", "b003"} in [set(seated(table)) for table in tables]


def test_the_sum_decides_ties_are_shared_voids_count_for_nothing(hours):
    alpha, beta, ours, theirs = two_clubs(4)
    made = accepted(alpha, beta)
    lined_up(made, [*ours, *theirs])
    tables = begun(made, hours)
    end_board(tables[0], [1, 1])
    own = 0 if seated(tables[1])[0].startswith("a") else 1
    end_board(tables[1], [1, 2] if own == 0 else [2, 1])
    moves.resign(match_id=tables[2].match_id, user=tables[2].match.seats.get(user=ours[2]).user)
    tasks.tend_encounters()
    assert now(made).state == STATE.RUNNING
    matches.void(moderator=moderator(), match=tables[3].match, reason=WHY)
    tasks.tend_encounters()
    found = now(made)
    assert found.state == STATE.OVER
    assert encounters.final(found) == (Fraction(150), Fraction(150))
    points = encounters.points_of(encounters.boards_of(found))
    assert (points.counted, points.void, points.running) == (3, 1, 0)
