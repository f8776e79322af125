"""Standings: each tie-break decides where all before it are level, by examples checked by hand."""

from fractions import Fraction
from random import Random

from games.competitions.pairing import Entrant, Plan, standings, with_lots
from games.engine import SeededChance
from tests.competitions import naive
from tests.competitions.rounds import in_order, over, people

SWISS = Plan("swiss", 3, 2, 8, rounds=3)


def order(results, count=None, plan=SWISS, entrants=None):
    found = standings(plan, entrants or people(count), results)
    assert [line.place for line in found] == list(range(1, len(found) + 1))
    return [line.number for line in found]


def lines(results, count, plan=SWISS):
    return {line.number: line for line in standings(plan, people(count), results)}


def test_points_decide_first():
    assert order([in_order(1, (3, 1, 2))], 3) == [3, 1, 2]


def test_then_more_firsts_then_more_seconds():
    # 1: first and last; 2: second twice: 100 points each
    results = [in_order(1, (1, 2, 3)), in_order(2, (4, 2, 1))]
    found = lines(results, 4)
    assert found[1].points == found[2].points == 100
    assert (found[1].counts, found[2].counts) == ((1, 0, 1), (0, 2))
    assert order(results, 4) == [1, 4, 2, 3]  # 1 has a third place more than 4, who was at one table


def test_more_places_count_more_than_fewer():
    # Both have one first, and as many points; 1 was second of two beside it, 2 has nothing but the first.
    results = [in_order(1, (1, 8)), in_order(2, (9, 1)), in_order(1, (2, 7))]
    found = lines(results, 9)
    assert found[1].points == found[2].points and found[1].counts == (1, 1) and found[2].counts == (1,)
    assert order(results, 9).index(1) < order(results, 9).index(2)


def test_then_the_direct_meeting():
    # 1 and 2 are level: each first and last of two; 2 beat 1.
    results = [in_order(1, (2, 1)), in_order(2, (1, 3)), in_order(2, (4, 2))]
    found = lines(results, 4)
    assert found[1].points == found[2].points and found[1].counts == found[2].counts
    assert (found[2].direct, found[1].direct) == (1, -1)
    assert order(results, 4).index(2) < order(results, 4).index(1)


def test_the_direct_meeting_is_that_of_all_who_are_level_and_makes_no_circle():
    # 1 beat 2, 2 beat 3, 3 beat 1: nobody is ahead by it, and the lot decides.
    results = [in_order(1, (1, 2)), in_order(2, (2, 3)), in_order(3, (3, 1))]
    found = lines(results, 3)
    assert [found[number].direct for number in (1, 2, 3)] == [0, 0, 0]
    entrants = [Entrant(1, lot=3), Entrant(2, lot=1), Entrant(3, lot=2)]
    assert order(results, entrants=entrants) == [2, 3, 1]


def test_direct_meetings_with_others_do_not_count():
    results = [in_order(1, (1, 5)), in_order(1, (2, 6)), in_order(2, (7, 1)), in_order(2, (8, 2))]
    assert all(lines(results, 8)[number].direct == 0 for number in (1, 2))


def test_then_the_strength_of_opponents_whatever_the_size_of_their_table():
    # 1 won against 3, who makes nothing else; 2 against 4, who wins as well.
    results = [in_order(1, (1, 3)), in_order(1, (2, 4)), in_order(2, (5, 3)), in_order(2, (4, 6))]
    found = lines(results, 6)
    assert (found[1].opponents, found[2].opponents) == (0, 50)
    assert order(results, 6).index(2) < order(results, 6).index(1)
    wide = lines([in_order(1, (1, 2, 3))], 3)
    assert wide[1].opponents == 25 and wide[3].opponents == 75


def test_then_the_share_of_ones_game_points():
    results = [over(1, (1, 1, 60), (3, 2, 40)), over(1, (2, 1, 90), (4, 2, 10))]
    found = lines(results, 4)
    assert (found[1].share, found[2].share) == (Fraction(6, 10), Fraction(9, 10))
    assert order(results, 4) == [2, 1, 3, 4]


def test_tables_without_points_have_no_share():
    results = [over(1, (1, 1), (2, 2)), over(2, (1, 1, 0), (2, 2, 0)), over(3, (1, 1, 3), (2, 2, 1))]
    assert lines(results, 2)[1].share == Fraction(3, 4)


def test_at_last_the_lot():
    entrants = with_lots(people(30), SeededChance(b"tournament"))
    assert sorted(entrant.lot for entrant in entrants) == list(range(1, 31))
    assert order([], entrants=entrants) == [e.number for e in sorted(entrants, key=lambda entrant: entrant.lot)]
    assert order([], entrants=entrants) != list(range(1, 31))


def test_a_voided_table_counts_for_nothing():
    results = [in_order(1, (1, 2, 3)), over(2, (3, 1, 9), (2, 2, 1), (1, 3, 1), void=True)]
    assert standings(SWISS, people(3), results) == standings(SWISS, people(3), results[:1])


def test_a_bye_gives_points_and_is_no_place():
    found = lines([in_order(1, (1, 2)), over(1, (3, 1))], 3)
    assert (found[3].points, found[3].counts, found[3].tables, found[3].byes) == (50, (), 0, 1)
    assert found[3].opponents == 0


def test_in_groups_who_came_further_is_ahead():
    plan = Plan("groups", 2, 2, 2)
    results = [in_order(1, (1, 2)), in_order(1, (3, 4)), in_order(2, (3, 1))]
    assert order(results, 4, plan)[:2] == [3, 1]
    assert [line.stage for line in standings(plan, people(4), results)] == [2, 2, 1, 1]


def test_the_final_counts_more_than_all_before_it():
    plan = Plan("groups", 3, 2, 3, advance=2)
    results = [in_order(1, (1, 2, 5)), in_order(1, (3, 4, 6)), in_order(2, (2, 4, 1, 3))]
    assert order(results, 6, plan)[:4] == [2, 4, 1, 3]


def test_who_still_plays_a_round_has_reached_it():
    plan = Plan("groups", 2, 2, 2)
    results = [in_order(1, (1, 2)), in_order(1, (3, 4)), in_order(1, (5, 6)), in_order(1, (7, 8)), in_order(2, (1, 3))]
    found = [line.number for line in standings(plan, people(8), results, running=[(2, (5, 7))])]
    assert set(found[:4]) == {1, 3, 5, 7} and found[0] == 1


def test_the_naive_reckoning_agrees_where_much_is_level():
    for seed in range(40):
        random = Random(seed)
        results = []
        for round_ in range(1, random.randint(2, 5)):
            numbers = random.sample(range(1, 9), 8)
            for table in (numbers[:4], numbers[4:]):
                places = [(number, random.choice([1, 1, 3])) for number in table]
                results.append(over(round_, *places, void=random.random() < 0.2))
        assert order(results, 8) == naive.standing(SWISS, people(8), results)
        random.shuffle(results)
        assert order(results, 8) == naive.standing(SWISS, people(8)[::-1], results)
