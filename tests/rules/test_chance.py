"""Chance: the same everywhere, fair, and strict about what was prepared."""

import hmac
import struct
from collections import Counter
from itertools import islice
from statistics import fmean, pstdev

import pytest

from games.engine import ChanceMismatch, RecordedChance, ScriptedChance, SeededChance
from games.engine.chance import _below, _words

SEED = bytes(range(32))
FROZEN = [[3, 3, 1, 5, 1], [2], [8, 3, 7, 2, 5, 6, 4, 9, 0, 1], [-132, -81], [320, 402, 687]]


def chi_square(counts: Counter[int], cells: int) -> float:
    expected = sum(counts.values()) / cells
    return sum((counts[cell] - expected) ** 2 for cell in counts) / expected


def test_a_seed_dictates_these_draws_for_ever():
    chance = SeededChance(SEED)
    assert [
        chance.roll(5),
        chance.roll(1, 4),
        chance.shuffle(10),
        chance.scatter(110),
        chance.roll(3, 1000),
    ] == FROZEN


def test_the_words_are_hmac_sha256_of_draw_and_block():
    blocks = [hmac.new(SEED, bytes(7) + b"\x05" + bytes(7) + bytes([block]), "sha256").digest() for block in (0, 1)]
    assert list(islice(_words(SEED, 5), 16)) == list(struct.unpack(">16I", b"".join(blocks)))


def test_a_match_goes_on_from_the_number_of_draws_made():
    whole = SeededChance(SEED)
    draws = [whole.roll(5), whole.shuffle(21), whole.scatter(3), whole.roll(2, 6)]
    assert whole.drawn == 4
    for start in range(4):
        chance = SeededChance(SEED, drawn=start)
        kinds = [
            lambda c: c.roll(5),
            lambda c: c.shuffle(21),
            lambda c: c.scatter(3),
            lambda c: c.roll(2, 6),
        ]
        assert [kind(chance) for kind in kinds[start:]] == draws[start:]


def test_other_seeds_give_other_draws():
    draws = {tuple(SeededChance(bytes([seed])).roll(20)) for seed in range(200)}
    assert len(draws) == 200


@pytest.mark.parametrize("sides", [2, 3, 4, 6, 7, 120])
def test_rolls_are_uniform(sides):
    chance = SeededChance(SEED)
    counts = Counter(number for _ in range(200) for number in chance.roll(300, sides))
    assert set(counts) == set(range(1, sides + 1))
    degrees = sides - 1
    assert chi_square(counts, sides) < degrees + 4 * (2 * degrees) ** 0.5


def test_shuffles_are_uniform():
    chance = SeededChance(SEED)
    counts = Counter(hash(tuple(chance.shuffle(4))) for _ in range(12_000))
    assert len(counts) == 24
    assert chi_square(counts, 24) < 23 + 4 * 46**0.5


def test_a_shuffle_is_a_permutation():
    assert sorted(SeededChance(SEED).shuffle(60)) == list(range(60))
    assert SeededChance(SEED).shuffle(0) == []


@pytest.mark.thin(1)
@pytest.mark.parametrize("spread", [1, 2, 7, 110])
def test_scatter_has_its_spread_within_one_percent(spread):
    chance = SeededChance(SEED)
    offsets = [offset for _ in range(40_000) for offset in chance.scatter(spread)]
    assert pstdev(offsets) == pytest.approx(spread, rel=0.01)
    assert fmean(offsets) == pytest.approx(0, abs=0.02 * spread)
    assert max(map(abs, offsets)) <= 4 * spread


def test_scatter_is_bell_shaped():
    chance = SeededChance(SEED)
    offsets = [abs(offset) for _ in range(10_000) for offset in chance.scatter(100)]
    within = [sum(offset <= limit for offset in offsets) / len(offsets) for limit in (100, 200)]
    assert within[0] == pytest.approx(0.67, abs=0.02)
    assert within[1] == pytest.approx(0.96, abs=0.01)


def test_words_that_would_favour_small_numbers_are_rejected():
    top = 1 << 32
    assert _below(6, iter([top - 1, top - 4, 13])) == 1
    assert _below(6, iter([top - 5])) == (top - 5) % 6
    assert _below(1 << 31, iter([top - 1])) == (1 << 31) - 1


def test_scripted_draws_come_in_order():
    chance = ScriptedChance([[3, 5], [1, 0], [-4, 4]])
    assert chance.roll(2) == [3, 5]
    assert chance.left == [[1, 0], [-4, 4]]
    assert chance.shuffle(2) == [1, 0]
    assert chance.scatter(1) == [-4, 4]
    assert chance.left == []


@pytest.mark.parametrize(
    ("draw", "ask"),
    [
        ([1, 2], lambda chance: chance.roll(3)),
        ([7], lambda chance: chance.roll(1)),
        ([0], lambda chance: chance.roll(1)),
        ([5], lambda chance: chance.roll(1, 4)),
        ([True], lambda chance: chance.roll(1)),
        ([1.0], lambda chance: chance.roll(1)),
        (["1"], lambda chance: chance.roll(1)),
        (None, lambda chance: chance.roll(1)),
        ([0, 0, 1], lambda chance: chance.shuffle(3)),
        ([1, 2, 3], lambda chance: chance.shuffle(3)),
        ([5, 0], lambda chance: chance.scatter(1)),
        ([0], lambda chance: chance.scatter(1)),
    ],
)
def test_a_draw_of_the_wrong_shape_is_a_mismatch_and_stays(draw, ask):
    chance = ScriptedChance([draw])
    with pytest.raises(ChanceMismatch, match="draw 1"):
        ask(chance)
    assert chance.left == [draw]


def test_one_draw_too_many_is_a_mismatch():
    with pytest.raises(ChanceMismatch, match="missing"):
        ScriptedChance([]).roll(1)


def test_a_recorder_keeps_draws_until_they_are_taken():
    chance = RecordedChance(SeededChance(SEED))
    first = chance.roll(2)
    second = chance.shuffle(3)
    assert chance.draws == [first, second]
    assert chance.take() == [first, second]
    assert chance.take() == []
    third = chance.scatter(10)
    assert chance.draws == [third]
