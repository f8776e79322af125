"""Which cases of tests `make test` leaves to `make proof`."""

import pytest


def thinned(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the cases that are left out: of a test with the mark `thin(n)` all but n, spread over all."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("thin"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    left_out: list[pytest.Item] = []
    for of_one in cases.values():
        (most,) = of_one[0].get_closest_marker("thin").args
        kept = {round(place * (len(of_one) - 1) / max(most - 1, 1)) for place in range(most)}
        left_out += [item for place, item in enumerate(of_one) if place not in kept]
    return left_out
