"""Records that somebody brings which are made to take long, or to be too deep, before the first move is played."""

import json
import time

import pytest

from games.engine import entry_of
from games.services.records import checking
from games.services.refusals import Invalid
from tests.games.records.arranged import record


@pytest.mark.parametrize(
    "change",
    [
        {"setup_draws": [[]] * 20_000, "prepared": [[9, 9]] * 20_000},
        {"seats": 11_000, "nonces": [""] * 11_000, "openings": [(0, seat, "") for seat in range(11_000)]},
    ],
)
def test_what_is_compared_before_the_first_move_takes_no_longer_with_more_of_it(over, change):
    told = record(over) | change
    if seats := change.get("seats"):
        told["seals"] = [""] * seats
        told["entry"] = entry_of(told["commitment"], told["nonces"], told["seals"])
        told["openings"] = [dict(zip(("after", "seat", "nonce"), one, strict=True)) for one in change["openings"]]
    assert len(json.dumps(told, separators=(",", ":"))) < checking.MOST_BYTES
    begun_at = time.process_time()
    with pytest.raises(Invalid):
        checking.checked(told)
    assert time.process_time() - begun_at < 0.5  # with a look at all for each, 12 and 1 seconds


def test_what_is_nested_too_deep_to_be_hashed_is_no_record(over, monkeypatch):
    told = record(over)

    def too_deep(record):
        raise RecursionError

    monkeypatch.setattr(checking, "digest_of", too_deep)
    with pytest.raises(Invalid):
        checking.checked(told)
