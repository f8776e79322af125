"""Drill with a copy of the site: made while all play, brought back an hour later; what it has is all there."""

import time

from django.db import connection

from tests.drill.drill import Drill
from tests.faults.ledger import stored_moves

HOUR = 3600.0
AFTER = 6.0  # seconds of play after the copy, which it cannot have


def backup(drill: Drill) -> None:
    """Copy while they play; after an hour bring it back, as docs/operation.md says."""
    house, ledger = drill.house, drill.stage.ledger
    copy = house.folder / "copy.tar"
    with drill.playing():
        had = set(ledger.acknowledged)
        drill.note(f"manage.py backup, with {len(had)} moves acknowledged")
        drill.note(house.manage("backup", str(copy)).strip())
        time.sleep(AFTER)
        house.close()
        drill.note("all processes stopped")
        drill.clock.forward(HOUR)
        connection.close()
        said = house.manage("restore", str(copy), "--replace").strip().splitlines()
        drill.note(f"an hour later, manage.py restore --replace: {said[0]}")
        drill.is_restored, stored = True, {mark for mark, _move in stored_moves()}
        drill.forgotten = {mark for mark in ledger.acknowledged - had if mark not in stored}
        missing = had - stored
        drill.note(
            f"of {len(had)} moves acknowledged before the copy {len(missing)} are missing; of those after it "
            f"{len(drill.forgotten)}, which the copy cannot have"
        )
        if missing:
            drill.fail(f"missing from the copy: {sorted(missing)[:5]}")
        drill.note(house.manage("check_matches").strip().splitlines()[-1])
        drill.note(house.manage("rebuild_ratings", "--check").strip().splitlines()[-1])
        house.open()
        drill.note("all processes run again")
        drill.well("clock")
        drill.look()
