"""Where dice lie and what they touch: mirrored and turned throws touch mirrored and turned cells."""

from math import hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import SeededChance
from games.rules.yay.board import HALF, SPREAD, beside, block, middle, on_board, touched
from games.rules.yay.hints import SIGHT

SEED = 20_261_128
sizes = st.sampled_from([6, 8])
THROWS = 5000


@st.composite
def dice_inside(draw):
    """A size, and a centre that lies on the board and still does once mirrored."""
    size = draw(sizes)
    inside = st.integers(1, 100 * size - 1)
    return size, draw(inside), draw(inside)


def overlaps(x, y, cell):
    """Whether the open square of a die and the open square of a cell have a point in common."""
    top, left = 100 * cell[0], 100 * cell[1]
    return x - HALF < left + 100 and left < x + HALF and y - HALF < top + 100 and top < y + HALF


@given(sizes, st.integers(-500, 1300), st.integers(-500, 1300))
def test_a_die_touches_exactly_the_cells_whose_inside_it_overlaps(size, x, y):
    cells = [(row, col) for row in range(size) for col in range(size)]
    there = 0 <= x < 100 * size and 0 <= y < 100 * size
    assert on_board(x, y, size) == there
    assert touched(x, y, size) == [cell for cell in cells if there and overlaps(x, y, cell)]


@given(dice_inside())
def test_a_mirrored_die_touches_the_mirrored_cells(die):
    size, x, y = die
    cells = touched(x, y, size)
    assert sorted((row, size - 1 - col) for row, col in cells) == touched(100 * size - x, y, size)
    assert sorted((size - 1 - row, col) for row, col in cells) == touched(x, 100 * size - y, size)


@given(dice_inside())
def test_a_turned_die_touches_the_turned_cells(die):
    size, x, y = die
    turned = sorted((col, size - 1 - row) for row, col in touched(x, y, size))
    assert turned == touched(100 * size - y, x, size)


@given(dice_inside())
def test_a_die_touches_the_cell_it_lies_in_and_at_most_three_by_three(die):
    size, x, y = die
    cells = touched(x, y, size)
    home = (y // 100, x // 100)
    assert home in cells
    assert set(cells) <= set(block(home, size))


def test_a_die_on_a_line_touches_both_sides_and_an_edge_alone_is_nothing():
    assert {col for _, col in touched(300, 350, 8)} == {2, 3}
    assert {col for _, col in touched(360, 350, 8)} == {3, 4}  # from 300, the edge of column 2, to 420
    assert {col for _, col in touched(340, 350, 8)} == {2, 3}  # from 280 to 400, the edge of column 4
    assert {col for _, col in touched(359, 350, 8)} == {2, 3, 4}
    assert touched(350, 350, 8) == block((3, 3), 8)


@pytest.mark.parametrize(("x", "y", "there"), [(0, 0, True), (799, 799, True), (800, 5, False), (-1, 5, False)])
def test_the_rim_counts_at_the_left_and_the_top_only(x, y, there):
    assert on_board(x, y, 8) == there
    assert bool(touched(x, y, 8)) == there


def test_neighbours_are_four_and_share_an_edge():
    assert beside((0, 0), 6) == [(0, 1), (1, 0)]
    assert beside((2, 3), 6) == [(1, 3), (2, 2), (2, 4), (3, 3)]
    assert beside((5, 5), 6) == [(4, 5), (5, 4)]


def test_where_throws_at_a_cells_middle_land():
    """Two thirds within the sight's circle; 67 % in the block of nine cells around the one aimed at."""
    print("seed", SEED)
    chance = SeededChance(SEED.to_bytes(8, "big"))
    x, y = middle((3, 4))
    dice = [chance.scatter(SPREAD) for _ in range(3 * THROWS)]
    cells = [((y + dy) // 100, (x + dx) // 100) for dx, dy in dice]
    in_block = sum(cell in block((3, 4), 8) for cell in cells) / len(dice)
    in_sight = sum(hypot(dx, dy) <= SIGHT for dx, dy in dice) / len(dice)
    print(f"in the block {in_block:.3f}, in the sight {in_sight:.3f}")
    assert in_block == pytest.approx(0.67, abs=0.02)
    assert in_sight == pytest.approx(2 / 3, abs=0.02)
