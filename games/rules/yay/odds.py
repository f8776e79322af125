"""How likely three dice are to beat a sum, exactly."""

from collections import Counter
from itertools import product

FACES = tuple(product(range(1, 7), repeat=3))
"""The 216 throws of three dice."""
SUMS = Counter(sum(faces) for faces in FACES)
"""Each sum of three dice, with the number of throws that give it."""


def ways_to_beat(total: int) -> int:
    """How many of the 216 throws of three dice sum to more than `total`."""
    return sum(ways for reached, ways in SUMS.items() if reached > total)


def chance_to_beat(total: int) -> float:
    """The chance, from 0 to 1, that three dice which all stay on the board sum to more than `total`."""
    return ways_to_beat(total) / len(FACES)
