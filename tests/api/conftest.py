"""Clients of a test keep their parts of the dice in a folder of its own."""

from pathlib import Path

import pytest
from club_y_client.own_part import FILE


@pytest.fixture(autouse=True)
def own_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file of the parts that clients of this test draw."""
    path = tmp_path / "state" / "dice.jsonl"
    monkeypatch.setenv(FILE, str(path))
    return path
