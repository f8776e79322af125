"""Places at the end of a match."""

from collections.abc import Sequence
from typing import Any

from games.engine.base import Outcome


def ranked(scores: Sequence[Any]) -> Outcome:
    """The outcome where the most points win; equal points share the rank (1, 2, 2, 4)."""
    ranks = [1 + sum(other > score for other in scores) for score in scores]
    return {
        "ranks": ranks,
        "scores": list(scores),
        "winners": [seat for seat, rank in enumerate(ranks) if rank == 1],
    }
