"""What do I need? Bounds that hold whatever happens, by examples checked by hand."""

from itertools import product

from games.competitions import pairing, telling
from games.competitions.pairing import Need, Plan, places, standings
from tests.competitions.rounds import by_number, in_order, people

SWISS = Plan("swiss", 2, 2, 2, rounds=3)


def need(*about) -> Need | None:
    """What is needed, without what each place at the own table holds."""
    found = pairing.need(*about)
    return found and found._replace(held=())


def test_who_leads_by_more_than_a_table_is_sure():
    results = by_number(1, [(1, 2), (3, 4)]) + by_number(2, [(1, 3), (2, 4)])
    results += [in_order(3, (1, 4))]  # 1: 300, 2: 100, 3: 100
    told = need(SWISS, people(4), results, 1, [(4, (1, 2)), (4, (3, 4))])
    assert told == Need(target=1, best=1, worst=1, sure=True, enough=2, possible=2)


def test_a_win_is_enough_for_who_leads_by_a_little():
    # 1: 200, 2 and 3: 100, 4: 0. If 1 loses to 2, 2 draws level.
    results = by_number(1, [(1, 2), (3, 4)]) + by_number(2, [(1, 3), (2, 4)])
    running = [(3, (1, 2)), (3, (3, 4))]
    assert need(SWISS, people(4), results, 1, running) == Need(1, 1, 3, False, 1, 2)
    # 2 must win, and even then 1 may be ahead by the tie-breaks.
    assert need(SWISS, people(4), results, 2, running) == Need(1, 1, 4, False, None, 1)


def test_who_is_too_far_behind_cannot_be_first():
    results = by_number(1, [(1, 2), (3, 4)]) + by_number(2, [(1, 3), (2, 4)])
    told = need(SWISS, people(4), results, 4, [(3, (1, 2)), (3, (3, 4))])
    assert (told.possible, told.enough, told.best) == (None, None, 2)


def test_in_a_group_one_has_to_be_among_those_who_go_on():
    plan, tables = Plan("groups", 4, 2, 8, advance=2), [(1, (1, 2, 3, 4)), (1, (5, 6, 7, 8))]
    assert need(plan, people(8), [], 3, tables) == Need(target=2, best=1, worst=4, sure=False, enough=2, possible=2)


def test_in_the_final_one_has_to_be_first():
    plan, results = Plan("knockout", 2, 2, 2), by_number(1, [(1, 2), (3, 4)])
    assert need(plan, people(4), results, 3, [(2, (1, 3))]) == Need(1, 1, 2, False, 1, 1)


def test_the_last_match_of_a_group_starts_from_those_before():
    plan = Plan("groups", 3, 3, 3, matches=2)
    results = [in_order(1, (1, 2, 3)), in_order(1, (4, 5, 6))]
    running = [(1, (2, 3, 1)), (1, (4, 5, 6))]
    # 1 has 100, 2 has 50, 3 nothing. Second, 1 makes 150, and so can 2 with a win.
    assert need(plan, people(6), results, 1, running) == Need(1, 1, 3, False, 1, 3)
    # 3 makes 100 at most, and so does 1 at least: level at best.
    assert need(plan, people(6), results, 3, running) == Need(1, 1, 3, False, None, 1)


def test_a_bye_is_worth_its_points_for_sure():
    results = by_number(1, [(1, 2), (3,)])
    running = [(2, (1, 3)), (2, (2,))]
    assert need(SWISS, people(3), results, 2, running) == Need(1, 2, 3, False, None, None)


def test_who_does_not_play_is_told_nothing():
    assert need(SWISS, people(4), [], 4, [(1, (1, 2))]) is None
    assert need(SWISS, people(2), [], 7, [(1, (1, 7))]) is None


def test_what_a_place_holds_is_never_missed_whatever_the_others_do():
    results = by_number(1, [(1, 2), (3, 4)]) + by_number(2, [(1, 3), (2, 4)])
    tables = [(1, 2), (3, 4)]
    for number in range(1, 5):
        told = pairing.need(SWISS, people(4), results, number, [(3, table) for table in tables])
        assert len(told.held) == 2
        for orders in product(*[(table, table[::-1]) for table in tables]):
            ended = [in_order(3, order) for order in orders]
            rank = next(places(one)[number] for one in ended if number in one.table)
            lines = {line.number: line.place for line in standings(SWISS, people(4), results + ended)}
            assert lines[number] <= told.held[rank - 1] <= told.worst


def test_it_is_said_in_words():
    results = by_number(1, [(1, 2), (3, 4)]) + by_number(2, [(1, 3), (2, 4)])
    running = [(3, (1, 2)), (3, (3, 4))]
    words = telling.need_words(pairing.need(SWISS, people(4), results, 2, running), final=True)
    assert words == [
        "Win your table, and you may still win the tournament.",
        "Win your table, and you are at least third.",
        "Whatever happens, you end at place 4 or better.",
    ]
    words = telling.need_words(pairing.need(SWISS, people(4), results, 4, running), final=True)
    assert "At best you end at place 2." in words and not any("between" in one for one in words)
