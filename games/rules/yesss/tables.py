"""What is in the box: sixty cards of two faces, and a token for every pair of seven places."""

from itertools import combinations
from typing import TypeAlias

Pair: TypeAlias = list[int]

PLACES = 7
CARDS = 60
FACES = 2
PAIRS: list[Pair] = [list(pair) for pair in combinations(range(1, PLACES + 1), 2)]
"""The pair of each token, in printed order: 1-2, 1-3, … 6-7. Shared: read only."""

TOKENS = len(PAIRS)
TOKEN_OF = {tuple(pair): token for token, pair in enumerate(PAIRS)}
HAND = 3

MOST_ROUNDS = 7
LANGUAGES = ("fr", "en")


def rounds_for(seats: int) -> int:
    """How many cards lie in each pile, and so how many rounds there are, among 3 to 7 seats."""
    return 10 - seats


def token_of(pair: Pair) -> int:
    """The number of the token with that pair."""
    return TOKEN_OF[pair[0], pair[1]]
