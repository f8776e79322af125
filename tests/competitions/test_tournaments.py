"""Random tournaments of every format, each checked round by round against what is promised.

`make proof` plays 10 000. A failure names its seed: `Tournament(seed).play()` or `Evening(seed).play()` plays it again.
"""

import time
from collections import Counter

import pytest

from tests import FULL
from tests.competitions.evenings import Evening
from tests.competitions.tournaments import Tournament

FORMATS = ("swiss", "groups", "robin", "knockout", "arena")
ARENA = 8  # each so many-th is an arena


def played(seeds: range) -> Counter[str]:
    """Play these, and return how many of each format there were, and rounds."""
    found: Counter[str] = Counter()
    for seed in seeds:
        kind = Evening(seed) if seed % ARENA == 0 else Tournament(seed)
        try:
            found["rounds"] += kind.play()
        except Exception as error:
            raise AssertionError(f"seed {seed}: {kind.plan}, {len(kind.entrants)} people: {error!r}") from error
        found[kind.plan.format] += 1
    return found


@pytest.mark.thin(0)
def test_tournaments_keep_what_is_promised() -> None:
    found = played(range(60))
    assert all(found[form] >= 4 for form in FORMATS), found


@pytest.mark.proof
def test_ten_thousand_tournaments_keep_what_is_promised() -> None:
    seeds, start = range(10_000) if FULL else range(300), time.monotonic()
    found = played(seeds)
    print(f"tournaments {found}, seeds {seeds}: all kept what is promised, {time.monotonic() - start:.0f} s")
    assert sum(found[form] for form in FORMATS) == len(seeds)
